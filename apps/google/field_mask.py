"""Partial responses: the `fields` parameter, `messages(id,threadId),nextPageToken`.

developers.google.com/workspace/gmail/api/guides/performance#partial
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.google.api import Api
from apps.google.arguments import Unreadable
from apps.google.method_table import Kind

MAX_LENGTH, MAX_DEPTH = 8_000, 30
MARKS = "(),/"


@dataclass(slots=True)
class Mask:
    """Fields to keep of an object; a field without a mask of its own is kept whole."""

    fields: dict[str, "Mask"] = field(default_factory=dict)

    def of(self, value: object) -> Any:
        """The part of a value this mask names."""
        if not self.fields:
            return value
        if isinstance(value, list):
            return [self.of(item) for item in value]
        if not isinstance(value, Mapping):
            return value
        return {
            name: mask.of(item)
            for name, item in value.items()
            if (mask := self.fields.get(name) or self.fields.get("*")) is not None
        }

    def reaches(self, *path: str) -> bool:
        """Whether anything at or below a path is kept."""
        if not self.fields or not path:
            return True
        return any(mask.reaches(*path[1:]) for name in (path[0], "*") if (mask := self.fields.get(name)) is not None)

    def add(self, path: list[str]) -> "Mask":
        """The mask behind a path, made where it is missing."""
        found = self
        for name in path:
            found = found.fields.setdefault(name, Mask())
        return found


def parse_mask(api: Api, text: str, schema: str) -> Mask | None:
    """The mask a text writes, None for everything. Raises Unreadable for fields the answer cannot have."""
    if not text.strip() or not schema:
        return None
    if len(text) > MAX_LENGTH:
        raise _refuse_unknown_field(api, text[:80])
    words = _split_words(text)
    mask = Mask()
    end = _parse_paths(api, words, 0, mask, 0)
    if end != len(words):
        raise _refuse_unknown_field(api, text[:80])
    _check_fields(api, mask, api.schemas[schema], "")
    return mask


def _split_words(text: str) -> list[str]:
    for mark in MARKS:
        text = text.replace(mark, f" {mark} ")
    return text.split()


def _parse_paths(api: Api, words: list[str], at: int, mask: Mask, depth: int) -> int:
    """`path, path, ...` from a place on; returns where it ends."""
    while True:
        at = _parse_path(api, words, at, mask, depth)
        if at >= len(words) or words[at] != ",":
            return at
        at += 1


def _parse_path(api: Api, words: list[str], at: int, mask: Mask, depth: int) -> int:
    """`a/b`, `a(...)`, `*`."""
    names: list[str] = []
    while True:
        if at >= len(words) or words[at] in MARKS or depth + len(names) > MAX_DEPTH:
            raise _refuse_unknown_field(api, "/".join(names))
        names += words[at].split(".")
        at += 1
        if at >= len(words) or words[at] != "/":
            break
        at += 1
    inner = mask.add(names)
    if at < len(words) and words[at] == "(":
        at = _parse_paths(api, words, at + 1, inner, depth + len(names))
        if at >= len(words) or words[at] != ")":
            raise _refuse_unknown_field(api, "/".join(names))
        return at + 1
    return at


def _check_fields(api: Api, mask: Mask, schema: Mapping[str, Kind], path: str) -> None:
    for name, inner in mask.fields.items():
        here = f"{path}/{name}" if path else name
        if name == "*":
            if inner.fields and not any(kind.name in api.schemas for kind in schema.values()):
                raise _refuse_unknown_field(api, here)
            continue
        kind = schema.get(name)
        if kind is None:
            raise _refuse_unknown_field(api, here)
        if inner.fields:
            _check_inside(api, inner, kind, here)


def _check_inside(api: Api, mask: Mask, kind: Kind, path: str) -> None:
    """Check the mask below a field: any names in an object with free ones, else fields of the schema."""
    if kind.keyed:
        for name, inner in mask.fields.items():
            if inner.fields:
                _check_inside(api, inner, Kind(kind.name), f"{path}/{name}")
    elif kind.name in api.schemas:
        _check_fields(api, mask, api.schemas[kind.name], path)
    elif kind.name != "any":
        raise _refuse_unknown_field(api, path)


def _refuse_unknown_field(api: Api, path: str) -> Unreadable:
    return Unreadable(api.no_field(path))
