"""YAML of workflow files, read within limits: a tree of nodes with lines, without anchors, tags or duplicates."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import yaml

from apps.github.ci.workflow_errors import FileFault

MAX_BYTES = 128 * 1024
MAX_DEPTH = 24
MAX_NODES = 8_000
_TOO_DEEP = re.compile(rf"(?:[\[{{]\s*+){{{MAX_DEPTH + 2}}}")  # brackets that no scanner needs to look into
_TRUE, _FALSE, _NULL = {"true", "True", "TRUE"}, {"false", "False", "FALSE"}, {"", "~", "null", "Null", "NULL"}
_NUMBER = re.compile(r"[-+]?(\d+|\d*\.\d+|\d+\.\d*)([eE][-+]?\d+)?")
Scalar = str | bool | float | None


@dataclass(frozen=True)
class Node:
    """A scalar, mapping or sequence, and its position. `plain`: a scalar without quotes."""

    line: int
    column: int
    text: str | None = None
    plain: bool = True
    pairs: "dict[str, Node] | None" = None
    items: "list[Node] | None" = None

    def fault(self, message: str) -> FileFault:
        """Return an error at this node."""
        return FileFault(message, self.line, self.column)

    @property
    def is_null(self) -> bool:
        """Whether the node is empty."""
        return self.text is not None and self.plain and self.text in _NULL

    def scalar(self) -> Scalar:
        """Return the value of a scalar, by the core schema of YAML 1.2. Raises FileFault."""
        if self.text is None:
            raise self.fault("A scalar value was expected")
        if not self.plain:
            return self.text
        if self.text in _TRUE | _FALSE:
            return self.text in _TRUE
        if self.text in _NULL:
            return None
        return float(self.text) if len(self.text) < 40 and _NUMBER.fullmatch(self.text) else self.text

    def string(self) -> str:
        """Return a scalar as text. Raises FileFault."""
        if self.text is None:
            raise self.fault("A scalar value was expected")
        return "" if self.is_null else self.text

    def mapping(self) -> "dict[str, Node]":
        """Return a mapping; an empty node is an empty mapping. Raises FileFault."""
        if self.pairs is None and not self.is_null:
            raise self.fault("A mapping was expected")
        return self.pairs or {}

    def sequence(self) -> "list[Node]":
        """Return a sequence; an empty node is an empty sequence. Raises FileFault."""
        if self.items is None and not self.is_null:
            raise self.fault("A sequence was expected")
        return self.items or []

    def strings(self) -> list[str]:
        """Return one text or a sequence of texts as a list. Raises FileFault."""
        return (
            [self.string()]
            if self.text is not None and not self.is_null
            else [item.string() for item in self.sequence()]
        )

    def only(self, *known: str) -> "dict[str, Node]":
        """Return a mapping; refuse other keys. Raises FileFault."""
        pairs = self.mapping()
        for key, node in pairs.items():
            if key not in known:
                raise node.fault(f"Unexpected value '{key[:60]}'")
        return pairs


@lru_cache(maxsize=64)
def parse_document(data: bytes) -> Node:
    """Parse the document of a file. Raises FileFault."""
    if len(data) > MAX_BYTES:
        raise FileFault(f"The file is larger than {MAX_BYTES // 1024} KB")
    try:
        text = data.decode("utf-8-sig")
        if (found := _TOO_DEEP.search(text)) is not None:
            raise FileFault("Maximum object depth or size exceeded", text.count("\n", 0, found.start()) + 1, 1)
        return _Reader(iter(yaml.parse(text, Loader=yaml.SafeLoader))).document()
    except UnicodeDecodeError:
        raise FileFault("The file is not UTF-8") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise FileFault(
            f"You have an error in your yaml syntax on line {line}", line, mark.column + 1 if mark else 1
        ) from None
    except yaml.YAMLError:
        raise FileFault("You have an error in your yaml syntax") from None


class _Reader:
    """Builds nodes from the parser's events, so that nothing is expanded before it is counted."""

    def __init__(self, events: Iterator[yaml.Event]) -> None:
        self._events, self._count = events, 0

    def document(self) -> Node:
        for event in self._events:
            if isinstance(event, yaml.StreamEndEvent):
                break
            if isinstance(event, (yaml.StreamStartEvent, yaml.DocumentStartEvent)):
                continue
            node = self._node(event, 0)
            rest = [
                after for after in self._events if not isinstance(after, (yaml.DocumentEndEvent, yaml.StreamEndEvent))
            ]
            if rest:
                raise FileFault("Only one document is expected", *_place(rest[0]))
            return node
        raise FileFault("The file is empty")

    def _node(self, event: yaml.Event, depth: int) -> Node:
        self._count += 1
        line, column = _place(event)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise FileFault("Anchors are not supported", line, column)
        if depth > MAX_DEPTH or self._count > MAX_NODES:
            raise FileFault("Maximum object depth or size exceeded", line, column)
        if isinstance(event, yaml.ScalarEvent):
            return Node(line, column, text=event.value, plain=event.implicit[0])
        if isinstance(event, yaml.MappingStartEvent):
            return Node(line, column, pairs=self._pairs(depth))
        return Node(line, column, items=self._items(depth))

    def _pairs(self, depth: int) -> dict[str, Node]:
        pairs: dict[str, Node] = {}
        for event in self._events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            key = self._node(event, depth + 1)
            if key.text is None or key.text == "<<":
                raise key.fault("Unexpected value '<<'" if key.text else "A scalar value was expected")
            if key.text in pairs:
                raise key.fault(f"'{key.text[:60]}' is already defined")
            pairs[key.text] = self._node(next(self._events), depth + 1)
        return pairs

    def _items(self, depth: int) -> list[Node]:
        items: list[Node] = []
        for event in self._events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            items.append(self._node(event, depth + 1))
        return items


def _place(event: yaml.Event) -> tuple[int, int]:
    mark = event.start_mark
    return mark.line + 1, mark.column + 1
