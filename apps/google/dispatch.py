"""Dispatch: from a parsed request to a call, and from its result or refusal to the vendor's response."""

import re
from base64 import urlsafe_b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from apps.google import oauth, responses
from apps.google.api import Api
from apps.google.arguments import (
    Unreadable,
    parse_global_parameters,
    parse_query,
    read_body_arguments,
    read_free_body,
    read_path_arguments,
    read_query_arguments,
)
from apps.google.errors import NO_METHOD, TOO_LARGE, ErrorBody, build_unauthenticated_error
from apps.google.field_mask import Mask, parse_mask
from apps.google.method_table import Line
from apps.google.request import ApiRequest, Apis, MethodCall, find_api, find_method, template_path
from apps.google.responses import Reply
from world.core.errors import InvalidArguments, OperationError
from world.core.json_types import JsonObject
from world.core.principal import Principal
from world.run.authentication import admit, authenticate
from world.run.host import Host

FORM = "application/x-www-form-urlencoded"
MAX_FORM = 64 * 1024  # bytes; as much as a query
NOT_FOR_CALLS = oauth.REFRESH | oauth.CLIENT
RANGE = re.compile(r"bytes=(\d{1,15})-(\d{0,15})")
MASK_REQUIRED = "The 'fields' parameter is required for this method."


@dataclass(frozen=True, slots=True)
class RequestedCall:
    """A parsed call: its arguments, and the form of the response. `range`: the bytes of a partial download."""

    api: Api
    line: Line
    given: Mapping[str, object] = field(default_factory=dict)
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
        """The API whose words are used to refuse a request to none."""
        return self.apis[0]

    def of(self, asked: ApiRequest) -> Api:
        """Return the API of a request, by its address."""
        found = find_api(self.apis, asked.path)
        return found[0] if found else self.front

    def serve(self, asked: ApiRequest) -> Reply:
        """Serve a request with its body, which is no upload."""
        meant = find_method(self.apis, asked)
        if meant is None or not meant.is_there:
            return self.refuse_unknown_method(asked, meant)
        principal = self.principal(asked, meant.api)
        if isinstance(principal, ErrorBody):
            return responses.error_reply(meant.api, principal)
        if len(asked.content) > meant.most:
            return responses.error_reply(meant.api, TOO_LARGE)
        return self.answer(asked, meant, principal)

    def refuse_unknown_method(self, asked: ApiRequest, meant: MethodCall | None) -> Reply:
        """Refuse an unknown method; recorded as missed when an employee calls it."""
        api = self.of(asked)
        principal = self.principal(asked, api)
        if not isinstance(principal, ErrorBody):
            named = (
                meant.line.operation
                if meant and not meant.is_own
                else f"{asked.verb} {template_path(self.apis, asked.path)}"
            )
            self.host.record_unknown_method(principal, "rest", api.app.name, named)
        return responses.error_reply(api, NO_METHOD)

    def principal(self, asked: ApiRequest, api: Api) -> Principal | ErrorBody:
        """Return the principal of the bearer token, or an error."""
        scheme, _, token = asked.headers.get("authorization", "").partition(" ")
        token = token.strip() if scheme.lower() == "bearer" else ""
        if not token:
            return build_unauthenticated_error(bool(scheme), api.service)
        found = authenticate(self.host, api.app.name, token) or admit(
            self.host, api.app.name, oauth.resolve_bearer(self.host, token)
        )
        if found is None or found.scopes & NOT_FOR_CALLS:
            return build_unauthenticated_error(True, api.service)
        return found

    def answer(self, asked: ApiRequest, meant: MethodCall, principal: Principal) -> Reply:
        """One call, by a request that is no upload."""
        try:
            wanted = read_call(asked, meant, read_arguments(asked, meant))
        except Unreadable as problem:
            return self.unreadable(principal, meant, problem)
        return self.call(principal, wanted)

    def unreadable(self, principal: Principal, meant: MethodCall, problem: Unreadable) -> Reply:
        """Refuse a request that never reaches its method, as a recorded call, in the front's words."""
        refusal = InvalidArguments([("arguments", problem.body.message)])
        return self.refuse(principal, meant.api, meant.line, refusal, responses.error_reply(meant.api, problem.body))

    def refuse(
        self, principal: Principal, api: Api, line: Line, refusal: OperationError, told: Reply | None = None
    ) -> Reply:
        """Record a call that the door itself refuses."""
        try:
            self.host.refuse(widen_scopes(principal, api, line), "rest", line.operation, {}, refusal)
        except OperationError as error:
            return told if told is not None and error is refusal else responses.refusal_reply(api, error, line)

    def call(self, principal: Principal, wanted: RequestedCall) -> Reply:
        """Call the operation and return its result in the vendor's shape."""
        api, line = wanted.api, wanted.line
        problem = api.narrowed(principal, line, wanted.given)
        if problem is not None:
            return self.refuse(principal, api, line, problem)
        try:
            value = self.host.call(
                widen_scopes(principal, api, line), "rest", line.operation, wanted.given, wanted.base
            )
        except OperationError as error:
            return responses.refusal_reply(api, error, line, pretty=wanted.pretty)
        if wanted.media:
            return download_reply(value, wanted.range)
        return responses.json_reply(api, wanted.mask.of(value) if wanted.mask else value, pretty=wanted.pretty)


def read_call(asked: ApiRequest, meant: MethodCall, given: Mapping[str, object]) -> RequestedCall:
    """Parse a request to a call, with the form of its response. Raises Unreadable."""
    api, line = meant.api, meant.line
    told = parse_global_parameters(asked.query)
    pretty = told.get("prettyPrint", "true") != "false"
    if line.download == "always" or (line.download and told.get("alt") == "media"):
        more = {"alt": "media"} if line.download == "alt" else {}
        return RequestedCall(
            api, line, {**given, **more}, None, pretty, asked.base, media=True, range=asked.headers.get("range", "")
        )
    text = told.get("fields", "") or api.selected(line)
    if text is None:
        raise Unreadable(ErrorBody(400, "", "required", MASK_REQUIRED, location=("fields", "parameter")))
    mask = parse_mask(api, text, line.answer)
    return RequestedCall(api, line, api.prepared(line, given, mask), mask, pretty, asked.base)


def read_arguments(asked: ApiRequest, meant: MethodCall) -> JsonObject:
    """Return all arguments of a request. Raises Unreadable."""
    api, line = meant.api, meant.line
    path = read_path_arguments(api, line, meant.path)
    if asked.media_type == FORM:
        if len(asked.content) > MAX_FORM:
            raise Unreadable(TOO_LARGE)
        told = parse_query(asked.content.decode(errors="replace"))
        return {**read_query_arguments(api, line, [*asked.query, *told]), **path}
    query = read_query_arguments(api, line, asked.query)
    if line.method in ("GET", "DELETE"):
        return {**query, **path}
    body = read_free_body(asked.content) if meant.is_own else read_body_arguments(api, line, asked.content)
    problem = api.repeated(body, path)
    if problem is not None:
        raise Unreadable(problem)
    return {**body, **query, **path}


def download_reply(value: Mapping[str, Any], wanted: str) -> Reply:
    """Return bytes unchanged, or the requested range, from `{content: base64url, mimeType}`."""
    content = urlsafe_b64decode(value["content"] + "=" * (-len(value["content"]) % 4))
    headers = {"Content-Type": str(value["mimeType"]), "Accept-Ranges": "bytes"}
    found = RANGE.fullmatch(wanted)
    if found is None:
        return Reply(200, content, headers)
    begin, end = int(found[1]), min(int(found[2] or len(content)), len(content) - 1)
    if begin >= len(content) or begin > end:
        return Reply(416, b"", {"Content-Range": f"bytes */{len(content)}"})
    return Reply(206, content[begin : end + 1], {**headers, "Content-Range": f"bytes {begin}-{end}/{len(content)}"})


def widen_scopes(principal: Principal, api: Api, line: Line) -> Principal:
    """Return the caller with the scope an operation declares, if they hold any scope of the method's page."""
    operation = api.operation(line)
    if not principal.scopes or operation is None or not principal.scopes & line.scopes:
        return principal
    return replace(principal, scopes=principal.scopes | {operation.scope})
