"""The REST door as a client sees it: each app's own wire shape over HTTP."""

from collections.abc import Callable
from typing import Any

import httpx

from world.agents import git
from world.agents.steps import LastResult, Scene, StepRefused
from world.core.errors import OperationError
from world.core.params import Arguments
from world.run.host import Host
from world.web.rest_door import find_rest_door


class RestDoor:
    """Sends the vendor's requests, and pushes with git itself. Results are read back from the world's record of the
    call, the same for every door.
    """

    name = "rest"

    def __init__(self, host: Host, url: str, token: Callable[[str], str], last: LastResult, scene: Scene) -> None:
        self._host, self._url, self._token, self._last, self._scene = host, url, token, last, scene
        self._http = httpx.Client(timeout=60.0)

    def do(self, operation: str, arguments: Arguments) -> Any:
        """Perform an operation. Raises StepRefused when the vendor's answer is a refusal."""
        app = self._host.operation(operation).app
        self._last.forget()
        rest = find_rest_door(app)
        if rest is not None and rest.pushes is not None and (given := rest.pushes(operation, arguments)) is not None:
            return outcome(
                self._last, given.operation, git.push(f"{self._url}/{app}", self._token(app), self._scene, given)
            )
        answer = self._world(operation, arguments) if app == "world" else self._vendor(app, operation, arguments)
        return outcome(self._last, operation, answer.text)

    def _world(self, operation: str, arguments: Arguments) -> httpx.Response:
        name = operation.split(".")[1]
        headers = {"Authorization": f"Bearer {self._token('')}"}
        if name == "now":
            return self._http.get(f"{self._url}/world/now", headers=headers)
        return self._http.post(f"{self._url}/world/{name}", json=dict(arguments), headers=headers)

    def _vendor(self, app: str, operation: str, arguments: Arguments) -> httpx.Response:
        rest = find_rest_door(app)
        if rest is None:
            raise LookupError(f"{app} has no REST door")
        wire = rest.wire(operation, arguments)
        headers = {"Authorization": f"Bearer {self._token(app)}", **wire.headers}
        return self._http.request(
            wire.method,
            f"{self._url}/{app}{wire.path}",
            params=wire.query or None,
            headers=headers,
            json=wire.json,
            data=wire.form,
            files=wire.files,
            content=wire.content,
        )

    def close(self) -> None:
        """Close the connections."""
        self._http.close()


def outcome(last: LastResult, operation: str, text: str) -> Any:
    """The result of the call that was just made. Raises StepRefused for a refusal, or if no call reached the world."""
    record = last.records.get(operation)
    if record is None:
        raise StepRefused("unreachable", text[:500])
    if isinstance(record.result, OperationError):
        raise StepRefused(record.result.code, record.result.detail)
    if record.status not in ("ok", "stale_read", "latency"):
        raise StepRefused(record.status, text[:500])
    return record.result
