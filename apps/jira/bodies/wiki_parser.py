"""Wiki markup as a body: macros, headings, lists, tables, quotes and rules, each read once from top to bottom.

Notation: jira.atlassian.com/secure/WikiRendererHelpAction.jspa?section=all
"""

import re
from dataclasses import dataclass, field

import orjson

from apps.jira.bodies.adf import Adf, Node, block, children, doc, leaf, mark, text, validate
from apps.jira.bodies.nesting import LEVELS, fit_children
from apps.jira.bodies.plain_text import text_with_breaks
from apps.jira.bodies.wiki_inline import NameOf, is_media_name, read_inline

RAW = frozenset({"code", "noformat", "adf"})
PANELS = {
    "info": "info",
    "note": "note",
    "warning": "warning",
    "tip": "success",
    "success": "success",
    "error": "error",
}
# Background colours by which a panel of each kind is written; the editor's palette.
PANEL_COLOURS = {"info": "#deebff", "note": "#eae6ff", "success": "#e3fcef", "warning": "#fffae6", "error": "#ffebe6"}
_KINDS_BY_COLOUR = {colour: kind for kind, colour in PANEL_COLOURS.items()}

_MACRO = re.compile(
    r"(?<![\\{])(?:\{(code|noformat|quote|panel|info|note|warning|tip|success|error)(?::([^{}\n]{0,500}))?\}|\{(adf)(?::([^{}\n]{0,100}))?\})(?!\})"
)
_HEADING = re.compile(r"h([1-6])\.[ \t]+(.*)")
_QUOTE = re.compile(r"bq\.[ \t]+(.*)")
_RULE = re.compile(r"-{4,}[ \t]*$")
_ITEM = re.compile(r"([*#]+|-)[ \t]+(.*)")
_IMAGE = re.compile(r"!([^!\n|\s][^!\n|]{0,500})(?:\|([^!\n]{0,500}))?![ \t]*$")
_CELL = re.compile(r"\\.|\[(?:[^\[\]\n\\]|\\.)*\]|\{\{[^{}\n]*\}\}|\|\||\||[^\\|\[{]+|[\\\[{]")
_PARAMETER = re.compile(r"([\w]+)=([^|]*)")


def from_wiki(words: str, name_of: NameOf | None = None) -> Adf:
    """The body of wiki markup; `name_of` gives the display name of a mentioned accountId."""
    tidy = words.replace("\r\n", "\n").replace("\r", "\n")
    return doc(fit_children(_read_macros(tidy, name_of), "doc"))


@dataclass(slots=True)
class _Container:
    name: str
    parameters: str
    content: list[Node] = field(default_factory=list)


def _read_macros(words: str, name_of: NameOf | None) -> list[Node]:
    """Blocks of the whole text: what macros enclose, and the markup between them."""
    found = list(_MACRO.finditer(words))
    closers = _find_closers(found)
    stack = [_Container("", "")]
    at = index = 0
    while index < len(found):
        macro, name, parameters = found[index], _macro_name(found[index]), _macro_parameters(found[index])
        inside = next((place for place in range(len(stack) - 1, 0, -1) if stack[place].name == name), None)
        closer = closers[index]
        if inside is None and closer is None:
            index += 1
            continue
        stack[-1].content += _read_blocks(words[at : macro.start()], name_of)
        if name in RAW and closer is not None:
            stack[-1].content += _read_raw_macro(name, parameters, words[macro.end() : found[closer].start()])
            macro, index = found[closer], closer
        elif inside is not None:
            _close_container(stack, inside)
        else:
            stack.append(_Container(name, parameters))
        at, index = macro.end(), index + 1
    stack[-1].content += _read_blocks(words[at:], name_of)
    _close_container(stack, 1)
    return stack[0].content


def _macro_name(macro: re.Match[str]) -> str:
    return str(macro[1] or macro[3])


def _macro_parameters(macro: re.Match[str]) -> str:
    return macro[2] or macro[4] or ""


def _find_closers(found: list[re.Match[str]]) -> list[int | None]:
    """For each macro the next of its name that could close it."""
    later: dict[str, int] = {}
    out: list[int | None] = [None] * len(found)
    for index in range(len(found) - 1, -1, -1):
        name = _macro_name(found[index])
        out[index] = later.get(name)
        if not _macro_parameters(found[index]):
            later[name] = index
    return out


def _close_container(stack: list[_Container], place: int) -> None:
    """End a container and all that are still open inside it."""
    while len(stack) > place:
        done = stack.pop()
        stack[-1].content += _container_nodes(done)


def _container_nodes(container: _Container) -> list[Node]:
    if container.name == "quote":
        return [block("blockquote", fit_children(container.content, "blockquote"))]
    parameters = dict(_PARAMETER.findall(container.parameters))
    title = parameters.get("title", "").strip()
    heading = [block("paragraph", [text(title, [mark("strong")])])] if title else []
    return [
        block(
            "panel", fit_children([*heading, *container.content], "panel"), **_panel_attrs(container.name, parameters)
        )
    ]


def _panel_attrs(name: str, parameters: dict[str, str]) -> dict[str, str]:
    if name in PANELS:
        return {"panelType": PANELS[name]}
    colour = parameters.get("bgColor", "").strip().lower()
    if colour in _KINDS_BY_COLOUR:
        return {"panelType": _KINDS_BY_COLOUR[colour]}
    return (
        {"panelType": "custom", "panelColor": colour}
        if re.fullmatch(r"#[0-9a-f]{6}", colour)
        else {"panelType": "info"}
    )


def _read_raw_macro(name: str, parameters: str, inside: str) -> list[Node]:
    if name == "adf":
        return _read_embedded(inside)
    words = inside.removeprefix("\n").removesuffix("\n")
    language = next((part.strip() for part in parameters.split("|") if part.strip() and "=" not in part), "")
    attrs = {"language": language.lower()} if name == "code" and language else {}
    return [block("codeBlock", [text(words)] if words else [], **attrs)]


def _read_embedded(inside: str) -> list[Node]:
    """A node written as JSON, when it is one the format knows; else the text as it stands."""
    try:
        node = orjson.loads(inside)
        validate({"type": "doc", "version": 1, "content": [node]})
    except ValueError:
        return [block("paragraph", text_with_breaks(inside.strip()))] if inside.strip() else []
    return [node]


@dataclass(slots=True)
class _Lines:
    """Markup between macros, line by line."""

    lines: list[str]
    name_of: NameOf | None
    at: int = 0
    out: list[Node] = field(default_factory=list)
    paragraph: list[str] = field(default_factory=list)

    def inline(self, words: str) -> list[Node]:
        return read_inline(words, self.name_of)

    def flush(self) -> None:
        if self.paragraph:
            self.out.append(block("paragraph", self.inline("\n".join(self.paragraph))))
            self.paragraph = []


def _read_blocks(words: str, name_of: NameOf | None) -> list[Node]:
    reader = _Lines(words.split("\n"), name_of)
    while reader.at < len(reader.lines):
        line = reader.lines[reader.at].strip()
        reader.at += 1
        if not line:
            reader.flush()
        elif not _read_special_block(reader, line):
            reader.paragraph.append(line)
    reader.flush()
    return reader.out


def _read_special_block(reader: _Lines, line: str) -> bool:
    """Read a line that starts a block of its own, and those that belong to it."""
    made: list[Node]
    if found := _HEADING.match(line):
        made = [block("heading", reader.inline(found[2].strip()), level=int(found[1]))]
    elif found := _QUOTE.match(line):
        made = [block("blockquote", [block("paragraph", reader.inline(found[1].strip()))])]
    elif _RULE.match(line):
        made = [leaf("rule")]
    elif line.startswith("|"):
        made = [_read_table(reader, line)]
    elif found := _ITEM.match(line):
        made = _read_lists(reader, found)
    elif (image := _IMAGE.match(line)) and is_media_name(image[1]):
        made = [_read_media(image)]
    else:
        return False
    reader.flush()
    reader.out += made
    return True


def _read_media(found: re.Match[str]) -> Node:
    sizes = {name: int(value) for name, value in re.findall(r"\b(width|height)=(\d{1,5})\b", found[2] or "")}
    if re.match(r"https?://", found[1], re.IGNORECASE):
        return block("mediaSingle", [leaf("media", type="external", url=found[1], **sizes)], layout="center")
    return block("mediaSingle", [leaf("media", type="file", id=found[1], collection="", **sizes)], layout="center")


def _read_lists(reader: _Lines, first: re.Match[str]) -> list[Node]:
    """Read consecutive list items; a line that is no item continues the one before."""
    items: list[tuple[str, list[str]]] = [(first[1], [first[2]])]
    while reader.at < len(reader.lines):
        line = reader.lines[reader.at].strip()
        if found := _ITEM.match(line):
            items.append((found[1], [found[2]]))
        elif line and not _starts_block(line):
            items[-1][1].append(line)
        else:
            break
        reader.at += 1
    return _nest_items(reader, items)


def _starts_block(line: str) -> bool:
    return bool(
        _HEADING.match(line) or _QUOTE.match(line) or _RULE.match(line) or line.startswith("|") or _IMAGE.match(line)
    )


def _nest_items(reader: _Lines, items: list[tuple[str, list[str]]]) -> list[Node]:
    tops: list[Node] = []
    open_lists: list[tuple[str, Node]] = []
    for marker, lines in items:
        kinds = ["orderedList" if char == "#" else "bulletList" for char in marker[:LEVELS]]
        shared = 0
        while shared < min(len(kinds), len(open_lists)) and open_lists[shared][0] == kinds[shared]:
            shared += 1
        del open_lists[shared:]
        for kind in kinds[shared:]:
            made = block(kind)
            _place_list(made, open_lists, tops)
            open_lists.append((kind, made))
        item = block("listItem", [block("paragraph", reader.inline("\n".join(lines).strip()))])
        children(open_lists[-1][1]).append(item) if open_lists[-1][1].get("content") else open_lists[-1][1].update(
            content=[item]
        )
    return tops


def _place_list(made: Node, open_lists: list[tuple[str, Node]], tops: list[Node]) -> None:
    if not open_lists:
        tops.append(made)
        return
    parent = open_lists[-1][1]
    if not parent["content"]:
        parent["content"].append(block("listItem", [block("paragraph")]))
    parent["content"][-1]["content"].append(made)


def _read_table(reader: _Lines, first: str) -> Node:
    rows = [first]
    while reader.at < len(reader.lines):
        line = reader.lines[reader.at].strip()
        if not line or (not line.startswith("|") and rows[-1].endswith("|")):
            break
        if line.startswith("|"):
            rows.append(line)
        else:
            rows[-1] += f"\n{line}"
        reader.at += 1
    return block("table", [_read_row(reader, row) for row in rows])


def _read_row(reader: _Lines, row: str) -> Node:
    cells: list[tuple[str, list[str]]] = []
    for token in _CELL.findall(row):
        if token in ("|", "||"):
            cells.append(("tableHeader" if token == "||" else "tableCell", []))
        elif cells:
            cells[-1][1].append(token)
    if len(cells) > 1 and not "".join(cells[-1][1]).strip():
        cells.pop()
    return block(
        "tableRow", [block(kind, [block("paragraph", reader.inline("".join(said).strip()))]) for kind, said in cells]
    )
