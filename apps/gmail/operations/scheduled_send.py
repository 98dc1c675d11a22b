"""Scheduled sending, and its cancellation."""

from pydantic import Field

from apps.gmail import scheduled_send
from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.limits import CLIENT, SENDS
from apps.gmail.message_builder import Composition, compose_ready_mail
from apps.gmail.operations.compose import SavedDraft
from apps.gmail.params import Id
from world.core.call import Call
from world.core.clock import DAY, SECOND
from world.core.errors import OperationError
from world.core.params import Int64, Params

SOURCE = "support.google.com/mail/answer/9214606"
HORIZON = 49 * 366 * DAY  # observed: the client takes dates up to 49 years ahead


class ScheduleMailParams(Composition):
    """A mail, and when to send it."""

    sendAt: Int64 = Field(description="When it goes out: seconds since the epoch, UTC.", examples=[1772550000])


class ScheduledMail(SavedDraft):
    """A scheduled mail: the draft it is until `sendAt` (epoch seconds)."""

    sendAt: int


class UnscheduleParams(Params):
    """A scheduled mail."""

    id: Id = Field(description="Its id as `mail.schedule` answered, or that of its message.")


@app.operation(
    "mail.schedule",
    writes=True,
    source=SOURCE,
    scope="gmail.modify",
    units=SENDS,
    examples=[
        {
            "to": ["Jordan Reyes <jordan@partner.example>"],
            "subject": "Minutes",
            "text": "They follow.",
            "sendAt": 1_900_000_000,
        }
    ],
    raises=(
        "time_in_past",
        "time_too_far",
        "too_many_scheduled",
        "recipient_required",
        "too_many_recipients",
        "invalid_to_header",
        "invalid_cc_header",
        "invalid_bcc_header",
        "invalid_from_header",
        "invalid_subject_header",
        "invalid_attachment",
        "too_large",
        "malformed_mail",
        "not_found",
        "mail_service_not_enabled",
    ),
)
def schedule(call: Call, params: ScheduleMailParams) -> ScheduledMail:
    """Write a mail that is sent at a time; until then it is under Scheduled. At most 100 can wait.

    Time: `sendAt` is seconds since the epoch, UTC.
    """
    box = open_mailbox(call, "me")
    at = params.sendAt * SECOND
    if at <= call.now:
        raise OperationError("time_in_past")
    if at > call.now + HORIZON:
        raise OperationError("time_too_far")
    kept = scheduled_send.schedule_mail(box, compose_ready_mail(box, params), at)
    return {"id": kept.id, "messageId": kept.message_id, "threadId": kept.thread_id, "sendAt": params.sendAt}


@app.operation(
    "mail.unschedule",
    writes=True,
    source=SOURCE,
    scope="gmail.modify",
    units=CLIENT,
    examples=[{"id": "$mail.schedule:id"}],
    raises=("not_found", "not_scheduled", "mail_service_not_enabled"),
)
def unschedule(call: Call, params: UnscheduleParams) -> SavedDraft:
    """Make a scheduled mail a draft again; it does not go out."""
    box = open_mailbox(call, "me")
    draft = scheduled_send.get_scheduled_draft(box, params.id)
    if not scheduled_send.withdraw_mail(box, draft):
        raise OperationError("not_scheduled")
    return {"id": draft.id, "messageId": draft.message_id, "threadId": draft.thread_id}
