"""The panels of the studio's pages: each loads what its template shows. A new panel is one entry of STEP_PANELS."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from world.studio.annotations import read_annotations
from world.studio.run_view import RunView
from world.studio.run_world import RunWorlds

Context = Mapping[str, object]
MAX_TEXT = 200_000  # characters of one text on a page
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
    return {"response": response, "seen": text[:MAX_TEXT], "cut": len(text) > MAX_TEXT}


async def load_rows(context: StepContext) -> Context:
    """The rows that changed up to the end of the step, with the values that are different."""
    diff = context.row.get("diff", [])
    return {"changes": [describe_change(one) for one in diff[:MAX_ROWS]], "more": max(0, len(diff) - MAX_ROWS)}


async def load_events(context: StepContext) -> Context:
    """What happened before the step: colleagues, machines, faults."""
    return {"events": context.row.get("events", [])}


async def load_score(context: StepContext) -> Context:
    """The verdict as it would have been had the agent stopped after the step."""
    world = await context.worlds.open(context.view)
    return {"verdict": await world.grade(context.view, context.number)}


async def load_pages(context: StepContext) -> Context:
    """The apps whose pages can be opened as they stood after the step."""
    world = await context.worlds.open(context.view)
    apps = {name: app.title for name, app in sorted(world.plane.host.apps.items()) if name != "world"}
    return {"apps": apps}


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
    StepPanel("events", "Meanwhile", load_events),
    StepPanel("score", "Score at this step", load_score, is_late=True),
    StepPanel("pages", "Pages at this step", load_pages, is_late=True),
    StepPanel("branch", "Go on from here", load_branch),
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


def format_text(text: str) -> str:
    """A text, laid out if it is JSON."""
    try:
        return format_json(json.loads(text)) if text[:1] in ("{", "[") else text
    except ValueError:
        return text


def format_json(value: object) -> str:
    """A JSON value as an indented text."""
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)


def describe_change(change: Mapping[str, Any]) -> Context:
    """A changed row: its table, its key, and the columns with their values before and after."""
    old: Mapping[str, Any] = change["before"] or {}
    new: Mapping[str, Any] = change["after"] or {}
    columns = [name for name in {**old, **new} if old.get(name) != new.get(name) or not (old and new)]
    return {
        "table": change["table"],
        "key": ", ".join(str(part) for part in change["pk"]),
        "op": change["op"],
        "call": change["call_seq"],
        "columns": [(name, old.get(name), new.get(name)) for name in columns],
    }
