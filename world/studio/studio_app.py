"""The studio's routes: the list of runs, a run, a step and its panels, branches, remarks. World-facing work is elsewhere."""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from world.agents.program import AgentError
from world.core.clock import iso
from world.run.home import Home
from world.run.needs import CapabilityError
from world.run.trajectory_reader import TrajectoryError
from world.script.errors import ScenarioError
from world.store import StoreError
from world.studio.annotations import Annotation, add_annotation
from world.studio.branch_request import BranchRequest, make_branch
from world.studio.panels import STEP_PANELS, StepContext, StepPanel
from world.studio.run_list import RunList
from world.studio.run_view import RunView
from world.studio.run_world import RunWorlds
from world.web import assets, template_env
from world.web.response_headers import add_page_headers, html, see_other
from world.web.theme import favicon, neutral_theme

HERE = Path(__file__).parent
PAGE = 200  # steps of one page of the list
MAX_VIEWS = 8  # runs whose steps stay indexed
MAX_FORM = 2 << 20  # bytes
FORESEEN = (TrajectoryError, LookupError, ScenarioError, StoreError, CapabilityError, AgentError, FileNotFoundError)
THEME = neutral_theme("Studio")


class Studio:
    """The runs of one folder, and the worlds behind them."""

    def __init__(self, home: Home, root: Path, worlds: RunWorlds | None = None) -> None:
        self.home, self.worlds = home, worlds or RunWorlds(home)
        self.runs = RunList(root, self.worlds.plane)
        self._views: OrderedDict[str, RunView] = OrderedDict()
        self.env = template_env.environment((HERE / "templates",), (("utc", iso),))
        self.files, self.shell = assets.read_assets(HERE / "static"), assets.shell()

    def view(self, name: str) -> RunView:
        """The run of a name, with the steps written so far. Raises TrajectoryError, HTTPException 404."""
        folder = self.runs.find(name)
        if folder is None:
            raise HTTPException(404, f"there is no run {name!r}")
        if name not in self._views:
            self._views[name] = RunView(name, folder)
        self._views.move_to_end(name)
        while len(self._views) > MAX_VIEWS:
            self._views.popitem(last=False)
        self._views[name].refresh()
        return self._views[name]

    def render(self, template: str, context: Mapping[str, object], status: int = 200) -> Response:
        """A page of the studio."""
        return html(template_env.render_page(self.env, template, self.context() | dict(context)), status)

    def context(self) -> dict[str, Any]:
        """What every template of the studio gets."""
        return {
            "theme": THEME,
            "pages": None,
            "live": False,
            "site_url": str,
            "shell": self.shell.linked(lambda path: f"/web{path}"),
            "asset": self.files.linked(lambda path: f"/studio{path}"),
            "vendored": self.shell.has,
            "panels": STEP_PANELS,
            "root": str(self.runs.root),
        }


def build_studio(studio: Studio) -> Starlette:
    """The application of the studio; `StudioAccess` guards it."""
    return Starlette(routes=list_routes(studio), exception_handlers={HTTPException: _answer_unknown(studio)})


def list_routes(studio: Studio) -> list[Route]:
    """The addresses of the studio. A run's name may hold slashes, so the longest addresses come first."""

    async def static(request: Request) -> Response:
        return (studio.shell if request.url.path.startswith("/web") else studio.files).answer(request)

    async def icon(_: Request) -> Response:
        return add_page_headers(Response(favicon(THEME), media_type="image/svg+xml"))

    def route(path: str, serve: Callable[[Studio, Request], Awaitable[Response]], method: str = "GET") -> Route:
        async def endpoint(request: Request) -> Response:
            try:
                return await serve(studio, request)
            except FORESEEN as error:
                return studio.render("problem.html", {"message": describe_problem(error)}, 409)

        return Route(path, endpoint, methods=[method])

    step = "/runs/{run:path}/steps/{step:int}"
    return [
        Route("/web/static/{version}/{name:path}", static),
        Route("/studio/static/{version}/{name:path}", static),
        Route("/web/favicon.svg", icon),
        Route("/favicon.ico", icon),
        route("/", show_runs),
        route(step + "/panels/{panel}", show_panel),
        route(step + "/pages/{app}", open_pages),
        route(step + "/branch", branch, "POST"),
        route(step + "/remarks", remark, "POST"),
        route(step + ".json", show_step_json),
        route(step, show_step),
        route("/runs/{run:path}", show_run),
    ]


def describe_problem(error: Exception) -> str:
    """One sentence about what could not be done."""
    return str(error.args[0]) if isinstance(error, LookupError) and error.args else str(error)


async def show_runs(studio: Studio, request: Request) -> Response:
    """All runs, the newest first."""
    return studio.render("runs.html", {"runs": studio.runs.summaries()})


async def show_run(studio: Studio, request: Request) -> Response:
    """A run's card, its verdict, and its steps, a page at a time or those that hold a text."""
    view, query = studio.view(request.path_params["run"]), request.query_params
    wanted = query.get("q", "").strip()
    found = [view.steps[number - 1] for number in view.search(wanted)] if wanted else view.steps
    first = read_number(query.get("from", "1")) - 1
    shown = found[first : first + PAGE]
    return studio.render(
        "run.html", {"view": view, "steps": shown, "first": first, "found": len(found), "page": PAGE, "q": wanted}
    )


def read_number(text: str) -> int:
    """A number of at least 1; 1 for what is none."""
    return max(1, int(text)) if text.isdecimal() and len(text) < 10 else 1


def read_step_context(studio: Studio, request: Request) -> StepContext:
    """The step that an address names. Raises HTTPException 404."""
    view, number = studio.view(request.path_params["run"]), request.path_params["step"]
    if number > len(view.steps):
        raise HTTPException(404, f"{view.name} has no step {number}")
    return StepContext(view, number, studio.worlds)


async def show_step(studio: Studio, request: Request) -> Response:
    """A step with all its panels; the late ones are fetched by the page."""
    context = read_step_context(studio, request)
    parts = {one.id: await render_panel(studio, context, one) for one in STEP_PANELS if not one.is_late}
    return studio.render(
        "step.html", {"view": context.view, "number": context.number, "parts": parts, "row": context.row}
    )


async def show_panel(studio: Studio, request: Request) -> Response:
    """One panel of a step, as a part of a page."""
    context = read_step_context(studio, request)
    panel = next((one for one in STEP_PANELS if one.id == request.path_params["panel"]), None)
    if panel is None:
        raise HTTPException(404, "there is no such panel")
    return html(await render_panel(studio, context, panel))


async def render_panel(studio: Studio, context: StepContext, panel: StepPanel) -> str:
    """A panel as HTML."""
    loaded = await panel.load(context)
    shared = {"view": context.view, "number": context.number, "row": context.row}
    return template_env.render_page(studio.env, f"panel_{panel.id}.html", studio.context() | shared | dict(loaded))


async def show_step_json(studio: Studio, request: Request) -> Response:
    """The whole step as it was written."""
    row = read_step_context(studio, request).row
    return add_page_headers(Response(orjson.dumps(row), media_type="application/json"))


async def open_pages(studio: Studio, request: Request) -> Response:
    """Lead the browser to an app as it stood after the step."""
    context = read_step_context(studio, request)
    world = await studio.worlds.open(context.view)
    if request.path_params["app"] not in world.plane.host.apps:
        raise HTTPException(404, "there is no such app")
    return see_other(world.open_pages(context.view, context.number, request.path_params["app"]))


async def branch(studio: Studio, request: Request) -> Response:
    """Make a branch and lead to it."""
    context = read_step_context(studio, request)
    form = await read_form(request)
    try:
        given = {**form, "step": context.number, "arguments": json.loads(form.get("arguments") or "{}")}
        wanted = BranchRequest.model_validate(given)
    except (ValidationError, ValueError) as error:
        raise LookupError(f"The branch was not made: {error}") from None
    world = await studio.worlds.open(context.view)
    finished = await make_branch(studio.home, world, context.view, wanted)
    return see_other(f"/runs/{finished.folder.name}")


async def remark(studio: Studio, request: Request) -> Response:
    """Keep a remark on the step."""
    context = read_step_context(studio, request)
    form = await read_form(request)
    try:
        made = Annotation(step=context.number, label=form.get("label", ""), text=form.get("text", ""))
    except ValidationError as error:
        raise LookupError(f"The remark was not kept: {error.errors()[0]['msg']}") from None
    add_annotation(context.view.folder, made)
    return see_other(request.url.path.removesuffix("/remarks"))


async def read_form(request: Request) -> dict[str, str]:
    """The texts of a form. Raises HTTPException 413."""
    body = await asyncio.wait_for(request.body(), timeout=30)
    if len(body) > MAX_FORM:
        raise HTTPException(413, "the form is too large")
    return {name: value for name, value in (await request.form()).items() if isinstance(value, str)}


def _answer_unknown(studio: Studio) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def answer(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return studio.render("problem.html", {"message": getattr(error, "detail", "")}, status)

    return answer
