"""Pages of runs: the list, windows of steps, the time line, scores, findings, branches, two runs side by side."""

import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from world.studio.branch_tree import draw_tree
from world.studio.comparison import compare_runs
from world.studio.findings import list_findings
from world.studio.run_names import read_names
from world.studio.run_view import RunView
from world.studio.score_line import grade_steps
from world.studio.studio_state import PAGE, StepList, Studio
from world.studio.time_line import draw_time_line
from world.web.response_headers import add_page_headers


async def show_runs(studio: Studio, request: Request) -> Response:
    """All runs, the newest first."""
    return studio.render("runs.html", {"runs": studio.runs.summaries()})


def read_number(text: str) -> int:
    """A number of at least 1; 1 for what is none."""
    return max(1, int(text)) if text.isdecimal() and len(text) < 10 else 1


async def show_rows(studio: Studio, request: Request) -> Response:
    """A window of the list of steps, as a part of a page."""
    view, query = studio.view(request.path_params["run"]), request.query_params
    found = studio.list_steps(view, query.get("q", "").strip())
    first = read_number(query.get("from", "1")) - 1
    window = StepList(found.wanted, found.numbers, first)
    return studio.render("rows.html", {"view": view, "list": window, "number": -1, "page": PAGE})


async def show_time_line(studio: Studio, request: Request) -> Response:
    """The time line with the names that only the world knows, as a part of a page."""
    view = studio.view(request.path_params["run"])
    names = read_names(await studio.open_world(view))
    return studio.render("time_line.html", {"view": view, "line": draw_time_line(view, names)})


async def show_scores(studio: Studio, request: Request) -> Response:
    """The score at the steps graded so far and at some more, as a part of a page that asks again until all are."""
    view = studio.view(request.path_params["run"])
    world = await studio.open_world(view)
    line = await grade_steps(world, view, studio.scores(view), request.is_disconnected)
    return studio.render("score_line.html", {"view": view, "line": line})


async def show_state(studio: Studio, request: Request) -> Response:
    """How far a run has come, for pages that follow it."""
    view = studio.view(request.path_params["run"])
    state = {"steps": len(view.steps), "live": not view.result, "graded": bool(view.verdict)}
    return add_page_headers(Response(orjson.dumps(state), media_type="application/json"))


async def show_findings(studio: Studio, request: Request) -> Response:
    """The verdict, each finding with the steps and rows that decide it."""
    view = studio.view(request.path_params["run"])
    found = list(list_findings(view, view.verdict))
    return studio.render("findings.html", {"view": view, "findings": found, "tab": "findings"})


async def show_branches(studio: Studio, request: Request) -> Response:
    """The tree of branches that the run belongs to."""
    view = studio.view(request.path_params["run"])
    return studio.render("branches.html", {"view": view, "nodes": draw_tree(studio.runs, view.name), "tab": "branches"})


async def show_comparison(studio: Studio, request: Request) -> Response:
    """Two runs side by side, a page at a time around the first difference; without a second one, the choice of it."""
    view, query = studio.view(request.path_params["run"]), request.query_params
    name = query.get("with", "")
    if not name:
        return studio.render("compare.html", {"view": view, "runs": list_others(studio, view), "tab": "compare"})
    other = studio.view(name)
    found = compare_runs(view, other)
    first = read_number(query["from"]) - 1 if "from" in query else max(0, found.shared - 5)
    if first > found.number:
        raise HTTPException(404, "neither run has so many steps")
    shown = {"other": other, "comparison": found, "pairs": found.pairs[first : first + PAGE], "first": first}
    return studio.render("compare.html", {"view": view, "tab": "compare", "page": PAGE, **shown})


def list_others(studio: Studio, view: RunView) -> list[str]:
    """The names of the runs that a run can be compared with, those of its scenario first."""
    runs = [one for one in studio.runs.summaries() if one.name != view.name]
    return [one.name for one in sorted(runs, key=lambda one: one.scenario != view.config.get("scenario"))]
