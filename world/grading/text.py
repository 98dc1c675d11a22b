"""Text without its dress: markdown, HTML, chat, wiki and JSON documents, quotes, signatures, odd characters."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import unescape
from html.parser import HTMLParser
from typing import Any

import orjson

from world.core.clock import to_datetime
from world.core.json_types import is_array, is_object
from world.core.reading.passage import Passage

MAX_CHARS = 100_000  # longer texts are cut, and no text predicate holds for them
MAX_NESTING = 200
_PUNCTUATION = str.maketrans(
    {**dict.fromkeys("‘’‚‛", "'"), **dict.fromkeys("“”„‟", '"'), **dict.fromkeys("‐‑‒–—―−", "-")}
)
_WORD = re.compile(r"\w+")
_BLANKS = re.compile(r"[ \t\f\v]+")
_TAGS = "a|b|i|p|br|div|span|ul|ol|li|html|body|table|tr|td|th|em|strong|h[1-6]|pre|code|blockquote"
_TAG = re.compile(rf"</?(?:{_TAGS})\b[^<>]*>", re.I)
_CHAT = re.compile(r"<([@#!]?)([^<>|\s]+)(?:\|([^<>]*))?>")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\(([^()\s]+)[^()]*\)")
_WIKI_LINK = re.compile(r"\[([^\[\]|]+)\|([^\[\]|\s]+)[^\[\]]*\]")
_WIKI_USER = re.compile(r"\[~(?:accountid:)?([^\[\]]+)\]")
_WIKI_QUOTE = re.compile(r"\{quote\}.*?(?:\{quote\}|\Z)", re.S)
_WIKI_BLOCK = re.compile(r"\{(?:code|noformat|panel|color)(?::[^{}]*)?\}")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~).*$", re.M)
_HEAD = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|h[1-6]\.[ \t]+|[-*+\u2022][ \t]+(?:\[[ xX]\][ \t]+)?)", re.M)
_MARKS = re.compile(r"\*{1,3}|~~|`+|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)")
_REPLY = re.compile(r"^\s*(?:On\b.{4,200}\bwrote:|-{2,}\s*(?:Original|Forwarded) [Mm]essage\s*-{2,}|From:\s.+)\s*$")
_SIGNATURE = re.compile(r"^-- ?$")
_QUOTING = re.compile(r"^[ \t>]*>|\{quote\}", re.M)
_HEADER = re.compile(r"^\s*(?:Sent|To|Date|Subject|Cc):\s", re.I)


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text: folded, with where it stands."""

    text: str
    start: int
    end: int


class Text:
    """A normalised text and its words; `passages` are what it was read from, where they are known."""

    def __init__(self, plain: str, *, cut: bool = False, passages: tuple[Passage, ...] | None = None) -> None:
        self.plain, self.cut = plain, cut
        self.is_own = passages is not None
        self.passages = passages if passages is not None else (Passage(plain),)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The words in order, case-folded."""
        return tuple(Token(m.group().casefold(), m.start(), m.end()) for m in _WORD.finditer(self.plain))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The folded words alone."""
        return tuple(token.text for token in self.tokens)

    @cached_property
    def places(self) -> Mapping[str, list[int]]:
        """Word -> its positions."""
        found: dict[str, list[int]] = {}
        for index, word in enumerate(self.words):
            found.setdefault(word, []).append(index)
        return found

    def find(self, phrase: "Text", *, strict: bool = False) -> Iterator[tuple[int, int]]:
        """Yield the spans of a phrase in whole words: (first token, after the last). `strict`: no joining hyphens."""
        wanted = phrase.words
        if not wanted:
            return
        size = len(wanted)
        for index in self.places.get(wanted[0], ()):
            if self.at(phrase, index, strict=strict):
                yield index, index + size

    def has(self, phrase: "Text") -> bool:
        """Whether a phrase stands anywhere as whole words."""
        starts = self.places.get(phrase.words[0]) if phrase.words else None
        return starts is not None and any(self.at(phrase, index) for index in starts)

    def at(self, phrase: "Text", index: int, *, strict: bool = False) -> bool:
        """Whether a phrase stands at a token as whole words."""
        size = len(phrase.words)
        same = self.words[index : index + size] == phrase.words
        return same and self._is_joined(phrase, index) and self._stands_alone(index, size, strict)

    def _is_joined(self, phrase: "Text", index: int) -> bool:
        for offset in range(len(phrase.tokens) - 1):
            gap = self.plain[self.tokens[index + offset].end : self.tokens[index + offset + 1].start]
            wanted = phrase.plain[phrase.tokens[offset].end : phrase.tokens[offset + 1].start]
            if gap.casefold() != wanted.casefold() and (gap.strip(" -\n") or wanted.strip(" -\n")):
                return False
        return True

    def _stands_alone(self, index: int, size: int, strict: bool) -> bool:
        first, last = self.tokens[index], self.tokens[index + size - 1]
        before = self.tokens[index - 1] if index else None
        after = self.tokens[index + size] if index + size < len(self.tokens) else None
        left = self.plain[before.end : first.start] if before else " "
        right = self.plain[last.end : after.start] if after else " "
        return _edge(left, before, strict, False) and _edge(right, after, strict, True)


def _edge(glue: str, neighbour: Token | None, strict: bool, right: bool) -> bool:
    """Whether a word may end here: nothing glued on that would make it another word, number or address."""
    if neighbour is None or len(glue) != 1 or glue.isspace():
        return True
    if glue == "'":
        return right and neighbour.text in ("s", "re", "ll", "d", "ve")
    if glue == "-":
        return not strict and neighbour.text.isalpha()
    return glue not in ".@_+," or (glue == "," and not neighbour.text.isdigit())


def read_text(value: Any, *, quoted: bool = False) -> Text:
    """The text of a cell: plain, markdown, HTML, chat or wiki markup, or a JSON document; `quoted` keeps quotations."""
    if isinstance(value, (Mapping, list)):
        return _read(adf_text(value, quoted), quoted)
    return _read("" if value is None else str(value), quoted)


@lru_cache(maxsize=4096)
def _read(raw: str, quoted: bool) -> Text:
    return Text(normalise_text(raw, quoted=quoted), cut=len(raw) > MAX_CHARS)


def normalise_text(raw: str, *, quoted: bool = False) -> str:
    """Normalised text: NFKC, no invisible characters, no markup, no quoted reply, no signature; case is kept."""
    text = unicodedata.normalize("NFKC", raw[:MAX_CHARS])[:MAX_CHARS].translate(_PUNCTUATION)
    if text.startswith('{"') and '"type"' in text[:200]:
        text = _maybe_adf(text, quoted)
    text = _CHAT.sub(_chat_mark, text)
    text = _html_text(text, quoted) if _TAG.search(text) else unescape(text)
    text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc"))
    if quoted:
        return _undress(_QUOTING.sub("", text))
    return _undress("\n".join(_own_lines(_WIKI_QUOTE.sub("\n", text).split("\n"))))


def _undress(text: str) -> str:
    text = _WIKI_USER.sub(r"@\1", _WIKI_BLOCK.sub(" ", _FENCE.sub("", text)))
    text = _WIKI_LINK.sub(r"\1 \2", _LINK.sub(r"\1 \2", text))
    text = _MARKS.sub("", _HEAD.sub("", text)).replace("|", " ")
    lines = (_BLANKS.sub(" ", line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _chat_mark(match: re.Match[str]) -> str:
    sigil, target, label = match.groups()
    if sigil == "@":
        return f"@{target}"
    if sigil == "#":
        return f"#{label or target}"
    if sigil == "!":
        return f"@{label or target.split('^')[0]}".replace("@@", "@")
    if "://" in target or target.startswith("mailto:"):
        return f"{label} {target}" if label and label != target else target
    if "@" in target and "/" not in target:
        return target
    return match.group()


def _own_lines(lines: Sequence[str]) -> Iterator[str]:
    """The lines the writer wrote: up to a signature or a quoted mail, without quotation lines."""
    for index, line in enumerate(lines):
        if _SIGNATURE.match(line) or (_REPLY.match(line) and _quotes_below(line, lines[index + 1 : index + 4])):
            return
        if not line.lstrip().startswith(">"):
            yield line


def _quotes_below(line: str, following: Sequence[str]) -> bool:
    if not line.lstrip().startswith("From:"):
        return True
    return any(_HEADER.match(other) for other in following)


class _Html(HTMLParser):
    """Visible text of an HTML fragment; scripts, styles, quotations and hidden elements are skipped."""

    _BREAKS = frozenset("p br div li tr h1 h2 h3 h4 h5 h6 pre table ul ol td th".split())
    _VOID = frozenset("br img hr input meta link area base col embed source track wbr".split())

    def __init__(self, quoted: bool) -> None:
        super().__init__(convert_charrefs=True)
        self._quoted = quoted
        self.parts: list[str] = []
        self._open: list[tuple[str, bool]] = []
        self._links: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in self._BREAKS:
            self.parts.append("\n")
        if tag not in self._VOID:
            self._open.append((tag, self._hides(tag, given)))
            self._hidden += self._open[-1][1]
        if tag == "a":
            self._links.append(given.get("href", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag in self._BREAKS:
            self.parts.append("\n")
        if tag == "a" and self._links:
            link = self._links.pop()
            if link.startswith(("http", "mailto:")) and not self._hidden:
                self.parts.append(f" {link} ")
        if any(name == tag for name, _ in self._open[-MAX_NESTING:]):
            while True:
                name, hidden = self._open.pop()
                self._hidden -= hidden
                if name == tag:
                    return

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(data)

    def _hides(self, tag: str, given: Mapping[str, str]) -> bool:
        style = given.get("style", "").replace(" ", "").lower()
        unseen = "display:none" in style or "visibility:hidden" in style or "font-size:0" in style or "hidden" in given
        quote = tag == "blockquote" or "gmail_quote" in given.get("class", "")
        return tag in ("script", "style", "head", "template") or unseen or (quote and not self._quoted)


def _html_text(text: str, quoted: bool) -> str:
    parser = _Html(quoted)
    parser.feed(text)
    parser.close()
    return "".join(parser.parts)


def _maybe_adf(text: str, quoted: bool) -> str:
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError:
        return text
    return adf_text(found, quoted) if is_object(found) and found.get("type") == "doc" else text


def adf_text(node: Any, quoted: bool = False) -> str:
    """The text of a JSON document; quotations are left out unless `quoted`, mentions give the account."""
    if is_array(node):
        return "".join(adf_text(child, quoted) for child in node)
    if not is_object(node) or (node.get("type") == "blockquote" and not quoted):
        return ""
    kind, attrs = str(node.get("type")), _attrs(node)
    if kind in _ADF_LEAVES:
        return _ADF_LEAVES[kind](node, attrs)
    inner = adf_text(list(node.get("content") or ()), quoted)
    return inner + "\n" if kind in ("paragraph", "heading", "listItem", "codeBlock", "tableRow") else inner


def _attrs(node: Mapping[str, Any]) -> Mapping[str, Any]:
    return node.get("attrs") or {}


def _href(mark: Mapping[str, Any]) -> str:
    link = _attrs(mark).get("href", "") if mark.get("type") == "link" else ""
    return f" {link} " if link else ""


def _adf_date(attrs: Mapping[str, Any]) -> str:
    from_epoch = str(attrs.get("timestamp", ""))
    if not from_epoch.lstrip("-").isdigit():
        return ""
    return to_datetime(int(from_epoch) * 1000).date().isoformat()


_ADF_LEAVES: dict[str, Callable[[Mapping[str, Any], Mapping[str, Any]], str]] = {
    "text": lambda node, _: str(node.get("text", "")) + "".join(_href(mark) for mark in node.get("marks") or ()),
    "mention": lambda _, attrs: f"@{attrs.get('id', '')} ",
    "inlineCard": lambda _, attrs: f" {attrs.get('url', '')} ",
    "blockCard": lambda _, attrs: f" {attrs.get('url', '')} ",
    "date": lambda _, attrs: _adf_date(attrs),
    "hardBreak": lambda _node, _attrs: "\n",
}
