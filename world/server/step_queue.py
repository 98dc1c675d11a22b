"""Turns of requests: each step of a request waits for its world's turn, and is measured.

As a rule the headers tell the world of a request. Where they do not (a form with the token inside), the first step
counts for the client's address, the others for the world that the door has found.
"""

import asyncio
import base64
from collections.abc import Awaitable, Callable, Generator, Iterable
from typing import Any

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from world.core.access import Tokens
from world.core.clock import processor_seconds, wall_seconds
from world.core.principal import Principal
from world.run.turns import NO_WORLD, Turns
from world.web.session import COOKIE

Find = Callable[[Scope], str]
STOPPED = PlainTextResponse("The server is stopping.", 503, {"Retry-After": "5"})


class TurnTaking:
    """An application whose requests take turns. `find` returns the world of a request, as far as it is known.

    With `sockets` the messages of WebSocket connections take turns too.
    """

    def __init__(self, app: ASGIApp, turns: Turns, find: Find, *, sockets: bool = False) -> None:
        self._app, self._turns, self._find = app, turns, find
        self._kinds = frozenset({"http", "websocket"} if sockets else {"http"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in self._kinds:
            await self._app(scope, receive, send)
            return
        steps = _Steps(self._app(scope, receive, send), self._turns, scope, self._find)
        try:
            await steps
        except asyncio.CancelledError:
            if steps.has_begun or scope["type"] != "http":
                raise
            await STOPPED(scope, receive, send)  # the server stops, and nothing was done


class _Steps(Awaitable[None]):
    """Runs a coroutine step by step inside the task that awaits it."""

    def __init__(self, job: Awaitable[None], turns: Turns, scope: Scope, find: Find) -> None:
        self._job, self._turns, self._scope, self._find = job.__await__(), turns, scope, find
        self.has_begun = False

    def __await__(self) -> Generator[Any, Any, None]:
        thrown: BaseException | None = None
        while True:
            if thrown is None:
                try:
                    yield from self._turns.take(self._find(self._scope)).__await__()
                except BaseException as error:  # a cancelled waiter: a job that has begun must know
                    if not self.has_begun:
                        self._job.close()
                        raise
                    thrown = error
            self.has_begun = True
            try:
                waited = self._step(thrown)
            except StopIteration:
                return
            thrown = None
            try:
                yield waited
            except BaseException as error:  # noqa: BLE001  # the job's to handle
                thrown = error

    def _step(self, thrown: BaseException | None) -> Any:
        """Run the job up to its next wait. Raises StopIteration at its end."""
        began, computed = wall_seconds(), processor_seconds()
        try:
            return self._job.send(None) if thrown is None else self._job.throw(thrown)
        finally:
            computed = processor_seconds() - computed
            self._turns.note(self._find(self._scope), began, wall_seconds(), computed)


def find_by_headers(tokens: Tokens) -> Find:
    """Tell a request's world by the token it carries, or else its client's address."""

    def find(scope: Scope) -> str:
        principal = find_principal(tokens, scope)
        world = scope["firm.turn"] = principal.world if principal else f"{NO_WORLD}{(scope.get('client') or ['?'])[0]}"
        return world

    return lambda scope: scope.get("firm.world") or scope.get("firm.turn") or find(scope)


def find_principal(tokens: Tokens, scope: Scope) -> Principal | None:
    """The caller that the headers of a request name, or None."""
    return next((one for token in _list_tokens(scope["headers"]) if (one := tokens.resolve(token))), None)


def _list_tokens(headers: Iterable[tuple[bytes, bytes]]) -> Generator[str, None, None]:
    for name, value in headers:
        if name == b"authorization":
            scheme, _, said = value.decode("latin-1").strip().rpartition(" ")
            yield _read_password(said) if scheme.lower() == "basic" else said
        elif name == b"cookie":
            yield value.decode("latin-1").partition(f"{COOKIE}=")[2].partition(";")[0].strip('" ')


def _read_password(said: str) -> str:
    try:
        return base64.b64decode(said).decode().partition(":")[2]
    except ValueError:  # neither base64 nor UTF-8
        return ""
