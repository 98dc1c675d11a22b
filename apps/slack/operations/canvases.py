"""Canvases: documents of Markdown sections, private, shared, or a channel's own."""

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

import orjson
from pydantic import Field
from sqlalchemy import delete as sql_delete
from sqlalchemy import insert, update

from apps.slack import conversation_access
from apps.slack.answers import EmptyAnswer
from apps.slack.app import app
from apps.slack.canvas_sections import section_kind, split_sections
from apps.slack.example_objects import A_CANVAS, A_CHANNEL, A_COLLEAGUE
from apps.slack.limits import CLIENT, DOCS, TIER2, TIER3
from apps.slack.models import Canvas, CanvasAccess, CanvasSection
from apps.slack.params import Ident, Json, JsonList, Line, Names
from apps.slack.profiles import Roster
from world.core.call import Call
from world.core.clock import SECOND
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params

MAX_MARKDOWN = 100_000
CANVAS = Field(description="Id of the canvas, F….", examples=["F1234ABCD"])
PLAN = {"type": "markdown", "markdown": "# Plan\n\n- first step"}
OPERATIONS = ("insert_after", "insert_before", "insert_at_start", "insert_at_end", "replace", "delete", "rename")
_SHARING = (  # refusals of both calls that change access
    "canvas_not_found",
    "restricted_action",
    "user_not_found",
    "channel_not_found",
    "invalid_parameters",
    "missing_scope",
)


class CreateCanvas(Params):
    """A canvas to create."""

    title: Line = Field(default="", description="Title.", examples=["Launch plan"])
    document_content: Json = Field(
        default=None,
        description='Content: {"type": "markdown", "markdown": "..."}.',
        examples=[{"type": "markdown", "markdown": "# Plan\n\n- first step"}],
    )
    channel_id: Line = Field(default="", description="Conversation it is shared with.")


class CreateChannelCanvas(Params):
    """A channel's own canvas to create."""

    channel_id: Ident = Field(description="Conversation id.", examples=["C024BE91L"])
    title: Line = Field(default="", description="Title.")
    document_content: Json = Field(default=None, description='Content: {"type": "markdown", "markdown": "..."}.')


class CanvasRef(Params):
    """One canvas."""

    canvas_id: Ident = CANVAS


class EditCanvas(CanvasRef):
    """One change of a canvas."""

    changes: JsonList = Field(
        description=(
            "One change: {operation, section_id?, document_content?, title_content?}; operation is insert_after,"
            " insert_before, insert_at_start, insert_at_end, replace, delete or rename."
        ),
        examples=[[{"operation": "insert_at_end", "document_content": {"type": "markdown", "markdown": "Done."}}]],
    )


class LookupSections(CanvasRef):
    """Request fields for finding sections."""

    criteria: Json = Field(
        description='{"section_types": ["h1", "h2", "h3", "any_header"], "contains_text": "..."}.',
        examples=[{"contains_text": "plan"}],
    )


class SetAccess(CanvasRef):
    """Request fields for sharing a canvas."""

    access_level: Literal["read", "write"] = Field(description="read or write.")
    user_ids: Names = Field(default_factory=list, description="User ids.")
    channel_ids: Names = Field(default_factory=list, description="Conversation ids.")


class DropAccess(CanvasRef):
    """Request fields for ending access to a canvas."""

    user_ids: Names = Field(default_factory=list, description="User ids.")
    channel_ids: Names = Field(default_factory=list, description="Conversation ids.")


class ListCanvases(Params):
    """Filter of canvases."""

    channel: Line = Field(default="", description="Only those of this conversation.")


class CreatedCanvas(TypedDict):
    """The new canvas."""

    canvas_id: str


class Sections(TypedDict):
    """Sections found."""

    sections: list[dict[str, str]]


class Document(TypedDict):
    """A canvas with its sections."""

    canvas: JsonObject
    sections: list[dict[str, str]]


class CanvasList(TypedDict):
    """Canvases, the last changed first."""

    canvases: list[JsonObject]


def _read_markdown(content: object, code: str = "missing_document_content") -> str:
    if (
        not isinstance(content, dict)
        or content.get("type", "markdown") != "markdown"
        or not isinstance(content.get("markdown"), str)
    ):
        raise OperationError(code)
    if len(content["markdown"]) > MAX_MARKDOWN:
        raise OperationError("canvas_content_too_long")
    return str(content["markdown"])


_CANVAS = (
    "SELECT id, title, channel_id, owner_id, created_at, updated_at, updated_by FROM slack_canvas"
    " WHERE id = :id AND deleted_at IS NULL"
)
_ACCESS = (
    "SELECT coalesce(max(CASE level WHEN 'write' THEN 2 ELSE 1 END), 0) FROM slack_canvas_access a WHERE a.canvas_id ="
    " :id AND (a.subject = :me OR EXISTS (SELECT 1 FROM slack_member m WHERE m.channel_id = a.subject AND m.person_id ="
    " :me) OR (a.level = 'read' AND EXISTS (SELECT 1 FROM slack_channel c WHERE c.id = a.subject AND c.kind ="
    " 'public')))"
)
_SECTIONS = "SELECT id, position, markdown FROM slack_canvas_section WHERE canvas_id = :id ORDER BY position, id"


def _access_level(call: Call, row: Any) -> int:
    """Return the caller's access level: 0 none, 1 read, 2 write."""
    if row[3] == call.person or call.principal.kind == "system":
        return 2
    if row[2]:
        room = conversation_access.find_any(call, row[2])
        if room is not None and room.is_member:
            return 2
        if room is not None and room.kind == "public":
            return 1
    return int(call.scalar(_ACCESS, {"id": row[0], "me": call.person}))


def _get_canvas(call: Call, canvas: str, level: int = 1) -> Any:
    row = call.first(_CANVAS, {"id": canvas})
    have = _access_level(call, row) if row is not None else 0
    if row is None or have == 0:
        raise OperationError("canvas_not_found")
    if have < level:
        raise OperationError("restricted_action")
    return row


def _add_sections(call: Call, canvas: str, markdown: str, position: int) -> int:
    """Insert sections at a position; returns how many. Later ones must have been moved away before."""
    parts = split_sections(markdown)
    rows = [
        {
            "id": f"temp:C:{call.ids.base62(3)}{call.ids.hex(32)}",
            "canvas_id": canvas,
            "position": position + n,
            "markdown": part,
        }
        for n, part in enumerate(parts)
    ]
    if rows:
        call.execute(insert(CanvasSection), rows)
    return len(rows)


def _create_canvas(call: Call, title: str, content: object, channel: str | None) -> str:
    new = call.ids.token("F", 10)
    values = {
        "id": new,
        "title": title or "Untitled",
        "channel_id": channel,
        "owner_id": call.person,
        "created_at": call.now,
        "updated_at": call.now,
        "updated_by": call.person,
    }
    call.execute(insert(Canvas).values(values))
    if content is not None:
        _add_sections(call, new, _read_markdown(content, "canvas_creation_failed"), 0)
    return new


@app.operation(
    "canvases.create",
    writes=True,
    source=DOCS + "canvases.create",
    scope="canvases:write",
    limit=TIER2,
    examples=[{"title": "Launch plan", "document_content": PLAN}],
    raises=(
        "canvas_creation_failed",
        "canvas_content_too_long",
        "channel_not_found",
        "restricted_action",
        "missing_scope",
    ),
)
def create(call: Call, params: CreateCanvas) -> CreatedCanvas:
    """Create a canvas (a document) from Markdown; share it with a conversation by `channel_id`."""
    if Roster(call).me.is_guest:
        raise OperationError("restricted_action")
    room = conversation_access.get_conversation(call, params.channel_id) if params.channel_id else None
    new = _create_canvas(call, params.title, params.document_content, None)
    if room is not None:
        call.execute(insert(CanvasAccess).values(canvas_id=new, subject=room.id, level="write"))
    return {"canvas_id": new}


@app.operation(
    "conversations.canvases.create",
    writes=True,
    source=DOCS + "conversations.canvases.create",
    scope="canvases:write",
    limit=TIER2,
    examples=[{"channel_id": A_CHANNEL, "document_content": PLAN}],
    raises=(
        "channel_not_found",
        "not_in_channel",
        "channel_canvas_already_exists",
        "canvas_creation_failed",
        "canvas_content_too_long",
        "missing_scope",
    ),
)
def create_for_channel(call: Call, params: CreateChannelCanvas) -> CreatedCanvas:
    """Create a channel's own canvas."""
    room = conversation_access.get_conversation(call, params.channel_id)
    if not room.is_member:
        raise OperationError("not_in_channel")
    if call.first(_OWN, {"channel": room.id}) is not None:
        raise OperationError("channel_canvas_already_exists")
    return {"canvas_id": _create_canvas(call, params.title or room.name, params.document_content, room.id)}


_OWN = "SELECT id FROM slack_canvas WHERE channel_id = :channel AND deleted_at IS NULL"


@app.operation(
    "canvases.edit",
    writes=True,
    source=DOCS + "canvases.edit",
    scope="canvases:write",
    limit=TIER3,
    examples=[{"canvas_id": A_CANVAS, "changes": [{"operation": "insert_at_end", "document_content": PLAN}]}],
    raises=(
        "canvas_not_found",
        "restricted_action",
        "canvas_editing_failed",
        "section_not_found",
        "missing_document_content",
        "canvas_content_too_long",
        "missing_scope",
    ),
)
def edit(call: Call, params: EditCanvas) -> EmptyAnswer:
    """Change a canvas: insert, replace or delete sections, or rename it."""
    row = _get_canvas(call, params.canvas_id, level=2)
    if not params.changes or len(params.changes) != 1:
        raise OperationError("canvas_editing_failed", detail="exactly one change per call")
    change = params.changes[0]
    if change.get("operation") not in OPERATIONS:
        raise OperationError("canvas_editing_failed", detail="unknown operation")
    if change["operation"] == "rename":
        call.execute(
            update(Canvas).where(Canvas.id == row[0]).values(title=_read_markdown(change.get("title_content")))
        )  # type: ignore[arg-type]
    else:
        _revise_canvas(call, row[0], str(change["operation"]), change)
    call.execute(update(Canvas).where(Canvas.id == row[0]).values(updated_at=call.now, updated_by=call.person))  # type: ignore[arg-type]
    return {}


def _revise_canvas(call: Call, canvas: str, operation: str, change: Mapping[str, object]) -> None:
    ids = [row[0] for row in call.all(_SECTIONS, {"id": canvas})]
    section = change.get("section_id")
    if section is not None and section not in ids:
        raise OperationError("section_not_found")
    if section is None and operation in ("insert_after", "insert_before", "delete"):
        raise OperationError("section_not_found")
    at = ids.index(str(section)) if section else 0
    gone = (
        ids if operation == "replace" and section is None else [ids[at]] if operation in ("replace", "delete") else []
    )
    start = {"insert_after": at + 1, "insert_at_end": len(ids)}.get(operation, at)
    for one in gone:
        call.execute(sql_delete(CanvasSection).where(CanvasSection.id == one))  # type: ignore[arg-type]
    added = 0
    if operation != "delete":
        added = _add_sections(call, canvas, _read_markdown(change.get("document_content")), start)
    _shift_sections(call, ids, gone, start, added)


_MOVE = "UPDATE slack_canvas_section SET position = :position WHERE id = :id AND position <> :position"


def _shift_sections(call: Call, ids: list[str], gone: list[str], start: int, added: int) -> None:
    """Give the sections that stay their new positions."""
    kept = [one for one in ids if one not in gone]
    before = sum(1 for one in ids[:start] if one not in gone)
    for n, one in enumerate(kept):
        call.execute(_MOVE, {"id": one, "position": n if n < before else start + added + n - before})


@app.operation(
    "canvases.sections.lookup",
    source=DOCS + "canvases.sections.lookup",
    scope="canvases:read",
    limit=TIER3,
    examples=[{"canvas_id": A_CANVAS, "criteria": {"contains_text": "plan"}}],
    raises=("canvas_not_found", "invalid_arguments", "missing_scope"),
)
def lookup(call: Call, params: LookupSections) -> Sections:
    """Find a canvas's sections by type or text; the ids are what canvases.edit takes."""
    row = _get_canvas(call, params.canvas_id)
    criteria = params.criteria or {}
    types, words = criteria.get("section_types"), criteria.get("contains_text")
    if not types and not words:
        raise OperationError("invalid_arguments")
    wanted = {str(kind) for kind in types} if isinstance(types, list) else set[str]()
    found: list[dict[str, str]] = []
    for id, _, markdown in call.all(_SECTIONS, {"id": row[0]}):
        kind = section_kind(markdown)
        of_type = not wanted or kind in wanted or ("any_header" in wanted and kind.startswith("h"))
        if of_type and (not words or str(words).casefold() in markdown.casefold()):
            found.append({"id": id})
    return {"sections": found}


@app.operation(
    "canvases.read",
    source=CLIENT,
    scope="canvases:read",
    examples=[{"canvas_id": A_CANVAS}],
    raises=("canvas_not_found", "missing_scope"),
)
def read_canvas(call: Call, params: CanvasRef) -> Document:
    """Read a canvas as Markdown, with the ids of its sections."""
    row, roster = _get_canvas(call, params.canvas_id), Roster(call)
    parts = [
        {"id": id, "type": section_kind(markdown), "markdown": markdown}
        for id, _, markdown in call.all(_SECTIONS, {"id": row[0]})
    ]
    whole = "\n\n".join(part["markdown"] for part in parts)
    return {"canvas": {**_canvas_to_json(call, row, roster), "markdown": whole}, "sections": parts}


def _canvas_to_json(call: Call, row: Any, roster: Roster) -> JsonObject:
    return {
        "id": row[0],
        "title": row[1],
        "channel_id": row[2] or "",
        "owner": roster.user_id(row[3]),
        "created": row[4] // SECOND,
        "updated": row[5] // SECOND,
        "updated_by": roster.user_id(row[6]),
        "permalink": call.public_link(f"/docs/{roster.team.id}/{row[0]}"),
        "can_edit": _access_level(call, row) == 2,
    }


_ALL = (
    "SELECT id, title, channel_id, owner_id, created_at, updated_at, updated_by FROM slack_canvas c WHERE deleted_at IS"
    " NULL AND (:channel = '' OR channel_id = :channel OR EXISTS (SELECT 1 FROM slack_canvas_access a WHERE a.canvas_id"
    " = c.id AND a.subject = :channel)) ORDER BY updated_at DESC, id"
)


@app.operation(
    "canvases.list", source=CLIENT, scope="canvases:read", examples=[{}], raises=("channel_not_found", "missing_scope")
)
def list_canvases(call: Call, params: ListCanvases) -> CanvasList:
    """List the canvases you may see."""
    if params.channel:
        conversation_access.get_conversation(call, params.channel)
    roster = Roster(call)
    rows = call.all(_ALL, {"channel": params.channel})
    return {"canvases": [_canvas_to_json(call, row, roster) for row in rows if _access_level(call, row)]}


@app.operation(
    "canvases.delete",
    writes=True,
    source=DOCS + "canvases.delete",
    scope="canvases:write",
    limit=TIER3,
    examples=[{"canvas_id": A_CANVAS}],
    raises=("canvas_not_found", "restricted_action", "missing_scope"),
)
def delete(call: Call, params: CanvasRef) -> EmptyAnswer:
    """Delete a canvas."""
    row = _get_canvas(call, params.canvas_id, level=2)
    if row[3] != call.person and not Roster(call).me.is_admin:
        raise OperationError("restricted_action")
    call.execute(update(Canvas).where(Canvas.id == row[0]).values(deleted_at=call.now))  # type: ignore[arg-type]
    return {}


_GRANT = (
    "INSERT INTO slack_canvas_access(canvas_id, subject, level) VALUES (:id, :subject, :level)"
    " ON CONFLICT(canvas_id, subject) DO UPDATE SET level = excluded.level"
)
_REVOKE = (
    "DELETE FROM slack_canvas_access WHERE canvas_id = :id AND subject IN (SELECT value FROM json_each(:subjects))"
)


def _list_subjects(call: Call, params: SetAccess | DropAccess) -> list[str]:
    found = Roster(call).find_all(params.user_ids)
    if len(found) < len(set(params.user_ids)):
        raise OperationError("user_not_found")
    listed = [user.person_id for user in found] + [
        conversation_access.get_conversation(call, one).id for one in params.channel_ids
    ]
    if not listed:
        raise OperationError("invalid_parameters")
    return listed


@app.operation(
    "canvases.access.set",
    writes=True,
    source=DOCS + "canvases.access.set",
    scope="canvases:write",
    limit=TIER3,
    examples=[{"canvas_id": A_CANVAS, "access_level": "read", "user_ids": [A_COLLEAGUE]}],
    raises=_SHARING,
)
def set_access(call: Call, params: SetAccess) -> EmptyAnswer:
    """Let people or conversations read or change a canvas."""
    row = _get_canvas(call, params.canvas_id, level=2)
    for subject in _list_subjects(call, params):
        call.execute(_GRANT, {"id": row[0], "subject": subject, "level": params.access_level})
    return {}


@app.operation(
    "canvases.access.delete",
    writes=True,
    source=DOCS + "canvases.access.delete",
    scope="canvases:write",
    limit=TIER3,
    after=["canvases.access.set"],
    examples=[{"canvas_id": A_CANVAS, "user_ids": [A_COLLEAGUE]}],
    raises=_SHARING,
)
def drop_access(call: Call, params: DropAccess) -> EmptyAnswer:
    """Remove access to a canvas."""
    row = _get_canvas(call, params.canvas_id, level=2)
    call.execute(_REVOKE, {"id": row[0], "subjects": orjson.dumps(_list_subjects(call, params)).decode()})
    return {}
