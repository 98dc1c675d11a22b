"""Confirming an address by the code that was mailed to it."""

from typing import Literal

from pydantic import Field

from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.limits import CLIENT
from apps.gmail.mailbox_settings import verification
from apps.gmail.params import Address, MailboxParams, Word
from world.core.call import Call
from world.core.errors import OperationError

_TABLES = {"forward": "gmail_forwarding_address", "send as": "gmail_send_as"}


class Confirmation(MailboxParams):
    """The code of a mail that asks whether an address is read."""

    purpose: Literal["forward", "send as"] = Field(description="What the address is for.", examples=["forward"])
    email: Address = Field(description="The address.", examples=["jordan@partner.example"])
    code: Word = Field(description="The nine digits mailed to it.", examples=["123456789"])


@app.operation(
    "mail.confirmAddress",
    writes=True,
    source="mail.google.com, the browser client",
    scope="gmail.modify",
    units=CLIENT,
    examples=[{"purpose": "forward", "email": "jordan@partner.example", "code": "123456789"}],
    raises=("delegation_denied", "not_found", "already_verified", "wrong_code", "mail_service_not_enabled"),
)
def confirm_address(call: Call, params: Confirmation) -> None:
    """Confirm a pending forwarding or send-as address with the code that was mailed to it."""
    box = open_mailbox(call, params.userId)
    key = {"me": box.person, "email": params.email.strip().lower()}
    state = call.scalar(
        f"SELECT verification FROM {_TABLES[params.purpose]} WHERE person_id = :me AND email = :email", key
    )
    if state is None:
        raise OperationError("not_found")
    if state != "pending":
        raise OperationError("already_verified")
    if params.code.strip() != verification.verification_code(box, params.purpose, key["email"]):
        raise OperationError("wrong_code")
    call.execute(
        f"UPDATE {_TABLES[params.purpose]} SET verification = 'accepted' WHERE person_id = :me AND email = :email", key
    )
