"""The passage of a cell: its writer's own words, with struck out and quoted texts set apart."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from world.core.json_types import is_array, is_object
from world.core.reading.passage import Mark, Passage
from world.grading.text import read_text

_STRUCK = re.compile(r"~~[^~\n]{1,2000}~~|(?<!\w)~[^~\n]{1,2000}~(?!\w)|<(s|del|strike)>.{0,2000}?</\1>", re.I | re.S)


def to_passage(value: object) -> Passage:
    """Return the writer's own words, followed by quoted and struck out ones, marked so."""
    return _read_cell(value) if isinstance(value, str) else _to_passage(value)


@lru_cache(maxsize=4096)
def _read_cell(value: str) -> Passage:
    return _to_passage(value)


def _to_passage(value: object) -> Passage:
    struck: list[str] = []

    def strike(match: re.Match[str]) -> str:
        struck.append(match.group())
        return " "

    raw = _STRUCK.sub(strike, value) if isinstance(value, str) else value
    bare = _without_strikes(raw, struck)
    own = read_text(bare).plain
    whole = read_text(bare, quoted=True).plain
    parts, marks = [own], list[Mark]()
    for text, kind in ((read_text(" ".join(struck)).plain, "struck"), (whole if whole != own else "", "quoted")):
        start = sum(map(len, parts)) + len(parts)
        parts.append(text)
        if text:
            marks.append(Mark(start, start + len(text), "struck" if kind == "struck" else "quoted"))
    return Passage("\n".join(parts), tuple(marks))


def join_passages(passages: Sequence[Passage]) -> Passage:
    """Several passages as one, a line apart."""
    if len(passages) == 1:
        return passages[0]
    marks, at = list[Mark](), 0
    for one in passages:
        marks += [Mark(mark.start + at, mark.end + at, mark.kind) for mark in one.marks]
        at += len(one.text) + 1
    return Passage("\n".join(one.text for one in passages), tuple(marks))


def _without_strikes(node: object, struck: list[str]) -> Any:
    """A JSON document without its struck-out texts, which are collected."""
    if is_array(node):
        return [_without_strikes(child, struck) for child in node]
    if not is_object(node):
        return node
    if any(mark.get("type") == "strike" for mark in node.get("marks") or () if is_object(mark)):
        struck.append(str(node.get("text", "")))
        return {"type": "text", "text": " "}
    return {key: _without_strikes(child, struck) if key == "content" else child for key, child in node.items()}
