"""Mailing lists: detection of their addresses, and the header lines of mail that came through a list."""

from collections.abc import Iterable

from apps.gmail.content import to_sql_list
from world.core.call import Call

_AMONG = "SELECT address FROM gmail_list WHERE address IN (SELECT value FROM json_each(:those)) ORDER BY address"


def list_mailing_lists(call: Call, addresses: Iterable[str]) -> list[str]:
    """Return the mailing lists among some addresses."""
    return [row[0] for row in call.all(_AMONG, {"those": to_sql_list(addresses)})]


def list_id(address: str) -> str:
    """Return the List-ID of a list (RFC 2919): its address with a dot, as in the vendor's groups."""
    return f"<{address.replace('@', '.')}>"


def list_headers(address: str) -> list[tuple[str, str]]:
    """Return the header lines of the vendor's groups (observed), without those that nothing here serves."""
    local, _, domain = address.partition("@")
    return [
        ("Precedence", "list"),
        ("Mailing-list", f"list {address}; contact {local}+owners@{domain}"),
        ("List-ID", list_id(address)),
        ("List-Post", f"<mailto:{address}>"),
    ]
