"""Reminders: Slackbot tells you something at a time."""

import re
from datetime import datetime, timedelta
from typing import Any, TypedDict

from pydantic import Field
from sqlalchemy import insert, update

from apps.slack import conversation_access
from apps.slack.answers import EmptyAnswer
from apps.slack.app import app
from apps.slack.conversation_access import Room
from apps.slack.example_objects import A_REMINDER
from apps.slack.limits import DOCS, TIER2
from apps.slack.message_delivery import Post, deliver_message, format_ts
from apps.slack.models import Member, Reminder
from apps.slack.operations.conversations import create_room, get_user
from apps.slack.params import Body, Ident, Line
from apps.slack.profiles import Roster
from apps.slack.text import normalise
from world.core.app import Facts
from world.core.call import Call
from world.core.clock import DAY, SECOND, from_datetime, to_datetime
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import NoParams, Params

TOPIC = "slack.reminder_due"
BOT = "slackbot"  # stands for the service among the people of a direct message
MAX_AHEAD = 5 * 366 * DAY  # docs.slack.dev/reference/methods/reminders.add


class AddReminder(Params):
    """Text and time of a reminder."""

    text: Body = Field(description="What to be reminded of.", examples=["check the rollout"])
    time: Ident = Field(
        description="Epoch seconds, seconds from now (at most a day), or words: in 15 minutes, tomorrow at 9am.",
        examples=["in 15 minutes"],
    )
    user: Line = Field(default="", description="Your own user id, or empty.")


class ReminderRef(Params):
    """One reminder."""

    reminder: Ident = Field(description="Id of the reminder, Rm….")


class ReminderAnswer(TypedDict):
    """A reminder."""

    reminder: JsonObject


class Reminders(TypedDict):
    """Your reminders."""

    reminders: list[JsonObject]


_COLUMNS = "id, creator_id, person_id, text, due_at, completed_at"
_MINE = f"SELECT {_COLUMNS} FROM slack_reminder WHERE person_id = :me AND deleted_at IS NULL ORDER BY due_at, id"
_UNITS = {"second": 1, "sec": 1, "minute": 60, "min": 60, "hour": 3600, "hr": 3600, "day": 86400, "week": 604800}
_IN = re.compile(r"in (?:(\d+|an?) )?(second|sec|minute|min|hour|hr|day|week)s?")
_CLOCK = re.compile(r"(?:at )?(\d{1,2})(?::(\d\d))?\s*(am|pm)?")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def parse_due(words: str, now: int, zone: str) -> int | None:
    """The simulated time that epoch seconds or words mean; None if they mean nothing."""
    said = words.strip().lower()
    if said.isascii() and said.isdecimal():
        number = int(said)
        return now + number * SECOND if number <= 86_400 else number * SECOND
    if match := _IN.fullmatch(said):
        amount = int(match[1]) if match[1] and match[1].isdecimal() else 1
        return now + amount * _UNITS[match[2]] * SECOND
    return _parse_calendar(said, to_datetime(now, zone))


def _parse_calendar(said: str, local: datetime) -> int | None:
    day, rest = 0, said
    first = said.removeprefix("on ").removeprefix("next ").split(" ")[0]
    if first in ("today", "tomorrow"):
        day, rest = int(first == "tomorrow"), said[len(first) :].strip()
    elif first in _DAYS:
        day = (_DAYS.index(first) - local.weekday()) % 7 or 7
        rest = said.removeprefix("on ").removeprefix("next ")[len(first) :].strip()
    match = _CLOCK.fullmatch(rest or "9am")
    if match is None or int(match[1]) > 23 or int(match[2] or 0) > 59:
        return None
    hour = int(match[1]) % 12 + (12 if match[3] == "pm" else 0) if match[3] else int(match[1])
    wanted = (local + timedelta(days=day)).replace(hour=hour, minute=int(match[2] or 0), second=0, microsecond=0)
    if wanted <= local and rest == said:
        wanted += timedelta(days=1)
    return from_datetime(wanted)


def _reminder_to_json(row: Any, roster: Roster) -> JsonObject:
    id, creator, person, said, at, completed = row
    return {
        "id": id,
        "creator": roster.user_id(creator),
        "user": roster.user_id(person),
        "text": said,
        "recurring": False,
        "time": at // SECOND,
        "complete_ts": (completed or 0) // SECOND,
    }


def _get_reminder(call: Call, reminder: str) -> Any:
    found = next((row for row in call.all(_MINE, {"me": call.person}) if row[0] == reminder), None)
    if found is None:
        raise OperationError("not_found")
    return found


@app.operation(
    "reminders.add",
    writes=True,
    source=DOCS + "reminders.add",
    scope="reminders:write",
    limit=TIER2,
    examples=[{"text": "check the rollout", "time": "in 15 minutes"}],
    raises=(
        "cannot_parse",
        "time_in_past",
        "user_not_found",
        "cannot_add_others",
        "not_allowed_token_type",
        "missing_scope",
    ),
)
def add(call: Call, params: AddReminder) -> ReminderAnswer:
    """Have Slackbot remind you of something at a time.

    Time: `time` is epoch seconds UTC, seconds from now up to a day, or words read in your own zone.
    """
    if call.principal.kind == "bot":
        raise OperationError("not_allowed_token_type")
    roster = Roster(call)
    if params.user and get_user(roster, params.user).person_id != call.person:
        raise OperationError("cannot_add_others")
    at = parse_due(params.time, call.now, call.me.tz)
    if at is None or at > call.now + MAX_AHEAD:
        raise OperationError("cannot_parse")
    if at <= call.now:
        raise OperationError("time_in_past")
    new = call.ids.token("Rm", 10)
    values = {
        "id": new,
        "creator_id": call.person,
        "person_id": call.person,
        "text": normalise(params.text),
        "due_at": at,
        "created_at": call.now,
        "queued": call.later(TOPIC, at, id=new),
    }
    call.execute(insert(Reminder).values(values))
    return {"reminder": _reminder_to_json(_get_reminder(call, new), roster)}


@app.operation(
    "reminders.list",
    source=DOCS + "reminders.list",
    scope="reminders:read",
    limit=TIER2,
    examples=[{}],
    raises=("missing_scope",),
)
def list_reminders(call: Call, params: NoParams) -> Reminders:
    """List your reminders, the next one first."""
    roster = Roster(call)
    return {"reminders": [_reminder_to_json(row, roster) for row in call.all(_MINE, {"me": call.person})]}


@app.operation(
    "reminders.info",
    source=DOCS + "reminders.info",
    scope="reminders:read",
    limit=TIER2,
    examples=[{"reminder": A_REMINDER}],
    raises=("not_found", "missing_scope"),
)
def info(call: Call, params: ReminderRef) -> ReminderAnswer:
    """Describe one reminder of yours."""
    return {"reminder": _reminder_to_json(_get_reminder(call, params.reminder), Roster(call))}


@app.operation(
    "reminders.complete",
    writes=True,
    source=DOCS + "reminders.complete",
    scope="reminders:write",
    limit=TIER2,
    examples=[{"reminder": A_REMINDER}],
    raises=("not_found", "missing_scope"),
)
def complete(call: Call, params: ReminderRef) -> EmptyAnswer:
    """Mark a reminder done."""
    _end_reminder(call, params.reminder, completed_at=call.now)
    return {}


@app.operation(
    "reminders.delete",
    writes=True,
    source=DOCS + "reminders.delete",
    scope="reminders:write",
    limit=TIER2,
    examples=[{"reminder": A_REMINDER}],
    raises=("not_found", "missing_scope"),
)
def delete(call: Call, params: ReminderRef) -> EmptyAnswer:
    """Delete a reminder of yours."""
    _end_reminder(call, params.reminder, deleted_at=call.now)
    return {}


_QUEUED = "SELECT queued FROM slack_reminder WHERE id = :id"


def _end_reminder(call: Call, reminder: str, **values: object) -> None:
    _get_reminder(call, reminder)
    queued = call.scalar(_QUEUED, {"id": reminder})
    if queued is not None:
        call.cancel(queued)
    call.execute(update(Reminder).where(Reminder.id == reminder).values({**values, "queued": None}))  # type: ignore[arg-type]


_DUE = "SELECT person_id, text FROM slack_reminder WHERE id = :id AND completed_at IS NULL AND deleted_at IS NULL"


@app.on(TOPIC)
def send_reminder(call: Call, facts: Facts) -> None:
    """Send a reminder from Slackbot at its time."""
    key = str(facts["id"])
    row = call.first(_DUE, {"id": key})
    if row is None:
        return
    roster = Roster(call)
    room = conversation_access.find_direct(call, [row[0], BOT]) or _open_bot_conversation(call, row[0])
    deliver_message(call, room, BOT, Post(f"Reminder: {row[1]}"), roster)
    call.execute(update(Reminder).where(Reminder.id == key).values(fired_at=call.now, queued=None))  # type: ignore[arg-type]


def _open_bot_conversation(call: Call, person: str) -> Room:
    room = create_room(call, "im", "", key=conversation_access.members_key([person, BOT]))
    values = {"channel_id": room.id, "person_id": person, "joined_at": call.now, "last_read": format_ts(call.now)}
    call.execute(insert(Member).values({**values, "is_muted": False, "is_starred": False, "is_open": True}))
    return room
