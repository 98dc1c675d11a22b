"""Drafts: messages a person has written but not sent."""

from typing import TypedDict

from pydantic import Field
from sqlalchemy import insert, select, update

from apps.slack import conversation_access
from apps.slack.app import app
from apps.slack.example_objects import A_CHANNEL, A_DRAFT
from apps.slack.limits import CLIENT
from apps.slack.message_delivery import canonical_ts
from apps.slack.models import Draft
from apps.slack.params import Body, Ident, InChannel, OptionalTs
from apps.slack.text import normalise
from world.core.call import Call
from world.core.clock import SECOND
from world.core.errors import OperationError
from world.core.params import NoParams, Params


class DraftShape(TypedDict):
    """A draft."""

    id: str
    channel_id: str
    thread_ts: str | None
    text: str
    date_created: int
    date_updated: int


class DraftAnswer(TypedDict):
    """A draft."""

    draft: DraftShape


class Drafts(TypedDict):
    """Your drafts, the last changed first."""

    drafts: list[DraftShape]


class DraftDeleted(TypedDict):
    """Response without data beyond success."""


class WriteDraft(InChannel):
    """A draft to keep."""

    text: Body = Field(description="What you mean to send, in mrkdwn.", examples=["Almost ready: …"])
    thread_ts: OptionalTs = Field(default=None, description="ts of the thread's first message, for a reply.")


class ChangeDraft(Params):
    """A draft's new text."""

    draft_id: Ident = Field(description="Id of the draft, Dr….")
    text: Body = Field(description="What you mean to send, in mrkdwn.")


class DraftRef(Params):
    """One draft."""

    draft_id: Ident = Field(description="Id of the draft, Dr….")


_MINE = (
    "SELECT id, channel_id, thread_ts, text, created_at, updated_at FROM slack_draft"
    " WHERE person_id = :me AND deleted_at IS NULL ORDER BY updated_at DESC, id"
)


def _draft_to_json(row: tuple[str, str, str | None, str, int, int]) -> DraftShape:
    id, channel, thread, said, created, updated = row
    return {
        "id": id,
        "channel_id": channel,
        "thread_ts": thread,
        "text": said,
        "date_created": created // SECOND,
        "date_updated": updated // SECOND,
    }


def _get_draft(call: Call, draft: str) -> DraftShape:
    found = next((row for row in call.all(_MINE, {"me": call.person}) if row[0] == draft), None)
    if found is None:
        raise OperationError("draft_not_found")
    return _draft_to_json(tuple(found))  # type: ignore[arg-type]


def discard_draft(call: Call, draft: str) -> None:
    """Delete a draft that has been sent; another person's or an unknown one stays."""
    where = (Draft.id == draft, Draft.person_id == call.person)
    call.execute(update(Draft).where(*where).values(deleted_at=call.now))  # type: ignore[arg-type]


@app.operation(
    "drafts.create",
    writes=True,
    scope="client",
    source=CLIENT,
    examples=[{"channel": A_CHANNEL, "text": "Almost ready."}],
    raises=("channel_not_found", "no_text", "draft_already_exists", "missing_scope"),
)
def create(call: Call, params: WriteDraft) -> DraftAnswer:
    """Save an unsent message for later in a channel, thread or direct message; nobody else sees it."""
    room = conversation_access.get_conversation(call, params.channel)
    thread = canonical_ts(params.thread_ts) if params.thread_ts else None
    if not params.text.strip():
        raise OperationError("no_text")
    where = (Draft.person_id == call.person, Draft.channel_id == room.id, Draft.deleted_at.is_(None))  # type: ignore[union-attr]
    held = select(Draft.id).where(*where, Draft.thread_ts.is_not_distinct_from(thread))  # type: ignore[attr-defined,call-overload]
    if call.first(held) is not None:
        raise OperationError("draft_already_exists")
    new = call.ids.token("Dr", 10)
    values = {
        "id": new,
        "person_id": call.person,
        "channel_id": room.id,
        "thread_ts": thread,
        "text": normalise(params.text),
        "created_at": call.now,
        "updated_at": call.now,
    }
    call.execute(insert(Draft).values(values))
    return {"draft": _get_draft(call, new)}


@app.operation(
    "drafts.update",
    writes=True,
    scope="client",
    source=CLIENT,
    examples=[{"draft_id": A_DRAFT, "text": "Ready."}],
    raises=("draft_not_found", "no_text", "missing_scope"),
)
def change(call: Call, params: ChangeDraft) -> DraftAnswer:
    """Change the text of a draft of yours."""
    if not params.text.strip():
        raise OperationError("no_text")
    _get_draft(call, params.draft_id)
    values = {"text": normalise(params.text), "updated_at": call.now}
    call.execute(update(Draft).where(Draft.id == params.draft_id).values(values))  # type: ignore[arg-type]
    return {"draft": _get_draft(call, params.draft_id)}


@app.operation(
    "drafts.delete",
    writes=True,
    scope="client",
    source=CLIENT,
    examples=[{"draft_id": A_DRAFT}],
    raises=("draft_not_found", "missing_scope"),
)
def delete(call: Call, params: DraftRef) -> DraftDeleted:
    """Delete a draft of yours."""
    _get_draft(call, params.draft_id)
    discard_draft(call, params.draft_id)
    return {}


@app.operation("drafts.list", scope="client", source=CLIENT, examples=[{}], raises=("missing_scope",))
def list_drafts(call: Call, params: NoParams) -> Drafts:
    """List your unsent messages, the last changed first."""
    return {"drafts": [_draft_to_json(tuple(row)) for row in call.all(_MINE, {"me": call.person})]}  # type: ignore[misc]
