"""From a request that has been read to a call, and from its answer or refusal to the vendor's."""

import re
from base64 import urlsafe_b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from apps.google import oauth, responses
from apps.google.api import Api
from apps.google.arguments import (
    Unreadable,
    body_arguments,
    free_body,
    globals_of,
    parsed,
    path_arguments,
    query_arguments,
)
from apps.google.errors import NO_METHOD, TOO_LARGE, ErrorBody, unauthenticated
from apps.google.field_mask import Mask, masked
from apps.google.method_table import Line
from apps.google.request import Apis, Asked, Meant, method_of, rooted, without_arguments
from apps.google.responses import Reply
from world.core.errors import InvalidArguments, OperationError
from world.core.principal import Principal
from world.run.authentication import admit, authenticate
from world.run.host import Host

FORM = "application/x-www-form-urlencoded"
MAX_FORM = 64 * 1024  # bytes; as much as a query
NOT_FOR_CALLS = oauth.REFRESH | oauth.CLIENT
RANGE = re.compile(r"bytes=(\d{1,15})-(\d{0,15})")
MASK_REQUIRED = "The 'fields' parameter is required for this method."


@dataclass(frozen=True, slots=True)
class Wanted:
    """A call that has been understood: arguments, and the form of the answer. `range`: the bytes of a download, if only
    some.
    """

    api: Api
    line: Line
    given: Mapping[str, Any] = field(default_factory=dict)
    mask: Mask | None = None
    pretty: bool = True
    base: str = ""
    media: bool = False
    range: str = ""


class Caller:
    """Makes calls on one host."""

    def __init__(self, host: Host, apis: Apis) -> None:
        self.host, self.apis = host, apis

    @property
    def front(self) -> Api:
        """The API in whose words everything is refused that is of none."""
        return self.apis[0]

    def of(self, asked: Asked) -> Api:
        """The API a request is to, by its address."""
        found = rooted(self.apis, asked.path)
        return found[0] if found else self.front

    def serve(self, asked: Asked) -> Reply:
        """A request with its body, which is no upload."""
        meant = method_of(self.apis, asked)
        if meant is None or not meant.is_there:
            return self.missing(asked, meant)
        principal = self.principal(asked, meant.api)
        if isinstance(principal, ErrorBody):
            return responses.failed(meant.api, principal)
        if len(asked.content) > meant.most:
            return responses.failed(meant.api, TOO_LARGE)
        return self.answer(asked, meant, principal)

    def missing(self, asked: Asked, meant: Meant | None) -> Reply:
        """A method this app does not have; noted when an employee asks."""
        api = self.of(asked)
        principal = self.principal(asked, api)
        if not isinstance(principal, ErrorBody):
            named = (
                meant.line.operation
                if meant and not meant.is_own
                else f"{asked.verb} {without_arguments(self.apis, asked.path)}"
            )
            self.host.record_unknown_method(principal, "rest", api.app.name, named)
        return responses.failed(api, NO_METHOD)

    def principal(self, asked: Asked, api: Api) -> Principal | ErrorBody:
        """Whom the bearer token speaks for, or why nobody."""
        scheme, _, token = asked.headers.get("authorization", "").partition(" ")
        token = token.strip() if scheme.lower() == "bearer" else ""
        if not token:
            return unauthenticated(bool(scheme), api.service)
        found = authenticate(self.host, api.app.name, token) or admit(
            self.host, api.app.name, oauth.bearer(self.host, token)
        )
        if found is None or found.scopes & NOT_FOR_CALLS:
            return unauthenticated(True, api.service)
        return found

    def answer(self, asked: Asked, meant: Meant, principal: Principal) -> Reply:
        """One call, by a request that is no upload."""
        try:
            wanted = understood(asked, meant, arguments(asked, meant))
        except Unreadable as problem:
            return self.unreadable(principal, meant, problem)
        return self.call(principal, wanted)

    def unreadable(self, principal: Principal, meant: Meant, problem: Unreadable) -> Reply:
        """A request the method never sees: a refused call like any other, told in the words of the front."""
        refusal = InvalidArguments([("arguments", problem.body.message)])
        return self.refuse(principal, meant.api, meant.line, refusal, responses.failed(meant.api, problem.body))

    def refuse(
        self, principal: Principal, api: Api, line: Line, refusal: OperationError, told: Reply | None = None
    ) -> Reply:
        """Put a call on record that the door itself refuses."""
        try:
            self.host.refuse(opened(principal, api, line), "rest", line.operation, {}, refusal)
        except OperationError as error:
            return told if told is not None and error is refusal else responses.refused(api, error, line)

    def call(self, principal: Principal, wanted: Wanted) -> Reply:
        """The operation's answer in the vendor's shape."""
        api, line = wanted.api, wanted.line
        problem = api.narrowed(principal, line, wanted.given)
        if problem is not None:
            return self.refuse(principal, api, line, problem)
        try:
            value = self.host.call(opened(principal, api, line), "rest", line.operation, wanted.given, wanted.base)
        except OperationError as error:
            return responses.refused(api, error, line, pretty=wanted.pretty)
        if wanted.media:
            return downloaded(value, wanted.range)
        return responses.answer(api, wanted.mask.of(value) if wanted.mask else value, pretty=wanted.pretty)


def understood(asked: Asked, meant: Meant, given: Mapping[str, Any]) -> Wanted:
    """The call a request asks for, with the form of its answer. Raises Unreadable."""
    api, line = meant.api, meant.line
    told = globals_of(asked.query)
    pretty = told.get("prettyPrint", "true") != "false"
    if line.download == "always" or (line.download and told.get("alt") == "media"):
        more = {"alt": "media"} if line.download == "alt" else {}
        return Wanted(
            api, line, {**given, **more}, None, pretty, asked.base, media=True, range=asked.headers.get("range", "")
        )
    text = told.get("fields", "") or api.selected(line)
    if text is None:
        raise Unreadable(ErrorBody(400, "", "required", MASK_REQUIRED, location=("fields", "parameter")))
    mask = masked(api, text, line.answer)
    return Wanted(api, line, api.prepared(line, given, mask), mask, pretty, asked.base)


def arguments(asked: Asked, meant: Meant) -> dict[str, Any]:
    """Everything a request says. Raises Unreadable."""
    api, line = meant.api, meant.line
    path = path_arguments(api, line, meant.path)
    if asked.media_type == FORM:
        if len(asked.content) > MAX_FORM:
            raise Unreadable(TOO_LARGE)
        told = parsed(asked.content.decode(errors="replace"))
        return {**query_arguments(api, line, [*asked.query, *told]), **path}
    query = query_arguments(api, line, asked.query)
    if line.method in ("GET", "DELETE"):
        return {**query, **path}
    body = free_body(asked.content) if meant.is_own else body_arguments(api, line, asked.content)
    problem = api.repeated(body, path)
    if problem is not None:
        raise Unreadable(problem)
    return {**body, **query, **path}


def downloaded(value: Mapping[str, Any], wanted: str) -> Reply:
    """Bytes as they are, or the part of them that was asked for: of `{content: base64url, mimeType}`."""
    content = urlsafe_b64decode(value["content"] + "=" * (-len(value["content"]) % 4))
    headers = {"Content-Type": str(value["mimeType"]), "Accept-Ranges": "bytes"}
    found = RANGE.fullmatch(wanted)
    if found is None:
        return Reply(200, content, headers)
    begin, end = int(found[1]), min(int(found[2] or len(content)), len(content) - 1)
    if begin >= len(content) or begin > end:
        return Reply(416, b"", {"Content-Range": f"bytes */{len(content)}"})
    return Reply(206, content[begin : end + 1], {**headers, "Content-Range": f"bytes {begin}-{end}/{len(content)}"})


def opened(principal: Principal, api: Api, line: Line) -> Principal:
    """The caller, with the scope an operation declares when any scope of the method's page is held."""
    operation = api.operation(line)
    if not principal.scopes or operation is None or not principal.scopes & line.scopes:
        return principal
    return replace(principal, scopes=principal.scopes | {operation.scope})
