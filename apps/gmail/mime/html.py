"""Sanitiser of HTML mail, used when it is stored and when it is shown; and HTML as plain text.

Sanitised HTML runs, submits and fetches nothing: images are those in the mail (`cid:`) or inline (`data:`).
"""

import re
from html import escape, unescape

import nh3

from apps.gmail.mime.html_limits import limit_html

# A transparent pixel in place of an image that would have to be fetched, so that the layout stays.
BLOCKED = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

_TAGS = {
    "a",
    "abbr",
    "address",
    "article",
    "aside",
    "b",
    "bdi",
    "bdo",
    "big",
    "blockquote",
    "br",
    "caption",
    "center",
    "cite",
    "code",
    "col",
    "colgroup",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "font",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "main",
    "mark",
    "nav",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "samp",
    "section",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "time",
    "tr",
    "tt",
    "u",
    "ul",
    "var",
    "wbr",
}
_GONE = {  # with all they hold
    "script",
    "style",
    "title",
    "noscript",
    "template",
    "textarea",
    "select",
    "option",
    "xmp",
    "noembed",
    "noframes",
    "iframe",
    "object",
    "embed",
    "applet",
    "svg",
    "math",
    "audio",
    "video",
    "canvas",
    "head",
}
_CELL = {"align", "valign", "width", "height", "bgcolor", "colspan", "rowspan", "nowrap"}
_ATTRIBUTES = {
    "*": {"style", "title", "dir", "lang"},
    "a": {"href"},
    "img": {"src", "alt", "width", "height", "align", "border", "hspace", "vspace"},
    "table": {"align", "bgcolor", "border", "cellpadding", "cellspacing", "width", "height"},
    "td": _CELL,
    "th": _CELL,
    "tr": {"align", "valign", "bgcolor", "height"},
    "tbody": {"align", "valign"},
    "thead": {"align", "valign"},
    "tfoot": {"align", "valign"},
    "col": {"span", "width"},
    "colgroup": {"span", "width"},
    "font": {"color", "face", "size"},
    "ol": {"start", "type"},
    "ul": {"type"},
    "li": {"value"},
    "p": {"align"},
    "div": {"align"},
    "h1": {"align"},
    "h2": {"align"},
    "h3": {"align"},
    "hr": {"align", "width", "size", "color"},
    "time": {"datetime"},
}
_SIDES = ("top", "right", "bottom", "left")
_STYLES = {
    "background-color",
    "border-collapse",
    "border-radius",
    "border-spacing",
    "border-color",
    "border-style",
    "border-width",
    "color",
    "direction",
    "display",
    "font",
    "font-family",
    "font-size",
    "font-style",
    "font-weight",
    "height",
    "letter-spacing",
    "line-height",
    "list-style-type",
    "margin",
    "max-height",
    "max-width",
    "min-height",
    "min-width",
    "overflow-wrap",
    "padding",
    "table-layout",
    "text-align",
    "text-decoration",
    "text-indent",
    "text-transform",
    "vertical-align",
    "white-space",
    "width",
    "word-break",
    "border",
    *(f"{name}-{side}" for name in ("margin", "padding", "border") for side in _SIDES),
}
_SCHEMES = {"http", "https", "mailto", "tel", "cid", "data"}
_LINK = re.compile(r"\s*(?:https?|mailto|tel):", re.I)
_CARRIED = re.compile(r"cid:[^\s\"'<>]+|data:image/(?:png|jpe?g|gif|webp|bmp);base64,[A-Za-z0-9+/=\s]*", re.I)
_FETCHES = re.compile(r"url|image|expression|import|@|\\|/\*|//|javascript|-moz-|behaviou?r", re.I)


def sanitise_html(html: str) -> str:
    """HTML mail without anything that runs, submits or fetches; sanitising the result changes nothing."""
    # Once more, because the first time moves attributes and leaves empty styles, which the second settles.
    return _clean_html(_clean_html(limit_html(html)))


def _clean_html(html: str) -> str:
    return nh3.clean(
        html,
        tags=_TAGS,
        clean_content_tags=_GONE,
        attributes=_ATTRIBUTES,
        attribute_filter=_clean_attribute,
        url_schemes=_SCHEMES,
        url_relative="deny",
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
        filter_style_properties=_STYLES,
    )


def _clean_attribute(tag: str, name: str, value: str) -> str | None:
    if tag == "img" and name == "src":
        return value if _CARRIED.fullmatch(value.strip()) else BLOCKED
    if name == "href":
        return value if _LINK.match(value) else None
    if name == "style":
        return ";".join(rule for rule in value.split(";") if not _FETCHES.search(rule)) or None
    return value


_BLOCKS = {
    "address",
    "article",
    "aside",
    "blockquote",
    "center",
    "dd",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "tr",
    "ul",
}
_APART = {"p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre"}
_PIECE = re.compile(r"<(/?)([a-z0-9]+)[^>]*>|([^<]+)")


def to_text(html: str) -> str:
    """The words of HTML: a line per block, an empty line around paragraphs, "- " before list items."""
    clean = nh3.clean(
        limit_html(html), tags=_BLOCKS | {"br", "td", "th"}, clean_content_tags=_GONE, attributes={}, link_rel=None
    )
    out: list[str] = []
    verbatim = False
    for closing, tag, words in _PIECE.findall(clean):
        verbatim = (not closing) if tag == "pre" else verbatim
        if words:
            said = unescape(words)
            out.append(said.replace(" ", "\x02") if verbatim else re.sub(r"[ \t\r\n\f]+", " ", said))
        else:
            out.append(_tag_space(tag, bool(closing)))
    return _tidy_text("".join(out))


def _tag_space(tag: str, closing: bool) -> str:
    """Return the space that a tag stands for between words; edges of blocks and spaces of <pre> are marked."""
    if tag == "br":
        return "\n"
    if tag in ("td", "th"):
        return " " if closing else ""
    return ("\x00\x01\x00" if tag in _APART else "\x00") + ("- " if tag == "li" and not closing else "")


def _tidy_text(text: str) -> str:
    text = re.sub(r"[ ]*\x00[\x00\x01 ]*", lambda edge: "\n\n" if "\x01" in edge[0] else "\n", text)
    lines = [line.strip(" ") for line in text.replace("\xa0", " ").splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n ").replace("\x02", " ")


def from_text(text: str) -> str:
    """Return plain text as HTML: its lines, all escaped."""
    return "<br>\n".join(escape(line) for line in text.splitlines())
