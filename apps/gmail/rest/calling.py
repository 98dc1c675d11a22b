"""From a request that has been read to a call, and from its answer or refusal to the vendor's."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from apps.gmail.refusals import NO_METHOD, TOO_LARGE, ErrorBody, unauthenticated
from apps.gmail.rest import answers, oauth
from apps.gmail.rest.answers import Reply
from apps.gmail.rest.asked import Asked, Meant, method_of, without_arguments
from apps.gmail.rest.mask import Mask, masked
from apps.gmail.rest.reading import Unreadable, body_arguments, free_body, globals_of, parsed, query_arguments
from apps.gmail.rest.table import Line
from world.access import Principal
from world.host import Host
from world.operation import InvalidArguments, OperationError

FORM = "application/x-www-form-urlencoded"
MAX_FORM = 64 * 1024  # bytes; as much as a query
NOT_FOR_CALLS = oauth.REFRESH | oauth.CLIENT
METADATA = "gmail.metadata"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A call that has been understood: arguments, and the form of the answer."""

    line: Line
    given: Mapping[str, Any] = field(default_factory=dict)
    mask: Mask | None = None
    pretty: bool = True
    base: str = ""


class Caller:
    """Makes calls on one host."""

    def __init__(self, host: Host) -> None:
        self.host = host

    def serve(self, asked: Asked) -> Reply:
        """A request with its body, which is no upload."""
        meant = method_of(asked)
        if meant is None or meant.line.declared is None:
            return self.missing(asked, meant)
        principal = self.principal(asked)
        if isinstance(principal, ErrorBody):
            return answers.failed(principal)
        if len(asked.content) > meant.most:
            return answers.failed(TOO_LARGE)
        return self.answer(asked, meant, principal)

    def missing(self, asked: Asked, meant: Meant | None) -> Reply:
        """A method this app does not have; noted when an employee asks."""
        principal = self.principal(asked)
        if not isinstance(principal, ErrorBody):
            named = meant.line.operation if meant and not meant.is_own else f"{asked.verb} {without_arguments(asked.path)}"
            self.host.miss(principal, "rest", "gmail", named)
        return answers.failed(NO_METHOD)

    def principal(self, asked: Asked) -> Principal | ErrorBody:
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
        """One call, by a request that is no upload."""
        try:
            wanted = understood(asked, meant, arguments(asked, meant))
        except Unreadable as problem:
            return self.unreadable(principal, meant.line, problem)
        return self.call(principal, wanted)

    def unreadable(self, principal: Principal, line: Line, problem: Unreadable) -> Reply:
        """A request the method never sees: a refused call like any other, told in the words of the front."""
        return self.refuse(principal, line, InvalidArguments([("arguments", problem.body.message)]), answers.failed(problem.body))

    def refuse(self, principal: Principal, line: Line, refusal: OperationError, told: Reply | None = None) -> Reply:
        """Put a call on record that the door itself refuses."""
        try:
            self.host.refuse(opened(principal, line), "rest", line.operation, {}, refusal)
        except OperationError as error:
            return told if told is not None and error is refusal else answers.refused(error)

    def call(self, principal: Principal, wanted: Wanted) -> Reply:
        """The operation's answer in the vendor's shape."""
        line = wanted.line
        problem = scope_problem(principal, line, wanted.given)
        if problem is not None:
            return self.refuse(principal, line, problem)
        try:
            value = self.host.call(opened(principal, line), "rest", line.operation, wanted.given, wanted.base)
        except OperationError as error:
            return answers.refused(error, pretty=wanted.pretty)
        return answers.answer(wanted.mask.of(value) if wanted.mask else value, pretty=wanted.pretty)


def understood(asked: Asked, meant: Meant, given: Mapping[str, Any]) -> Wanted:
    """The call a request asks for, with the form of its answer. Raises Unreadable."""
    told = globals_of(asked.query)
    mask = masked(told.get("fields", ""), meant.line.answer)
    return Wanted(meant.line, given, mask, told.get("prettyPrint", "true") != "false", asked.base)


def arguments(asked: Asked, meant: Meant) -> dict[str, Any]:
    """Everything a request says. Raises Unreadable."""
    line = meant.line
    if asked.media_type == FORM:
        if len(asked.content) > MAX_FORM:
            raise Unreadable(TOO_LARGE)
        told = parsed(asked.content.decode(errors="replace"))
        return {**query_arguments(line, [*asked.query, *told]), **meant.path}
    query = query_arguments(line, asked.query)
    if line.method in ("GET", "DELETE"):
        return {**query, **meant.path}
    body = free_body(asked.content) if meant.is_own else body_arguments(line, asked.content)
    return {**body, **query, **meant.path}


def opened(principal: Principal, line: Line) -> Principal:
    """The caller, with the scope an operation declares when any scope of the method's page is held."""
    operation = line.declared
    if not principal.scopes or operation is None or not principal.scopes & line.scopes:
        return principal
    return replace(principal, scopes=principal.scopes | {operation.scope})


def scope_problem(principal: Principal, line: Line, given: Mapping[str, Any]) -> OperationError | None:
    """Why a token for metadata alone does not reach that far; that no scope fits at all, the kernel says."""
    if principal.scopes & line.scopes != {METADATA}:
        return None
    if given.get("q"):
        return OperationError("metadata_scope_search")
    wanted = str(given.get("format", "full"))
    return OperationError("metadata_scope_format", format=wanted.upper()) if "format" in line.query and wanted in ("full", "raw") else None
