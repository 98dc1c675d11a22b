"""Messages saved for later."""

from typing import Literal, TypedDict

from pydantic import Field
from sqlalchemy import delete
from sqlalchemy.dialects.sqlite import insert

from apps.slack import conversation_access, message_views
from apps.slack.answers import EmptyAnswer
from apps.slack.app import app
from apps.slack.example_objects import A_CHANNEL, A_MESSAGE
from apps.slack.limits import CLIENT
from apps.slack.message_views import Row
from apps.slack.models import Saved
from apps.slack.operations.edits import get_message
from apps.slack.params import CHANNEL, TIMESTAMP, EpochSeconds, Ident, Ts
from apps.slack.profiles import Roster
from world.core.call import Call
from world.core.clock import SECOND
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params

State = Literal["in_progress", "archived", "completed"]


class SaveItem(Params):
    """A message to keep."""

    item_id: Ident = CHANNEL
    ts: Ts = TIMESTAMP
    date_due: EpochSeconds = Field(default=0, description="When to be reminded, epoch seconds; 0 for never.")


class MoveItem(SaveItem):
    """A kept message and what is to become of it."""

    mark: State = Field(description="in_progress, archived or completed.")


class DropItem(Params):
    """A message no longer to keep."""

    item_id: Ident = CHANNEL
    ts: Ts = TIMESTAMP


class ListSaved(Params):
    """Filter of saved messages."""

    filter: State = Field(default="in_progress", description="in_progress, archived or completed.")


class SavedItems(TypedDict):
    """Kept messages, the latest first."""

    saved_items: list[JsonObject]
    counts: dict[str, int]


def _get_message(call: Call, channel: str, ts: str) -> Row:
    return get_message(call, conversation_access.get_conversation(call, channel, "channel.history"), ts)


def _get_saved(call: Call, channel: str, ts: str) -> Row:
    """The message, if it is kept. Raises channel_not_found, not_in_channel, message_not_found, not_saved."""
    row = _get_message(call, channel, ts)
    if call.first(_KEPT, {"me": call.person, "id": row.id}) is None:
        raise OperationError("not_saved")
    return row


_KEPT = "SELECT 1 FROM slack_saved WHERE person_id = :me AND message_id = :id"


@app.operation(
    "saved.add",
    writes=True,
    scope="client",
    source=CLIENT,
    examples=[{"item_id": A_CHANNEL, "ts": A_MESSAGE}],
    raises=("channel_not_found", "not_in_channel", "message_not_found", "already_saved", "missing_scope"),
)
def save(call: Call, params: SaveItem) -> EmptyAnswer:
    """Keep a message for later."""
    row = _get_message(call, params.item_id, params.ts)
    if call.first(_KEPT, {"me": call.person, "id": row.id}) is not None:
        raise OperationError("already_saved")
    due = params.date_due * SECOND or None
    call.execute(
        insert(Saved).values(
            person_id=call.person, message_id=row.id, state="in_progress", due_at=due, created_at=call.now
        )
    )
    return {}


@app.operation(
    "saved.update",
    writes=True,
    scope="client",
    source=CLIENT,
    after=["saved.add"],
    examples=[{"item_id": A_CHANNEL, "ts": A_MESSAGE, "mark": "completed"}],
    raises=("channel_not_found", "not_in_channel", "message_not_found", "not_saved", "missing_scope"),
)
def move(call: Call, params: MoveItem) -> EmptyAnswer:
    """Mark a kept message completed or archived, or take it up again."""
    row = _get_saved(call, params.item_id, params.ts)
    values = {"state": params.mark, **({"due_at": params.date_due * SECOND} if params.date_due else {})}
    statement = insert(Saved).values(person_id=call.person, message_id=row.id, created_at=call.now, **values)
    call.execute(statement.on_conflict_do_update(index_elements=["person_id", "message_id"], set_=values))
    return {}


@app.operation(
    "saved.delete",
    writes=True,
    scope="client",
    source=CLIENT,
    after=["saved.add"],
    examples=[{"item_id": A_CHANNEL, "ts": A_MESSAGE}],
    raises=("channel_not_found", "not_in_channel", "message_not_found", "not_saved", "missing_scope"),
)
def drop(call: Call, params: DropItem) -> EmptyAnswer:
    """Remove a message from those saved for later."""
    row = _get_saved(call, params.item_id, params.ts)
    call.execute(delete(Saved).where(Saved.person_id == call.person, Saved.message_id == row.id))  # type: ignore[arg-type]
    return {}


_LIST = (
    f"SELECT s.state, s.due_at, s.created_at, {message_views.COLUMNS} FROM slack_saved s JOIN slack_message m ON m.id ="
    " s.message_id JOIN slack_channel c ON c.id = m.channel_id LEFT JOIN slack_member v ON v.channel_id = c.id AND"
    " v.person_id = :me WHERE s.person_id = :me AND m.deleted_at IS NULL AND (v.person_id IS NOT NULL OR c.kind ="
    " 'public') ORDER BY s.created_at DESC, m.id"
)


@app.operation("saved.list", scope="client", source=CLIENT, examples=[{}], raises=("missing_scope",))
def list_saved(call: Call, params: ListSaved) -> SavedItems:
    """List the messages you keep for later."""
    found = call.all(_LIST, {"me": call.person})
    rows = [Row(*row[3:]) for row in found if row[0] == params.filter]
    items: list[JsonObject] = []
    kept = [row for row in found if row[0] == params.filter]
    for (state, due, created, *_), row, message in zip(
        kept, rows, message_views.messages_to_json(call, rows, Roster(call)), strict=True
    ):
        items.append(
            {
                "item_id": row.channel_id,
                "item_type": "message",
                "ts": row.ts,
                "state": state,
                "date_created": created // SECOND,
                "date_due": (due or 0) // SECOND,
                "message": message,
            }
        )
    counts = {"uncompleted_count": 0, "archived_count": 0, "completed_count": 0}
    for state, *_ in found:
        counts["uncompleted_count" if state == "in_progress" else f"{state}_count"] += 1
    return {"saved_items": items, "counts": counts}
