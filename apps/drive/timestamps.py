"""Times as Drive writes and reads them: RFC 3339, UTC where no zone is said."""

import re
from datetime import UTC, datetime

from world.core.clock import SECOND, from_datetime, to_datetime

_FORM = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)([Zz]|[+-]\d{2}:\d{2})?)?")


def format_timestamp(at: int) -> str:
    """`2026-03-02T08:00:00.000Z`."""
    return f"{to_datetime(at):%Y-%m-%dT%H:%M:%S}.{at % SECOND // 1000:03}Z"


def parse_timestamp(text: str) -> int | None:
    """Microseconds since the epoch; None for what is no time."""
    found = _FORM.fullmatch(text.strip())
    if found is None:
        return None
    day, clock, zone = found.groups()
    fraction = re.sub(r"(\.\d{6})\d+", r"\1", clock or "00:00")
    try:
        made = datetime.fromisoformat(f"{day}T{fraction}{'' if zone is None else zone.upper().replace('Z', '+00:00')}")
        return from_datetime(made if made.tzinfo else made.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return None
