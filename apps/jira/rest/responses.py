"""Jira's response shapes: headers, error bodies, and what each kind of outage looks like."""

from collections.abc import Mapping
from http import HTTPStatus

import orjson
from starlette.requests import Request
from starlette.responses import Response

from apps.jira.domain.context import format_timestamp
from apps.jira.limits import BURST
from apps.jira.refusals import render_refusal
from world.core.clock import SECOND
from world.core.errors import EpisodeEnded, InvalidArguments, OperationError, Outage
from world.core.rng import digest
from world.web.cut_response import CutResponse

JSON = "application/json;charset=UTF-8"
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-XSS-Protection": "1; mode=block",
    "Cache-Control": "no-cache, no-store, no-transform",
    "Vary": "Accept",
    "Timing-Allow-Origin": "*",
}
UNAUTHENTICATED = "Client must be authenticated to access this resource."
BAD_JSON = "There was an error parsing JSON. Check that your request body is valid."
BAD_PAYLOAD = "Invalid request payload. Refer to the REST API documentation and try again."
REASONS = frozenset(
    {"jira-quota-global-based", "jira-quota-tenant-based", "jira-burst-based", "jira-per-issue-on-write"}
)
DEFAULT_RETRY_S = 30
MAINTENANCE = """<!DOCTYPE html>
<html lang="en"><head><title>Atlassian Cloud Notifications - Page Unavailable</title></head>
<body><h1>Your Atlassian Cloud site is currently unavailable.</h1>
<p>Please check the status page for known problems and try again in a few minutes.</p></body></html>
"""

NO_CONFLUENCE = {  # of a site without the product; own choice, in the shape of its API's errors
    "statusCode": 404,
    "data": {"authorized": False, "valid": True, "errors": [], "successful": False},
    "message": "Confluence is not available on this site.",
}


def request_id(number: int, now: int) -> str:
    """The X-AREQUESTID of a call: unique per call of a world, the same on replay."""
    text = digest("jira request", number, now).hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def json_response(status: int, value: object, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON answer; None gives an empty body."""
    content = b"" if value is None else orjson.dumps(value)
    shown = {**HEADERS, **(headers or {})}
    if value is not None:
        shown["Content-Type"] = JSON
    return Response(content, status, shown)


def error_response(status: int, *messages: str, headers: Mapping[str, str] | None = None) -> Response:
    """An error collection with plain messages."""
    return json_response(status, {"errorMessages": list(messages), "errors": {}}, headers)


def build_unauthenticated_response(*reasons: str) -> Response:
    """No token, an unknown one, or one that does not belong to the mail address."""
    return error_response(
        401,
        UNAUTHENTICATED,
        *reasons,
        headers={"WWW-Authenticate": 'Basic realm="Atlassian"', "X-Seraph-LoginReason": "AUTHENTICATED_FAILED"},
    )


def no_route_response(address: str) -> Response:
    """An address the API does not have."""
    return json_response(404, {"message": f"null for uri: {address}", "status-code": 404})


def missing_response(request: Request, status: int) -> Response:
    """The answer to a request that is for nothing of the site."""
    if "/wiki/" in request.url.path:
        return json_response(404, NO_CONFLUENCE)
    if status == 503:
        return error_response(503, "Jira is temporarily unavailable. Please try again later.")
    if status == 404:
        return no_route_response(str(request.url.replace(query="")))
    return error_response(status, HTTPStatus(status).phrase)


def refusal_response(refused: OperationError, headers: Mapping[str, str]) -> Response:
    """The wire form of a refusal."""
    if isinstance(refused, EpisodeEnded):
        return build_unauthenticated_response(refused.sentence)
    if refused.code in ("token_revoked", "invalid_auth", "account_inactive"):
        return build_unauthenticated_response()
    shown = render_refusal(refused)
    if isinstance(refused, InvalidArguments):
        shown.messages.append(BAD_PAYLOAD)
    return json_response(shown.status, shown.json(), headers)


def fault_response(outage: Outage, now: int | None = None, limit: int = BURST) -> Response:
    """Return the response to a call during an outage; `limit` is the burst limit of the endpoint."""
    retry = {} if outage.retry_after_s is None else {"Retry-After": str(outage.retry_after_s)}
    if outage.kind == "ratelimit":
        return error_response(429, "Rate limit exceeded.", headers=_limit_headers(outage, now, limit))
    if outage.kind == "auth_expired":
        return build_unauthenticated_response()
    if outage.kind == "readonly":
        return error_response(503, "Jira is in read-only mode. Please try again later.", headers=retry)
    if outage.kind == "timeout":
        return Response("upstream request timeout", 504, {"Content-Type": "text/plain"})
    if outage.kind == "transport":
        return CutResponse(b'{"expand":"rendered', JSON)
    if outage.kind == "corrupt_payload":
        return Response(b'{"expand":"schema,names","startAt":0,"maxRe', 200, {**HEADERS, "Content-Type": JSON})
    if outage.kind == "partial":
        return Response(MAINTENANCE, 503, {**retry, "Content-Type": "text/html;charset=UTF-8"})
    if outage.kind == "error" and outage.code == "maintenance":
        return Response(MAINTENANCE, 503, {**retry, "Content-Type": "text/html;charset=UTF-8"})
    return error_response(500, "Internal server error")


def _limit_headers(outage: Outage, now: int | None, limit: int) -> dict[str, str]:
    wait = outage.retry_after_s or DEFAULT_RETRY_S
    out = {
        "X-RateLimit-Limit": str(limit),
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-NearLimit": "true",
        "RateLimit-Reason": outage.reason if outage.reason in REASONS else "jira-burst-based",
    }
    if outage.retry_after_s is not None:
        out["Retry-After"] = str(wait)
    if now is not None:
        out["X-RateLimit-Reset"] = (format_timestamp(now + wait * SECOND) or "").replace("+0000", "Z")
    return out
