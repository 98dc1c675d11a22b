"""Servers to measure in processes of their own, and a client that costs little."""

import http.client
import json
import socket
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit


@contextmanager
def serve_process(module: str, *arguments: str) -> Generator[dict[str, Any], None, None]:
    """A server process; yields the JSON line it prints when it listens. It is ended by its own id."""
    with subprocess.Popen([sys.executable, "-m", module, *arguments], stdout=subprocess.PIPE, text=True) as running:
        try:
            if running.stdout is None:
                raise RuntimeError("no output")
            text = running.stdout.readline()
            if not text:
                raise RuntimeError(f"{module} did not start")
            yield json.loads(text)
        finally:
            running.terminate()
            running.wait(timeout=20)


class LeanClient:
    """A keep-alive HTTP client that costs little, for both sides of a comparison."""

    def __init__(self, url: str, headers: Mapping[str, str] | None = None) -> None:
        self._headers = dict(headers or {})
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)

    def headers(self, token: str) -> None:
        """Use another bearer token from now on."""
        self._headers["Authorization"] = f"Bearer {token}"

    def add_header(self, name: str, value: str) -> None:
        """Send one more header from now on."""
        self._headers[name] = value

    def open_session(self, path: str, body: object) -> str:
        """Send a request whose answer opens a session of the tool protocol; its id. Raises AssertionError."""
        content = json.dumps(body).encode()
        self._connection.request("POST", path, content, {**self._headers, "Content-Type": "application/json"})
        answer = self._connection.getresponse()
        said, session = answer.read(), answer.getheader("mcp-session-id")
        if session is None:
            raise AssertionError(f"{answer.status} {said[:200]!r}")
        return session

    def send(self, method: str, path: str, body: object = None) -> bytes:
        """The body of the answer. Raises AssertionError unless the status is 2xx."""
        if body is None:
            return self._send(method, path, None, self._headers)
        return self.send_bytes(method, path, json.dumps(body).encode(), "application/json; charset=utf-8")

    def send_bytes(self, method: str, path: str, body: bytes, kind: str) -> bytes:
        """The same with a body of a content type."""
        return self._send(method, path, body, {**self._headers, "Content-Type": kind})

    def open_page(self, path: str, cookie: str) -> bytes:
        """A page for who has logged in."""
        return self._send("GET", path, None, {"Cookie": cookie})

    def send_anyway(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> None:
        """Send, whatever comes back; a server may hang up on what is too large."""
        try:
            self._connection.request(method, path, body or None, headers)
            self._connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            self._connection.close()

    def _send(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> bytes:
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status >= 300:
            raise AssertionError(f"{method} {path}: {answer.status} {content[:200]!r}")
        return content


class UnixClient(LeanClient):
    """The same over a unix socket."""

    def __init__(self, path: str, headers: Mapping[str, str]) -> None:
        super().__init__("http://control", headers)
        self._connection = _UnixConnection(path)


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("control", timeout=30)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(self._path)
