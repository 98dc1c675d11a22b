"""Pack texts as Atlassian documents: paragraphs, lists, code, links, mentions."""

import re
from collections.abc import Callable
from typing import Any

from seeds.events import TOKEN

Node = dict[str, Any]
INLINE = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|(https?://[^\s)>\]]+[^\s)>\].,;:!?])")
ITEM = re.compile(r"^(?:[-*] |(\d+)[.)] )(.*)$")
HEADING = re.compile(r"^(#{1,4}) (.*)$")


def document(text: str, reference: Callable[[str, str], Node]) -> Node:
    """The ADF document of a text; `reference` makes the node of a token."""
    blocks: list[Node] = []
    for chunk in _chunks(text):
        if chunk.startswith("```"):
            language, _, code = chunk.strip("`").partition("\n")
            blocks.append(
                {
                    "type": "codeBlock",
                    "attrs": {"language": language} if language else {},
                    "content": [{"type": "text", "text": code.rstrip("\n")}],
                }
            )
        else:
            blocks += _blocks(chunk.split("\n"), reference)
    return _sort_keys({"type": "doc", "version": 1, "content": blocks})


def _sort_keys(node: object) -> Any:
    """Keys in order at every level, as the tracker stores bodies."""
    if isinstance(node, dict):
        return {key: _sort_keys(node[key]) for key in sorted(node)}
    return [_sort_keys(one) for one in node] if isinstance(node, list) else node


def _chunks(text: str) -> list[str]:
    """Fenced code apart from the rest, paragraphs at blank lines."""
    out: list[str] = []
    for i, part in enumerate(re.split(r"^```", text, flags=re.M)):
        if i % 2:
            out.append("```" + part)
        else:
            out += [chunk for chunk in re.split(r"\n\s*\n", part.strip("\n")) if chunk.strip()]
    return out


def _blocks(lines: list[str], reference: Callable[[str, str], Node]) -> list[Node]:
    out: list[Node] = []
    for line in lines:
        item, heading = ITEM.match(line), HEADING.match(line)
        if heading:
            out.append(
                {"type": "heading", "attrs": {"level": len(heading[1])}, "content": _inline(heading[2], reference)}
            )
        elif item:
            kind = "orderedList" if item[1] else "bulletList"
            entry = {"type": "listItem", "content": [_paragraph(item[2], reference)]}
            if out and out[-1]["type"] == kind:
                out[-1]["content"].append(entry)
            else:
                out.append(
                    {"type": kind, "content": [entry]}
                    if kind == "bulletList"
                    else {"type": kind, "attrs": {"order": int(item[1])}, "content": [entry]}
                )
        elif out and out[-1]["type"] == "paragraph":
            out[-1]["content"] += [{"type": "hardBreak"}, *_inline(line, reference)]
        else:
            out.append(_paragraph(line, reference))
    return out


def _paragraph(text: str, reference: Callable[[str, str], Node]) -> Node:
    return {"type": "paragraph", "content": _inline(text, reference)}


def _inline(text: str, reference: Callable[[str, str], Node]) -> list[Node]:
    nodes: list[Node] = []
    at = 0
    for found in TOKEN.finditer(text):
        nodes += _parse_inline(text[at : found.start()])
        nodes.append(reference(found[1], found[2]))
        at = found.end()
    return nodes + _parse_inline(text[at:])


def _parse_inline(text: str) -> list[Node]:
    nodes: list[Node] = []
    at = 0
    for found in INLINE.finditer(text):
        nodes += [{"type": "text", "text": text[at : found.start()]}] if found.start() > at else []
        code, strong, link = found[1], found[2], found[3]
        mark: Node = (
            {"type": "code"} if code else {"type": "strong"} if strong else {"type": "link", "attrs": {"href": link}}
        )
        nodes.append({"type": "text", "text": code or strong or link, "marks": [mark]})
        at = found.end()
    return nodes + ([{"type": "text", "text": text[at:]}] if at < len(text) else [])
