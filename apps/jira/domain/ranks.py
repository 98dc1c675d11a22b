"""Rank of issues: `0|hzzzzz:` and `0|hzzzzz:i` sort as the backlog does; six digits, then as many as it takes to fit
between.
"""

from sqlmodel import col, select

from apps.jira.models import Issue
from world.core.call import Call

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
BUCKET, FIRST = "0|", "hzzzzz"


def rank_between(low: str | None, high: str | None) -> str:
    """A rank strictly between two ranks; None is an open end. Both ends must differ in the right order."""
    digits = _middle_digits(_rank_digits(low), _rank_digits(high)).ljust(6, "0")
    return f"{BUCKET}{digits[:6]}:{digits[6:]}"


def _rank_digits(rank: str | None) -> str:
    return "" if rank is None else rank.removeprefix(BUCKET).replace(":", "")


def _middle_digits(low: str, high: str) -> str:
    out, position, bounded = "", 0, bool(high)
    while True:
        a = DIGITS.index(low[position]) if position < len(low) else 0
        b = DIGITS.index(high[position]) if bounded and position < len(high) else len(DIGITS)
        if b - a > 1:
            return out + DIGITS[(a + b) // 2]
        out += DIGITS[a]
        if a < b:
            bounded = False
        position += 1


def rank_after(rank: str) -> str:
    """A rank a step behind the last one: counts up in base 36, so appending keeps ranks short."""
    digits = _rank_digits(rank)[:6].ljust(6, "0")
    value = int(digits, 36) + 36**2
    if value >= 36**6:
        return rank_between(rank, None)
    text = ""
    for _ in range(6):
        value, digit = divmod(value, 36)
        text = DIGITS[digit] + text
    return f"{BUCKET}{text}:"


def last_rank(call: Call) -> str:
    """A rank behind every issue of the site."""
    highest = call.scalar(select(Issue.rank).order_by(col(Issue.rank).desc(), col(Issue.id).desc()).limit(1))
    return f"{BUCKET}{FIRST}:" if highest is None else rank_after(highest)
