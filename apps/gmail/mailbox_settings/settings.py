"""Groups of settings of a mailbox, kept as the API's objects: vacation, autoForwarding, imap, pop, language, web."""

from collections.abc import Iterable
from typing import Any, TypeVar

import orjson

from apps.gmail.mailbox import Mailbox
from apps.gmail.mime.addresses import Address, format_address
from world.core.call import Call
from world.core.errors import OperationError

Entry = TypeVar("Entry")

_GET = "SELECT value FROM gmail_setting WHERE person_id = :me AND name = :name"
_SET = (
    "INSERT INTO gmail_setting(person_id, name, value) VALUES (:me, :name, :value) ON CONFLICT(person_id, name) DO"
    " UPDATE SET value = excluded.value"
)
LONGEST_NAME, LONGEST_DOMAIN = 64, 255  # octets before and after the @; RFC 5321 section 4.5.3.1


def find_setting(call: Call, person: str, name: str) -> dict[str, Any] | None:
    """A group of settings as it was last written, or None."""
    found = call.scalar(_GET, {"me": person, "name": name})
    return None if found is None else orjson.loads(found)


def keep_setting(box: Mailbox, name: str, value: object) -> None:
    """Write a group of settings."""
    box.call.execute(_SET, {"me": box.person, "name": name, "value": orjson.dumps(value).decode()})


def get_entry(listed: Iterable[Entry], field: str, value: str) -> Entry:
    """Return the setting whose field has a value. Raises not_found."""
    found = next((one for one in listed if one[field] == value), None)  # type: ignore[index]
    if found is None:
        raise OperationError("not_found")
    return found


def parse_given_address(text: str) -> str:
    """Return an entered address in lower case. Raises invalid_address."""
    address = text.strip().lower()
    name, _, domain = address.rpartition("@")
    if (
        not address.isascii()
        or len(name) > LONGEST_NAME
        or len(domain) > LONGEST_DOMAIN
        or not _is_valid_address(address)
    ):
        raise OperationError("invalid_address")
    return address


def _is_valid_address(address: str) -> bool:
    try:
        return bool(format_address(Address("", address)))
    except ValueError:
        return False
