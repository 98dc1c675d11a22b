"""Wiki markup inside a block: phrases, links, mentions, images, emoticons and escapes, read in one pass.

Notation: jira.atlassian.com/secure/WikiRendererHelpAction.jspa?section=all
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from apps.jira.bodies.adf import Mark, Node, leaf, link_mark, mark, merge_text_nodes, text
from apps.jira.bodies.emoji import EMOTICONS, emoji_node

NameOf = Callable[[str], str | None]

PHRASES = {"*": "strong", "_": "em", "-": "strike", "+": "underline", "^": "sup", "~": "sub"}
COLOURS = {
    "red": "#ff0000",
    "green": "#008000",
    "blue": "#0000ff",
    "yellow": "#ffff00",
    "orange": "#ffa500",
    "purple": "#800080",
    "gray": "#808080",
    "grey": "#808080",
    "black": "#000000",
    "white": "#ffffff",
    "brown": "#a52a2a",
    "pink": "#ffc0cb",
    "teal": "#008080",
    "navy": "#000080",
    "maroon": "#800000",
    "olive": "#808000",
    "silver": "#c0c0c0",
    "lime": "#00ff00",
}
SAFE_LINK = re.compile(r"(?:https?|ftp|mailto|tel):|[/#]", re.IGNORECASE)
ESCAPABLE = frozenset("*_-+^~{}[]|!?#.:;(),'\"<>&@=/%$`\\")

_PLAIN = re.compile(r"(?:[^\\&\n{\[!*_\-+^~?:;(hfm]|h(?!ttps?://)|f(?!tp://)|m(?!ailto:))+", re.IGNORECASE)
_ENTITY = re.compile(r"&#(\d{1,7});")
_LINK = re.compile(r"\[((?:[^\[\]\n\\]|\\.)+)\]")
_IMAGE = re.compile(r"!([^!\n|\s][^!\n|]{0,500})(?:\|([^!\n]{0,500}))?!")
_COLOUR = re.compile(r"\{color(?::([#\w]{1,30}))?\}")
_FORCED = re.compile(r"\{([*_\-+^~])\}")
_URL = re.compile(
    r"(?:https?|ftp)://[^\s\[\]{}|<>\"'\\]+|mailto:[^\s\[\]{}|<>\"'\\@]{1,64}@[^\s\[\]{}|<>\"'\\]{1,255}", re.IGNORECASE
)
_EMOTICON = re.compile("|".join(re.escape(word) for word in sorted(EMOTICONS, key=len, reverse=True)))
_DASH = re.compile(r"(?<=\s)(---?)(?=\s)")


def read_inline(words: str, name_of: NameOf | None = None) -> list[Node]:
    """Inline nodes of a piece of wiki markup."""
    if _PLAIN.fullmatch(words):
        return [text(words)]
    return merge_text_nodes(_Reader(words, name_of).read()) if words else []


@dataclass(slots=True)
class _Piece:
    node: Node
    marks: list[Mark] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Open:
    kind: str
    at: int
    mark: Mark


class _Reader:
    """Reads from left to right; an opening mark waits on a stack and is plain text if nothing closes it."""

    def __init__(self, words: str, name_of: NameOf | None) -> None:
        self.words, self.name_of = words, name_of
        self.at = 0
        self.pieces: list[_Piece] = []
        self.open: list[_Open] = []
        self.next: dict[str, int] = {}
        self.rules: dict[str, Callable[[], bool]] = {
            "\\": self.backslash,
            "&": self.entity,
            "\n": self.newline,
            "{": self.brace,
            "[": self.bracket,
            "!": self.image,
            "?": self.citation,
            ":": self.emoticon,
            ";": self.emoticon,
            "(": self.emoticon,
            **dict.fromkeys(PHRASES, self.phrase),
            **dict.fromkeys("hfmHFM", self.url),
        }

    def read(self) -> list[Node]:
        while self.at < len(self.words):
            if plain := _PLAIN.match(self.words, self.at):
                self.say(plain[0], len(plain[0]))
            elif not self.rules[self.words[self.at]]():
                self.say(self.words[self.at], 1)
        return [self.build_node(piece) for piece in self.pieces]

    def build_node(self, piece: _Piece) -> Node:
        if piece.node["type"] != "text" or not piece.marks:
            return piece.node
        marks = {item["type"]: item for item in [*piece.node.get("marks", ()), *piece.marks]}
        if "code" in marks:
            marks = {kind: item for kind, item in marks.items() if kind in ("code", "link")}
        return text(piece.node["text"], marks.values())

    def say(self, words: str, length: int) -> bool:
        return self.put(text(words), length)

    def put(self, node: Node, length: int) -> bool:
        self.pieces.append(_Piece(node))
        self.at += length
        return True

    def before(self) -> str:
        return self.words[self.at - 1] if self.at else ""

    def backslash(self) -> bool:
        if self.words.startswith("\\\\", self.at):
            length = 3 if self.words.startswith("\\\\ ", self.at) else 2
            return self.put(leaf("hardBreak"), length)
        letter = self.words[self.at + 1 : self.at + 2]
        return self.say(letter, 2) if letter in ESCAPABLE and letter else False

    def entity(self) -> bool:
        found = _ENTITY.match(self.words, self.at)
        return self.say(decode_entity(found), len(found[0])) if found else False

    def newline(self) -> bool:
        self.open.clear()
        return self.put(leaf("hardBreak"), 1)

    def brace(self) -> bool:
        if self.words.startswith("{{", self.at) and self.monospace():
            return True
        if forced := _FORCED.match(self.words, self.at):
            return self.toggle(PHRASES[forced[1]], len(forced[0]), may_open=True, may_close=True)
        if colour := _COLOUR.match(self.words, self.at):
            return self.colour(colour)
        return False

    def ahead(self, what: str, start: int) -> int:
        """Return the next position of a text, or the end; cached, so repeated searches are cheap."""
        if self.next.get(what, -1) < start:
            found = self.words.find(what, start)
            self.next[what] = len(self.words) if found < 0 else found
        return self.next[what]

    def monospace(self) -> bool:
        start = self.at + 2
        end = self.ahead("}}", start)
        if end >= min(self.ahead("\n", start), len(self.words)):
            return False
        inside = self.words[start:end]
        if not inside.strip():
            return False
        return self.put(text(_ENTITY.sub(decode_entity, inside), [mark("code")]), end + 2 - self.at)

    def colour(self, found: re.Match[str]) -> bool:
        value = found[1]
        if value is None:
            return self.toggle("textColor", len(found[0]), may_open=False, may_close=True)
        hexadecimal = COLOURS.get(value.lower(), value.lower() if re.fullmatch(r"#[0-9a-fA-F]{6}", value) else None)
        if hexadecimal is None or any(opener.kind == "textColor" for opener in self.open):
            return False
        self.open.append(_Open("textColor", len(self.pieces), mark("textColor", color=hexadecimal)))
        return self.say(found[0], len(found[0]))

    def bracket(self) -> bool:
        found = _LINK.match(self.words, self.at)
        if found is None:
            return False
        if found[1].startswith("~accountid:"):
            account = found[1].removeprefix("~accountid:").strip()
            return self.put(mention_node(account, self.name_of), len(found[0]))
        if found[1].startswith("^"):
            return self.put(leaf("mediaInline", type="file", id=found[1][1:], collection=""), len(found[0]))
        return self.link(found)

    def link(self, found: re.Match[str]) -> bool:
        alias, *rest = _split_bars(found[1])
        href = _unescape(rest[0] if rest else alias).strip()
        if not SAFE_LINK.match(href):
            return False
        if rest[1:] and rest[1].startswith("smart-"):
            return self.put(leaf("inlineCard", url=href), len(found[0]))
        label = read_inline(alias, self.name_of) if rest else [text(href.removeprefix("mailto:"))]
        for node in label:
            piece = _Piece(node, [link_mark(href)] if node["type"] == "text" else [])
            self.pieces.append(piece)
        self.at += len(found[0])
        return True

    def image(self) -> bool:
        found = _IMAGE.match(self.words, self.at)
        if found is None or self.before().isalnum() or not is_media_name(found[1]):
            return False
        if SAFE_LINK.match(found[1]):
            return self.put(text(found[1], [link_mark(found[1])]), len(found[0]))
        return self.put(leaf("mediaInline", type="file", id=found[1], collection=""), len(found[0]))

    def citation(self) -> bool:
        if not self.words.startswith("??", self.at):
            return False
        after = self.words[self.at + 2 : self.at + 3]
        return self.toggle(
            "cite", 2, may_open=bool(after.strip()), may_close=bool(self.before().strip()), made=mark("em")
        )

    def emoticon(self) -> bool:
        found = _EMOTICON.match(self.words, self.at)
        if found is None or self.before().isalnum() or self.words[found.end() : found.end() + 1].isalnum():
            return False
        return self.put(emoji_node(EMOTICONS[found[0]]), len(found[0]))

    def url(self) -> bool:
        found = None if self.before().isalnum() else _URL.match(self.words, self.at)
        if found is None:
            end = self.at + 1
            return self.say(self.words[self.at : end], 1)
        href = found[0].rstrip(".,;:!?)*_+-^~")
        return self.put(text(href, [link_mark(href)]), len(href)) if href else False

    def phrase(self) -> bool:
        if self.words[self.at] == "-" and (dash := _DASH.match(self.words, self.at)):
            return self.say("—" if len(dash[1]) == 3 else "–", len(dash[1]))
        before, after = self.before(), self.words[self.at + 1 : self.at + 2]
        opens = bool(after.strip()) and not before.isalnum()
        closes = bool(before.strip()) and not after.isalnum()
        return self.toggle(PHRASES[self.words[self.at]], 1, may_open=opens, may_close=closes)

    def toggle(self, kind: str, length: int, *, may_open: bool, may_close: bool, made: Mark | None = None) -> bool:
        opened = next((place for place in range(len(self.open) - 1, -1, -1) if self.open[place].kind == kind), None)
        if opened is not None:
            return may_close and self.close(opened, length)
        if not may_open:
            return False
        self.open.append(_Open(kind, len(self.pieces), made or _phrase_mark(kind)))
        return self.say(self.words[self.at : self.at + length], length)

    def close(self, place: int, length: int) -> bool:
        opener = self.open[place]
        inside = self.pieces[opener.at + 1 :]
        if not inside:
            return False
        self.pieces[opener.at].node = text("")
        for piece in inside:
            piece.marks.append(opener.mark)
        del self.open[place:]
        self.at += length
        return True


def _phrase_mark(kind: str) -> Mark:
    return mark("subsup", type=kind) if kind in ("sub", "sup") else mark(kind)


def decode_entity(found: re.Match[str]) -> str:
    """The character of a numeric entity; nothing for one text cannot hold."""
    code = int(found[1])
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else ""


def mention_node(account: str, name_of: NameOf | None) -> Node:
    """A mention, with the name when it is known."""
    name = name_of(account) if name_of else None
    return leaf("mention", id=account, text=f"@{name}") if name else leaf("mention", id=account)


def is_media_name(said: str) -> bool:
    """Whether what stands between exclamation marks can be a file or an address."""
    return "." in said and not said.startswith(".") and " " not in said.strip()[:1]


def _split_bars(said: str) -> list[str]:
    """Parts between bars that are not escaped."""
    return re.findall(r"(?:[^|\\]|\\.)+", said) or [said]


def _unescape(said: str) -> str:
    return re.sub(r"\\(.)", r"\1", said)
