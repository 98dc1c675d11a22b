"""A request as the door reads it, alone or out of a batch, and the method it names."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from starlette.datastructures import Headers
from starlette.requests import Request

from apps.gmail.rest.reading import Query, first, parsed
from apps.gmail.rest.table import LINES, REFUSED, Line, find

ROOT = re.compile(r"(?P<upload>/resumable/upload|/upload)?(?:/gmail)?/v1/users/")
OWN = ("sync", "{operation}")  # what the browser client asks for: no method of the API
MAX_JSON = 1024 * 1024  # bytes of a body that holds no mail
WORD = re.compile(r"[a-z][A-Za-z]{2,31}")
KNOWN_WORDS = frozenset(word for line in (*LINES, *REFUSED) for word in line.path if WORD.fullmatch(word))


@dataclass(frozen=True, slots=True)
class Asked:
    """A request. `path` is relative to the app's mount and still percent-encoded; names of headers are in lower case."""

    method: str
    path: str
    query: Query
    headers: Mapping[str, str]
    content: bytes = b""
    base: str = ""

    @property
    def verb(self) -> str:
        """The method meant: behind X-HTTP-Method-Override, or of a HEAD."""
        method = self.headers.get("x-http-method-override", self.method).upper() if self.method == "POST" else self.method
        return "GET" if method == "HEAD" else method

    @property
    def media_type(self) -> str:
        """The content type without its parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    def said(self, name: str) -> str:
        """A parameter of the query."""
        return first(self.query, name)


@dataclass(frozen=True, slots=True)
class Meant:
    """The method a request names, the arguments in its path, and whether it is sent as an upload."""

    line: Line
    path: dict[str, str] = field(default_factory=dict)
    upload: bool = False

    @property
    def is_own(self) -> bool:
        """Whether it is one of the browser client's."""
        return self.line.path == OWN

    @property
    def most(self) -> int:
        """The largest body: a mail in base64 where the method takes one, as it is in an upload."""
        return (self.line.most if self.upload else self.line.most * 4 // 3) + MAX_JSON


def seen(request: Request) -> Asked:
    """A request before its body is read."""
    root = str(request.scope.get("root_path", "")).rstrip("/")
    raw = request.scope.get("raw_path") or request.scope["path"].encode()
    segments = raw.decode("latin-1").partition("?")[0].split("/")
    path = "/" + "/".join(segments[root.count("/") + 1 :])
    query = parsed(request.scope.get("query_string", b"").decode("latin-1"))
    return Asked(request.method, path, query, Headers(scope=request.scope), base=f"{request.url.scheme}://{request.url.netloc}{root}")


async def read(request: Request, most: int) -> bytes | None:
    """The body, or None when it is larger than allowed."""
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > most:
            return None
        chunks.append(chunk)
    return b"".join(chunks)


def method_of(asked: Asked) -> Meant | None:
    """The method a request names, if it names one."""
    root = ROOT.match(asked.path)
    if root is None:
        return _own(asked)
    found = find(asked.verb, [unquote(part) for part in asked.path[root.end() :].split("/")])
    if found is None or (root["upload"] and not found[0].most):
        return None
    return Meant(*found, upload=bool(root["upload"]))


def is_piece(asked: Asked) -> bool:
    """Whether a request goes on with a resumable upload, at the address its start was answered with."""
    root = ROOT.match(asked.path)
    return root is not None and bool(root["upload"]) and bool(asked.said("upload_id")) and asked.method in ("PUT", "POST", "DELETE")


def _own(asked: Asked) -> Meant | None:
    _, *segments = asked.path.split("/")
    if asked.verb != "POST" or len(segments) != 2 or segments[0] != OWN[0] or not segments[1].startswith("mail."):
        return None
    return Meant(Line("POST", OWN, segments[1]))


def without_arguments(path: str) -> str:
    """A path of the vendor's with `{}` for what can be an argument: below the user every other segment unless it is a known word."""
    root = ROOT.match(path)
    if root is None:
        word = path.strip("/").partition("/")[0]
        return f"/{word}/{{}}" if WORD.fullmatch(word) else "/{}"
    _, *rest = path[root.end() :].split("/")
    kept = [part if part in KNOWN_WORDS or (place % 2 == 0 and WORD.fullmatch(part)) else "{}" for place, part in enumerate(rest)]
    return "/".join(["/gmail/v1/users/{userId}", *kept])
