"""A program on loopback that takes what the chat service sends to its request URL."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from typing import Any, TypeVar
from urllib.parse import parse_qs

from starlette.testclient import TestClient

from world.run.call_record import CallRecord
from world.run.host import Host

PATIENCE_S = 20
T = TypeVar("T")
Reply = tuple[int, dict[str, str], bytes]


@dataclass(frozen=True)
class Request:
    """One POST that came."""

    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        """The payload, of a JSON body or of the form field of interactions."""
        text = self.body if self.body.startswith(b"{") else parse_qs(self.body.decode())["payload"][0]
        return json.loads(text)


@dataclass
class Receiver:
    """What came, in order. `reply` says what is answered; challenges are given back by `challenged` first."""

    reply: Callable[[Request], Reply] = lambda request: (200, {}, b"")
    challenged: Callable[[str], Reply] | None = lambda challenge: (200, {}, challenge.encode())
    came: Queue[Request] = field(default_factory=Queue[Request])
    answered: Queue[Request] = field(default_factory=Queue[Request])
    port: int = 0

    @property
    def address(self) -> str:
        """HOST:PORT."""
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """The request URL."""
        return f"http://{self.address}/slack/events"

    def take(self) -> Request:
        """The next request; waits for it."""
        return self.came.get(timeout=PATIENCE_S)

    def finish(self) -> Request:
        """The next request whose answer is known, challenges left aside; waits for it."""
        return self.answered.get(timeout=PATIENCE_S)

    def answer(self, request: Request) -> Reply:
        """Keep a request and answer it."""
        self.came.put(request)
        if b'"url_verification"' in request.body and self.challenged is not None:
            return self.challenged(request.json["challenge"])
        reply = self.reply(request)
        self.answered.put(request)
        return reply


@contextmanager
def receiving(receiver: Receiver) -> Iterator[Receiver]:
    """Listen while the context is open."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, headers, text = receiver.answer(Request({k.lower(): v for k, v in self.headers.items()}, body))
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(text))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def awaiting(host: Host, operation: str) -> Iterator[None]:
    """Wait at the end of the context until an operation was called in the world within it."""
    came = threading.Event()

    def note(record: CallRecord) -> None:
        if record.operation == operation:
            came.set()

    host.actors["w"].recorders.append(note)
    yield
    assert came.wait(PATIENCE_S), f"nobody called {operation}"


def on_loop(client: TestClient, job: Callable[[], T]) -> T:
    """Do something on the thread of the server's loop, which alone may use the store while events are delivered."""
    assert client.portal is not None
    return client.portal.call(job)
