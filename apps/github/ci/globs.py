"""Filters of branches, tags and paths; matching time depends only on the lengths of pattern and name.

Source: docs.github.com/actions/writing-workflows/workflow-syntax-for-github-actions#filter-pattern-cheat-sheet
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

MAX_PATTERN = 255
_PART = re.compile(r"\*\*/|\*\*|\*|\[\^?[^\]]+\]|\\.|.", re.DOTALL)
_SPAN = re.compile(r"(.)-(.)|(.)", re.DOTALL)


class _Part(NamedTuple):
    """Part of a pattern: the characters it takes, whether it may repeat, and the parts reached by skipping it."""

    takes: Callable[[str], bool]
    repeats: bool = False
    skips: tuple[int, ...] = ()


def is_selected(patterns: Sequence[str], name: str) -> bool:
    """Whether a list of filters selects a name: the last matching filter decides, `!` excludes."""
    chosen = False
    for pattern in patterns:
        if matches(pattern.removeprefix("!"), name):
            chosen = not pattern.startswith("!")
    return chosen


def matches(pattern: str, name: str) -> bool:
    """Whether a pattern matches a whole name.

    `*` stops at a slash, `**` does not, `?` and `+` repeat the preceding character.
    """
    parts = _parts(pattern[:MAX_PATTERN])
    at = _close(parts, {0})
    for letter in name:
        here = {place for place in at if place < len(parts) and parts[place].takes(letter)}
        at = _close(parts, {place + 1 for place in here} | {place for place in here if parts[place].repeats})
    return len(parts) in at


def _close(parts: Sequence[_Part], at: set[int]) -> set[int]:
    out, waiting = set(at), list(at)
    while waiting:
        place = waiting.pop()
        further = {place + far for far in parts[place].skips} - out if place < len(parts) else set()
        out |= further
        waiting += further
    return out


def _parts(pattern: str) -> list[_Part]:
    out: list[_Part] = []
    for part in _PART.findall(pattern):
        if part == "**/":
            out += [_Part(_none, skips=(1, 3)), _Part(_any, repeats=True, skips=(1,)), _Part(_letters("/"))]
        elif part == "**":
            out.append(_Part(_any, repeats=True, skips=(1,)))
        elif part == "*":
            out.append(_Part(_no_slash, repeats=True, skips=(1,)))
        elif part in "?+" and out and not out[-1].repeats:
            out[-1] = out[-1]._replace(skips=(1,) if part == "?" else (), repeats=part == "+")
        else:
            out.append(_Part(_letters(part)))
    return out


def _none(letter: str) -> bool:
    return False


def _any(letter: str) -> bool:
    return True


def _no_slash(letter: str) -> bool:
    return letter != "/"


def _letters(part: str) -> Callable[[str], bool]:
    if len(part) < 3 or part[0] != "[":
        return lambda letter: letter == part[-1]
    negative = part[1] == "^"
    spans = [(low or one, high or one) for low, high, one in _SPAN.findall(part[2 if negative else 1 : -1])]
    return lambda letter: any(low <= letter <= high for low, high in spans) != negative
