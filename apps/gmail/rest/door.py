"""The REST door: which method a request asks for, who asks, and the answer."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from apps.gmail.refusals import NO_METHOD, TOO_LARGE, ErrorBody, invalid, unauthenticated
from apps.gmail.rest import answers, oauth
from apps.gmail.rest.answers import Reply
from apps.gmail.rest.mask import Mask, masked
from apps.gmail.rest.reading import Query, Unreadable, body_arguments, free_body, globals_of, parsed, query_arguments
from apps.gmail.rest.table import LINES, REFUSED, Line, find
from world.access import Principal
from world.host import Host
from world.operation import InvalidArguments, OperationError

METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
ROOTS = ("/gmail/v1/users", "/v1/users")
FORM = "application/x-www-form-urlencoded"
MAX_JSON = 1024 * 1024  # bytes of a body that holds no mail
WORD = re.compile(r"[a-z][A-Za-z]{2,31}")
KNOWN_WORDS = frozenset(word for line in (*LINES, *REFUSED) for word in line.path if WORD.fullmatch(word))
NOT_FOR_CALLS = oauth.REFRESH | oauth.CLIENT
METADATA = "gmail.metadata"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, alone or out of a batch. `path` is relative to the app's mount and still percent-encoded."""

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


@dataclass(frozen=True, slots=True)
class Meant:
    """The method a path names, with the arguments in the path, and the kind of upload it is ("" for none)."""

    line: Line
    path: dict[str, str]


class Door:
    """Answers requests on behalf of one host."""

    def __init__(self, host: Host) -> None:
        self.host = host

    async def api(self, request: Request) -> Response:
        """A method of the API."""
        asked = seen(request)
        meant = method_of(asked)
        if meant is None or meant.line.declared is None:
            return self.missing(asked, meant).response()
        principal = self.caller(asked)
        if isinstance(principal, ErrorBody):
            return answers.failed(principal).response()
        request.scope["firm.world"] = principal.world
        content = await read(request, most(meant.line))
        if content is None:
            return answers.failed(TOO_LARGE).response()
        return self.answer(replace(asked, content=content), meant, principal).response()

    def serve(self, asked: Asked) -> Reply:
        """The same for a request that has been read."""
        meant = method_of(asked)
        if meant is None or meant.line.declared is None:
            return self.missing(asked, meant)
        principal = self.caller(asked)
        return answers.failed(principal) if isinstance(principal, ErrorBody) else self.answer(asked, meant, principal)

    def missing(self, asked: Asked, meant: Meant | None) -> Reply:
        """A method this app does not have; noted when an employee asks."""
        principal = self.caller(asked)
        if not isinstance(principal, ErrorBody):
            self.host.miss(principal, "rest", "gmail", meant.line.operation if meant else f"{asked.verb} {without_arguments(asked.path)}")
        return answers.failed(NO_METHOD)

    def caller(self, asked: Asked) -> Principal | ErrorBody:
        """Whom the bearer token speaks for, or why nobody."""
        scheme, _, token = asked.headers.get("authorization", "").partition(" ")
        token = token.strip() if scheme.lower() == "bearer" else ""
        if not token:
            return unauthenticated(given=bool(scheme))
        found = self.host.tokens.resolve(token) or oauth.bearer(self.host, token)
        if found is None or found.app not in ("", "gmail") or found.world not in self.host.actors or found.scopes & NOT_FOR_CALLS:
            return unauthenticated(given=True)
        return found

    def answer(self, asked: Asked, meant: Meant, principal: Principal) -> Reply:
        """One call."""
        try:
            given = self.arguments(asked, meant)
            told = globals_of(asked.query)
            mask = masked(told.get("fields", ""), meant.line.answer)
        except Unreadable as problem:
            return self.unreadable(principal, meant.line, problem)
        return self.call(principal, meant.line, given, asked.base, mask=mask, pretty=told.get("prettyPrint", "true") != "false")

    def arguments(self, asked: Asked, meant: Meant) -> dict[str, Any]:
        """Everything a request says. Raises Unreadable."""
        line = meant.line
        if asked.media_type == FORM:
            told = parsed(asked.content.decode(errors="replace"))
            return {**query_arguments(line, [*asked.query, *told]), **meant.path}
        query = query_arguments(line, asked.query)
        if line.method in ("GET", "DELETE"):
            return {**query, **meant.path}
        body = body_arguments(line, asked.content) if line.path != OWN else free_body(asked.content)
        return {**body, **query, **meant.path}

    def unreadable(self, principal: Principal, line: Line, problem: Unreadable) -> Reply:
        """A request the method never sees: a refused call like any other, told in the words of the front."""
        refusal = InvalidArguments([("arguments", problem.body.message)])
        try:
            self.host.refuse(principal, "rest", line.operation, {}, refusal)
        except OperationError as error:
            return answers.failed(problem.body) if error is refusal else self.refused(principal, error)

    def call(
        self, principal: Principal, line: Line, given: Mapping[str, Any], base: str, *, mask: Mask | None = None, pretty: bool = True
    ) -> Reply:
        """The operation's answer in the vendor's shape."""
        try:
            if (problem := scope_problem(principal, line, given)) is not None:
                self.host.refuse(principal, "rest", line.operation, given, problem)
            value = self.host.call(opened(principal, line), "rest", line.operation, given, base)
        except OperationError as error:
            return self.refused(principal, error, pretty=pretty)
        if not line.answer and line.path != OWN:
            return answers.answer(None)
        return answers.answer(mask.of(value) if mask else value, pretty=pretty)

    def refused(self, principal: Principal, error: OperationError, *, pretty: bool = True) -> Reply:
        """A refusal, with the time of the caller's world."""
        actor = self.host.actors.get(principal.world)
        return answers.refused(error, actor.now if actor else None, pretty=pretty)


OWN = ("sync", "{operation}")


def routes(host: Host) -> list[BaseRoute]:
    """Every route of the API, relative to the app's mount."""
    door = Door(host)
    paths = [f"{prefix}{root}/{{rest:path}}" for prefix in ("",) for root in ROOTS]
    return [*oauth.routes(host), *(Route(path, door.api, methods=METHODS) for path in (*paths, "/sync/{operation}"))]


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


def most(line: Line) -> int:
    """The largest body of a method: a mail in base64 where it takes one."""
    return line.most * 4 // 3 + MAX_JSON


def method_of(asked: Asked) -> Meant | None:
    """The method a request names, if it names one."""
    segments = [unquote(part) for part in asked.path.strip("/").split("/")]
    if segments[0] == "sync" and asked.verb == "POST" and len(segments) == 2:
        own = Line("POST", OWN, segments[1])
        return Meant(own, {}) if segments[1].startswith("mail.") else None
    for root in ROOTS:
        if asked.path.startswith(root + "/"):
            found = find(asked.verb, segments[root.count("/") :])
            return Meant(*found) if found else None
    return None


def without_arguments(path: str) -> str:
    """A path of the vendor's with `{}` for what can be an argument: below the user every other segment unless it is a known word."""
    for root in ROOTS:
        if path.startswith(root + "/"):
            _, *rest = path.removeprefix(root + "/").split("/")
            kept = [part if part in KNOWN_WORDS or (place % 2 == 0 and WORD.fullmatch(part)) else "{}" for place, part in enumerate(rest)]
            return "/".join(["/gmail/v1/users/{userId}", *kept])
    return "/" + path.strip("/").partition("/")[0] + "/{}"


def opened(principal: Principal, line: Line) -> Principal:
    """The caller, with the scope an operation declares when any scope of the method's page is held."""
    operation = line.declared
    if not principal.scopes or operation is None or not principal.scopes & line.scopes:
        return principal
    return replace(principal, scopes=principal.scopes | {operation.scope})


def scope_problem(principal: Principal, line: Line, given: Mapping[str, Any]) -> OperationError | None:
    """Why a token's scopes do not reach that far: none of the method's, or metadata alone for more than metadata."""
    held = principal.scopes & line.scopes
    if not principal.scopes or not line.scopes:
        return None
    if not held:
        return OperationError("missing_scope", needed=",".join(sorted(line.scopes)))
    if held == {METADATA} and given.get("q"):
        return OperationError("metadata_scope_search")
    if held == {METADATA} and "format" in line.query and given.get("format", "full") in ("full", "raw"):
        return OperationError("metadata_scope_format", format=str(given.get("format", "full")).upper())
    return None


def no_such(text: str) -> ErrorBody:
    """400 for a request that is not what its address says."""
    return invalid(text)
