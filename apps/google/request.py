"""A parsed request, alone or from a batch, and its method."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from starlette.datastructures import Headers
from starlette.requests import Request

from apps.google.api import Api
from apps.google.arguments import Query, find_first, parse_query
from apps.google.method_table import Line

OWN = ("sync", "{operation}")  # what the browser client asks for: no method of an API
WORD = re.compile(r"[a-z][A-Za-z]{2,31}")

Apis = tuple[Api, ...]


@dataclass(frozen=True, slots=True)
class ApiRequest:
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
        method = (
            self.headers.get("x-http-method-override", self.method).upper() if self.method == "POST" else self.method
        )
        return "GET" if method == "HEAD" else method

    @property
    def media_type(self) -> str:
        """The content type without its parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    def query_value(self, name: str) -> str:
        """A parameter of the query."""
        return find_first(self.query, name)


@dataclass(frozen=True, slots=True)
class MethodCall:
    """The method a request names, the arguments in its path, and whether it is sent as an upload."""

    api: Api
    line: Line
    path: dict[str, str] = field(default_factory=dict)
    upload: bool = False

    @property
    def is_own(self) -> bool:
        """Whether it is one of the browser client's."""
        return self.line.path == OWN

    @property
    def is_there(self) -> bool:
        """Whether the app has it."""
        return self.api.operation(self.line) is not None

    @property
    def most_media(self) -> int:
        """The largest upload."""
        return self.api.largest(self.line)

    @property
    def most(self) -> int:
        """The largest body: media in base64 where a JSON body may hold them, as they are in an upload."""
        inline = self.most_media * 4 // 3 if self.api.media is not None and self.api.media.inline else 0
        return (self.most_media if self.upload else inline) + self.api.most_json


def request_head(request: Request) -> ApiRequest:
    """A request before its body is read."""
    root = str(request.scope.get("root_path", "")).rstrip("/")
    raw = request.scope.get("raw_path") or request.scope["path"].encode()
    segments = raw.decode("latin-1").partition("?")[0].split("/")
    path = "/" + "/".join(segments[root.count("/") + 1 :])
    query = parse_query(request.scope.get("query_string", b"").decode("latin-1"))
    return ApiRequest(
        request.method,
        path,
        query,
        Headers(scope=request.scope),
        base=f"{request.url.scheme}://{request.url.netloc}{root}",
    )


async def read_body(request: Request, most: int) -> bytes | None:
    """The body, or None when it is larger than allowed."""
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > most:
            return None
        chunks.append(chunk)
    return b"".join(chunks)


def find_api(apis: Apis, path: str) -> tuple[Api, re.Match[str]] | None:
    """The API a path is of, and what comes before its method's own."""
    return next(((api, root) for api in apis if (root := api.root.match(path)) is not None), None)


def find_method(apis: Apis, asked: ApiRequest) -> MethodCall | None:
    """The method a request names, if it names one."""
    of = find_api(apis, asked.path)
    if of is None:
        return _find_own_method(apis, asked)
    api, root = of
    found = api.find(asked.verb, [unquote(part) for part in asked.path[root.end() :].split("/")])
    if found is None or (root["upload"] and not found[0].most):
        return None
    return MethodCall(api, *found, upload=bool(root["upload"]))


def is_upload(apis: Apis, path: str) -> bool:
    """Whether a path is one that uploads go to."""
    of = find_api(apis, path)
    return of is not None and bool(of[1]["upload"])


def is_upload_piece(apis: Apis, asked: ApiRequest) -> bool:
    """Whether a request continues a resumable upload, at the address that its start returned."""
    return (
        is_upload(apis, asked.path)
        and bool(asked.query_value("upload_id"))
        and asked.method in ("PUT", "POST", "DELETE")
    )


def _find_own_method(apis: Apis, asked: ApiRequest) -> MethodCall | None:
    """Find the method of a browser client's request, in the API whose app has it."""
    _, *segments = asked.path.split("/")
    if asked.verb != "POST" or len(segments) != 2 or segments[0] != OWN[0]:
        return None
    able = [api for api in apis if api.own and segments[1].startswith(api.own)]
    api = next((api for api in able if segments[1] in api.app.operations), able[0] if able else None)
    return None if api is None else MethodCall(api, Line("POST", OWN, segments[1]))


def template_path(apis: Apis, path: str) -> str:
    """A path of the vendor's with `{}` for what can be an argument: every second segment unless it is a known word."""
    of = find_api(apis, path)
    if of is None:
        word = path.strip("/").partition("/")[0]
        return f"/{word}/{{}}" if WORD.fullmatch(word) else "/{}"
    api, root = of
    rest = path[root.end() :].split("/")[api.shown.removeprefix(api.prefix).count("{") :]
    return "/".join([api.shown.rstrip("/"), *(_template_segment(api, part, place) for place, part in enumerate(rest))])


def _template_segment(api: Api, part: str, place: int) -> str:
    """A segment, unless it can be an argument; a verb behind it stays."""
    if (part in api.words and WORD.fullmatch(part)) or (place % 2 == 0 and WORD.fullmatch(part)):
        return part
    name, colon, verb = unquote(part).rpartition(":")
    if not colon or verb not in api.words:
        return "{}"
    return f"{name if name in api.words else '{}'}:{verb}"
