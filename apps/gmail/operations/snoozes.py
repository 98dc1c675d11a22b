"""Snoozing threads, and bringing them back before their time."""

from typing import Annotated, TypedDict

from pydantic import Field

from apps.gmail import snoozes
from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.example_objects import A_THREAD
from apps.gmail.limits import CLIENT
from apps.gmail.operations.compose import CLIENT_PAGE
from apps.gmail.params import Id
from world.core.call import Call
from world.core.clock import DAY, SECOND
from world.core.errors import OperationError
from world.core.params import Int64, Params

HORIZON = 50 * 366 * DAY  # own choice
Threads = Annotated[list[Id], Field(min_length=1, max_length=100)]


class Awake(Params):
    """Threads that are snoozed."""

    ids: Threads = Field(description="Ids of threads.", examples=[[A_THREAD]])


class SnoozeParams(Awake):
    """Threads to snooze."""

    until: Int64 = Field(description="When they come back: seconds since the epoch, UTC.", examples=[1772550000])


class SnoozeResult(TypedDict):
    """The threads that were changed."""

    ids: list[str]


@app.operation(
    "mail.snooze",
    writes=True,
    source="support.google.com/mail/answer/7622010",
    scope="gmail.modify",
    units=CLIENT,
    examples=[{"ids": [A_THREAD], "until": 1_900_000_000}],
    raises=("not_found", "time_in_past", "time_too_far", "mail_service_not_enabled"),
)
def snooze(call: Call, params: SnoozeParams) -> SnoozeResult:
    """Take threads out of the inbox until a time, when they come back unread; mail that arrives in one brings it back
    at once.

    Time: `until` is seconds since the epoch, UTC.
    """
    box = open_mailbox(call, "me")
    until = params.until * SECOND
    if until <= call.now:
        raise OperationError("time_in_past")
    if until > call.now + HORIZON:
        raise OperationError("time_too_far")
    ids = list(dict.fromkeys(params.ids))
    for id, messages in [(id, box.thread(id)) for id in ids]:
        snoozes.snooze_thread(box, id, messages, until)
    return {"ids": ids}


@app.operation(
    "mail.unsnooze",
    writes=True,
    source=CLIENT_PAGE,
    scope="gmail.modify",
    units=CLIENT,
    examples=[{"ids": [A_THREAD]}],
    raises=("not_found", "mail_service_not_enabled"),
)
def unsnooze(call: Call, params: Awake) -> SnoozeResult:
    """Bring snoozed threads back to the inbox now."""
    box = open_mailbox(call, "me")
    ids = list(dict.fromkeys(params.ids))
    for id in [box.thread(id)[0].thread_id for id in ids]:
        snoozes.wake_thread(box, id)
    return {"ids": ids}
