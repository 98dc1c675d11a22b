"""Plain text and bodies: paragraphs from lines, and the words of a body for search."""

import re
from collections.abc import Callable

from apps.jira.bodies.adf import INLINE, Adf, Node, attr, block, children, doc, leaf, text
from world.core.clock import to_datetime

_GAP = re.compile(r"\n[ \t]*\n\s*")


def from_text(words: str) -> Adf:
    """A body of paragraphs: a blank line separates them, a line end inside one breaks the line."""
    tidy = words.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    paragraphs = [part for part in _GAP.split(tidy) if part.strip()]
    return doc(block("paragraph", text_with_breaks(part)) for part in paragraphs)


def text_with_breaks(words: str) -> list[Node]:
    """Text nodes with hard breaks between the lines."""
    out: list[Node] = []
    for index, line in enumerate(words.split("\n")):
        out += [leaf("hardBreak")] if index else []
        out += [text(line)] if line else []
    return out


def to_text(body: Adf) -> str:
    """The words of a body, a line for each block."""
    lines: list[str] = []
    for node in children(body):
        _render_block(node, lines)
    return "\n".join(lines).strip()


def _render_block(node: Node, lines: list[str]) -> None:
    kind, inside = node["type"], children(node)
    if kind == "codeBlock" or (inside and inside[0]["type"] in INLINE):
        lines.append("".join(inline_text(child) for child in inside))
    elif kind == "tableRow":
        lines.append(" ".join(_render_cell(cell) for cell in inside).strip())
    elif kind in ("media", "blockCard", "embedCard"):
        lines.append(attr(node, "alt") or attr(node, "url") or attr(node, "id"))
    else:
        if attr(node, "title"):
            lines.append(attr(node, "title"))
        for child in inside:
            _render_block(child, lines)


def _render_cell(cell: Node) -> str:
    lines: list[str] = []
    for child in children(cell):
        _render_block(child, lines)
    return " ".join(lines)


def date_text(node: Node) -> str:
    """The ISO day of a date node."""
    try:
        return to_datetime(1000 * int(attr(node, "timestamp"))).date().isoformat()
    except (ValueError, OverflowError):
        return str(attr(node, "timestamp"))


def mention_text(node: Node) -> str:
    """`@Name`, or `@accountId` when the name is unknown."""
    said = attr(node, "text") or attr(node, "id").removeprefix("accountid:")
    return said if said.startswith("@") else f"@{said}"


_INLINE: dict[str, Callable[[Node], str]] = {
    "text": lambda node: node["text"],
    "hardBreak": lambda node: "\n",
    "mention": mention_text,
    "emoji": lambda node: attr(node, "text") or attr(node, "shortName"),
    "inlineCard": lambda node: attr(node, "url"),
    "date": date_text,
    "status": lambda node: attr(node, "text"),
    "placeholder": lambda node: attr(node, "text"),
    "mediaInline": lambda node: attr(node, "alt") or attr(node, "id"),
}


def inline_text(node: Node) -> str:
    """The words of an inline node."""
    return _INLINE[node["type"]](node)
