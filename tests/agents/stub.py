"""A stand-in for a model: chat completions over HTTP, its answers from a script, every request checked against the
protocol.
"""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, Mapping[str, str], Any]
HANGS, HANGS_UP, TRICKLES = (
    -1,
    -2,
    -3,
)  # in place of a status: no answer ever, none and the line is cut, a letter now and then
Script = Callable[[list[dict[str, Any]]], Answer]  # the messages so far -> status, headers, body


def says(text: str | None = None, *calls: tuple[str, str], tokens: int = 10) -> Answer:
    """An answer with a text and tool calls (name, arguments as the text that stands in JSON's place)."""
    made = [
        {"id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": text}}
        for n, (name, text) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": text, **({"tool_calls": made} if made else {})}
    return (
        200,
        {},
        {"object": "chat.completion", "choices": [{"index": 0, "message": message}], "usage": {"total_tokens": tokens}},
    )


@dataclass
class Stub:
    """The endpoint: its address, and the bodies of the requests it got."""

    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def told(self) -> list[str]:
        """What the model was told by tools, over the whole conversation."""
        return [one["content"] for one in self.asked[-1]["messages"] if one["role"] == "tool"]


def breaches(body: Mapping[str, Any]) -> list[str]:
    """What a real endpoint would refuse: each tool call must be answered at once, by its id; tools must have a schema."""
    found = [one["function"]["name"] for one in body["tools"] if one["function"]["parameters"].get("type") != "object"]
    open_calls: list[str] = []
    for message in body["messages"]:
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_calls:
                found.append(f"answer to no call: {message}")
            open_calls = [one for one in open_calls if one != message["tool_call_id"]]
        elif open_calls:
            found.append(f"calls without answer: {open_calls}")
        if message["role"] == "assistant":
            open_calls = [one["id"] for one in message.get("tool_calls", ())]
    return found


@contextmanager
def model(script: Script) -> Iterator[Stub]:
    """An endpoint on loopback that answers by a script."""
    stub = Stub()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            stub.asked.append(body)
            stub.wrong += breaches(body) + ([] if self.headers["Authorization"] == "Bearer key" else ["no key"])
            status, headers, answer = script(body["messages"]) if self.path == "/v1/chat/completions" else (404, {}, {})
            if status < 0:
                return self.fail(status)
            text = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
            self.send_response(status)
            for name, value in {
                "Content-Type": "application/json",
                "Content-Length": str(len(text)),
                **headers,
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text)

        def fail(self, how: int) -> None:
            self.close_connection = True
            if how == TRICKLES:
                self.send_response(200)
                self.end_headers()
            with suppress(OSError):
                while how != HANGS_UP and not stub.over.wait(0.02):
                    self.wfile.write(b" " if how == TRICKLES else b"")

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        stub.url = f"http://127.0.0.1:{server.server_port}/v1"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield stub
        finally:
            stub.over.set()
            server.shutdown()
            thread.join()
