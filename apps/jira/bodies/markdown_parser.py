"""Markdown (CommonMark with tables, strikethrough and task lists) as a body, on markdown-it tokens."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from apps.jira.bodies.adf import (
    Adf,
    Mark,
    Node,
    block,
    children,
    doc,
    iter_nodes,
    leaf,
    link_mark,
    mark,
    merge_text_nodes,
    text,
)
from apps.jira.bodies.nesting import fit_children
from apps.jira.bodies.plain_text import from_text
from apps.jira.bodies.wiki_inline import NameOf, mention_node

_BLOCKS = {
    "paragraph_open": "paragraph",
    "heading_open": "heading",
    "bullet_list_open": "bulletList",
    "ordered_list_open": "orderedList",
    "list_item_open": "listItem",
    "blockquote_open": "blockquote",
    "table_open": "table",
    "tr_open": "tableRow",
    "th_open": "tableHeader",
    "td_open": "tableCell",
}
_MARKS = {"strong_open": "strong", "em_open": "em", "s_open": "strike"}
_SKIPPED = frozenset({"thead_open", "thead_close", "tbody_open", "tbody_close"})
_EMPTY_SHELLS = frozenset(
    {"paragraph", "blockquote", "bulletList", "orderedList", "listItem"}
)  # left where nesting went too deep
_MARKED = re.compile(r"[*_~`\[|<&]")
MOST_MARKS = 4_000  # of one body
_TASK = re.compile(r"\[([ xX])\] ")
_FOUND = re.compile(r"\[~accountid:([^\[\]\s|]{1,128})\]|https?://[^\s<>\"'\[\]`\\|]+", re.IGNORECASE)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def from_markdown(words: str, name_of: NameOf | None = None) -> Adf:
    """The body of Markdown; `[~accountid:...]` is a mention, whose name `name_of` gives. A text of too many marks is
    taken as it is written.
    """
    if len(words) > MOST_MARKS and len(_MARKED.findall(words)) > MOST_MARKS:
        return from_text(words)
    reader = _Reader(name_of)
    for token in _parser().parse(words):
        reader.take(token)
    body = doc(fit_children(reader.stack[0].content, "doc"))
    hollow = {node["type"] for node in iter_nodes(children(body))} <= _EMPTY_SHELLS
    return from_text(words) if hollow and any(char.isalnum() for char in words) else body


@dataclass(slots=True)
class _Frame:
    kind: str
    attrs: dict[str, object] = field(default_factory=dict)
    content: list[Node] = field(default_factory=list)


class _Reader:
    """Builds blocks from opening and closing tokens."""

    def __init__(self, name_of: NameOf | None) -> None:
        self.name_of = name_of
        self.stack = [_Frame("doc")]
        self.tasks = 0

    def take(self, token: Token) -> None:
        """Use one block token."""
        kind = token.type
        if kind in _BLOCKS:
            self.stack.append(_Frame(_BLOCKS[kind], _read_attrs(token)))
        elif kind == "inline":
            self.stack[-1].content += _read_inline(token.children or [], self.name_of)
        elif kind in ("fence", "code_block"):
            self.stack[-1].content.append(_read_code_block(token))
        elif kind == "hr":
            self.stack[-1].content.append(leaf("rule"))
        elif kind not in _SKIPPED:
            self.close()

    def close(self) -> None:
        """End the innermost block."""
        frame = self.stack.pop()
        self.stack[-1].content += self.build(frame)

    def build(self, frame: _Frame) -> list[Node]:
        content = frame.content
        if frame.kind == "paragraph":
            return _split_paragraphs(content)
        if frame.kind == "heading":
            return [block("heading", [n for n in content if n["type"] != "mediaSingle"], **frame.attrs)]
        if frame.kind in ("tableCell", "tableHeader"):
            return [block(frame.kind, fit_children(_split_paragraphs(content) or [block("paragraph")], frame.kind))]
        if frame.kind == "bulletList" and content and all(_is_task(item) for item in content):
            return [self.task_list(content)]
        return [block(frame.kind, fit_children(content, frame.kind), **frame.attrs)]

    def task_list(self, items: list[Node]) -> Node:
        return block("taskList", [self.task(item) for item in items], localId=self.local_id())

    def task(self, item: Node) -> Node:
        inline = children(children(item)[0])
        found = _TASK.match(inline[0]["text"])
        assert found is not None  # asked before
        inline[0]["text"] = inline[0]["text"][found.end() :]
        state = "TODO" if found[1] == " " else "DONE"
        return block("taskItem", merge_text_nodes(inline), localId=self.local_id(), state=state)

    def local_id(self) -> str:
        self.tasks += 1
        return str(self.tasks)


def _read_attrs(token: Token) -> dict[str, object]:
    if token.type == "heading_open":
        return {"level": int(token.tag[1:])}
    start = token.attrGet("start")
    return {"order": int(start)} if token.type == "ordered_list_open" and start is not None else {}


def _is_task(item: Node) -> bool:
    inside = children(item)
    inline = children(inside[0]) if len(inside) == 1 and inside[0]["type"] == "paragraph" else []
    return bool(inline and inline[0]["type"] == "text" and _TASK.match(inline[0]["text"]) and "marks" not in inline[0])


def _read_code_block(token: Token) -> Node:
    words = token.content.removesuffix("\n")
    language = token.info.strip().split(" ", 1)[0] if token.type == "fence" else ""
    return block("codeBlock", [text(words)] if words else [], **({"language": language} if language else {}))


def _split_paragraphs(content: list[Node]) -> list[Node]:
    """A paragraph, broken where an image stands."""
    out: list[Node] = []
    line: list[Node] = []
    for node in content:
        if node["type"] != "mediaSingle":
            line.append(node)
            continue
        out += [block("paragraph", line)] if line else []
        out.append(node)
        line = []
    return [*out, block("paragraph", line)] if line else out


def _read_inline(tokens: list[Token], name_of: NameOf | None) -> list[Node]:
    out: list[Node] = []
    marks: list[Mark] = []
    for token in tokens:
        if token.type in _MARKS:
            marks.append(mark(_MARKS[token.type]))
        elif token.type == "link_open":
            marks.append(link_mark(str(token.attrGet("href") or "")))
        elif token.type.endswith("_close"):
            marks.pop()
        else:
            out += _LEAVES.get(token.type, _read_text)(token, _distinct_marks(marks), name_of)
    return merge_text_nodes(out)


def _distinct_marks(marks: list[Mark]) -> list[Mark]:
    return list({item["type"]: item for item in marks}.values())


def _read_text(token: Token, marks: list[Mark], name_of: NameOf | None) -> list[Node]:
    if any(item["type"] == "link" for item in marks):
        return [text(token.content, marks)]
    out: list[Node] = []
    at = 0
    for found in _FOUND.finditer(token.content):
        if found[1]:
            node, end = mention_node(found[1], name_of), found.end()
        else:
            href = found[0].rstrip(".,;:!?)*_~")
            node, end = text(href, [*marks, link_mark(href)]), found.start() + len(href)
        out += [text(token.content[at : found.start()], marks), node]
        at = end
    return [*out, text(token.content[at:], marks)]


def _read_inline_code(token: Token, marks: list[Mark], name_of: NameOf | None) -> list[Node]:
    return [text(token.content, [mark("code"), *(item for item in marks if item["type"] == "link")])]


def _read_image(token: Token, marks: list[Mark], name_of: NameOf | None) -> list[Node]:
    source, alt = str(token.attrGet("src") or ""), token.content
    attrs = {"alt": alt} if alt else {}
    if source.startswith("attachment:"):
        return [
            block(
                "mediaSingle",
                [leaf("media", type="file", id=source.removeprefix("attachment:"), collection="", **attrs)],
                layout="center",
            )
        ]
    return (
        [block("mediaSingle", [leaf("media", type="external", url=source, **attrs)], layout="center")] if source else []
    )


_Leaf = Callable[[Token, list[Mark], NameOf | None], list[Node]]
_LEAVES: dict[str, _Leaf] = {
    "code_inline": _read_inline_code,
    "softbreak": lambda token, marks, name_of: [text(" ", marks)],
    "hardbreak": lambda token, marks, name_of: [leaf("hardBreak")],
    "image": _read_image,
}
