"""Addresses to send as, with name and signature: the primary one, aliases of the directory, and others that were
verified.
"""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from pydantic import Field

from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.limits import FORWARDS, quota_units
from apps.gmail.mailbox import Mailbox
from apps.gmail.mailbox_settings import verification
from apps.gmail.mailbox_settings.settings import parse_given_address
from apps.gmail.mime.build import header_value
from apps.gmail.mime.html import sanitise_html
from apps.gmail.params import Address, MailboxParams
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params, Text

DOCS = "developers.google.com/workspace/gmail/api/reference/rest/v1/users.settings.sendAs/"
READ, BASIC, SHARING = "gmail.readonly", "gmail.settings.basic", "gmail.settings.sharing"
MOST_SIGNATURE = 10_000  # characters; support.google.com/mail/answer/8395
MOST_ADDRESSES = 99  # besides the primary one; support.google.com/mail/answer/22370
_COLUMNS = "email, display_name, reply_to, signature, is_default, treat_as_alias, verification"
_LIST = f"SELECT {_COLUMNS} FROM gmail_send_as WHERE person_id = :me ORDER BY email"
_KEEP = (
    f"INSERT INTO gmail_send_as(person_id, {_COLUMNS}) VALUES (:me, :email, :display_name, :reply_to, :signature,"
    " :is_default, :treat_as_alias, :verification) ON CONFLICT(person_id, email) DO UPDATE SET display_name ="
    " excluded.display_name, reply_to = excluded.reply_to, signature = excluded.signature, is_default ="
    " excluded.is_default, treat_as_alias = excluded.treat_as_alias"
)
_ONE_DEFAULT = "UPDATE gmail_send_as SET is_default = 0 WHERE person_id = :me AND email <> :email AND is_default"
_DELETE = "DELETE FROM gmail_send_as WHERE person_id = :me AND email = :email"
_IS_ALIAS = "SELECT 1 FROM alias WHERE person_id = :me AND kind = 'email' AND lower(value) = :email"
AN_ADDRESS = "jordan@partner.example"
THE_PRIMARY = "$users.settings.sendAs.list:sendAs.0.sendAsEmail"
Name = Annotated[Text, Field(max_length=320)]
Signature = Annotated[Text, Field(max_length=MOST_SIGNATURE)]


class SmtpMsaParams(Params):
    """An SMTP service for outgoing mail."""

    host: Name = Field(description="Its name.")
    port: int = Field(ge=1, le=65535, description="Its port.")
    username: Name = Field(default="", description="Who logs in there.")
    password: Name = Field(default="", description="With which password.")
    securityMode: Literal["securityModeUnspecified", "none", "ssl", "starttls"] = Field(
        description="How the connection is secured."
    )


class SendAsRef(MailboxParams):
    """One address."""

    sendAsEmail: Address = Field(description="The address.", examples=[AN_ADDRESS])


class SendAsPatch(SendAsRef):
    """Request fields for updating an address; fields left out stay."""

    displayName: Name | None = Field(
        default=None, description="Name in From; empty for that of the account.", examples=["Billing"]
    )
    replyToAddress: Address | None = Field(default=None, description="Address for answers, empty for none.")
    signature: Signature | None = Field(
        default=None, description="Signature as HTML, sanitised.", examples=["<b>Billing</b>"]
    )
    isDefault: bool | None = Field(default=None, description="true makes it the address mail is sent from unless told.")
    treatAsAlias: bool | None = Field(default=None, description="Whether it is the owner's own address too.")
    smtpMsa: SmtpMsaParams | None = Field(default=None, description="An SMTP service of its own.")


class SendAs(TypedDict):
    """An address to send as. `isPrimary` and `isDefault` stand only where they are true; the rest below only for other
    addresses.
    """

    sendAsEmail: str
    displayName: str
    replyToAddress: str
    signature: str
    isPrimary: NotRequired[bool]
    isDefault: NotRequired[bool]
    treatAsAlias: NotRequired[bool]
    verificationStatus: NotRequired[str]


class SendAsList(TypedDict):
    """All addresses to send as, the primary one first."""

    sendAs: list[SendAs]


def _rows_by_address(box: Mailbox) -> dict[str, JsonObject]:
    """The addresses as rows by address, the primary one first, whether it has been written or not."""
    names = [str(name) for name in _COLUMNS.split(", ")]
    kept: dict[str, JsonObject] = {
        row[0]: dict(zip(names, row, strict=True)) for row in box.call.all(_LIST, {"me": box.person})
    }
    person = box.call.directory.person(box.person)
    plain: JsonObject = {
        **dict.fromkeys(names, ""),
        "email": box.email,
        "treat_as_alias": 1,
        "verification": "accepted",
    }
    primary = kept.pop(box.email, plain)
    primary["display_name"] = primary["display_name"] or (person.full_name if person else "")
    primary["is_default"] = not any(one["is_default"] for one in kept.values())
    return {box.email: primary, **kept}


def _send_as_to_json(box: Mailbox, row: dict[str, Any]) -> SendAs:
    out: SendAs = {
        "sendAsEmail": row["email"],
        "displayName": row["display_name"],
        "replyToAddress": row["reply_to"],
        "signature": row["signature"],
    }
    if row["is_default"]:
        out["isDefault"] = True
    if row["email"] == box.email:
        return {**out, "isPrimary": True}
    return {**out, "treatAsAlias": bool(row["treat_as_alias"]), "verificationStatus": row["verification"]}


def _get_row(box: Mailbox, email: str) -> JsonObject:
    found = _rows_by_address(box).get(email.strip().lower())
    if found is None:
        raise OperationError("not_found")
    return found


def _fill_row(row: JsonObject, given: SendAsPatch) -> JsonObject:
    """A row with what was given. Raises invalid_address, invalid_display_name, smtp_unreachable, default_required,
    not_verified.
    """
    if given.smtpMsa is not None:
        raise OperationError("smtp_unreachable")
    texts = {
        "display_name": _check_display_name(given.displayName),
        "signature": None if given.signature is None else sanitise_html(given.signature),
    }
    if given.replyToAddress is not None:
        texts["reply_to"] = parse_given_address(given.replyToAddress) if given.replyToAddress.strip() else ""
    if given.isDefault is False and row["is_default"]:
        raise OperationError("default_required")
    if given.isDefault and row["verification"] != "accepted":
        raise OperationError("not_verified")
    switches = {"treat_as_alias": given.treatAsAlias, "is_default": given.isDefault or None}
    return row | {name: value for name, value in {**texts, **switches}.items() if value is not None}


def _check_display_name(given: str | None) -> str | None:
    if given is None:
        return None
    try:
        return header_value("From", " ".join(given.split())) and " ".join(given.split())
    except ValueError:
        raise OperationError("invalid_display_name") from None


def _write_row(box: Mailbox, row: dict[str, Any]) -> SendAs:
    if row["is_default"]:
        box.call.execute(_ONE_DEFAULT, {"me": box.person, "email": row["email"]})
    box.call.execute(_KEEP, {"me": box.person, **row})
    return _send_as_to_json(box, _rows_by_address(box)[row["email"]])


@app.operation(
    "users.settings.sendAs.list",
    source=DOCS + "list",
    scope=READ,
    units=quota_units("users.settings.sendAs.list", False),
    examples=[{}],
    raises=("delegation_denied", "mail_service_not_enabled"),
)
def list_send_as(call: Call, params: MailboxParams) -> SendAsList:
    """List the addresses you can send from, with names and signatures."""
    box = open_mailbox(call, params.userId)
    return {"sendAs": [_send_as_to_json(box, row) for row in _rows_by_address(box).values()]}


@app.operation(
    "users.settings.sendAs.get",
    source=DOCS + "get",
    scope=READ,
    units=quota_units("users.settings.sendAs.get", False),
    examples=[{"sendAsEmail": THE_PRIMARY}],
    raises=("delegation_denied", "not_found", "mail_service_not_enabled"),
)
def get_send_as(call: Call, params: SendAsRef) -> SendAs:
    """Read one address you can send from."""
    box = open_mailbox(call, params.userId)
    return _send_as_to_json(box, _get_row(box, params.sendAsEmail))


@app.operation(
    "users.settings.sendAs.create",
    writes=True,
    source=DOCS + "create",
    scope=SHARING,
    units=FORWARDS,
    examples=[{"sendAsEmail": AN_ADDRESS, "displayName": "Jordan"}],
    raises={
        "delegation_denied": "",
        "invalid_address": "",
        "invalid_display_name": "",
        "already_exists": "",
        "too_many_addresses": "over 99",
        "smtp_unreachable": "no SMTP service can be reached",
        "not_verified": "",
        "default_required": "",
        "mail_service_not_enabled": "",
    },
)
def create_send_as(call: Call, params: SendAsPatch) -> SendAs:
    """Add an address to send from: an alias of yours at once, another one when its owner agrees; they are asked by
    mail.
    """
    box = open_mailbox(call, params.userId)
    address = parse_given_address(params.sendAsEmail)
    known = _rows_by_address(box)
    if address in known:
        raise OperationError("already_exists")
    if len(known) > MOST_ADDRESSES:
        raise OperationError("too_many_addresses", most=MOST_ADDRESSES)
    state = "accepted" if call.first(_IS_ALIAS, {"me": box.person, "email": address}) is not None else "pending"
    plain = {
        "email": address,
        "display_name": "",
        "reply_to": "",
        "signature": "",
        "is_default": 0,
        "treat_as_alias": 1,
        "verification": state,
    }
    made = _write_row(box, _fill_row(plain, params))
    if state == "pending":
        verification.send_verification(box, "send as", address)
    return made


@app.operation(
    "users.settings.sendAs.update",
    writes=True,
    source=DOCS + "update",
    scope=BASIC,
    units=quota_units("users.settings.sendAs.update", True),
    examples=[{"sendAsEmail": THE_PRIMARY, "displayName": "Ann of Support", "signature": "<b>Ann</b>"}],
    raises={
        "delegation_denied": "",
        "not_found": "",
        "invalid_address": "",
        "invalid_display_name": "",
        "smtp_unreachable": "",
        "default_required": "another address must become the default",
        "not_verified": "",
        "mail_service_not_enabled": "",
    },
)
def update_send_as(call: Call, params: SendAsPatch) -> SendAs:
    """Set name, answer address and signature of an address you can send from; what is left out is emptied."""
    box = open_mailbox(call, params.userId)
    row = _get_row(box, params.sendAsEmail)
    whole = {"display_name": "", "reply_to": "", "signature": "", "treat_as_alias": row["email"] == box.email}
    return _write_row(box, _fill_row({**row, **whole}, params))


@app.operation(
    "users.settings.sendAs.patch",
    writes=True,
    source=DOCS + "patch",
    scope=BASIC,
    units=quota_units("users.settings.sendAs.patch", True),
    examples=[{"sendAsEmail": THE_PRIMARY, "signature": "<b>Ann</b>"}],
    raises=(
        "delegation_denied",
        "not_found",
        "invalid_address",
        "invalid_display_name",
        "smtp_unreachable",
        "default_required",
        "not_verified",
        "mail_service_not_enabled",
    ),
)
def patch_send_as(call: Call, params: SendAsPatch) -> SendAs:
    """Change some of name, answer address and signature of an address you can send from."""
    box = open_mailbox(call, params.userId)
    return _write_row(box, _fill_row(_get_row(box, params.sendAsEmail), params))


@app.operation(
    "users.settings.sendAs.delete",
    writes=True,
    source=DOCS + "delete",
    scope=SHARING,
    units=quota_units("users.settings.sendAs.delete", True),
    examples=[{"sendAsEmail": AN_ADDRESS}],
    after=["users.settings.sendAs.create"],
    raises=("delegation_denied", "not_found", "primary_address", "mail_service_not_enabled"),
)
def delete_send_as(call: Call, params: SendAsRef) -> None:
    """Remove an address you can send from; the primary one stays."""
    box = open_mailbox(call, params.userId)
    email = _get_row(box, params.sendAsEmail)["email"]
    if email == box.email:
        raise OperationError("primary_address")
    call.execute(_DELETE, {"me": box.person, "email": email})


@app.operation(
    "users.settings.sendAs.verify",
    writes=True,
    source=DOCS + "verify",
    scope=SHARING,
    units=quota_units("users.settings.sendAs.verify", True),
    examples=[{"sendAsEmail": AN_ADDRESS}],
    after=["users.settings.sendAs.create"],
    raises=("delegation_denied", "not_found", "already_verified", "mail_service_not_enabled"),
)
def verify_send_as(call: Call, params: SendAsRef) -> None:
    """Ask the owner of a pending address once more, by mail."""
    box = open_mailbox(call, params.userId)
    row = _get_row(box, params.sendAsEmail)
    if row["verification"] != "pending":
        raise OperationError("already_verified")
    verification.send_verification(box, "send as", str(row["email"]))
