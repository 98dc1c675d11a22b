"""Requests that no client means, at every door, and whether an answer is one the vendor would give."""

from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import orjson

from tests.conftest import first
from tests.security.reach import Employee
from world.core.operation import Operation
from world.web.session import COOKIE

ERA = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": ERA,
    "io.modelcontextprotocol/clientInfo": {"name": "rough", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
Place = tuple[str | int, ...]


class Rough:
    """An employee whose requests are sent as they are, byte by byte."""

    def __init__(self, employee: Employee) -> None:
        self.employee, self.http, self.server = employee, employee.http, employee.server
        self._proof: dict[str, str] = {}

    def post(
        self, app: str, path: str, body: bytes, kind: str | None = "application/json", **headers: str
    ) -> httpx.Response:
        """A body of bytes under an app's mount."""
        typed = {} if kind is None else {"Content-Type": kind}
        sent = {"Authorization": f"Bearer {self.employee.bearer[app]}", **typed, **headers}
        return self.http.post(f"/{app}{path}", content=body, headers=sent)

    def tool_body(self, app: str, body: bytes, name: str, path: str = "/operations") -> httpx.Response:
        """A body of bytes at a tool address."""
        headers = {
            "Authorization": f"Bearer {self.employee.bearer[app]}",
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
            "MCP-Protocol-Version": ERA,
            "Mcp-Method": "tools/call",
            "Mcp-Name": name,
        }
        return self.http.post(f"/mcp/{app}{path}", content=body, headers=headers)

    def tool(self, app: str, name: str, arguments: str, path: str = "/operations") -> httpx.Response:
        """A tool call with arguments as JSON text."""
        meta = orjson.dumps(META).decode()
        text = f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{name}","arguments":{arguments},"_meta":{meta}}}}}'
        return self.tool_body(app, text.encode("utf-8", "surrogatepass"), name, path)

    def form(
        self, app: str, operation: str, body: bytes, kind: str = "application/x-www-form-urlencoded"
    ) -> httpx.Response:
        """A form of bytes, led by the token that a page of ours gave unless it is no plain form."""
        if app not in self._proof:
            self._proof[app] = self.employee.form_token(app)
        sent = b"_token=" + self._proof[app].encode() + b"&" + body if kind.endswith("urlencoded") else body
        headers = {
            "Cookie": f"{COOKIE}={self.employee.cookie}",
            "Content-Type": kind,
            "Referer": f"{self.server.url}/{app}/more",
        }
        return self.http.post(f"/{app}/do/{operation}", content=sent, headers=headers)

    def changed(self) -> int:
        """How many rows this world's employees have changed through their doors."""
        sql = "SELECT count(*) FROM _journal JOIN _call ON seq = call_seq WHERE door IN ('rest', 'mcp', 'page')"
        return self.server.do(lambda: first(self.server.up.host, self.employee.world, sql))


def refused(app: str, answer: httpx.Response) -> bool:
    """Whether a REST answer is a refusal; whatever it is, it has the vendor's shape and is no failure of the server."""
    assert answer.status_code < 500, (answer.request.url, answer.text[:300])
    if answer.status_code == 204:
        return False
    if app == "slack":
        assert answer.status_code == 200 and answer.headers["content-type"].startswith("application/json"), answer.text[
            :200
        ]
        body = answer.json()
        assert isinstance(body["ok"], bool) and (body["ok"] or body["error"].replace("_", "").isalnum()), answer.text[
            :200
        ]
        return not body["ok"]
    if answer.status_code < 400:
        return False
    body = answer.json()
    if app in ("sheets", "drive"):
        assert body.keys() == {"error"} and body["error"]["code"] == answer.status_code and body["error"]["message"], (
            body
        )
        assert body["error"].keys() <= {"code", "message", "status", "errors", "details"}, body
    elif app == "gmail":
        assert body.keys() == {"error"} and body["error"]["code"] == answer.status_code and body["error"]["message"], (
            body
        )
        assert (
            body["error"].keys() <= {"code", "message", "status", "errors", "details"}
            and body["error"]["errors"][0]["reason"]
        ), body
    elif app == "github":
        assert body["message"] and {"status"} <= set(body) <= {"message", "documentation_url", "status", "errors"}, body
    elif app in ("world", "status"):
        assert body["error"] and set(body) <= {"error", "message"}, body
    elif answer.status_code != 404 or "status-code" not in body:
        assert set(body) == {"errorMessages", "errors"} and (body["errorMessages"] or body["errors"]), body
    return True


def tool_refused(answer: httpx.Response) -> bool:
    """Whether a tool answer is a refusal: a protocol error, or a result marked as error that says something."""
    assert answer.status_code < 500, answer.text[:300]
    body = answer.json()
    if "error" in body:
        assert body["error"]["code"] < 0 and body["error"]["code"] != -32603 and body["error"]["message"], body
        return True
    assert answer.status_code == 200 and all(part["text"] for part in body["result"]["content"]), body
    return bool(body["result"].get("isError"))


def leaves(operation: Operation, kind: str) -> list[Place]:
    """Where in an operation's arguments values of a JSON type may stand; 0 stands for any item of a list."""
    schema = operation.params.model_json_schema()
    return sorted(set(_leaves(schema, schema.get("$defs", {}), kind, ())), key=str)


def _leaves(schema: Mapping[str, Any], known: Mapping[str, Any], kind: str, path: Place) -> Iterator[Place]:
    if "$ref" in schema:
        schema = known[schema["$ref"].rpartition("/")[2]]
    if schema.get("type") == kind and path:
        yield path
    if len(path) > 4:
        return
    for name, part in schema.get("properties", {}).items():
        yield from _leaves(part, known, kind, (*path, name))
    for part in (*schema.get("anyOf", ()), *schema.get("allOf", ())):
        yield from _leaves(part, known, kind, path)
    if isinstance(schema.get("items"), Mapping):
        yield from _leaves(schema["items"], known, kind, (*path, 0))


def put(arguments: Mapping[str, Any], path: Place, value: Any) -> dict[str, Any]:
    """The same arguments with a value at a place."""
    return _put(arguments, path, value)


def _put(inside: Any, path: Place, value: Any) -> Any:
    if not path:
        return value
    first, rest = path[0], path[1:]
    if first == 0:
        items = inside if isinstance(inside, list) and inside else [{}]
        return [_put(items[0], rest, value), *items[1:]]
    found = inside if isinstance(inside, Mapping) else {}
    return {**found, str(first): _put(found.get(str(first)), rest, value)}
