"""YAML as rubrics use it: strict, without YAML 1.1 surprises, every node with its line."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from world.grading.errors import RubricError

Place = tuple[str | int, ...]
MAX_DEPTH = 32


class _Loader(yaml.SafeLoader):
    """`on` and `12:30` stay strings, dates too; true, false and null are the only words with a meaning."""


_RESOLVERS: dict[str, list[tuple[str, re.Pattern[str]]]] = {
    first: [
        (tag, regexp) for tag, regexp in found if tag.rsplit(":", 1)[1] not in ("bool", "timestamp", "int", "float")
    ]
    for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _tag, _pattern, _firsts in (
    ("bool", r"^(?:true|false)$", "tf"),
    ("int", r"^[-+]?(?:0|[1-9][0-9]*)$", "-+0123456789"),
    ("float", r"^[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][-+]?[0-9]+)?$", "-+.0123456789"),
):
    for _first in _firsts:
        _RESOLVERS.setdefault(_first, []).append((f"tag:yaml.org,2002:{_tag}", re.compile(_pattern)))
_Loader.yaml_implicit_resolvers = _RESOLVERS


@dataclass(frozen=True, slots=True)
class Document:
    """A YAML mapping with the line of every place in it."""

    file: str
    data: Mapping[str, Any]
    lines: Mapping[Place, int]

    def line(self, place: Place) -> int | None:
        """The line of a place, or of the nearest one that holds it."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place)

    def error(self, place: Place, message: str) -> RubricError:
        """An error that names file, line and key."""
        return RubricError(message, file=self.file, line=self.line(place), where=dotted(place))


def dotted(place: Place) -> str:
    """`expect[2].where.channel`."""
    text = ""
    for part in place:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def load_yaml(path: Path) -> Document:
    """Read a rubric file. Raises RubricError for broken YAML, duplicate keys and anything but a mapping."""
    file = path.name
    loader = _Loader(path.read_text(encoding="utf-8"))
    try:
        node = loader.get_single_node()
        if not isinstance(node, yaml.MappingNode):
            raise RubricError("a rubric is a mapping of keys", file=file, line=1)
        lines: dict[Place, int] = {}
        _walk(node, (), lines, file)
        return Document(
            file, {str(key): value for key, value in loader.construct_mapping(node, deep=True).items()}, lines
        )
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise RubricError(f"not YAML: {error.problem}", file=file, line=mark.line + 1 if mark else None) from None


def _walk(node: yaml.Node, place: Place, lines: dict[Place, int], file: str) -> None:
    if len(place) > MAX_DEPTH:
        raise RubricError(f"nested deeper than {MAX_DEPTH}", file=file, line=node.start_mark.line + 1)
    lines.setdefault(place, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            key.tag, name = "tag:yaml.org,2002:str", key.value
            here = (*place, name)
            if here in lines:
                raise RubricError(
                    f"the key {name!r} stands twice", file=file, line=key.start_mark.line + 1, where=dotted(place)
                )
            lines[here] = key.start_mark.line + 1
            _walk(value, here, lines, file)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            _walk(value, (*place, index), lines, file)
