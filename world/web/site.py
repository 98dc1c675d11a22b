"""Site that all apps share: login, launcher, shell files, the live socket, and the pages of last resort."""

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from world.core.errors import EpisodeEnded, OperationError
from world.run.authentication import authenticate
from world.run.host import Host
from world.web import assets, live_socket, login, response_headers, session, template_env
from world.web.mount import place_of
from world.web.page_state import read_page_state
from world.web.portraits import answer_portrait
from world.web.theme import NOTICE, favicon, neutral_theme, theme_of


def site_routes(host: Host) -> list[BaseRoute]:
    """Mount at the root of the site, and at the root of each app's own host."""
    shell = assets.shell()

    async def static(request: Request) -> Response:
        return shell.answer(request)

    async def ask(request: Request) -> Response:
        return login.show(host, request)

    async def enter(request: Request) -> Response:
        return await login.sign_in(host, request)

    async def link(request: Request) -> Response:
        return login.by_link(host, request)

    async def leave(request: Request) -> Response:
        return await login.sign_out(host, request)

    async def render_finished(request: Request) -> Response:
        return plain_page(
            host, request, 200, "Thank you", "Your report was received. There is nothing more to do here."
        )

    async def switch(request: Request) -> Response:
        return switch_app(host, request)

    async def socket(socket: WebSocket) -> None:
        await live_socket.serve(host, socket)

    async def tile(request: Request) -> Response:
        return response_headers.add_page_headers(Response(favicon(neutral_theme("Work")), media_type="image/svg+xml"))

    return [
        Route("/web/static/{version}/{name:path}", static, methods=["GET"]),
        Route("/web/portraits/{mark}.svg", answer_portrait, methods=["GET"]),
        Route("/login", ask, methods=["GET"]),
        Route("/login", enter, methods=["POST"]),
        Route("/login/{key}", link, methods=["GET"]),
        Route("/logout", leave, methods=["POST"]),
        Route("/finished", render_finished, methods=["GET"]),
        Route("/switch/{app}", switch, methods=["GET"]),
        Route("/favicon.ico", tile, methods=["GET"]),
        Route("/web/favicon.svg", tile, methods=["GET"]),
        WebSocketRoute("/socket", socket),
    ]


def launcher_route(host: Host) -> BaseRoute:
    """`/` of the site: the installed apps as tiles."""

    async def launcher(request: Request) -> Response:
        if wants_page(request) or response_headers.is_fragment(request):
            return show_launcher(host, request)
        return list_addresses(host, request)

    return Route("/", launcher, methods=["GET"])


def list_addresses(host: Host, request: Request) -> Response:
    """List the addresses for a client that is no browser.

    An app answers the paths of its vendor's hosts below its own address.
    """
    place = place_of(request, "")
    apps = {
        name: {"address": place.app_url(name), "vendor_hosts": app.hosts}
        for name, app in sorted(host.apps.items())
        if name != "world"
    }
    listed = {"login": place.site_url("/login"), "tools": place.site_url("/mcp"), "apps": apps}
    return response_headers.add_page_headers(JSONResponse(listed))


def show_launcher(host: Host, request: Request) -> Response:
    """The tiles, for somebody signed in."""
    principal = session.principal_of(request, host)
    if principal is None:
        return login.ask_to_sign_in(host, request, "")
    try:
        desk = read_page_state(host, principal)
    except EpisodeEnded as ended:
        return render_ended_page(host, request, ended)
    except OperationError:
        return login.ask_to_sign_in(host, request, "", why="Your session has expired. Sign in again to continue.")
    place = place_of(request, "")
    names = sorted(name for name in host.apps if name != "world")
    context = login.login_context(host, request, "", "/") | {
        "apps": [(name, theme_of(host.apps[name]), place.app_url(name)) for name in names],
        "me": desk.me,
        "company": desk.company,
        "notice": NOTICE,
    }
    return response_headers.html(
        template_env.render_page(template_env.environment(), "launcher.html", context), version=desk.version
    )


def switch_app(host: Host, request: Request) -> Response:
    """From one app's host to another's: carries the login over, since each host keeps its own cookie."""
    wanted = request.path_params["app"]
    here = request.url.hostname or ""
    current = here.split(".", 1)[0]
    if wanted not in host.apps:
        return error_page(host, request, 404)
    if current not in host.apps:
        return response_headers.see_other(place_of(request, "").site_url(f"/{wanted}/"))
    key = request.cookies.get(session.COOKIE, "")
    netloc = request.url.netloc.split(".", 1)[1]
    path = f"/login/{key}" if authenticate(host, "", None, key) else "/login"
    return response_headers.add_page_headers(RedirectResponse(f"{request.url.scheme}://{wanted}.{netloc}{path}", 303))


PLAIN = {
    403: ("You don't have access to this page", "Ask somebody who does, or go back."),
    404: ("We couldn't find that page", "The address may be wrong, or the page may be gone."),
    405: ("We couldn't find that page", "Nothing can be opened at this address."),
    500: ("Something went wrong", "The page could not be shown. Try again in a moment."),
    503: ("This service is unavailable", "Nothing can be shown or saved right now. Try again later."),
}


def error_page(host: Host, request: Request, status: int) -> Response:
    """A page outside any app, or when an app's own page could not be made."""
    return plain_page(host, request, status, *PLAIN.get(status, PLAIN[500]))


def render_ended_page(host: Host, request: Request, ended: EpisodeEnded) -> Response:
    """Render the page shown after the end of the episode; a part of a page asks the browser for the whole."""
    if response_headers.is_fragment(request):
        return response_headers.add_page_headers(Response(status_code=401, headers={"HX-Refresh": "true"}))
    return plain_page(host, request, 401, "This episode has ended", ended.sentence)


def plain_page(host: Host, request: Request, status: int, title: str, message: str) -> Response:
    """A heading and a sentence, outside any app."""
    context = login.login_context(host, request, _app_of(host, request), "/") | {
        "title": title,
        "message": message,
        "status": status,
    }
    return response_headers.html(
        template_env.render_page(template_env.environment(), "plain_error.html", context), status
    )


def wants_page(request: Request) -> bool:
    """Whether a browser shows the answer as a page of its own: not a client of an interface, not a part of a page."""
    return "text/html" in request.headers.get("accept", "") and not response_headers.is_fragment(request)


def _app_of(host: Host, request: Request) -> str:
    """The app below whose prefix the request came."""
    name = str(request.scope.get("root_path", "")).rpartition("/")[2]
    return name if name in host.apps else ""
