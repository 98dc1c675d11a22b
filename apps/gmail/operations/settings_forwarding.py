"""Forwarding: allowed addresses, and forwarding of all mail."""

from typing import Any, Literal, NotRequired, TypedDict

from pydantic import Field

from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.limits import FORWARDS, quota_units
from apps.gmail.mailbox import Mailbox
from apps.gmail.mailbox_settings import forwards, verification
from apps.gmail.mailbox_settings.settings import find_setting, get_entry, keep_setting
from apps.gmail.params import Address, MailboxParams
from world.core.call import Call
from world.core.errors import OperationError

SETTINGS = "developers.google.com/workspace/gmail/api/reference/rest/v1/users.settings/"
DOCS = "developers.google.com/workspace/gmail/api/reference/rest/v1/users.settings.forwardingAddresses/"
READ, SHARING = "gmail.readonly", "gmail.settings.sharing"
NAME = "autoForwarding"
MOST_ADDRESSES = 20  # own choice
AN_ADDRESS = "jordan@partner.example"
_LIST = "SELECT email, verification FROM gmail_forwarding_address WHERE person_id = :me ORDER BY email"
_ADD = "INSERT INTO gmail_forwarding_address(person_id, email, verification) VALUES (:me, :email, :verification)"
_DELETE = "DELETE FROM gmail_forwarding_address WHERE person_id = :me AND email = :email RETURNING email"


class ForwardingAddressParams(MailboxParams):
    """One forwarding address."""

    forwardingEmail: Address = Field(description="The address mail may go on to.", examples=[AN_ADDRESS])


class AutoForwardingParams(MailboxParams):
    """Settings of auto-forwarding."""

    enabled: bool = Field(default=False, description="Whether all arriving mail is forwarded.", examples=[False])
    emailAddress: Address = Field(default="", description="The verified forwarding address; needed to enable.")
    disposition: Literal["dispositionUnspecified", "leaveInInbox", "archive", "trash", "markRead"] = Field(
        default="leaveInInbox", description="What happens to the own copy of a forwarded message."
    )


class ForwardingAddress(TypedDict):
    """A forwarding address; mail is forwarded to it once it is `accepted`."""

    forwardingEmail: str
    verificationStatus: str


class ForwardingAddresses(TypedDict):
    """All forwarding addresses; without any, the key is left out."""

    forwardingAddresses: NotRequired[list[ForwardingAddress]]


class AutoForwarding(TypedDict):
    """Auto-forwarding address, and the disposition of the own copy."""

    enabled: bool
    emailAddress: NotRequired[str]
    disposition: NotRequired[str]


def _list_forwarding_addresses(box: Mailbox) -> list[ForwardingAddress]:
    return [
        {"forwardingEmail": row[0], "verificationStatus": row[1]} for row in box.call.all(_LIST, {"me": box.person})
    ]


@app.operation(
    "users.settings.getAutoForwarding",
    source=SETTINGS + "getAutoForwarding",
    scope=READ,
    units=quota_units("users.settings.getAutoForwarding", False),
    examples=[{}],
    raises=("delegation_denied", "mail_service_not_enabled"),
)
def get_auto_forwarding(call: Call, params: MailboxParams) -> AutoForwarding:
    """Read whether all mail is forwarded, and to whom."""
    found: Any = find_setting(call, open_mailbox(call, params.userId).person, NAME)
    return found or {"enabled": False}


@app.operation(
    "users.settings.updateAutoForwarding",
    writes=True,
    source=SETTINGS + "updateAutoForwarding",
    scope=SHARING,
    units=quota_units("users.settings.updateAutoForwarding", True),
    examples=[{"enabled": False}],
    raises=("delegation_denied", "unrecognized_forwarding_address", "mail_service_not_enabled"),
)
def update_auto_forwarding(call: Call, params: AutoForwardingParams) -> AutoForwarding:
    """Forward all arriving mail to a verified forwarding address, or stop it."""
    box = open_mailbox(call, params.userId)
    address = params.emailAddress.strip().lower()
    if (params.enabled or address) and address not in forwards.list_verified_addresses(box):
        raise OperationError("unrecognized_forwarding_address")
    disposition = "leaveInInbox" if params.disposition == "dispositionUnspecified" else params.disposition
    value: AutoForwarding = {"enabled": params.enabled}
    if address:
        value = {**value, "emailAddress": address, "disposition": disposition}
    keep_setting(box, NAME, value)
    return value


@app.operation(
    "users.settings.forwardingAddresses.list",
    source=DOCS + "list",
    scope=READ,
    units=quota_units("users.settings.forwardingAddresses.list", False),
    examples=[{}],
    raises=("delegation_denied", "mail_service_not_enabled"),
)
def list_forwarding_addresses(call: Call, params: MailboxParams) -> ForwardingAddresses:
    """List the addresses mail may be forwarded to."""
    found = _list_forwarding_addresses(open_mailbox(call, params.userId))
    return {"forwardingAddresses": found} if found else {}


@app.operation(
    "users.settings.forwardingAddresses.get",
    source=DOCS + "get",
    scope=READ,
    units=quota_units("users.settings.forwardingAddresses.get", False),
    examples=[{"forwardingEmail": AN_ADDRESS}],
    after=["users.settings.forwardingAddresses.create"],
    raises=("delegation_denied", "not_found", "mail_service_not_enabled"),
)
def get_forwarding_address(call: Call, params: ForwardingAddressParams) -> ForwardingAddress:
    """Read one forwarding address and whether it is verified."""
    return get_entry(
        _list_forwarding_addresses(open_mailbox(call, params.userId)),
        "forwardingEmail",
        params.forwardingEmail.strip().lower(),
    )


@app.operation(
    "users.settings.forwardingAddresses.create",
    writes=True,
    source=DOCS + "create",
    scope=SHARING,
    units=FORWARDS,
    examples=[{"forwardingEmail": AN_ADDRESS}],
    raises={
        "delegation_denied": "",
        "invalid_address": "",
        "already_exists": "",
        "too_many_addresses": "over 20",
        "mail_service_not_enabled": "",
    },
)
def create_forwarding_address(call: Call, params: ForwardingAddressParams) -> ForwardingAddress:
    """Add a forwarding address; one outside the company is asked by mail and stays `pending` until it agrees."""
    box = open_mailbox(call, params.userId)
    address = verification.parse_new_address(box, params.forwardingEmail)
    others = _list_forwarding_addresses(box)
    if any(one["forwardingEmail"] == address for one in others):
        raise OperationError("already_exists")
    if len(others) >= MOST_ADDRESSES:
        raise OperationError("too_many_addresses", most=MOST_ADDRESSES)
    state = "accepted" if verification.is_colleague(box, address) else "pending"
    call.execute(_ADD, {"me": box.person, "email": address, "verification": state})
    if state == "pending":
        verification.send_verification(box, "forward", address)
    return {"forwardingEmail": address, "verificationStatus": state}


@app.operation(
    "users.settings.forwardingAddresses.delete",
    writes=True,
    source=DOCS + "delete",
    scope=SHARING,
    units=quota_units("users.settings.forwardingAddresses.delete", True),
    examples=[{"forwardingEmail": AN_ADDRESS}],
    after=["users.settings.forwardingAddresses.create"],
    raises=("delegation_denied", "not_found", "mail_service_not_enabled"),
)
def delete_forwarding_address(call: Call, params: ForwardingAddressParams) -> None:
    """Remove a forwarding address; nothing is forwarded to it any more."""
    box = open_mailbox(call, params.userId)
    address = params.forwardingEmail.strip().lower()
    if call.first(_DELETE, {"me": box.person, "email": address}) is None:
        raise OperationError("not_found")
    general = find_setting(call, box.person, NAME)
    if general is not None and general.get("emailAddress") == address:
        keep_setting(box, NAME, {"enabled": False})
