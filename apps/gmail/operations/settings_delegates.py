"""Delegates: people who may read and send for the owner."""

from typing import NotRequired, TypedDict

from pydantic import Field

from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.limits import DELEGATES, quota_units
from apps.gmail.mailbox import Mailbox
from apps.gmail.mailbox_settings.settings import get_entry
from apps.gmail.params import Address, MailboxParams
from world.core.call import Call
from world.core.errors import OperationError

DOCS = "developers.google.com/workspace/gmail/api/reference/rest/v1/users.settings.delegates/"
READ, SHARING = "gmail.readonly", "gmail.settings.sharing"
MOST_DELEGATES, MOST_DELEGATORS = 25, 10  # users.settings.delegates/create
_LIST = "SELECT email, verification FROM gmail_delegate WHERE person_id = :me ORDER BY email"
_SERVED = "SELECT count(*) FROM gmail_delegate WHERE email = :email"
_ADD = "INSERT INTO gmail_delegate(person_id, email, verification) VALUES (:me, :email, 'accepted')"
_DELETE = "DELETE FROM gmail_delegate WHERE person_id = :me AND email = :email RETURNING email"
_HAS_MAIL = (
    "SELECT 1 FROM gmail_mailbox b JOIN person p ON p.id = b.person_id WHERE b.email = :email AND p.status = 'active'"
    " AND b.person_id <> :me"
)
A_COLLEAGUE = "ann@company.example"  # refused: no example can name a colleague of every company


class DelegateParams(MailboxParams):
    """One delegate."""

    delegateEmail: Address = Field(description="Their primary address in the company.", examples=[A_COLLEAGUE])


class Delegate(TypedDict):
    """A person who may read and send for the owner once `accepted`."""

    delegateEmail: str
    verificationStatus: str


class Delegates(TypedDict):
    """All delegates; without any, the key is left out."""

    delegates: NotRequired[list[Delegate]]


def _list_delegates(box: Mailbox) -> list[Delegate]:
    return [{"delegateEmail": row[0], "verificationStatus": row[1]} for row in box.call.all(_LIST, {"me": box.person})]


@app.operation(
    "users.settings.delegates.list",
    source=DOCS + "list",
    scope=READ,
    units=quota_units("users.settings.delegates.list", False),
    examples=[{}],
    raises=("delegation_denied", "mail_service_not_enabled"),
)
def list_delegates(call: Call, params: MailboxParams) -> Delegates:
    """List the people who may read and send for you."""
    found = _list_delegates(open_mailbox(call, params.userId))
    return {"delegates": found} if found else {}


@app.operation(
    "users.settings.delegates.get",
    source=DOCS + "get",
    scope=READ,
    units=quota_units("users.settings.delegates.get", False),
    examples=[{"delegateEmail": A_COLLEAGUE}],
    raises=("delegation_denied", "not_found", "mail_service_not_enabled"),
)
def get_delegate(call: Call, params: DelegateParams) -> Delegate:
    """Read one delegate."""
    return get_entry(
        _list_delegates(open_mailbox(call, params.userId)), "delegateEmail", params.delegateEmail.strip().lower()
    )


@app.operation(
    "users.settings.delegates.create",
    writes=True,
    source=DOCS + "create",
    scope=SHARING,
    units=DELEGATES,
    examples=[{"delegateEmail": A_COLLEAGUE}],
    raises={
        "delegation_denied": "",
        "invalid_delegate": "nobody's primary address here, or your own",
        "already_exists": "",
        "too_many_delegates": "over 25 for you or over 10 owners for them",
        "mail_service_not_enabled": "",
    },
)
def create_delegate(call: Call, params: DelegateParams) -> Delegate:
    """Let a colleague read and send for you, at once and without asking them."""
    box = open_mailbox(call, params.userId)
    address = params.delegateEmail.strip().lower()
    if call.first(_HAS_MAIL, {"email": address, "me": box.person}) is None:
        raise OperationError("invalid_delegate")
    others = _list_delegates(box)
    if any(one["delegateEmail"] == address for one in others):
        raise OperationError("already_exists")
    if len(others) >= MOST_DELEGATES or int(call.scalar(_SERVED, {"email": address})) >= MOST_DELEGATORS:
        raise OperationError("too_many_delegates")
    call.execute(_ADD, {"me": box.person, "email": address})
    return {"delegateEmail": address, "verificationStatus": "accepted"}


@app.operation(
    "users.settings.delegates.delete",
    writes=True,
    source=DOCS + "delete",
    scope=SHARING,
    units=quota_units("users.settings.delegates.delete", True),
    examples=[{"delegateEmail": A_COLLEAGUE}],
    raises=("delegation_denied", "not_found", "mail_service_not_enabled"),
)
def delete_delegate(call: Call, params: DelegateParams) -> None:
    """Take back a colleague's right to read and send for you."""
    box = open_mailbox(call, params.userId)
    if call.first(_DELETE, {"me": box.person, "email": params.delegateEmail.strip().lower()}) is None:
        raise OperationError("not_found")
