"""HTML as a passage: what a page draws, with quotations, strikethrough, code, links and hidden elements marked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from html import unescape
from html.parser import HTMLParser

import nh3

from world.core.reading import css
from world.core.reading.composition import Composition
from world.core.reading.passage import MarkKind, Passage

SHORT = 4_000  # characters
_GONE = frozenset(
    "script style head title template noscript textarea select option iframe object embed svg math audio video canvas"
    " noembed noframes xmp applet".split()
)
_VOID = frozenset("br img hr input meta link area base col embed source track wbr".split())
_BLOCKS = frozenset(
    "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3"
    " h4 h5 h6 header hr html li main nav ol p pre section summary table tbody thead tfoot tr ul".split()
)
_APART = frozenset("p h1 h2 h3 h4 h5 h6 blockquote pre ul ol table dl".split())
_STRUCK, _CODE = frozenset(("s", "strike", "del")), frozenset(("code", "pre", "kbd", "samp", "tt"))
_QUOTES = frozenset(
    "gmail_quote gmail_attr yahoo_quoted moz-cite-prefix protonmail_quote moz-forward-container".split()
)
_REPLIES = frozenset(("divrplyfwdmsg", "appendonsend", "reply-intro"))
_ENDED_BY: Mapping[str, frozenset[str]] = {  # a start tag that ends an open element of the same list or row
    "li": frozenset(("li",)),
    "td": frozenset(("td", "th")),
    "th": frozenset(("td", "th")),
    "tr": frozenset(("tr", "td", "th")),
    "dd": frozenset(("dd", "dt")),
    "dt": frozenset(("dd", "dt")),
}
_SHEET = re.compile(r"<style\b[^>]*>(.*?)</style", re.I | re.S)
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big br caption cite col colgroup dfn em font hr i img ins label mark q small span strong"
    " sub sup td th time u var wbr".split()
)
_DRAWN = set((_BLOCKS | _INLINE | _STRUCK | _CODE) - {"html", "body"})
_ATTRIBUTES = ("style", "class", "id", "hidden", "href", "color", "bgcolor", "start")
_ALT = re.compile(r"<img\b[^>]*\balt\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.I)
_SPACE = re.compile(r"[ \t\r\n\f]+")
MAX_DEPTH = 500


@dataclass(frozen=True)
class _Element:
    """An open element: the marks of its text, and the style that its children inherit."""

    tag: str
    kinds: frozenset[MarkKind] = frozenset()
    gone: bool = False
    shut: bool = False  # hidden by more than its colour
    colour: css.Colour = css.BLACK
    ground: css.Colour | None = css.WHITE  # None where a picture or a gradient is behind the text
    verbatim: bool = False
    href: str = ""
    piece: int = 0  # of the text, with which the element begins


@dataclass
class _List:
    """An open list, and the number of its next item; None for one without numbers."""

    next: int | None = None


@dataclass
class _Layout:
    """Space before the next word: a blank, or the end of one or two lines."""

    blank: bool = False
    breaks: int = 0
    lists: list[_List] = field(default_factory=list[_List])


def from_html(html: str) -> Passage:
    """Read HTML as the passage that a page draws; short ones, such as messages, are cached."""
    return _read_short(html) if len(html) <= SHORT else _read(html)


@lru_cache(maxsize=2048)
def _read_short(html: str) -> Passage:
    return _read(html)


def _read(html: str) -> Passage:
    sheet = [rule for text in _SHEET.findall(html) for rule in css.parse_sheet(text)]
    reader = _Reader(sheet)
    reader.feed(html)
    reader.close()
    return reader.finish()


def tidy_html(html: str) -> str:
    """Return HTML with its elements closed as a page closes them, keeping all that decides visibility."""
    styles = "".join(f"<style>{text}</style>" for text in _SHEET.findall(html))
    return styles + nh3.clean(
        html,
        tags=_DRAWN,
        clean_content_tags=set(_GONE),
        attributes={"*": set(_ATTRIBUTES)},
        url_schemes={"http", "https", "mailto", "tel", "cid", "data"},
        link_rel=None,
    )


def find_alt_texts(html: str) -> list[str]:
    """List the texts that stand in place of pictures that are not drawn."""
    return [unescape(one or other) for one, other in _ALT.findall(html) if (one or other).strip()]


class _Reader(HTMLParser):
    """Reads markup into a composition."""

    def __init__(self, sheet: list[tuple[str, dict[str, str]]]) -> None:
        super().__init__(convert_charrefs=True)
        self._sheet = sheet
        self._open = [_Element("")]
        self._made = Composition()
        self._layout = _Layout()
        self._last: frozenset[MarkKind] = frozenset()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._end_implied(tag)
        if tag in _BLOCKS:
            self._break(2 if tag in _APART and not self._layout.lists else 1)
        if tag == "br":
            self._layout.breaks = min(self._layout.breaks + 1, 2)
        if tag in ("td", "th"):
            self._layout.blank = True
        if tag in ("ul", "ol"):
            first = given.get("start", "1")
            self._layout.lists.append(_List((int(first) if first.isdigit() else 1) if tag == "ol" else None))
        if tag not in _VOID and len(self._open) < MAX_DEPTH:
            self._open.append(self._element(tag, given))
        if tag == "li":
            self._add(self._ordinal())
            self._layout.blank = True
        if tag == "input" and given.get("type") == "checkbox" and not self._open[-1].gone:
            self._add("\u2611" if "checked" in given else "\u2610")
            self._layout.blank = True

    def _ordinal(self) -> str:
        kept = self._layout.lists[-1] if self._layout.lists else _List()
        if kept.next is None:
            return "-"
        kept.next += 1
        return f"{kept.next - 1}."

    def _end_implied(self, tag: str) -> None:
        """A block ends an open paragraph, an item the item before it."""
        last = self._open[-1].tag
        if (last == "p" and tag in _BLOCKS) or last in _ENDED_BY.get(tag, ()):
            self.handle_endtag(last)
            if tag == "tr":
                self._end_implied(tag)

    def _element(self, tag: str, given: Mapping[str, str]) -> _Element:
        above, classes = self._open[-1], given.get("class", "").lower().split()
        style = css.get_element_style(self._sheet, tag, classes, given.get("id", "").lower()) if self._sheet else {}
        style.update(css.parse_style(given["style"]) if "style" in given else {})
        made = _colours(replace(above, tag=tag, href="", piece=self._made.pieces), tag, given, style)
        kinds = set(above.kinds)
        if tag in _STRUCK or "line-through" in style.get("text-decoration", style.get("text-decoration-line", "")):
            kinds.add("struck")
        if tag in _CODE:
            kinds.add("code")
        if tag == "blockquote" or _QUOTES.intersection(classes) or given.get("id", "").lower() in _REPLIES:
            kinds.add("quoted")
        shut = above.shut or "hidden" in given or css.hides(style) or css.is_transparent(style.get("color", ""))
        kinds.discard("hidden")
        if shut or (made.ground is not None and css.looks_same(made.colour, made.ground)):
            kinds.add("hidden")
        return replace(
            made,
            kinds=frozenset(kinds),
            gone=above.gone or tag in _GONE,
            shut=shut,
            verbatim=above.verbatim or tag == "pre" or style.get("white-space", "").startswith("pre"),
            href=given.get("href", "") if tag == "a" else "",
        )

    def handle_endtag(self, tag: str) -> None:
        if tag in ("ul", "ol") and self._layout.lists:
            self._layout.lists.pop()
        if tag in _BLOCKS:
            self._break(2 if tag in _APART and not self._layout.lists else 1)
        if not any(element.tag == tag for element in self._open[1:]):
            return
        while True:
            element = self._open.pop()
            if element.href:
                self._add_target(element)
            if element.tag == tag:
                return

    def _add_target(self, element: _Element) -> None:
        """Add the address of a link whose words differ from it."""
        whole = self._made.text_since(element.piece)
        label = whole.strip()
        start = self._made.length - len(whole.lstrip())
        if not element.gone and label and is_address(element.href) and not same_address(element.href, label):
            following = self._layout.blank, self._layout.breaks
            self._layout.blank, self._layout.breaks = True, 0
            self._add(element.href.removeprefix("mailto:"), element.kinds)
            self._layout.blank, self._layout.breaks = following
        self._made.mark(start, "link")

    def handle_data(self, data: str) -> None:
        element = self._open[-1]
        if element.gone:
            return
        if element.verbatim:
            self._add(data, element.kinds)
            return
        words = _SPACE.sub(" ", data)
        self._layout.blank |= words.startswith(" ")
        if words.strip(" "):
            self._add(words.strip(" "), element.kinds)
            self._layout.blank = words.endswith(" ")

    def handle_comment(self, data: str) -> None:
        """A comment is in the text and seen by nobody."""
        if data.strip() and not data.lstrip().startswith("["):
            self._layout.blank = True
            self._add(_SPACE.sub(" ", data.strip()), {"hidden"})
            self._layout.blank = True

    def _break(self, lines: int) -> None:
        self._layout.breaks = max(self._layout.breaks, lines)

    def _add(self, text: str, kinds: set[MarkKind] | frozenset[MarkKind] | None = None) -> None:
        kinds = self._open[-1].kinds if kinds is None else kinds
        gap = "\n" * self._layout.breaks or (" " if self._layout.blank else "")
        if gap and self._made.pieces:
            self._made.add(gap, sorted(kinds & self._last))
        self._layout.blank, self._layout.breaks = False, 0
        self._made.add(text, sorted(kinds))
        self._last = frozenset(kinds)

    def finish(self) -> Passage:
        """The passage, once everything has been read."""
        return self._made.passage()


def _colours(made: _Element, tag: str, given: Mapping[str, str], style: css.Style) -> _Element:
    """An element with the colours it is drawn in."""
    ground = style.get("background-color") or style.get("background") or given.get("bgcolor", "")
    ink = css.colour(style.get("color") or (given.get("color", "") if tag == "font" else ""))
    if ground and not css.is_transparent(ground):
        made = replace(made, ground=css.find_colour(ground))
    return replace(made, colour=ink) if ink else made


def is_address(text: str) -> bool:
    """Whether a link leads somewhere that its address names."""
    return text.lower().startswith(("http://", "https://", "mailto:"))


def same_address(one: str, other: str) -> bool:
    """Whether two spellings of an address lead to the same place."""
    return _bare(one) == _bare(other)


def _bare(text: str) -> str:
    return re.sub(r"^(?:https?://|mailto:)?(?:www\.)?|/$", "", text.strip().lower())
