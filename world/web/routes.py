"""The routes of one app's pages, relative to where the server mounts the app."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from types import ModuleType
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Scope

from world.run.host import Host
from world.web import response_headers
from world.web.door import PageDoor
from world.web.form_submission import submit
from world.web.mount import place_of
from world.web.pages import Page, Pages
from world.web.session import principal_of
from world.web.site import wants_page
from world.web.theme import favicon, theme_css

Endpoint = Callable[[Request], Awaitable[Response]]
API_HOST = "firm.api_host"  # set in the scope of a request to a host that shows no pages
VENDOR_HOST = "firm.vendor_host"  # set in the scope of a request to a host of the vendor's own


class PageRoute(Route):
    """A route of a page, which is not there on the vendor's hosts that are for programs."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether a request is for this page."""
        return (Match.NONE, {}) if scope.get(API_HOST) else super().matches(scope)


class MissingRoute(PageRoute):
    """The route of every address that no other has, for GET requests of people."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether somebody looks at an address."""
        found, more = super().matches(scope)
        return (found, more) if found == Match.FULL else (Match.NONE, {})


def page_door(host: Host, module: ModuleType, *, live: bool = True) -> PageDoor:
    """The page door of an app, from its `pages` module (`apps.APP.pages`)."""
    pages: Pages = module.pages
    file = Path(str(module.__file__))
    return PageDoor(host, pages, file.parents[1] if file.name == "__init__.py" else file.parent, live=live)


def page_routes(host: Host, app_module: ModuleType, *, live: bool = True) -> list[BaseRoute]:
    """Every page, the form door, the app's static files, its colours and its favicon."""
    door = page_door(host, app_module, live=live)
    routes: list[BaseRoute] = [PageRoute(page.path, _show(door, page), methods=["GET"]) for page in door.listed]
    routes += [PageRoute(f"/{name}/{{rest:path}}", _leave_folder, methods=["GET"]) for name in door.pages.site_folders]
    return [
        PageRoute("/do/{operation:path}", _submit(door), methods=["POST"]),
        PageRoute("/static/{version}/{name:path}", _static(door), methods=["GET"]),
        PageRoute("/theme.css", _text(theme_css(door.theme), "text/css"), methods=["GET"]),
        PageRoute("/favicon.svg", _text(favicon(door.theme), "image/svg+xml"), methods=["GET"]),
        *routes,
    ]


def build_missing_route(host: Host, app_module: ModuleType) -> BaseRoute:
    """The app's 404 page for any other address; mount it after the REST routes."""
    door = page_door(host, app_module)

    async def render_missing(request: Request) -> Response:
        if _is_program(request):
            raise HTTPException(404)
        return door.render_missing(request)

    return MissingRoute("/{rest:path}", render_missing, methods=["GET"])


async def _leave_folder(request: Request) -> Response:
    place = place_of(request, "")
    query = f"?{request.url.query}" if request.url.query else ""
    return response_headers.see_other(f"{place.mount}/{quote(request.path_params['rest'])}{query}")


def _show(door: PageDoor, page: Page) -> Endpoint:
    async def show(request: Request) -> Response:
        if _is_program(request) and principal_of(request, door.host) is None:
            raise HTTPException(404)
        return door.show(request, page)

    return show


def _is_program(request: Request) -> bool:
    """Whether no person looks: a client of an interface must not take a page or a log-in for an answer."""
    if wants_page(request) or response_headers.is_fragment(request):
        return False
    return bool(request.scope.get(VENDOR_HOST)) or "authorization" in request.headers


def _submit(door: PageDoor) -> Endpoint:
    async def post(request: Request) -> Response:
        return await submit(door, request)

    return post


def _static(door: PageDoor) -> Endpoint:
    async def static(request: Request) -> Response:
        return door.assets.answer(request)

    return static


def _text(body: str, media_type: str) -> Endpoint:
    async def text(request: Request) -> Response:
        response = response_headers.add_page_headers(Response(body, media_type=media_type))
        response.headers["Cache-Control"] = "public, max-age=3600"
        return response

    return text
