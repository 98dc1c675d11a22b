"""Notes what an agent asked over HTTP and what was sent back, for whoever records its world."""

import re
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from world.run.exchange import Exchange, HttpRequest, HttpResponse, enter_exchange, leave_exchange
from world.run.host import Host

MAX_KEPT = 8 << 20  # bytes of a body that are kept
TOKEN = re.compile(r"(?<![^&?])(token|access_token|refresh_token|client_secret|assertion)=[^&]*")


class ExchangeCapture:
    """An application whose requests are exchanges; what is sent is not changed.

    A request that reached no operation is on record too if it failed.
    """

    def __init__(self, app: ASGIApp, host: Host) -> None:
        self._app, self._host = app, host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange, token = enter_exchange()
        asked, answer = Body(), Answer(exchange, lambda: self._host.is_recorded(scope.get("firm.world", "")))

        async def receive_body() -> Message:
            message = await receive()
            asked.add(message.get("body", b""))
            return message

        async def send_answer(message: Message) -> None:
            answer.add(message)
            await send(message)

        try:
            await self._app(scope, receive_body, send_answer)
        finally:
            leave_exchange(token)
            if exchange.is_heard or answer.is_failure:
                visits = not exchange.is_heard
                exchange.close(describe_request(scope, asked), answer.describe())
                if visits:
                    self._host.record_visit(scope["firm.world"], exchange)


class Body:
    """The chunks of a body up to a bound."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []
        self._size = 0
        self.cut = False

    def add(self, chunk: bytes) -> None:
        """Keep a chunk, if there is room."""
        self._size += len(chunk)
        self.cut = self.cut or self._size > MAX_KEPT
        if chunk and not self.cut:
            self._chunks.append(chunk)

    def join(self) -> bytes:
        """What was kept."""
        return b"".join(self._chunks)


class Answer:
    """An answer under way; its body is kept only if somebody wants to know it."""

    def __init__(self, exchange: Exchange, is_recorded: Callable[[], bool]) -> None:
        self._exchange, self._is_recorded = exchange, is_recorded
        self.is_failure = False  # of a request that reached no operation, in a world that is recorded
        self._status = 0
        self._type = ""
        self._body = Body()

    def add(self, message: Message) -> None:
        """Note a part of the answer."""
        if message["type"] == "http.response.start":
            self._status, self._type = message["status"], find_type(message["headers"])
            self.is_failure = self._status >= 400 and not self._exchange.is_heard and self._is_recorded()
        elif message["type"] == "http.response.body" and (self._exchange.is_heard or self.is_failure):
            self._body.add(message.get("body", b""))

    def describe(self) -> HttpResponse:
        """The answer as it was sent; status 0 if none was."""
        return {"status": self._status, "type": self._type, "body": self._body.join(), "cut": self._body.cut}


def describe_request(scope: Scope, body: Body) -> HttpRequest:
    """The request as it came, without headers; tokens in its query or form are left out."""
    kind, sent = find_type(scope["headers"]), body.join()
    is_form = kind.startswith("application/x-www-form-urlencoded")
    return {
        "method": scope["method"],
        "path": scope["path"],
        "query": hide_tokens(scope["query_string"].decode("latin-1")),
        "type": kind,
        "body": hide_tokens(sent.decode("latin-1")).encode("latin-1") if is_form else sent,
    }


def hide_tokens(query: str) -> str:
    """A query with the values of its credentials replaced by `***`."""
    return TOKEN.sub(r"\1=***", query)


def find_type(headers: list[tuple[bytes, bytes]]) -> str:
    """The content type among headers; empty if there is none."""
    return next((value.decode("latin-1") for name, value in headers if name.lower() == b"content-type"), "")
