"""YAML as rubrics and suites use it: strict, without YAML 1.1 surprises, every node with its line."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml

Place = tuple[str | int, ...]
MAX_DEPTH = 32


class YamlError(ValueError):
    """A file that does not load; each kind of file has a class of its own. The message names file, line and the mend."""

    noun = "a document"
    usual_file = ""

    def __init__(self, message: str, *, file: str = "", line: int | None = None, where: str = "") -> None:
        self.message, self.file, self.line, self.where = message, file or self.usual_file, line, where
        place = self.file if line is None else f"{self.file}:{line}"
        super().__init__(": ".join(part for part in (place, where, message) if part))


def describe_unknown(what: str, name: object, known: Iterable[str]) -> str:
    """`unknown table 'perso'; did you mean 'person'?`"""
    names = sorted(known)
    near = get_close_matches(str(name), names, n=1, cutoff=0.6)
    if near:
        return f"unknown {what} {str(name)!r}; did you mean {near[0]!r}?"
    listed = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return f"unknown {what} {str(name)!r}; known: {listed or 'none'}"


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
    ("float", r"^[-+]?(?:(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)$", "-+.0123456789"),
):
    for _first in _firsts:
        _RESOLVERS.setdefault(_first, []).append((f"tag:yaml.org,2002:{_tag}", re.compile(_pattern)))
_Loader.yaml_implicit_resolvers = _RESOLVERS


@dataclass(frozen=True, slots=True)
class Document:
    """A YAML mapping with the line of every place in it, and the error that its readers raise."""

    file: str
    data: Mapping[str, Any]
    lines: Mapping[Place, int]
    refusal: type[YamlError]

    def line(self, place: Place) -> int | None:
        """The line of a place, or of the nearest one that holds it."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place)

    def error(self, place: Place, message: str) -> YamlError:
        """An error that names file, line and key."""
        return self.refusal(message, file=self.file, line=self.line(place), where=render_place(place))


def render_place(place: Place) -> str:
    """Render a place as `expect[2].where.channel`."""
    text = ""
    for part in place:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def load_yaml(path: Path, refusal: type[YamlError]) -> Document:
    """Read a file. Raises `refusal` for broken YAML, duplicate keys and anything but a mapping."""
    return parse_yaml(path.read_text(encoding="utf-8"), path.name, refusal)


def parse_yaml(text: str, name: str, refusal: type[YamlError]) -> Document:
    """Read the text of a file of a name, as `load_yaml` does."""
    lines: dict[Place, int] = {}
    document = Document(name, {}, lines, refusal)
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        if not isinstance(node, yaml.MappingNode):
            raise refusal(f"{refusal.noun} is a mapping of keys", file=name, line=1)
        for place, line in _places(document, node, ()):
            lines[place] = line
        data = {str(key): value for key, value in loader.construct_mapping(node, deep=True).items()}
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else None
        raise refusal(f"not YAML: {error.problem}", file=name, line=line) from None
    return replace(document, data=data)


def _places(document: Document, node: yaml.Node, place: Place) -> Iterator[tuple[Place, int]]:
    """Every place and its line; a mapping's key is the place of its value."""
    line = node.start_mark.line + 1
    if len(place) > MAX_DEPTH:
        raise document.refusal(f"nested deeper than {MAX_DEPTH}", file=document.file, line=line)
    if place not in document.lines:
        yield place, line
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            key.tag, here, line = "tag:yaml.org,2002:str", (*place, key.value), key.start_mark.line + 1
            if here in document.lines:
                message = f"the key {key.value!r} stands twice"
                raise document.refusal(message, file=document.file, line=line, where=render_place(place))
            yield here, line
            yield from _places(document, value, here)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            yield from _places(document, value, (*place, index))
