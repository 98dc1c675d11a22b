"""XML of spreadsheet files: small trees without namespaces, and escaping.

A document type is refused, so no entity expands.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any
from xml.parsers import expat

from apps.sheets.files.package import bad_file
from apps.sheets.formats.entry import MOST_CHARACTERS
from world.core.errors import OperationError

MOST_NODES = 40_000  # apart from plain rows and cells
DEEPEST = 200
LONGEST_TEXT = 4_000_000
Start = Callable[[str, dict[str, str]], None]


class Node:
    """An element by its local name, with its attributes by their local names."""

    __slots__ = ("attributes", "children", "name", "text")

    def __init__(self, name: str, attributes: dict[str, str]) -> None:
        self.name, self.attributes, self.text = name, attributes, ""
        self.children: list[Node] = []

    def get(self, name: str, default: str = "") -> str:
        """Return an attribute."""
        return self.attributes.get(name, default)

    def flag(self, name: str, default: bool = False) -> bool:
        """Return a boolean attribute."""
        found = self.attributes.get(name)
        return default if found is None else found in ("1", "true", "on")

    def number(self, name: str, default: int = 0) -> int:
        """Return an integer attribute; the default if it is invalid."""
        return whole(self.attributes.get(name), default)

    def all(self, name: str) -> "list[Node]":
        """Return the children of a name."""
        return [child for child in self.children if child.name == name]

    def find(self, *path: str) -> "Node":
        """Return the first descendant along a path; an empty one if there is none."""
        at: Node = self
        for name in path:
            at = next((child for child in at.children if child.name == name), NOTHING)
        return at

    def __bool__(self) -> bool:
        return self is not NOTHING


NOTHING = Node("", {})


def whole(text: str | None, default: int = 0) -> int:
    """Return the integer of a text; the default for any other text."""
    return int(text) if text and len(text) < 12 and text.removeprefix("-").isdecimal() else default


def real(text: str | None, default: float = 0) -> float:
    """Return the number of a text; the default for any other text."""
    try:
        found = float(text or "")
    except ValueError:
        return default
    return found if abs(found) < 1e300 else default


class Trees:
    """Handlers that build a tree from parsed parts."""

    def __init__(self) -> None:
        self.root = Node("", {})
        self.open = [self.root]
        self.nodes = 0
        self._names: dict[str, str] = {}

    def local(self, name: str) -> str:
        """Return a name without its namespace."""
        found = self._names.get(name)
        if found is None:
            found = self._names[name] = name.rpartition("}")[2]
        return found

    def start_element(self, name: str, attributes: dict[str, str]) -> None:
        """Open an element."""
        self.nodes += 1
        if self.nodes > MOST_NODES or len(self.open) > DEEPEST:
            raise OperationError("file_too_large")
        node = Node(self.local(name), {self.local(key): value for key, value in attributes.items()})
        self.open[-1].children.append(node)
        self.open.append(node)

    def end_element(self, name: str) -> None:
        """Close an element."""
        del name
        self.open.pop()

    def text(self, text: str) -> None:
        """Add text to an element. Raises too_long."""
        node = self.open[-1]
        if len(node.text) > LONGEST_TEXT:
            raise OperationError("too_long", most=MOST_CHARACTERS)
        node.text += text


def parser(handlers: Any) -> object:
    """Return an expat parser that refuses document types."""
    made = expat.ParserCreate(namespace_separator="}")
    made.buffer_text, made.buffer_size = True, 1 << 20
    made.StartDoctypeDeclHandler = _no_document_type
    made.StartElementHandler, made.EndElementHandler, made.CharacterDataHandler = (
        handlers.start_element,
        handlers.end_element,
        handlers.text,
    )
    return made


def _no_document_type(*_: object) -> None:
    raise bad_file("its XML declares a document type")


def feed(made: Any, chunks: Iterable[bytes]) -> None:
    """Feed pieces of a part to a parser. Raises bad_file."""
    try:
        for piece in chunks:
            made.Parse(piece, False)
        made.Parse(b"", True)
    except (expat.ExpatError, ValueError, LookupError):
        raise bad_file("its XML is damaged") from None


def tree(chunks: Iterable[bytes]) -> Node:
    """Return the root of a part."""
    handlers = Trees()
    feed(parser(handlers), chunks)
    return handlers.root.children[0]


_UNSAFE = re.compile('[&<>"\x00-\x08\x0b\x0c\x0d-\x1f\ufffe\uffff\ud800-\udfff]|_(?=x[0-9A-Fa-f]{4}_)')
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
_MARKS = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}


def escape_text(text: str) -> str:
    """Escape text for XML; characters that XML lacks become the format's own `_x000D_`."""
    return _UNSAFE.sub(_mark, text) if _UNSAFE.search(text) else text


def _mark(found: re.Match[str]) -> str:
    return _MARKS.get(found[0]) or f"_x{ord(found[0]):04X}_"


def attribute(text: str) -> str:
    """Escape text for an attribute."""
    return escape_text(text).replace("\n", "&#10;").replace("\t", "&#9;")


def unescape_text(text: str) -> str:
    """Unescape `_x000D_` in a text; an invalid code stays unchanged."""
    return _ESCAPED.sub(_unmark, text) if "_x" in text else text


def _unmark(found: re.Match[str]) -> str:
    number = int(found[1], 16)
    return found[0] if number == 0 or 0xD800 <= number < 0xE000 else chr(number)


def element(tag: str, content: str = "", /, **attributes: object) -> str:
    """Render an element; attributes that are None are left out."""
    said = "".join(
        f' {key.replace("__", ":")}="{attribute(str(value))}"' for key, value in attributes.items() if value is not None
    )
    return f"<{tag}{said}>{content}</{tag}>" if content else f"<{tag}{said}/>"
