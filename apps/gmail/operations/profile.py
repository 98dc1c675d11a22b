"""The profile of a mailbox."""

from typing import TypedDict

from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.limits import quota_units
from apps.gmail.operations.messages import READ
from apps.gmail.params import MailboxParams
from world.core.call import Call

DOCS = "developers.google.com/workspace/gmail/api/reference/rest/v1/users/"
_TOTALS = "SELECT count(*), count(DISTINCT thread_id) FROM gmail_message WHERE person_id = :me"


class Profile(TypedDict):
    """A mailbox: whose, how much is in it, and how far its history has come."""

    emailAddress: str
    messagesTotal: int
    threadsTotal: int
    historyId: str


@app.operation(
    "users.getProfile",
    source=DOCS + "getProfile",
    scope=READ,
    units=quota_units("users.getProfile", False),
    examples=[{}],
    raises=("delegation_denied", "mail_service_not_enabled"),
)
def get_profile(call: Call, params: MailboxParams) -> Profile:
    """Your mail address, and how many messages and threads are in the mailbox."""
    box = open_mailbox(call, params.userId)
    messages, threads = call.all(_TOTALS, {"me": box.person})[0]
    return {
        "emailAddress": box.email,
        "messagesTotal": messages,
        "threadsTotal": threads,
        "historyId": str(box.history_id),
    }
