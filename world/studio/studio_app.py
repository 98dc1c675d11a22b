"""The studio's routes. What they show is in `run_pages`, `step_pages` and `run_forms`."""

from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from world.agents.program import AgentError
from world.studio import parts_page, run_forms, run_pages, step_pages, world_pages
from world.studio.run_world import UNOPENED
from world.studio.studio_state import THEME, Studio
from world.web.portraits import answer_portrait
from world.web.response_headers import add_page_headers
from world.web.theme import favicon

FORESEEN = (*UNOPENED, AgentError)
Serve = Callable[[Studio, Request], Awaitable[Response]]


def build_studio(studio: Studio) -> Starlette:
    """The application of the studio; `StudioAccess` guards it."""
    return Starlette(routes=list_routes(studio), exception_handlers={HTTPException: _answer_unknown(studio)})


def list_routes(studio: Studio) -> list[Route]:
    """The addresses of the studio. A run's name may hold slashes, so the longest addresses come first."""

    async def static(request: Request) -> Response:
        return (studio.shell if request.url.path.startswith("/web") else studio.files).answer(request)

    async def icon(_: Request) -> Response:
        return add_page_headers(Response(favicon(THEME), media_type="image/svg+xml"))

    def route(path: str, serve: Serve, method: str = "GET") -> Route:
        async def endpoint(request: Request) -> Response:
            try:
                return await serve(studio, request)
            except FORESEEN as error:
                return studio.render("problem.html", {"message": describe_problem(error)}, 409)

        return Route(path, endpoint, methods=[method])

    def part(path: str, serve: Serve) -> Route:
        """A part of a page, fetched by one that stands already: it says what could not be done in its place."""

        async def endpoint(request: Request) -> Response:
            try:
                return await serve(studio, request)
            except FORESEEN as error:
                return studio.render("problem_part.html", {"message": describe_problem(error)})

        return Route(path, endpoint)

    run = "/runs/{run:path}"
    step = run + "/steps/{step:int}"
    return [
        Route("/web/static/{version}/{name:path}", static),
        Route("/studio/static/{version}/{name:path}", static),
        Route("/web/favicon.svg", icon),
        Route("/favicon.ico", icon),
        Route("/web/portraits/{mark}.svg", answer_portrait),
        route("/_parts", parts_page.show_parts),
        part("/_parts/people", parts_page.list_suggestions),
        route("/", run_pages.show_runs),
        route("/worlds", world_pages.show_worlds),
        part("/worlds/{world}/now", world_pages.show_now),
        route("/worlds/{world}/steer", world_pages.steer, "POST"),
        route("/worlds/{world}/inject", world_pages.inject, "POST"),
        route("/worlds/{world}", world_pages.show_world),
        part(step + "/panels/{panel}", step_pages.show_panel),
        route(step + "/pages/{app}", step_pages.open_pages),
        part(step + "/content", step_pages.show_content),
        route(step + "/branch", run_forms.branch, "POST"),
        route(step + "/hand", run_forms.begin_by_hand, "POST"),
        route(step + "/remarks", run_forms.remark, "POST"),
        route(step + ".json", step_pages.show_step_json),
        route(step, step_pages.show_step),
        route(run + "/hand/{app}", run_forms.open_by_hand),
        route(run + "/finish", run_forms.finish_by_hand, "POST"),
        part(run + "/rows", run_pages.show_rows),
        part(run + "/time-line", run_pages.show_time_line),
        part(run + "/scores", run_pages.show_scores),
        route(run + "/state", run_pages.show_state),
        route(run + "/findings", run_pages.show_findings),
        route(run + "/branches", run_pages.show_branches),
        route(run + "/compare", run_pages.show_comparison),
        route(run, step_pages.show_run),
    ]


def describe_problem(error: Exception) -> str:
    """One sentence about what could not be done."""
    return str(error.args[0]) if isinstance(error, LookupError) and error.args else str(error)


def _answer_unknown(studio: Studio) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def answer(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return studio.render("problem.html", {"message": getattr(error, "detail", "")}, status)

    return answer
