"""A body as Markdown: CommonMark with tables, strikethrough and task lists; mentions as @Name."""

import re
from collections.abc import Callable, Sequence

from apps.jira.bodies.adf import Adf, Node, attr, children, marks_of
from apps.jira.bodies.plain_text import date_text, inline_text, mention_text

_BREAK = "\\\n"
_ESCAPED = re.compile(r"[\\`*\[\]]|<(?=[A-Za-z/!?])|~(?=~)|(?<=~)~|_(?![^\W_])|(?<![^\W_])_|&(?=#?\w{1,31};)")
_START = re.compile(r"(?:#{1,6}(?=\s|$)|[-+=>]|~~~|\d{1,9}[.)](?=\s|$))")
_WRAPS = {"strong": "**", "em": "*", "strike": "~~"}
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)


def to_markdown(body: Adf) -> str:
    """The Markdown of a body."""
    return _render_blocks(children(body))


def _render_blocks(nodes: Sequence[Node], gap: str = "\n\n") -> str:
    parts: list[str] = []
    previous, flip = "", False
    for node in nodes:
        family = _FAMILIES.get(node["type"], "")
        flip = not flip if family and family == previous else False  # another marker keeps neighbouring lists apart
        said = _LISTS[node["type"]](node, flip) if family else _BLOCKS[node["type"]](node)
        if said:
            parts.append(said)
            previous = family
    return gap.join(parts)


def _indent(said: str, prefix: str) -> str:
    return "\n".join(prefix + line if line else line for line in said.split("\n"))


def _render_paragraph(node: Node) -> str:
    return _render_inline(children(node), _BREAK)


def _render_heading(node: Node) -> str:
    return f"{'#' * attr(node, 'level')} {_render_inline(children(node), ' ')}"


def _render_code_block(node: Node) -> str:
    words = "".join(child["text"] for child in children(node))
    longest = max((len(found[1]) for found in _FENCE.finditer(words)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{attr(node, 'language').replace('`', '')}\n{words}\n{fence}"


def _render_quote(node: Node) -> str:
    return "\n".join(f"> {line}".rstrip() for line in _render_blocks(children(node)).split("\n"))


def _render_ordered_list(node: Node, flip: bool) -> str:
    start, end = int(attr(node, "order", 1)), ")" if flip else "."
    return "\n".join(_render_item(item, f"{start + index}{end} ") for index, item in enumerate(children(node)))


def _render_bullet_list(node: Node, flip: bool) -> str:
    return "\n".join(_render_item(item, "* " if flip else "- ") for item in children(node))


def _render_decisions(node: Node, flip: bool) -> str:
    return "\n".join(f"{'*' if flip else '-'} {_render_inline(children(item), ' ')}" for item in children(node))


def _render_item(item: Node, marker: str) -> str:
    lists = all(child["type"] != "paragraph" for child in children(item)[1:])
    said = _render_blocks(children(item), "\n" if lists else "\n\n")
    return marker + _indent(said, " " * len(marker)).lstrip()


def _render_task_list(node: Node, flip: bool) -> str:
    return "\n".join(_render_task(item, "*" if flip else "-") for item in children(node))


def _render_task(item: Node, marker: str) -> str:
    if item["type"] == "taskList":
        return _indent(_render_task_list(item, flip=False), "  ")
    return f"{marker} [{'x' if attr(item, 'state') == 'DONE' else ' '}] {_render_inline(children(item), ' ')}"


def _render_table(node: Node) -> str:
    rows = [[_render_cell(cell) for cell in children(row)] for row in children(node)]
    width = max((len(row) for row in rows), default=0)
    lines = [f"| {' | '.join([*row, *[''] * (width - len(row))])} |" for row in rows]
    return "\n".join([*lines[:1], "|" + " --- |" * width, *lines[1:]])


def _render_cell(cell: Node) -> str:
    parts = (
        _render_inline(children(n), " ") if n["type"] in ("paragraph", "heading") else _BLOCKS[n["type"]](n)
        for n in children(cell)
    )
    return " ".join(part for part in parts if part).replace("\n", " ").replace("|", "\\|")


def _render_media(node: Node) -> str:
    source = attr(node, "url") or f"attachment:{attr(node, 'id')}"
    return f"![{_escape(attr(node, 'alt'))}]({_escape_target(source)})"


def _render_expand(node: Node) -> str:
    title = attr(node, "title")
    return (f"**{_escape(title)}**\n\n" if title else "") + _render_blocks(children(node))


_BLOCKS: dict[str, Callable[[Node], str]] = {
    "paragraph": _render_paragraph,
    "heading": _render_heading,
    "codeBlock": _render_code_block,
    "blockquote": _render_quote,
    "panel": _render_quote,
    "rule": lambda node: "---",
    "table": _render_table,
    "expand": _render_expand,
    "nestedExpand": _render_expand,
    "mediaSingle": lambda node: _render_blocks(children(node), "\n"),
    "mediaGroup": lambda node: _render_blocks(children(node), "\n"),
    "media": _render_media,
    "caption": _render_paragraph,
    "blockCard": lambda node: f"<{_escape_target(attr(node, 'url'))}>",
    "embedCard": lambda node: f"<{_escape_target(attr(node, 'url'))}>",
}


_LISTS: dict[str, Callable[[Node, bool], str]] = {
    "bulletList": _render_bullet_list,
    "orderedList": _render_ordered_list,
    "taskList": _render_task_list,
    "decisionList": _render_decisions,
}
_FAMILIES = {"bulletList": "-", "taskList": "-", "decisionList": "-", "orderedList": "1"}


def _escape_target(href: str) -> str:
    return re.sub(r"[\s<>()\\]", lambda found: f"%{ord(found[0]):02X}", str(href))


def _escape(words: str) -> str:
    return _ESCAPED.sub(lambda found: "\\" + found[0], words)


def _render_inline(nodes: Sequence[Node], line_break: str) -> str:
    out: list[str] = []
    fresh = True
    for node in nodes:
        said = (
            _INLINES.get(node["type"], lambda item: _escape(inline_text(item)))(node)
            if node["type"] != "hardBreak"
            else line_break
        )
        if fresh and node["type"] == "text" and not node.get("marks"):
            said = (
                _START.sub(lambda found: _escape_list_marker(found[0]), said, count=1) if _START.match(said) else said
            )
        out.append(said)
        fresh = node["type"] == "hardBreak"
    return "".join(out)


def _escape_list_marker(found: str) -> str:
    return f"{found[:-1]}\\{found[-1]}" if found[0].isdigit() else "\\" + found


def _render_text(node: Node) -> str:
    marks, words = marks_of(node), node["text"].replace("\n", " ")
    if "code" in marks:
        said = _render_code_span(words)
    else:
        said = _wrap_emphasis(words, [_WRAPS[kind] for kind in marks if kind in _WRAPS])
    return _render_link(said, marks["link"]["attrs"]["href"], words) if "link" in marks else said


def _wrap_emphasis(words: str, wraps: list[str]) -> str:
    """Wrapped words; the space around them stays outside, as Markdown asks."""
    core = words.strip()
    if not wraps or not core:
        return _escape(words)
    start = words.index(core)
    before, after = words[:start], words[start + len(core) :]
    return before + "".join(wraps) + _escape(core) + "".join(reversed(wraps)) + after


def _render_code_span(words: str) -> str:
    longest = max((len(run) for run in re.findall(r"`+", words)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if words[:1] in "` " or words[-1:] in "` " else ""
    return f"{ticks}{pad}{words}{pad}{ticks}"


def _render_link(said: str, href: str, words: str) -> str:
    plain = words == href and re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]+:[^\s<>\\]*", href)
    return f"<{href}>" if plain else f"[{said}]({_escape_target(href)})"


_INLINES: dict[str, Callable[[Node], str]] = {
    "text": _render_text,
    "mention": lambda node: _escape(mention_text(node)),
    "date": date_text,
    "status": lambda node: f"**{_escape(inline_text(node))}**",
    "inlineCard": lambda node: f"<{_escape_target(attr(node, 'url'))}>",
    "mediaInline": lambda node: f"[{_escape(inline_text(node))}](attachment:{_escape_target(attr(node, 'id'))})",
}
