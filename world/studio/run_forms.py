"""Forms of a run's pages: branches and remarks."""

import asyncio
import json

from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from world.agents.runner import ProgramSettings
from world.studio.annotations import Annotation, add_annotation
from world.studio.branch_request import BranchRequest, prepare_branch
from world.studio.step_pages import read_step_context
from world.studio.studio_state import Studio
from world.web.response_headers import see_other

MAX_FORM = 2 << 20  # bytes


async def branch(studio: Studio, request: Request) -> Response:
    """Make a branch and lead to it; one in which a program acts is led to while it goes on."""
    context = read_step_context(studio, request)
    form = await read_form(request)
    try:
        given = {**form, "step": context.number, "arguments": json.loads(form.get("arguments") or "{}")}
        wanted = BranchRequest.model_validate(given)
    except (ValidationError, ValueError) as error:
        raise LookupError(f"The branch was not made: {error}") from None
    world = await studio.open_world(context.view)
    made = prepare_branch(studio.home, world, context.view, wanted)
    if ":" in wanted.then:
        await studio.programs.begin(made)
    else:
        await made.carry_out(ProgramSettings())
    return see_other(f"/runs/{made.folder.name}")


async def begin_by_hand(studio: Studio, request: Request) -> Response:
    """Begin a branch that somebody acts in, and open an app in it."""
    context = read_step_context(studio, request)
    app = (await read_form(request)).get("app", "")
    world = await studio.open_world(context.view)
    made = studio.hands.begin(world, context.view, context.number)
    return studio.render("hand.html", {"run": made.folder.name, "app": app, "title": made.apps.get(app, "")})


async def open_by_hand(studio: Studio, request: Request) -> Response:
    """Lead a browser into an app of a branch that somebody acts in. Raises LookupError."""
    view = studio.view(request.path_params["run"])
    found = studio.hands.find(view.folder)
    if found is None:
        raise LookupError(f"nobody acts in {view.name}")
    return see_other(found.open_pages(request.path_params["app"]))


async def finish_by_hand(studio: Studio, request: Request) -> Response:
    """Grade a branch that somebody acted in. Raises LookupError."""
    view = studio.view(request.path_params["run"])
    studio.hands.finish(view.folder)
    return see_other(f"/runs/{view.name}")


async def remark(studio: Studio, request: Request) -> Response:
    """Keep a remark on the step."""
    context = read_step_context(studio, request)
    form = await read_form(request)
    try:
        made = Annotation(
            step=context.number,
            span=parse_span(form.get("span", "")),
            label=form.get("label", ""),
            text=form.get("text", ""),
        )
    except ValidationError as error:
        raise LookupError(f"The remark was not kept: {error.errors()[0]['msg']}") from None
    add_annotation(context.view.folder, made)
    return see_other(request.url.path.removesuffix("/remarks"))


def parse_span(text: str) -> tuple[int, int] | None:
    """The range of `12-40`; None for an empty text. Raises LookupError."""
    first, _, last = text.partition("-")
    if not text:
        return None
    if not (first.isdecimal() and last.isdecimal() and len(text) < 20 and int(first) <= int(last)):
        raise LookupError(f"{text[:40]!r} is no range of characters")
    return int(first), int(last)


async def read_form(request: Request) -> dict[str, str]:
    """The texts of a form. Raises HTTPException 413."""
    body = await asyncio.wait_for(request.body(), timeout=30)
    if len(body) > MAX_FORM:
        raise HTTPException(413, "the form is too large")
    return {name: value for name, value in (await request.form()).items() if isinstance(value, str)}
