"""The panels of the studio's pages: each loads what its template shows. A new panel is one entry of STEP_PANELS."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from world.core.json_types import is_object
from world.studio.annotations import read_annotations
from world.studio.findings import find_deciders
from world.studio.run_names import UNNAMED, Names, read_names
from world.studio.run_view import RunView
from world.studio.run_world import UNOPENED, RunWorld, RunWorlds, open_world

Context = Mapping[str, object]
MAX_TEXT = 60_000  # characters of one text on a page
MAX_ROWS = 200  # changed rows of one step on a page


@dataclass(frozen=True, slots=True)
class StepContext:
    """What a panel of a step may read: the run, the step (0: before the first), and the worlds of runs."""

    view: RunView
    number: int
    worlds: RunWorlds

    @property
    def row(self) -> dict[str, Any]:
        """The whole step as it was written; of step 0 nothing."""
        return self.view.step(self.number) if self.number else {}

    async def open_world(self) -> RunWorld:
        """The world of the run. Raises TrajectoryError for a run that cannot be repeated."""
        return await open_world(self.worlds, self.view)

    async def read_names(self) -> Names:
        """The names of the run's world; none for a run that cannot be repeated."""
        try:
            return read_names(await self.open_world())
        except UNOPENED:
            return UNNAMED


@dataclass(frozen=True, slots=True)
class StepPanel:
    """A part of the page of a step, `panel_<id>.html`. `is_late` ones are loaded after the page, as they take time."""

    id: str
    title: str
    load: Callable[[StepContext], Awaitable[Context]]
    is_late: bool = False


async def load_call(context: StepContext) -> Context:
    """The request as it was made, and the operation with its arguments."""
    row = context.row
    request = context.view.contents.restore(row.get("request"))
    return {
        "request": request,
        "sent": describe_body(request) if request else "",
        "arguments": format_json(row.get("arguments", {})),
    }


async def load_answer(context: StepContext) -> Context:
    """What the agent saw, as it was sent; the operation's answer for a call without a door."""
    row = context.row
    response = context.view.contents.restore(row.get("response"))
    text = describe_body(response) if response else format_json(context.view.contents.restore(row.get("result")))
    sent = join_texts(response) if response else text
    return {"response": response, "seen": text[:MAX_TEXT], "sent": sent[:MAX_TEXT], "cut": len(text) > MAX_TEXT}


async def load_rows(context: StepContext) -> Context:
    """The rows that changed up to the end of the step, with the values that are different."""
    diff = context.row.get("diff", [])
    deciders = find_deciders(context.view, context.view.verdict)
    changes = [describe_change(one, deciders) for one in diff[:MAX_ROWS]]
    return {"changes": changes, "more": max(0, len(diff) - MAX_ROWS)}


async def load_events(context: StepContext) -> Context:
    """What happened before the step: colleagues, machines, faults. Names are those of the world, if it can be opened."""
    events = context.row.get("events", [])
    names = await context.read_names() if events else UNNAMED
    shown = [{**one, "actor": names.actor(one["actor"]), "event": names.event(one["operation"])} for one in events]
    return {"events": shown}


async def load_score(context: StepContext) -> Context:
    """The verdict as it would have been had the agent stopped after the step."""
    world = await context.open_world()
    return {"verdict": await world.grade(context.view, context.number)}


async def load_pages(context: StepContext) -> Context:
    """The apps whose pages can be opened as they stood after the step."""
    world = await context.open_world()
    apps = {name: app.title for name, app in sorted(world.plane.host.apps.items()) if name != "world"}
    return {"apps": apps, "own": find_own_page(context.row, apps)}


def find_own_page(row: Mapping[str, Any], apps: Mapping[str, str]) -> tuple[str, str] | None:
    """(app, path) of the page that the agent opened with a step; None for a step of another kind."""
    request = row.get("request")
    if row.get("door") != "page" or not is_object(request) or request.get("method") != "GET":
        return None
    path, query = str(request["path"]), str(request["query"])
    app = path.removeprefix("/").partition("/")[0]
    return (app, f"{path}?{query}" if query else path) if app in apps else None


async def load_remarks(context: StepContext) -> Context:
    """The remarks on the step."""
    return {"remarks": [one for one in read_annotations(context.view.folder) if one.step == context.number]}


async def load_branch(context: StepContext) -> Context:
    """The form that goes on from the step."""
    row = context.row
    return {"operation": row.get("operation", ""), "arguments": format_json(row.get("arguments", {}))}


STEP_PANELS = (
    StepPanel("call", "Call", load_call),
    StepPanel("answer", "What the agent saw", load_answer),
    StepPanel("rows", "Changed rows", load_rows),
    StepPanel("pages", "Pages at this step", load_pages, is_late=True),
    StepPanel("branch", "Go on from here", load_branch),
    StepPanel("score", "Score at this step", load_score, is_late=True),
    StepPanel("events", "Meanwhile", load_events, is_late=True),
    StepPanel("remarks", "Remarks", load_remarks),
)


def describe_body(message: Mapping[str, Any]) -> str:
    """The text of a request or an answer; JSON is laid out, bytes are only counted."""
    if "content" in message:
        return "\n".join(format_text(block["text"]) for block in message["content"])
    if "tool" in message:
        return format_json(message["arguments"])
    body = message["body"]
    return f"{len(body)} bytes" if isinstance(body, bytes) else format_text(body)


def join_texts(message: Mapping[str, Any]) -> str:
    """The text of an answer as it was sent; spans of remarks count its characters."""
    if "content" in message:
        return "\n".join(block["text"] for block in message["content"])
    return message["body"] if isinstance(message["body"], str) else ""


def format_text(text: str) -> str:
    """A text, laid out if it is JSON."""
    try:
        return format_json(json.loads(text)) if text[:1] in ("{", "[") else text
    except ValueError:
        return text


def format_json(value: object) -> str:
    """A JSON value as an indented text."""
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)


def describe_change(change: Mapping[str, Any], deciders: Mapping[str, list[str]]) -> Context:
    """A changed row: its table, its key, the columns with their values before and after, and what it decides."""
    old: Mapping[str, Any] = change["before"] or {}
    new: Mapping[str, Any] = change["after"] or {}
    columns = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    return {
        "table": change["table"],
        "key": ".".join(str(part) for part in change["pk"]),
        "op": change["op"],
        "decides": deciders.get(f"{change['table']}:{'.'.join(str(part) for part in change['pk'])}", []),
        "call": change["call_seq"],
        "columns": [(name, old.get(name), new.get(name)) for name in columns],
    }
