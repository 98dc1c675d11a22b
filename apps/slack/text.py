"""Slack's text format: escaping, entities, mrkdwn parsed once, and its rich_text twin."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import Any, Literal

from world.core.json_types import JsonObject

# Grammar and escapes: docs.slack.dev/messaging/formatting-message-text
ENTITY = re.compile(
    r"<(?:@(?P<user>[UWB][A-Z0-9]*)|#(?P<channel>[CGD][A-Z0-9]*)|!subteam\^(?P<group>S[A-Z0-9]*)"
    r"|!(?P<range>here|channel|everyone)|!date\^(?P<date>\d+)\^(?P<format>[^|>]*)"
    r"|(?P<url>(?:https?://|mailto:|tel:|slack://)[^|<>\n]+))(?:\|(?P<label>[^<>\n]*))?>"
)
URL = re.compile(r"https?://[^\s<>|\"]+")
EMAIL = re.compile(r"(?<![\w.+@/-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.S)
EMOJI = re.compile(r":(?P<name>[a-z0-9_+'\-]*[a-z_+\-][a-z0-9_+'\-]*|100|1234|8ball)(?:::skin-tone-(?P<tone>[2-6]))?:")
_KNOWN = re.compile(r"&(?:amp|lt|gt);")
_LIST = re.compile(r"(?P<indent>[ \t]*)(?:(?P<bullet>[•◦▪\-]) |(?P<number>\d{1,3})\. )(?P<rest>.*)", re.S)
_MARKS = {"*": "bold", "_": "italic", "~": "strike"}
_OPEN = re.compile(r"<|`|:|[*_~]")

Style = frozenset[str]
PLAIN: Style = frozenset()
Kind = Literal["text", "link", "user", "channel", "usergroup", "broadcast", "emoji", "date"]


@dataclass(frozen=True, slots=True)
class Inline:
    """A piece of a line. `value` is unescaped text, an id, an address or an emoji's name; `label` what was written for
    it.
    """

    kind: Kind
    value: str
    style: Style = PLAIN
    label: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A run of lines. `kind`: section, preformatted, quote, bullet or ordered; a list has one tuple of pieces per item."""

    kind: Literal["section", "preformatted", "quote", "bullet", "ordered"]
    lines: tuple[tuple[Inline, ...], ...]
    indent: int = 0
    offset: int = 0


def escape(plain: str) -> str:
    """Plain text as Slack transports it."""
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def unescape(text: str) -> str:
    """The inverse of `escape`."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def normalise(text: str, *, links: bool = True) -> str:
    """Text as the service keeps it: stray control characters escaped, bare addresses made links outside code."""
    out, at = [], 0
    for match in ENTITY.finditer(text):
        out.append(_escape_stray_text(text[at : match.start()], links))
        out.append(match.group())
        at = match.end()
    out.append(_escape_stray_text(text[at:], links))
    return "".join(out)


def _escape_stray_text(text: str, links: bool) -> str:
    escaped = _escape_loose(text)
    if not links or ("://" not in escaped and "@" not in escaped):
        return escaped
    out, at = [], 0
    for match in CODE.finditer(escaped):
        out.append(_link_address(escaped[at : match.start()]))
        out.append(match.group())
        at = match.end()
    out.append(_link_address(escaped[at:]))
    return "".join(out)


def _escape_loose(text: str) -> str:
    if "&" in text:
        out, at = [], 0
        for match in _KNOWN.finditer(text):
            out.append(text[at : match.start()].replace("&", "&amp;"))
            out.append(match.group())
            at = match.end()
        out.append(text[at:].replace("&", "&amp;"))
        text = "".join(out)
    return text.replace("<", "&lt;").replace(">", "&gt;")


def _link_address(text: str) -> str:
    def bracket(match: re.Match[str]) -> str:
        url = match.group()
        for stop in ("&gt;", "&lt;"):
            url = url.split(stop, 1)[0]
        kept = url.rstrip(".,;:!?)'*_~") if "(" not in url else url.rstrip(".,;:!?'*_~")
        return f"<{kept}>{match.group()[len(kept) :]}" if "://" in kept and not kept.endswith("://") else match.group()

    if "://" in text:
        text = URL.sub(bracket, text)
    if "@" not in text:
        return text
    parts = re.split(r"(<[^<>]*>)", text)
    return "".join(part if n % 2 else EMAIL.sub(_link_mail, part) for n, part in enumerate(parts))


def _link_mail(match: re.Match[str]) -> str:
    address = match.group().rstrip(".-")
    return f"<mailto:{address}|{address}>{match.group()[len(address) :]}"


def link_names(text: str, user: Callable[[str], str | None], channel: Callable[[str], str | None]) -> str:
    """`@handle`, `#channel` and `@here` outside code and entities made entities; unknown names stay as written."""

    def name(match: re.Match[str]) -> str:
        sign, word = match.group(1), match.group(2)
        if sign == "@" and word in ("here", "channel", "everyone"):
            return f"<!{word}>"
        stem = word.rstrip(".-_")
        for candidate in (word, stem):
            entity = user(candidate) if sign == "@" else channel(candidate)
            if entity:
                return entity + word[len(candidate) :]
        return match.group()

    pieces = re.split(r"(```.*?```|`[^`\n]+`|<[^<>\n]*>)", text, flags=re.S)
    found = re.compile(r"(?<![\w&/@#.])([@#])([\w][\w.\-]*)")
    return "".join(piece if n % 2 else found.sub(name, piece) for n, piece in enumerate(pieces))


@dataclass(frozen=True, slots=True)
class Targets:
    """Targets of a text's mentions: user ids, user group ids, widest broadcast (`!here`, `!channel`, `!everyone`)."""

    users: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    broadcasts: tuple[str, ...] = ()


def find_mentions(text: str) -> Targets:
    """The people, groups and broadcasts a text mentions outside code, each once, in order."""
    if "<@" not in text and "<!" not in text:
        return Targets()
    bare = CODE.sub(" ", text) if "`" in text else text
    users: dict[str, None] = {}
    groups: dict[str, None] = {}
    ranges: dict[str, None] = {}
    for match in ENTITY.finditer(bare):
        if match["user"]:
            users[match["user"]] = None
        elif match["group"]:
            groups[match["group"]] = None
        elif match["range"]:
            ranges["!" + match["range"]] = None
    return Targets(tuple(users), tuple(groups), tuple(ranges))


@lru_cache(maxsize=4096)
def parse(text: str) -> tuple[Block, ...]:
    """Stored mrkdwn as blocks of lines."""
    out: list[Block] = []
    for n, piece in enumerate(re.split(r"```(.*?)```", text, flags=re.S) if "```" in text else [text]):
        if n % 2:
            _drop_newline(out)
            out.append(Block("preformatted", (tuple(_parse_verbatim(piece.strip("\n"))),)))
        elif piece:
            out.extend(_parse_lines(piece.removeprefix("\n") if n else piece))
    return tuple(out)


def _drop_newline(blocks: list[Block]) -> None:
    if blocks and blocks[-1].kind == "section" and blocks[-1].lines[-1] == ():
        kept = blocks[-1].lines[:-1]
        blocks[-1:] = [replace(blocks[-1], lines=kept)] if kept else []


def _parse_lines(text: str) -> Iterator[Block]:
    run: list[tuple[Inline, ...]] = []
    kind: Literal["section", "quote", "bullet", "ordered"] = "section"
    indent = offset = 0
    for line in text.split("\n"):
        shape, depth, start, rest = _parse_line(line)
        if run and (shape != kind or depth != indent):
            yield Block(kind, tuple(run), indent, offset)
            run = []
        if not run:
            kind, indent, offset = shape, depth, start
        run.append(tuple(parse_inline(rest)))
    if run:
        yield Block(kind, tuple(run), indent, offset)


def _parse_line(line: str) -> tuple[Literal["section", "quote", "bullet", "ordered"], int, int, str]:
    if line.startswith("&gt;"):
        return "quote", 0, 0, line[4:].removeprefix(" ")
    if (match := _LIST.fullmatch(line)) and match["rest"]:
        depth = len(match["indent"].replace("\t", "    ")) // 4
        if match["bullet"]:
            return "bullet", depth, 0, match["rest"]
        return "ordered", depth, max(0, int(match["number"]) - 1), match["rest"]
    return "section", 0, 0, line


def _parse_verbatim(text: str) -> Iterator[Inline]:
    at = 0
    for match in ENTITY.finditer(text):
        if match.start() > at:
            yield Inline("text", unescape(text[at : match.start()]))
        yield _parse_entity(match, PLAIN)
        at = match.end()
    if at < len(text):
        yield Inline("text", unescape(text[at:]))


def parse_inline(text: str, style: Style = PLAIN) -> list[Inline]:
    """The pieces of one line."""
    out: list[Inline] = []
    plain, at, dead = 0, 0, set[str]()

    def flush(upto: int) -> None:
        if upto > plain:
            out.append(Inline("text", unescape(text[plain:upto]), style))

    while (match := _OPEN.search(text, at)) is not None:
        start, sign = match.start(), match.group()
        taken = None if sign in dead else _take_styled(text, start, sign, style)
        if taken is None:
            if sign in _MARKS and _opens_style(text, start):
                dead.add(sign)
            at = start + 1
            continue
        pieces, at = taken
        flush(start)
        out.extend(pieces)
        plain = at
    flush(len(text))
    return out


def _take_styled(text: str, start: int, sign: str, style: Style) -> tuple[Sequence[Inline], int] | None:
    if sign == "<":
        found = ENTITY.match(text, start)
        return ([_parse_entity(found, style)], found.end()) if found else None
    if sign == ":":
        found = EMOJI.match(text, start)
        ok = found and (start == 0 or not text[start - 1].isalnum())
        return ([Inline("emoji", found[0].strip(":"), style)], found.end()) if found and ok else None
    if sign == "`":
        end = text.find("`", start + 1)
        if end <= start + 1:
            return None
        return [replace(piece, style=style | {"code"}) for piece in _parse_verbatim(text[start + 1 : end])], end + 1
    name = _MARKS[sign]
    if name in style or not _opens_style(text, start):
        return None
    end = _find_close(text, start + 1, sign)
    return None if end is None else (parse_inline(text[start + 1 : end], style | {name}), end + 1)


def _opens_style(text: str, at: int) -> bool:
    before = at == 0 or not (text[at - 1].isalnum() or text[at - 1] == text[at])
    return before and at + 1 < len(text) and not text[at + 1].isspace() and text[at + 1] != text[at]


def _find_close(text: str, at: int, sign: str) -> int | None:
    end = text.find(sign, at)
    while end != -1:
        after = end + 1 == len(text) or not (text[end + 1].isalnum() or text[end + 1] == sign)
        if end > at and not text[end - 1].isspace() and after and text.rfind("<", at, end) <= text.rfind(">", at, end):
            return end
        end = text.find(sign, end + 1)
    return None


def _parse_entity(match: re.Match[str], style: Style) -> Inline:
    label = unescape(match["label"] or "")
    pairs: tuple[tuple[str, Kind], ...] = (
        ("user", "user"),
        ("channel", "channel"),
        ("group", "usergroup"),
        ("range", "broadcast"),
        ("date", "date"),
    )
    for group, kind in pairs:
        if match[group]:
            return Inline(kind, match[group], style, label)
    return Inline("link", unescape(match["url"]), style, label)


def to_rich_text(text: str, block_id: str) -> JsonObject:
    """The rich_text block the service makes of a text: docs.slack.dev/reference/block-kit/blocks/rich-text-block."""
    return {"type": "rich_text", "block_id": block_id, "elements": _rich_elements(parse(text))}


def _rich_elements(blocks: Sequence[Block]) -> list[JsonObject]:
    out: list[JsonObject] = []
    for n, block in enumerate(blocks):
        if block.kind in ("bullet", "ordered"):
            out.append(_list_to_json(block))
            continue
        elements = _join_lines(block.lines)
        if block.kind == "section" and n + 1 < len(blocks) and blocks[n + 1].kind == "section":
            elements.append({"type": "text", "text": "\n"})
        if not elements:
            continue
        shape: JsonObject = {"type": f"rich_text_{block.kind}", "elements": elements}
        if block.kind == "preformatted":
            shape["border"] = 0
        out.append(shape)
    return out


def _list_to_json(block: Block) -> JsonObject:
    items = [
        {"type": "rich_text_section", "elements": [_piece_to_json(piece) for piece in line]} for line in block.lines
    ]
    shape: JsonObject = {"type": "rich_text_list", "style": block.kind, "indent": block.indent, "border": 0}
    if block.offset:
        shape["offset"] = block.offset
    return {**shape, "elements": items}


def _join_lines(lines: Iterable[Sequence[Inline]]) -> list[JsonObject]:
    out: list[JsonObject] = []
    for n, line in enumerate(lines):
        if n:
            _append_text(out, "\n")
        for piece in line:
            if piece.kind == "text" and not piece.style:
                _append_text(out, piece.value)
            else:
                out.append(_piece_to_json(piece))
    return out


def _append_text(out: list[dict[str, Any]], text: str) -> None:
    if out and out[-1]["type"] == "text" and "style" not in out[-1]:
        out[-1]["text"] += text
    elif text:
        out.append({"type": "text", "text": text})


_FIELD = {"user": "user_id", "channel": "channel_id", "usergroup": "usergroup_id", "broadcast": "range", "text": "text"}


def _piece_to_json(piece: Inline) -> JsonObject:
    shape: JsonObject
    if piece.kind == "link":
        shape = {"type": "link", "url": piece.value}
        if piece.label and piece.label != piece.value:
            shape["text"] = piece.label
    elif piece.kind == "emoji":
        name, _, tone = piece.value.partition("::skin-tone-")
        shape = {"type": "emoji", "name": name, **({"skin_tone": int(tone)} if tone else {})}
    elif piece.kind == "date":
        shape = {"type": "date", "timestamp": int(piece.value), "format": "{date_short}", "fallback": piece.label}
    else:
        shape = {"type": piece.kind, _FIELD[piece.kind]: piece.value}
    if piece.style:
        shape["style"] = {name: True for name in sorted(piece.style)}
    return shape


def from_rich_text(block: Mapping[str, object]) -> str:
    """The text of a rich_text block, as stored."""
    parts: list[str] = []
    for element in _iter_objects(block.get("elements")):
        kind = str(element.get("type", ""))
        if kind == "rich_text_list":
            parts.append(_list_text(element))
        elif kind == "rich_text_preformatted":
            parts.append(f"```{_inline_text(element)}```")
        elif kind == "rich_text_quote":
            parts.append("\n".join(f"&gt; {line}" for line in _inline_text(element).split("\n")))
        else:
            parts.append(_inline_text(element))
    return "\n".join(
        part.removesuffix("\n") if part.strip("\n") and n + 1 < len(parts) else part for n, part in enumerate(parts)
    )


def _list_text(element: Mapping[str, Any]) -> str:
    pad = "    " * int(element.get("indent") or 0)
    first = int(element.get("offset") or 0) + 1
    ordered = element.get("style") == "ordered"
    signs = (f"{first + n}." if ordered else "•" for n in range(len(element.get("elements") or ())))
    return "\n".join(
        f"{pad}{sign} {_inline_text(item)}"
        for sign, item in zip(signs, _iter_objects(element.get("elements")), strict=False)
    )


_SIGNS = (("bold", "*"), ("italic", "_"), ("strike", "~"), ("code", "`"))


def _inline_text(element: Mapping[str, object]) -> str:
    return _render_styled(list(_iter_objects(element.get("elements"))), 0)


def _render_styled(pieces: Sequence[Mapping[str, object]], depth: int) -> str:
    """Pieces that share a style get one pair of marks; blanks at their ends stay outside, where marks are read."""
    if depth == len(_SIGNS):
        return "".join(_render_bare_piece(piece) for piece in pieces)
    name, sign = _SIGNS[depth]
    out: list[str] = []
    for styled, run in groupby(pieces, key=lambda piece: _has_style(piece, name)):
        text = _render_styled(list(run), depth + 1)
        core = text if name == "code" else text.strip()
        if styled and core:
            lead = text[: text.index(core)]
            text = f"{lead}{sign}{core}{sign}{text[len(lead) + len(core) :]}"
        out.append(text)
    return "".join(out)


def _has_style(piece: Mapping[str, object], name: str) -> bool:
    style = piece.get("style")
    return isinstance(style, Mapping) and bool(style.get(name))


def _render_bare_piece(piece: Mapping[str, object]) -> str:
    kind = piece.get("type")
    if kind == "link":
        label = escape(str(piece.get("text") or ""))
        return f"<{escape(str(piece.get('url', '')))}{'|' + label if label else ''}>"
    if kind == "user":
        return f"<@{piece.get('user_id', '')}>"
    if kind == "channel":
        return f"<#{piece.get('channel_id', '')}>"
    if kind == "usergroup":
        return f"<!subteam^{piece.get('usergroup_id', '')}>"
    if kind == "broadcast":
        return f"<!{piece.get('range', 'here')}>"
    if kind == "emoji":
        tone = f"::skin-tone-{piece['skin_tone']}" if piece.get("skin_tone") else ""
        return f":{piece.get('name', '')}{tone}:"
    if kind == "date":
        return (
            f"<!date^{piece.get('timestamp', 0)}^{piece.get('format', '')}|{escape(str(piece.get('fallback') or ''))}>"
        )
    return escape(str(piece.get("text", "")))


def _iter_objects(value: object) -> Iterator[Mapping[str, object]]:
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, Mapping))


def to_plain(text: str, name: Callable[[Inline], str]) -> str:
    """One readable string for notifications and previews; `name` says what to show for a mention."""
    lines: list[str] = []
    for block in parse(text):
        for line in block.lines:
            lines.append("".join(_render_plain_piece(piece, name) for piece in line))
    return "\n".join(lines)


def _render_plain_piece(piece: Inline, name: Callable[[Inline], str]) -> str:
    if piece.kind in ("user", "channel", "usergroup"):
        return name(piece)
    if piece.kind == "broadcast":
        return f"@{piece.value}"
    if piece.kind == "emoji":
        return f":{piece.value}:"
    return piece.label or piece.value
