"""Crawler over HTTP of all that an agent's tokens reach: linked pages, descriptions of tools and APIs, git, errors."""

import html
import re
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx

from world.agents.task import Task
from world.core.json_types import JsonObject
from world.core.probes import Place
from world.web.session import COOKIE

LINK = re.compile(r'(?:href|src|hx-get)="([^"#]+)')
ASSET = re.compile(r"\.(?:css|js|svg|png|woff2)(?:\?|$)")
BROKEN = ("", "/nope", "/api/nope", "/%00", "/../../etc/passwd", "/.git/config", "/static/nope.js", "/do/nope")
DESCRIBED = (
    "/openapi.json",
    "/docs",
    "/redoc",
    "/robots.txt",
    "/sitemap.xml",
    "/.well-known/oauth-authorization-server",
)
LISTS: JsonObject = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
OPENING = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "client", "version": "1"}},
}


class AgentClient:
    """A client with everything an agent was handed, and nothing else. `more` says whether to go on."""

    def __init__(self, task: Task, more: Callable[[], bool] = lambda: True) -> None:
        self.task, self._more = task, more
        self.http = httpx.Client(base_url=task.url, timeout=60)
        self.cookie = {"Cookie": f"{COOKIE}={task.token}"}
        self.apps = [name for name in task.tokens if name]

    def close(self) -> None:
        """Let go of the connections."""
        self.http.close()

    def bearer(self, app: str) -> dict[str, str]:
        """The headers of a request to an app's API."""
        return {"Authorization": f"Bearer {self.task.tokens[app]}"}

    def ask(self, method: str, path: str, **given: object) -> Place:
        """One request's place and answer, headers included."""
        answer = self.http.request(method, path, **given)  # type: ignore[arg-type]
        return f"{method} {path} {answer.status_code}", f"{dict(answer.headers)}\n{html.unescape(answer.text)}"

    def walk(self, start: str, most: int) -> Iterator[Place]:
        """Pages and files, each linked from one before; breadth first."""
        waiting, later, seen = deque([start]), deque[str](), {start}
        while waiting and most and self._more():
            address, most = waiting.popleft(), most - 1
            answer = self.http.get(address, headers=self.cookie)
            yield f"GET {address}", f"{dict(answer.headers)}\n{html.unescape(answer.text)}"
            paged = "html" in answer.headers.get("content-type", "")
            links: list[str] = LINK.findall(answer.text) if paged else []
            if answer.is_redirect:
                links.append(answer.headers["location"])
            for link in links:
                path = self._inside(urljoin(str(answer.url), html.unescape(link)))
                if path and path not in seen:
                    seen.add(path)
                    (later if ASSET.search(path) else waiting).append(path)
            if not waiting:
                waiting, later = later, deque[str]()

    def _inside(self, address: str) -> str:
        parts = urlsplit(address)
        if f"{parts.scheme}://{parts.netloc}" != self.task.url or "logout" in parts.path:
            return ""
        return parts.path + (f"?{parts.query}" if parts.query else "")

    def errors(self) -> Iterator[Place]:
        """Yield the answers to broken requests."""
        for app in self.apps:
            for path in BROKEN:
                yield self.ask("POST", f"/{app}{path}", headers=self.bearer(app), content=b"\xff{")
                yield self.ask("GET", f"/{app}{path}", headers=self.cookie)

    def list_descriptions(self) -> Iterator[Place]:
        """Yield every description of the doors: tool lists over MCP, OpenAPI, and addresses that clients try first."""
        for app in ("", *self.apps):
            for path in DESCRIBED:
                yield self.ask("GET", f"/{app}{path}" if app else path, headers=self.cookie)
        for name, address in self.task.mcp.items():
            yield from self._tools(name, address)

    def _tools(self, name: str, address: str) -> Iterator[Place]:
        headers = {
            **self.bearer(name if name in self.task.tokens else ""),
            "Accept": "application/json, text/event-stream",
        }
        opened = self.http.post(address, json=OPENING, headers=headers)
        session = {"mcp-session-id": opened.headers["mcp-session-id"]} if "mcp-session-id" in opened.headers else {}
        yield f"opening {address}", opened.text
        yield f"tools of {name}", self.http.post(address, json=LISTS, headers={**headers, **session}).text

    def probe(self, app: str) -> "AppAgentClient":
        """One app's API."""
        return AppAgentClient(self, app)

    def goes_on(self) -> bool:
        """Whether there is time for more."""
        return self._more()


class AppAgentClient:
    """One app's API with the agent's token, for the probes that the app declares."""

    def __init__(self, reach: AgentClient, app: str) -> None:
        self._reach, self._root, self._headers = reach, f"/{app}", reach.bearer(app)

    def ask(self, method: str, path: str) -> Place:
        """One request's place and answer, headers included."""
        return self._reach.ask(method, self._root + path, headers=self._headers)

    def get(self, path: str) -> tuple[str, Any]:
        """The body of a GET as text and as JSON; no JSON unless it is answered with 200."""
        answer = self._reach.http.get(self._root + path, headers=self._headers)
        return answer.text, answer.json() if answer.status_code == 200 else None

    def goes_on(self) -> bool:
        """Whether there is time for more."""
        return self._reach.goes_on()
