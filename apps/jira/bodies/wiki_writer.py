"""A body as wiki markup, escaped so that reading it gives the same body back where the notation can say it."""

import re
from collections.abc import Callable, Sequence

from apps.jira.bodies.adf import Adf, Mark, Node, attr, children, dumps, marks_of
from apps.jira.bodies.emoji import EMOTICONS, NOTATIONS
from apps.jira.bodies.plain_text import date_text, inline_text
from apps.jira.bodies.wiki_parser import PANEL_COLOURS

_WRAPS = {"strong": "*", "em": "_", "strike": "-", "underline": "+"}
_SUBSUP = {"sup": "^", "sub": "~"}
_MARKERS = "*_-+^~"
_START = re.compile(r"(?:h[1-6]\.|bq\.|[*#]+ |- |-{4,}|\|)")
_EMOTICON = re.compile("|".join(re.escape(word) for word in sorted(EMOTICONS, key=len, reverse=True)))
_IN_CODE = {ord("\\"): "&#92;", ord("{"): "&#123;", ord("}"): "&#125;", ord("\n"): " "}
_IN_LINK = {ord("|"): "&#124;", ord("["): "&#91;", ord("]"): "&#93;"}
_BAR = re.compile(r"(?<!\\)\|")
_HREF = {ord(char): f"%{ord(char):02X}" for char in ' \\|[]{}"<>\n\t'}
_CLOSING = frozenset(" \n\t.,;:!?)")


def to_wiki(body: Adf) -> str:
    """The wiki markup of a body."""
    return _render_blocks(children(body))


def _render_blocks(nodes: Sequence[Node]) -> str:
    return "\n\n".join(part for part in (_render_block(node) for node in nodes) if part)


def _render_block(node: Node) -> str:
    write = _BLOCKS.get(node["type"])
    return write(node) if write else _render_embedded(node)


def _render_embedded(node: Node) -> str:
    """A node the notation has no words for, as Jira Cloud writes it: JSON in an adf macro."""
    json = dumps(node).replace("{adf", "\\u007badf")
    return f"{{adf:display=block}}\n{json}\n{{adf}}"


def _render_paragraph(node: Node) -> str:
    return _render_inline(children(node), "\n")


def _render_heading(node: Node) -> str:
    return f"h{attr(node, 'level')}. {_render_inline(children(node), _BREAK)}"


_BREAK = "\\\\ "


def _render_code_block(node: Node) -> str:
    words = "".join(child["text"] for child in children(node))
    language = attr(node, "language")
    macro = "code" if language else "noformat"
    if f"{{{macro}" in words or re.search(r"[{}|=\n]", language):
        return _render_embedded(node)
    return f"{{{macro}:{language}}}\n{words}\n{{{macro}}}" if language else f"{{{macro}}}\n{words}\n{{{macro}}}"


def _render_quote(node: Node) -> str:
    return f"{{quote}}\n{_render_blocks(children(node))}\n{{quote}}"


def _render_panel(node: Node) -> str:
    kind = attr(node, "panelType")
    colour = (
        attr(node, "panelColor") if kind == "custom" else PANEL_COLOURS.get("success" if kind == "tip" else kind, "")
    )
    plain = not colour or not re.fullmatch(r"#[0-9a-fA-F]{6}", colour)
    return f"{{panel{'' if plain else f':bgColor={colour}'}}}\n{_render_blocks(children(node))}\n{{panel}}"


def _render_list(node: Node, marker: str = "") -> str:
    own = marker + ("#" if node["type"] == "orderedList" else "*")
    return "\n".join(_render_item(item, own) for item in children(node))


def _render_item(item: Node, marker: str) -> str:
    lines: list[str] = []
    for child in children(item):
        if child["type"] in ("bulletList", "orderedList"):
            lines.append(_render_list(child, marker))
        elif child["type"] == "paragraph" and not lines:
            lines.append(f"{marker} {_render_inline(children(child), _BREAK)}")
        elif child["type"] == "paragraph":
            lines.append(_render_inline(children(child), _BREAK))
        else:
            lines.append((f"{marker} \n" if not lines else "") + _render_block(child))
    return "\n".join(lines)


def _render_table(node: Node) -> str:
    return "\n".join(_render_row(row) for row in children(node))


def _render_row(row: Node) -> str:
    out, last = "", "|"
    for cell in children(row):
        last = "||" if cell["type"] == "tableHeader" else "|"
        out += f"{last}{_render_cell(cell) or ' '}"
    return out + last


def _render_cell(cell: Node) -> str:
    parts = (
        _render_inline(children(n), _BREAK, table=True)
        if n["type"] in ("paragraph", "heading")
        else _render_on_one_line(n)
        for n in children(cell)
    )
    return _BREAK.join(part for part in parts if part)


def _render_on_one_line(node: Node) -> str:
    """A block inside a table cell, on one line."""
    return _render_block(node).replace("\n", _BREAK).replace("|", "\\|")


def _render_media_single(node: Node) -> str:
    return "\n".join(_render_media(child) for child in children(node) if child["type"] == "media")


def _render_media(node: Node) -> str:
    name = attr(node, "url") or attr(node, "id") or attr(node, "alt")
    sizes = ",".join(f"{side}={attr(node, side)}" for side in ("width", "height") if attr(node, side))
    return f"!{name}{f'|{sizes}' if sizes else ''}!"


_BLOCKS: dict[str, Callable[[Node], str]] = {
    "paragraph": _render_paragraph,
    "heading": _render_heading,
    "codeBlock": _render_code_block,
    "blockquote": _render_quote,
    "panel": _render_panel,
    "bulletList": _render_list,
    "orderedList": _render_list,
    "rule": lambda node: "----",
    "table": _render_table,
    "mediaSingle": _render_media_single,
    "mediaGroup": _render_media_single,
    "blockCard": lambda node: f"[{attr(node, 'url')}|{attr(node, 'url')}|smart-card]",
    "embedCard": lambda node: f"[{attr(node, 'url')}|{attr(node, 'url')}|smart-embed]",
}


def _render_inline(nodes: Sequence[Node], line_break: str, *, table: bool = False) -> str:
    out: list[str] = []
    tail = "\n"
    for index, node in enumerate(nodes):
        following = _first_character(nodes[index + 1], line_break) if index + 1 < len(nodes) else " "
        piece = _INLINES[node["type"]](node, tail, following, line_break)
        if table and node["type"] == "text" and not {"link", "code"} & set(marks_of(node)):
            piece = _BAR.sub(r"\\|", piece)
        out.append(piece)
        tail = piece[-1:] or tail
    return "".join(out)


def _first_character(node: Node, line_break: str) -> str:
    """The character a node will begin with, as far as its neighbour must know."""
    if node["type"] == "text":
        return "x" if node.get("marks") else str(node["text"][0])
    return line_break[0] if node["type"] == "hardBreak" else "("


def _render_text(node: Node, tail: str, following: str, line_break: str) -> str:
    marks = marks_of(node)
    if "code" in marks:
        table = _IN_CODE | _IN_LINK if "link" in marks else _IN_CODE
        said = "{{" + re.sub(r"&(?=#)", "&#38;", node["text"]).translate(table) + "}}"
    else:
        alone = not (set(marks) - {"annotation", "backgroundColor"})
        said = _escape_text(node["text"], tail if alone else "\0", following if alone else "\0", tail == "\n" and alone)
    for kind in reversed(list(marks)):
        said = _wrap_mark(said, marks[kind], node["text"], tail, following, len(marks) > 1)
    return said


def _wrap_mark(said: str, mark: Mark, words: str, tail: str, following: str, several: bool) -> str:
    kind = mark["type"]
    if kind == "link":
        return _render_link(said, mark["attrs"]["href"], words, plain=not several)
    if kind == "textColor":
        return f"{{color:{mark['attrs']['color']}}}{said}{{color}}"
    marker = _SUBSUP.get(mark["attrs"]["type"], "") if kind == "subsup" else _WRAPS.get(kind, "")
    if not marker:
        return said
    clear = not several and (tail.isspace() or tail == "(") and following in _CLOSING
    tight = not (
        words[0].isspace() or words[-1].isspace() or words[0] in _MARKERS or words[-1] in _MARKERS or words[-1] == "\\"
    )
    return f"{marker}{said}{marker}" if clear and tight else f"{{{marker}}}{said}{{{marker}}}"


def _render_link(said: str, href: str, words: str, *, plain: bool) -> str:
    target = href.translate(_HREF)
    return f"[{target}]" if plain and words == href == target else f"[{_BAR.sub(chr(92) * 2 + '|', said)}|{target}]"


def _escape_text(words: str, tail: str, following: str, at_start: bool) -> str:
    """Text with a backslash before what would be read as markup."""
    out: list[str] = []
    if at_start and (start := _START.match(words)):
        skipped = start[0] if start[0][0] in "hb" else ""
        out.append(skipped[:-1] + "\\." if skipped else "\\" + words[0])
        position = len(skipped) or 1
    else:
        position = 0
    end = len(words)
    while position < end:
        before = words[position - 1] if position else tail
        after = words[position + 1] if position + 1 < end else following
        out.append(_escape_character(words, position, before, after))
        position += 1
    return "".join(out)


def _escape_character(words: str, at: int, before: str, after: str) -> str:
    char = words[at]
    if char in _PLAIN_CHARACTERS:
        return char
    if char == "\\":
        return "&#92;" if after == "\0" or not (after.isalnum() or after == " ") or at + 1 == len(words) else char
    if char == "&":
        return "&#38;" if after == "#" else char
    if char in "{[]":
        return "\\" + char
    if char in _MARKERS:
        return "\\" + char if _could_be_mark(before, after) else char
    return _escape_rare(words, at, char, before, after)


_PLAIN_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,'\"/")


def _could_be_mark(before: str, after: str) -> bool:
    """Whether a marker between two characters could open, close or make a dash."""
    opens = not after.isspace() and not before.isalnum()
    closes = not before.isspace() and not after.isalnum()
    return opens or closes or "-" in (before, after)


def _escape_rare(words: str, at: int, char: str, before: str, after: str) -> str:
    if char == "!" and not before.isalnum() and not after.isspace():
        return "\\!"
    if char == "?" and "?" in (before, after):
        return "\\?"
    if char in ":;(" and not before.isalnum() and _EMOTICON.match(words, at):
        return "\\" + char
    return " " if char == "\n" else char


def _render_emoji(node: Node, tail: str, following: str, line_break: str) -> str:
    notation = NOTATIONS.get(attr(node, "shortName"))
    if notation and not tail.isalnum() and not following.isalnum():
        return notation
    return str(attr(node, "text") or attr(node, "shortName"))


def _render_card(node: Node, tail: str, following: str, line_break: str) -> str:
    url = str(attr(node, "url")).translate(_HREF)
    return f"[{url}|{url}|smart-link]"


def _render_file(node: Node, tail: str, following: str, line_break: str) -> str:
    return f"[^{attr(node, 'alt') or attr(node, 'id')}]"


def _render_mention(node: Node, tail: str, following: str, line_break: str) -> str:
    return f"[~accountid:{str(attr(node, 'id')).removeprefix('accountid:')}]"


_INLINES: dict[str, Callable[[Node, str, str, str], str]] = {
    "text": _render_text,
    "hardBreak": lambda node, tail, following, line_break: line_break,
    "mention": _render_mention,
    "emoji": _render_emoji,
    "inlineCard": _render_card,
    "mediaInline": _render_file,
    "date": lambda node, tail, following, line_break: date_text(node),
    "status": lambda node, tail, following, line_break: f"*[ {inline_text(node)} ]*",
    "placeholder": lambda node, tail, following, line_break: inline_text(node),
}
