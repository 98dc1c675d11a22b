"""The public Python client of the control plane: make worlds, hand out tokens, look, grade."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx
from pydantic import BaseModel, ConfigDict


BUSY = 429


class ControlError(Exception):
    """The control plane refused; `status` is the HTTP status, the message says why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"{status}: {message}")
        self.status, self.message = status, message


class World(BaseModel):
    """State of a world. `now` is simulated microseconds since the epoch, UTC; `calls` the last call's number."""

    model_config = ConfigDict(extra="ignore")
    world: str
    now: int
    utc: str
    calls: int
    ended: str | None = None
    ending: str | None = None
    scenario: str | None = None
    seed: int | None = None
    agent: str | None = None
    task: str | None = None
    quarantined: dict[str, str] | None = None


class Token(BaseModel):
    """A credential of one employee, and where to use it."""

    model_config = ConfigDict(extra="ignore")
    token: str
    person: str
    login: str
    rest: str
    mcp: str
    credentials: dict[str, Any] = {}


class Client:
    """Talks to one server: `Client(socket=".firm/run/control.sock", secret=...)` or `Client(url=..., secret=...)`."""

    def __init__(
        self, *, secret: str, socket: str | Path | None = None, url: str | None = None, timeout_s: float = 60.0
    ) -> None:
        transport = httpx.HTTPTransport(uds=str(socket)) if socket is not None else None
        self._http = httpx.Client(
            base_url=url or "http://control",
            headers={"Authorization": f"Bearer {secret}"},
            transport=transport,
            timeout=timeout_s,
        )

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def _send(self, method: str, path: str, body: Mapping[str, Any] | None = None, **query: Any) -> Any:
        answer = self._http.request(method, path, json=body, params=query or None)
        while answer.status_code == BUSY:  # nothing was done
            time.sleep(float(answer.headers.get("retry-after", "1")))
            answer = self._http.request(method, path, json=body, params=query or None)
        if answer.status_code >= 400:
            raise ControlError(answer.status_code, _message(answer))
        return answer.json() if answer.content else None

    def health(self) -> dict[str, Any]:
        """`image`, the number of `worlds`, and of a server with workers each of them: pid, up, restarts, waiting."""
        return self._send("GET", "/health")

    def scenarios(self) -> dict[str, str]:
        """Installed scenarios: name -> title."""
        return self._send("GET", "/scenarios")

    def worlds(self) -> list[str]:
        """Names of all worlds."""
        return self._send("GET", "/worlds")

    def status(self) -> list[dict[str, Any]]:
        """List each world's health: `quarantined` (the fault), `slowed`, `waiting`, `steps`, `longest_hold_ms`."""
        return self._send("GET", "/status")

    def release(self, world: str) -> None:
        """Let the callers of a quarantined world in again. Raises ControlError."""
        self._send("DELETE", f"/worlds/{world}/quarantine")

    def create(self, *, scenario: str | None = None, seed: int = 0, name: str | None = None, **settings: Any) -> World:
        """A new world; with a scenario, at its first moment. Raises ControlError."""
        body = {"scenario": scenario, "seed": seed, "name": name, "settings": settings}
        return World.model_validate(self._send("POST", "/worlds", body))

    def describe(self, world: str) -> World:
        """Return the state of a world."""
        return World.model_validate(self._send("GET", f"/worlds/{world}"))

    def fork(self, world: str, *, at: int | None = None, name: str | None = None) -> World:
        """A world that goes on from call `at` of another (its head by default)."""
        return World.model_validate(self._send("POST", f"/worlds/{world}/fork", {"at": at, "name": name}))

    def salvage(self, world: str, *, name: str | None = None) -> dict[str, Any]:
        """A new world from the calls before the damage of this one's log; `damaged_at` and `lost_bytes` say what is gone."""
        return self._send("POST", f"/worlds/{world}/salvage", {"name": name})

    def advance(self, world: str, duration: str) -> World:
        """Let simulated time pass: `20m`, `2h`."""
        return World.model_validate(self._send("POST", f"/worlds/{world}/advance", {"for": duration}))

    def inject(self, world: str, person: str, operation: str, **arguments: Any) -> Any:
        """Do an operation as a person (id, handle or address)."""
        body = {"person": person, "operation": operation, "arguments": arguments}
        return self._send("POST", f"/worlds/{world}/inject", body)

    def token(
        self,
        world: str,
        app: str = "",
        *,
        person: str | None = None,
        kind: str = "user",
        credential: str = "",
        subjects: Sequence[str] = (),
    ) -> Token:
        """A token in the app's own form; without a person, for the employee the agent plays.

        `credential` asks for another kind as well, which may speak for `subjects` too.
        """
        wanted = {"person": person, "app": app, "kind": kind, "credential": credential, "subjects": list(subjects)}
        return Token.model_validate(self._send("POST", f"/worlds/{world}/tokens", wanted))

    def diff(self, world: str, since: int = 0) -> list[dict[str, Any]]:
        """Rows that are different in the end: table, pk, op, before, after, journal_ids."""
        return self._send("GET", f"/worlds/{world}/diff", since=since)

    def history(self, world: str, since: int = 0) -> dict[str, list[dict[str, Any]]]:
        """`calls` and `changes` after a call; `missed`: what employees asked for so far that no app has."""
        return self._send("GET", f"/worlds/{world}/history", since=since)

    def state_hash(self, world: str) -> str:
        """The hash of every tracked row, 32 hex digits."""
        return self._send("GET", f"/worlds/{world}/hash")["hash"]

    def grade(self, world: str, *, public: bool = False) -> dict[str, Any]:
        """The verdict: pass, score, items, unclaimed ...; `public`: pass, score, unmet, charges, and nothing of the rubric.
        The world itself is not touched.
        """
        asked: dict[str, Any] = {"public": True} if public else {}
        return self._send("POST", f"/worlds/{world}/grade", None, **asked)

    def drop(self, world: str) -> None:
        """Forget a world and its tokens."""
        self._send("DELETE", f"/worlds/{world}")


def _message(answer: httpx.Response) -> str:
    if "json" not in answer.headers.get("content-type", ""):
        return answer.text
    body = answer.json()
    return str(body.get("message") or body.get("detail") or body)
