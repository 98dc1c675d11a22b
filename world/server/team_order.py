"""Turns of a team at the doors of apps: each request of a member is one call, in the order of the team."""

from starlette.types import ASGIApp, Receive, Scope, Send

from world.run.host import Host
from world.server.step_queue import find_principal

STREAM = b"text/event-stream"


class TeamOrder:
    """An application whose requests by members of a team are held until it is their turn. Streams of events are not."""

    def __init__(self, app: ASGIApp, host: Host) -> None:
        self._app, self._host = app, host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_stream = scope["type"] != "http" or (b"accept", STREAM) in scope["headers"]
        principal = None if is_stream else find_principal(self._host.tokens, scope)
        if principal is None:
            await self._app(scope, receive, send)
            return
        async with self._host.team_turns.enter(principal):
            await self._app(scope, receive, send)
