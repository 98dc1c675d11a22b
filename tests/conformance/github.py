"""Answers of the code host's REST door, compared with the published description: `Checked(app)` around an application.

`validate` is one answer; `Checked` finds the operation of a request, at every address the API has, and validates what
is answered.
"""

import json
import re
from collections.abc import Mapping, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from tests.conformance.github_description import Operation, check_of, operation_of, operations
from tests.conformance.github_packages import lacking
from tests.conformance.graphql_answers import check_exchange
from tests.conformance.specs import EXCEPTIONS, NotAsPublished

MOUNT = "/github"
API_HOSTS = ("api.github.com", "uploads.github.com")
API = re.compile(r"^(?:/github)?/api/(?:v3/uploads|v3|uploads)(?=/|$)")
GRAPHQL = re.compile(r"^(?:/github)?(?:/api)?/graphql/?$")
TEXT = re.compile(r"application/vnd\.github(?:\.v3)?\.(diff|patch|raw|html|sha)(?:\+json)?")
# docs.github.com/rest/using-the-rest-api/getting-started-with-the-rest-api#media-types and the pages of these
# operations
TEXTS = {
    "diff": {"pulls/get", "repos/get-commit", "repos/compare-commits-with-basehead"},
    "patch": {"pulls/get", "repos/get-commit", "repos/compare-commits-with-basehead"},
    "sha": {"repos/get-commit"},
    "raw": {
        "repos/get-content",
        "repos/get-readme",
        "repos/get-readme-in-directory",
        "git/get-blob",
        "licenses/get-for-repo",
        "gists/get",
    },
    "html": {"repos/get-content", "repos/get-readme", "repos/get-readme-in-directory", "licenses/get-for-repo"},
}
BEGINNINGS = {"diff": b"diff --git ", "patch": b"From "}
FILES = {"repos/get-release-asset": "application/octet-stream"}  # asked for with Accept
JSON = "application/json; charset=utf-8"
BASIC = {"$ref": "#/components/schemas/basic-error"}
INVALID = {"anyOf": [{"$ref": f"#/components/schemas/validation-error{kind}"} for kind in ("", "-simple")]}
LINK = {"type": "string", "format": "uri"}
TOLD = {
    path.removeprefix("$."): {"type": "string"} for path in EXCEPTIONS["github"]["errors"]
}  # beside the fields of its shape
EVERY_ERROR = {
    "type": "object",
    "properties": {"message": {"type": "string", "minLength": 1}, "documentation_url": LINK, **TOLD},
}
REFUSED_ANYWHERE = {401, 403, 404, 429}
MOVED = {"301", "307", "308"}


def validate(
    operation: str, status: int, body: bytes, *, media: str = JSON, accept: str = "", method: str = ""
) -> None:
    """Raise NotAsPublished unless the service may answer an operation so; "" stands for an address that is none."""
    if method == "HEAD" or status == 304:
        _empty(operation, status, body)
    elif status >= 400:
        _error(operation, status, body, media)
    elif not operation:
        raise NotAsPublished(f"{status} at an address that is not published")
    else:
        _answer(operations()[operation], status, body, media, accept)


def _empty(operation: str, status: int, body: bytes) -> None:
    if body:
        raise NotAsPublished(f"{operation}: {status} {body[:200]!r} instead of nothing")


def _answer(operation: Operation, status: int, body: bytes, media: str, accept: str) -> None:
    contents = operation.responses.get(str(status))
    if contents is None and str(status) in MOVED:
        contents = {"application/json": BASIC}
    if contents is None:
        raise NotAsPublished(f"{operation.id}: status {status} is not published")
    kind = media.partition(";")[0].strip().lower()
    text = TEXT.fullmatch(kind)
    if not contents:
        _empty(operation.id, status, b"" if status == 200 and body == b"{}" else body)
    elif text is not None:
        _text(operation.id, text[1], body, accept)
    elif kind != "application/json" and (kind in contents or FILES.get(operation.id) == kind):
        return
    else:
        chosen = _chosen(contents, accept)
        _compare(operation.id, str(status), chosen, contents[chosen], _json(operation.id, body, media))


def _text(operation: str, form: str, body: bytes, accept: str) -> None:
    """A body that is no JSON: offered by this operation, asked for, and what it says it is."""
    if operation not in TEXTS[form]:
        raise NotAsPublished(f"{operation} has no {form}")
    if form not in TEXT.findall(accept):
        raise NotAsPublished(f"{operation}: {form} for {accept!r}")
    if body and not body.startswith(BEGINNINGS.get(form, b"")):
        raise NotAsPublished(f"{operation}: {body[:60]!r} is no {form}")


def _chosen(contents: Mapping[str, Any], accept: str) -> str:
    """The published media type of an answer in JSON: the one that was asked for by name, else the common one."""
    asked = {one.partition(";")[0].strip().lower() for one in accept.split(",")}
    asked |= {one.removesuffix("+json") for one in asked}
    named = [media for media in contents if media != "application/json" and media in asked]
    return next(iter(named), "application/json" if "application/json" in contents else next(iter(contents)))


def _json(operation: str, body: bytes, media: str) -> Any:
    if media.lower().replace(" ", "") != JSON.replace(" ", ""):
        raise NotAsPublished(f"{operation}: content type {media!r}")
    try:
        return json.loads(body)
    except ValueError as error:
        raise NotAsPublished(f"{operation}: {body[:200]!r} is no JSON: {error}") from None


def _error(operation: str, status: int, body: bytes, media: str) -> None:
    if not operation and status not in REFUSED_ANYWHERE and status < 500:
        raise NotAsPublished(f"{status} at an address that is not published")
    if status >= 500 and media.startswith("text/html"):
        return
    shown = _json(operation, body, media)
    published = operations()[operation].responses.get(str(status), {}) if operation else {}
    schema = published.get("application/json") or (INVALID if status == 422 else BASIC)
    required = _required(status, shown)
    _compare(
        operation, str(status), " ".join(required), {"allOf": [schema, EVERY_ERROR | {"required": required}]}, shown
    )
    if shown.get("status", str(status)) != str(status):
        raise NotAsPublished(f"{operation}: status {shown['status']!r} in an answer of {status}")


def _required(status: int, shown: Any) -> list[str]:
    """What every error says; those of limits and of the service's own failures say less."""
    if status >= 500:
        return ["message"]
    limited = status in (403, 429) and isinstance(shown, dict) and "rate limit" in str(shown.get("message"))
    return ["message", "documentation_url"] + ([] if limited else ["status"])


def _compare(operation: str, status: str, kind: str, schema: Mapping[str, Any], shown: Any) -> None:
    known = EXCEPTIONS["github"].get(operation, {})
    for where, what in check_of(operation, status, kind, schema)(shown):
        path = "$" + re.sub(r"\[\d+\]", "[*]", where)
        if path not in known:
            raise NotAsPublished(f"{operation} {status}: ${where} {what}"[:500])


class Checked:
    """An application whose answers at the API's addresses must be as published."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and look at the whole answer."""
        if scope["type"] != "http" or not _is_near(scope) or lacking() or _address(scope) is None:
            await self.app(scope, receive, send)
            return
        asked: list[MutableMapping[str, Any]] = []
        sent: list[MutableMapping[str, Any]] = []

        async def heard() -> MutableMapping[str, Any]:
            asked.append(await receive())
            return asked[-1]

        async def keep(message: MutableMapping[str, Any]) -> None:
            sent.append(message)
            await send(message)

        await self.app(scope, heard, keep)
        check(scope, _body(asked), sent)


def _is_near(scope: Scope) -> bool:
    """Whether a request may be one to the API; to know it the description is needed."""
    path = scope["raw_path"].decode("latin-1")
    return path.startswith((f"{MOUNT}/", "/api/", "/graphql")) or _host(scope) in API_HOSTS


def _address(scope: Scope) -> str | None:
    """The address of a request within the API, None outside of it. Below the bare mount the website has addresses too."""
    path = scope["raw_path"].decode("latin-1").partition("?")[0]
    if GRAPHQL.match(path):
        return "/graphql"
    if _host(scope) in API_HOSTS:
        return path
    found = API.match(path)
    if found is not None:
        return path[found.end() :] or "/"
    bare = path.removeprefix(MOUNT)
    return bare if bare != path and operation_of(scope["method"], bare) is not None else None


def _host(scope: Scope) -> str:
    named = next((value for name, value in scope["headers"] if name == b"host"), b"").decode("latin-1").lower()
    return urlsplit(f"//{named}").hostname or ""


def _body(messages: list[MutableMapping[str, Any]]) -> bytes:
    return b"".join(one.get("body", b"") for one in messages)


def check(scope: Scope, asked: bytes, sent: list[MutableMapping[str, Any]]) -> None:
    """Compare one exchange with the description; broken and unfinished answers and the website's pages are not in it."""
    if not sent or sent[-1].get("more_body"):
        return
    status, address = sent[0]["status"], _address(scope)
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in sent[0].get("headers", ())}
    media, body = headers.get("content-type", ""), _body(sent[1:])
    if address is None or scope["method"] == "OPTIONS" or _torn(status, headers, body) or _page(scope, status, media):
        return
    if address == "/graphql":
        check_exchange(asked, status, body)
        return
    accept = ",".join(value.decode("latin-1") for name, value in scope["headers"] if name == b"accept")
    found = operation_of(scope["method"], address)
    validate(found.id if found else "", status, body, media=media, accept=accept, method=scope["method"])


def _page(scope: Scope, status: int, media: str) -> bool:
    """Whether the website answered, whose addresses below the bare mount look like the API's."""
    path = scope["raw_path"].decode("latin-1")
    return (
        _host(scope) not in API_HOSTS
        and API.match(path) is None
        and (media.startswith("text/html") or 300 <= status < 400)
    )


def _torn(status: int, headers: Mapping[str, str], body: bytes) -> bool:
    """Whether a fault broke an answer off: a 200 in JSON that ends in the middle."""
    cut = status == 200 and headers.get("content-type", "").startswith("application/json") and body[:1] in (b"{", b"[")
    return cut and body.rstrip()[-1:] not in (b"}", b"]")
