"""An employee who sends requests as they are, byte by byte, to the plane of this process."""

import json
from typing import Any

from world.bench.local_plane import Answer, LocalPlane
from world.bench.wire_bytes import FORM, JSON, encode_address, encode_body
from world.core.principal import Principal
from world.server.control_state import token_form
from world.web.rest_door import find_rest_door
from world.web.session import COOKIE

ERA = "2026-07-28"  # of the tool protocol
META = {
    "io.modelcontextprotocol/protocolVersion": ERA,
    "io.modelcontextprotocol/clientInfo": {"name": "attacker", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
TOKEN = 'name="_token" value="'


class Attacker:
    """One person of one world at the doors of one app. `answers` keeps what came back."""

    def __init__(self, plane: LocalPlane, world: str, person: str, app: str) -> None:
        self.plane, self.world, self.person, self.app = plane, world, person, app
        self.answers: list[Answer] = []
        host, generation = plane.host, plane.host.actors[world].generation
        vendor = "" if app == "world" else app
        bearer = Principal(world, person, "user", vendor, generation=generation)
        self.bearer = host.tokens.issue(bearer, token_form(host, vendor, "user"))
        self.cookie = host.tokens.issue(Principal(world, person, "user", "", generation=generation))
        self._proof = ""

    def send(self, method: str, path: str, body: bytes = b"", kind: str | None = None, **headers: str) -> Answer:
        """A request under the app's mount with the person's token."""
        lines = {"Authorization": f"Bearer {self.bearer}", **({"Content-Type": kind} if kind else {}), **headers}
        return self.send_lines(method, f"/{self.app}{path}", list(lines.items()), body)

    def send_lines(self, method: str, address: str, lines: list[tuple[str, str]], body: bytes = b"") -> Answer:
        """A request at any address with these header lines."""
        answer = self.plane.send(method, address, lines, body)
        self.answers.append(answer)
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        """GET under the app's mount."""
        return self.send("GET", path, b"", None, **headers)

    def post(self, path: str, body: object, **headers: str) -> Answer:
        """POST a JSON document under the app's mount; bytes are sent as they are."""
        return self.send("POST", path, _encode(body), JSON, **headers)

    def call(self, operation: str, /, **arguments: Any) -> Answer:
        """The vendor's request for an operation of the app. Raises LookupError for an app without one."""
        rest = find_rest_door(self.app)
        if rest is None:
            raise LookupError(f"{self.app} has no requests")
        wire = rest.wire(operation, arguments)
        body, kind = encode_body(wire)
        headers = {name: value for name, value in wire.headers.items() if name.lower() != "content-type"}
        return self.send(wire.method, encode_address(wire), body, kind or None, **headers)

    def tool(self, name: str, arguments: object, surface: str = "/operations") -> Answer:
        """A tool call; arguments are an object, or the text of a JSON document that may be broken."""
        given = arguments if isinstance(arguments, str) else json.dumps(arguments)
        text = (
            f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":{json.dumps(name)},'
            f'"arguments":{given},"_meta":{json.dumps(META)}}}}}'
        )
        return self.tool_body(text.encode("utf-8", "surrogatepass"), name, surface)

    def tool_body(self, body: bytes, name: str, surface: str = "/operations") -> Answer:
        """A body of bytes at the address of the app's tools."""
        lines = [
            ("Authorization", f"Bearer {self.bearer}"),
            ("Accept", "application/json, text/event-stream"),
            ("Content-Type", JSON),
            ("MCP-Protocol-Version", ERA),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", name.encode("ascii", "replace").decode()),
        ]
        return self.send_lines("POST", f"/mcp/{self.app}{surface}", lines, body)

    def page(self, path: str, **headers: str) -> Answer:
        """GET a page of the app with the login cookie."""
        return self.send_lines("GET", f"/{self.app}{path}", [("Cookie", f"{COOKIE}={self.cookie}"), *headers.items()])

    def form(self, operation: str, body: bytes, kind: str = FORM) -> Answer:
        """A form of bytes, led by the token that a page of ours gave unless it is no plain form."""
        if not self._proof:
            shown = self.plane.send(
                "GET", f"/{self.app}/more", [("Cookie", f"{COOKIE}={self.cookie}"), ("Firm-Live", "1")]
            )
            self._proof = shown.text.partition(TOKEN)[2].partition('"')[0]
        sent = b"_token=" + self._proof.encode() + b"&" + body if kind == FORM else body
        lines = [
            ("Cookie", f"{COOKIE}={self.cookie}"),
            ("Content-Type", kind),
            ("Referer", f"http://127.0.0.1/{self.app}/more"),
        ]
        return self.send_lines("POST", f"/{self.app}/do/{operation}", lines, body=sent)

    def wait(self, seconds: int) -> Answer:
        """Let simulated time pass, so that events that the requests caused are due."""
        token = self.plane.host.tokens.issue(
            Principal(self.world, self.person, "user", "", generation=self.plane.host.actors[self.world].generation),
            token_form(self.plane.host, "", "user"),
        )
        lines = [("Authorization", f"Bearer {token}"), ("Content-Type", JSON)]
        return self.send_lines("POST", "/world/wait", lines, json.dumps({"seconds": seconds}).encode())


def _encode(body: object) -> bytes:
    return body if isinstance(body, bytes) else json.dumps(body).encode()


def read(answer: Answer) -> Any:
    """The JSON of an answer. Raises ValueError."""
    return json.loads(answer.body)
