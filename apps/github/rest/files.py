"""Downloads beside the API: raw files, archives, files of releases, and the uploads API.

They have hosts of their own or folders. A link that the API redirects to carries a token valid for that address alone:
clients do not send theirs to another host.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import unquote, urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, Router
from starlette.routing import Host as OnHost

from apps.github.domain.params import Raw
from apps.github.refusals import render
from apps.github.rest.arguments import caller
from apps.github.rest.responses import fault_response
from world.core.errors import EpisodeEnded, OperationError, Outage
from world.core.json_types import JsonObject
from world.core.principal import Principal
from world.run.host import Host

Ask = Callable[[Request], tuple[str, dict[str, Any]]]
CODELOAD = "codeload.github.com"
FORMS = {"legacy.tar.gz": "tar.gz", "legacy.zip": "zip", "tar.gz": "tar.gz", "zip": "zip"}
LOGS = {"legacy.job-log": ("web/job-log", "job_id"), "legacy.run-logs": ("web/run-logs", "run_id")}


def routes(host: Host) -> list[BaseRoute]:
    """Return the routes that serve bytes."""
    raw, archive, release = (_endpoint(host, ask) for ask in (_raw, _archive, _release))
    return [
        OnHost(
            "raw.githubusercontent.com", Router([Route("/{owner}/{repo}/{path:path}", raw)], redirect_slashes=False)
        ),
        OnHost(CODELOAD, Router([Route("/{owner}/{repo}/{form}/{ref:path}", archive)], redirect_slashes=False)),
        Route("/raw/{owner}/{repo}/{path:path}", raw),
        Route("/codeload/{owner}/{repo}/{form}/{ref:path}", archive),
        Route("/{owner}/{repo}/raw/{path:path}", raw),
        Route("/{owner}/{repo}/releases/download/{rest:path}", release),
    ]


def _raw(request: Request) -> tuple[str, JsonObject]:
    return "web/raw", dict(request.path_params)


def _archive(request: Request) -> tuple[str, JsonObject]:
    given = dict(request.path_params)
    if given["form"] in LOGS:
        id, _, attempt = given.pop("ref").partition("/")
        name, field = LOGS[given.pop("form")]
        return name, {**given, field: id, "attempt": attempt or "0"}
    return "web/archive", {**given, "form": FORMS.get(given["form"], given["form"])}


def _release(request: Request) -> tuple[str, JsonObject]:
    given = dict(request.path_params)
    tag, _, name = given.pop("rest").rpartition("/")
    return "web/release-download", {**given, "tag": tag, "name": name}


def _endpoint(host: Host, ask: Ask) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        principal = caller(host, request) or _find_principal(host, request)
        if principal is None:
            return _refuse(404, "Not Found")
        request.scope["firm.world"] = principal.world
        operation, given = ask(request)
        return _respond(host, principal, request, operation, given)

    return endpoint


def _respond(
    host: Host, principal: Principal, request: Request, operation: str, given: Mapping[str, object]
) -> Response:
    try:
        found = host.call(principal, "rest", operation, given, f"{request.url.scheme}://{request.url.netloc}")
    except Outage as outage:
        return fault_response(outage)
    except OperationError as refused:
        status = render(refused)[0]
        if isinstance(refused, EpisodeEnded):
            return _refuse(status, f"Not Found: {refused.sentence}")
        return _refuse(status if status in (401, 403, 429) else 404, "Not Found")
    assert isinstance(found, Raw)
    headers = {
        "Content-Type": found.content_type,
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    if found.filename:
        safe = found.filename.encode("ascii", "replace").decode().replace('"', "_").replace("\\", "_")
        headers["Content-Disposition"] = f"attachment; filename={safe}"
    return Response(bytes(found), 200, headers)


def _refuse(status: int, why: str) -> Response:
    return PlainTextResponse(f"{status}: {why}", status)


# -- links


def sign_address(host: Host, principal: Principal, address: str) -> str:
    """Add to our address a token that opens it alone; other addresses stay unchanged."""
    at = urlsplit(address)
    if at.hostname != CODELOAD and "/codeload/" not in at.path:
        return address
    token = host.tokens.issue(_only(principal, at.path), "{}", grant=True)
    return f"{address}?token={token}"


def _only(principal: Principal, path: str) -> Principal:
    return replace(principal, scopes=frozenset({f"file:{unquote(path)}"}))


def _find_principal(host: Host, request: Request) -> Principal | None:
    """Return the principal that a link was issued for, if it was issued for this address."""
    found = host.tokens.find_grant(request.query_params.get("token", ""))
    path = unquote(
        (request.scope.get("raw_path") or request.scope["path"].encode()).decode("latin-1").partition("?")[0]
    )
    if found is None or not host.knows(found.world) or found.scopes != frozenset({f"file:{path}"}):
        return None
    return replace(found, scopes=frozenset())
