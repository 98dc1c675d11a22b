"""Mailing lists: which addresses are, and the header lines their mail bears for those it came to by a list."""

from collections.abc import Iterable

from apps.gmail.content import to_sql_list
from world.core.call import Call

_AMONG = "SELECT address FROM gmail_list WHERE address IN (SELECT value FROM json_each(:those)) ORDER BY address"


def list_mailing_lists(call: Call, addresses: Iterable[str]) -> list[str]:
    """Those of the addresses that are mailing lists."""
    return [row[0] for row in call.all(_AMONG, {"those": to_sql_list(addresses)})]


def list_id(address: str) -> str:
    """The List-ID of a list (RFC 2919): its address with a dot, as the vendor's groups have it."""
    return f"<{address.replace('@', '.')}>"


def list_headers(address: str) -> list[tuple[str, str]]:
    """The lines the vendor's groups put before a mail (observed), those that nothing here leads to left out."""
    local, _, domain = address.partition("@")
    return [
        ("Precedence", "list"),
        ("Mailing-list", f"list {address}; contact {local}+owners@{domain}"),
        ("List-ID", list_id(address)),
        ("List-Post", f"<mailto:{address}>"),
    ]
