"""GitHub's response shapes: headers, pages, errors, and each kind of outage."""

import hashlib
from collections.abc import Mapping
from urllib.parse import urlencode

import orjson
from starlette.requests import Request
from starlette.responses import Response

from apps.github.domain.params import ListPage
from apps.github.limits import USED_UP
from apps.github.refusals import DOCS, render
from world.core.errors import OperationError, Outage
from world.core.rng import digest
from world.web.cut_response import CutResponse

JSON = "application/json; charset=utf-8"
BEGUN = b'{"total_count":'  # of an answer whose connection breaks
HEADERS = {
    "Cache-Control": "private, max-age=60, s-maxage=60",
    "Vary": "Accept, Authorization, Cookie, X-GitHub-OTP",
    "X-GitHub-Media-Type": "github.v3; format=json",
    "x-github-api-version-selected": "2022-11-28",
    "Access-Control-Allow-Origin": "*",
    "Strict-Transport-Security": "max-age=31536000; includeSubdomains; preload",
    "X-Frame-Options": "deny",
    "X-Content-Type-Options": "nosniff",
    "X-XSS-Protection": "0",
    "Referrer-Policy": "origin-when-cross-origin, strict-origin-when-cross-origin",
    "Content-Security-Policy": "default-src 'none'",
}
MOST_FOUND = 1000  # results of a search that can be paged through
UNICORN = (
    "<!DOCTYPE html>\n<html><head><title>Unicorn! · GitHub</title></head><body><p>This page is taking too long to"
    " load.</p></body></html>\n"
)


def request_id(number: int, now: int) -> str:
    """Return the X-GitHub-Request-Id of a call: unique per call of a world, equal on replay."""
    text = digest("github request", number, now).hex().upper()
    return f"{text[:4]}:{text[4:10]}:{text[10:17]}:{text[17:24]}:{text[24:32]}"


def body(status: int, value: object, headers: Mapping[str, str] | None = None) -> Response:
    """Return a JSON response; None gives an empty body."""
    content = b"" if value is None else orjson.dumps(value)
    shown = {**HEADERS, **(headers or {})}
    if value is not None:
        shown["Content-Type"] = JSON
    return Response(content, status, shown)


def error(status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return an error with one sentence."""
    return body(status, {"message": message, "documentation_url": DOCS, "status": str(status)}, headers)


def refusal(refused: OperationError, headers: Mapping[str, str], below: str = "") -> Response:
    """Return the response of a refusal. `below`: what the address that was asked has below the issue."""
    status, shown = render(refused)
    if refused.code != "moved":
        return body(status, shown, headers)
    place = f"{refused.detail['url']}{below}"
    return body(status, {**shown, "url": place}, {**headers, "Location": place})


def etag(content: bytes) -> str:
    """Return the weak tag of a body."""
    return f'W/"{hashlib.sha256(content).hexdigest()}"'


def link(request: Request, result: object, given: Mapping[str, object], address: str) -> str | None:
    """Return the Link header of a page of results: first, prev, next and last, absolute."""
    total, more = _count(result)
    if total is None and not more:
        return None
    size, page = _number(given.get("per_page"), 30, 100), _number(given.get("page"), 1, 2**31)
    last = None if total is None else max(-(-total // size), 1)
    pages: dict[str, int] = {}
    if page > 1:
        pages |= {"prev": page - 1 if last is None else min(page - 1, last)}
    if more or (last is not None and page < last):
        pages["next"] = page + 1
        if last is not None:
            pages["last"] = last
    if page > 1:
        pages["first"] = 1
    return ", ".join(f'<{_address(request, address, number)}>; rel="{name}"' for name, number in pages.items()) or None


def _count(result: object) -> tuple[int | None, bool]:
    if isinstance(result, ListPage):
        return result.total, result.more
    if isinstance(result, dict) and isinstance(result.get("total_count"), int):
        return min(result["total_count"], MOST_FOUND), False
    return None, False


def _number(value: object, default: int, most: int) -> int:
    text = str(value)
    number = int(text) if text.isdecimal() and len(text) < 10 else default
    return default if number < 1 else min(number, most)


def _address(request: Request, address: str, page: int) -> str:
    kept = [(name, value) for name, value in request.query_params.multi_items() if name != "page"]
    return f"{address}?{urlencode([*kept, ('page', str(page))])}"


BROKEN = {
    500: "Server Error",
    503: (
        "No server is currently available to service your request. Sorry about that. Please try resubmitting your "
        "request and contact us if the problem persists."
    ),
}


def fault_response(outage: Outage) -> Response:
    """Return the response to a call during an outage.

    Source: FAULTS.md, docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api.
    """
    retry = {} if outage.retry_after_s is None else {"Retry-After": str(outage.retry_after_s)}
    if outage.kind == "ratelimit" and outage.reason == USED_UP:
        return error(403, render(OperationError("rate_limit"))[1]["message"])
    if outage.kind == "ratelimit":
        return error(403, render(OperationError("secondary_rate_limit"))[1]["message"], retry)
    if outage.kind == "auth_expired":
        return error(401, "Bad credentials")
    if outage.kind == "readonly":
        return error(503, render(OperationError("read_only"))[1]["message"], retry)
    if outage.kind == "timeout":
        return Response(UNICORN, 504, {"Content-Type": "text/html; charset=utf-8"})
    if outage.kind == "transport":
        return CutResponse(BEGUN, JSON)
    if outage.kind == "corrupt_payload":
        return Response(b'[{"url":"https://api.githu', 200, {**HEADERS, "Content-Type": JSON})
    if outage.kind == "partial":
        return Response(UNICORN, 503, {**retry, "Content-Type": "text/html; charset=utf-8"})
    return error(502, "Server Error")


def missing_response(request: Request, status: int) -> Response:
    """Return the response to an unknown address; a verb that an address does not have is 404 too."""
    return error(status, BROKEN[status]) if status in BROKEN else error(404, "Not Found")
