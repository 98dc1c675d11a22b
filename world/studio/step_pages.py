"""The page of a run at one of its steps, and the parts of it that change when another step is chosen."""

from collections.abc import Mapping
from urllib.parse import quote

import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from world.studio.panels import STEP_PANELS, StepContext, StepPanel
from world.studio.run_view import RunView
from world.studio.studio_state import PAGE, StepList, Studio
from world.studio.time_line import TimeLine, draw_time_line, find_span
from world.web import template_env
from world.web.response_headers import add_page_headers, html, see_other

AROUND = 60  # steps of the list before the chosen one


async def show_run(studio: Studio, request: Request) -> Response:
    """A run at the step of `?step=`, else at its first one."""
    view, text = studio.view(request.path_params["run"]), request.query_params.get("step", "")
    wanted = int(text) if text.isdecimal() and len(text) < 10 else min(1, len(view.steps))
    return await render_run(studio, request, get_context(studio, view, wanted))


async def show_step(studio: Studio, request: Request) -> Response:
    """The same page by the address of a step."""
    return await render_run(studio, request, read_step_context(studio, request))


async def render_run(studio: Studio, request: Request, context: StepContext) -> Response:
    """The page of a run: its card, the time line, the list of steps around the chosen one, and that step."""
    query = request.query_params
    found = studio.list_steps(context.view, query.get("q", "").strip())
    text = query.get("from", "")
    first = max(0, int(text) - 1) if text.isdecimal() and len(text) < 10 else max(0, context.number - 1 - AROUND)
    window = StepList(found.wanted, found.numbers, first if text or not found.wanted else 0)
    shown = await load_step(studio, context, found)
    line = draw_time_line(context.view)
    return studio.render("run.html", {**shown, "list": window, "page": PAGE, "line": line, "tab": "steps"})


async def load_step(studio: Studio, context: StepContext, found: StepList) -> Mapping[str, object]:
    """What the templates of a step get. Late panels are fetched by the page."""
    view, number = context.view, context.number
    parts = {one.id: await render_panel(studio, context, one) for one in STEP_PANELS if not one.is_late}
    row = context.row
    x = draw_place(view, number)
    before, after = found.neighbours(number, len(view.steps))
    return {"view": view, "number": number, "parts": parts, "row": row, "x": x, "before": before, "after": after}


def draw_place(view: RunView, number: int) -> float:
    """The place of a step in the picture of the time line."""
    line = TimeLine(*find_span(view), {})
    return line.x(view.steps[number - 1].at if number else line.begins)


def get_context(studio: Studio, view: RunView, number: int) -> StepContext:
    """A step of a run. Raises HTTPException 404."""
    if number > len(view.steps):
        raise HTTPException(404, f"{view.name} has no step {number}")
    return StepContext(view, number, studio.worlds)


def read_step_context(studio: Studio, request: Request) -> StepContext:
    """The step that an address names. Raises HTTPException 404."""
    return get_context(studio, studio.view(request.path_params["run"]), request.path_params["step"])


async def show_content(studio: Studio, request: Request) -> Response:
    """A step without the page around it."""
    context = read_step_context(studio, request)
    found = studio.list_steps(context.view, request.query_params.get("q", "").strip())
    return studio.render("step.html", await load_step(studio, context, found))


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
    shared = {
        "view": context.view,
        "number": context.number,
        "row": context.row,
    }
    return template_env.render_page(studio.env, f"panel_{panel.id}.html", studio.context() | shared | dict(loaded))


async def show_step_json(studio: Studio, request: Request) -> Response:
    """The whole step as it was written."""
    row = read_step_context(studio, request).row
    return add_page_headers(Response(orjson.dumps(row), media_type="application/json"))


async def open_pages(studio: Studio, request: Request) -> Response:
    """Lead the browser to an app as it stood after the step, or to the page of `?at=` in it."""
    context = read_step_context(studio, request)
    world = await studio.open_world(context.view)
    app, path = request.path_params["app"], request.query_params.get("at", "")
    if app not in world.plane.host.apps:
        raise HTTPException(404, "there is no such app")
    address = world.open_pages(context.view, context.number, app)
    if path.startswith(f"/{app}/"):
        address = f"{address.removesuffix(f'/{app}/')}{quote(path, safe='/')}"
    return see_other(address)
