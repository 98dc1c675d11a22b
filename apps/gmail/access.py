"""Access to mailboxes: resolves the `userId` of a call."""

from apps.gmail.app import app
from apps.gmail.mailbox import Mailbox
from world.core.call import Call


@app.rule("mailbox")
def may_open(call: Call, user: str) -> str | None:
    """Refuse other mailboxes than the caller's: `me`, or an address of their own."""
    if user == "me":
        return None
    found = call.directory.by_email(user)
    return None if found is not None and found.id == call.person else "delegation_denied"


def open_mailbox(call: Call, user: str) -> Mailbox:
    """Return the mailbox of `userId`. Raises delegation_denied, mail_service_not_enabled."""
    call.authorise("mailbox", user)
    return Mailbox(call, call.person)
