"""Answers of an application, each looked at whole."""

from collections.abc import Callable, MutableMapping
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

Messages = list[MutableMapping[str, Any]]  # of ASGI, as they were sent


class CheckedAnswers:
    """An application whose answers to published requests are checked; `check` raises AssertionError."""

    def __init__(
        self, app: ASGIApp, is_published: Callable[[Scope], bool], check: Callable[[Scope, Messages], None]
    ) -> None:
        self.app, self._is_published, self._check = app, is_published, check

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and look at the whole answer."""
        if scope["type"] != "http" or not self._is_published(scope):
            await self.app(scope, receive, send)
            return
        sent: Messages = []

        async def keep(message: MutableMapping[str, Any]) -> None:
            sent.append(message)
            await send(message)

        await self.app(scope, receive, keep)
        self._check(scope, sent)
