"""Body of a mail for a page: new text separate from quotations, links, and nothing that runs."""

import re
from html import escape
from typing import Any

import nh3
from markupsafe import Markup

from apps.gmail.mime.html import BLOCKED, from_text, sanitise_html

_BLOCK = re.compile(r"<(?:div|blockquote)\b([^<>]{0,1000})>", re.I)
_CITED = re.compile(r"\btype=[\"']?cite", re.I)
_FORWARDED = re.compile(r"\s*-{5,}\s*forwarded message", re.I)
_TAG = re.compile(r"<[^<>]*>")
_SPACE = re.compile(r"(?:<br\s?/?>|<div[^<>]{0,100}><br\s?/?></div>|&nbsp;)\Z", re.I)
_WROTE = re.compile(r"(?:On|Am|Le|El|Il) .{5,300}:\s*", re.S)
_LINK = re.compile(r"https?://[^\s<>\"'`]{1,2000}|\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}\b")
_END = re.compile(r"[).,;:!?\]}]+\Z")
_PICTURE = re.compile(r'src="cid:([^"]*)"')
RASTER = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_EDITABLE = {
    "a",
    "b",
    "blockquote",
    "br",
    "code",
    "div",
    "em",
    "i",
    "li",
    "ol",
    "p",
    "pre",
    "s",
    "span",
    "strong",
    "u",
    "ul",
}
_REL = "noopener noreferrer nofollow"


def split_html_quotation(html: str) -> tuple[str, str]:
    """HTML mail as (what is new, what it quotes); a forwarded mail is no quotation."""
    found = next(
        (block for block in _BLOCK.finditer(html) if "gmail_quote" in block[1] or _CITED.search(block[1])), None
    )
    if (
        found is None
        or not _visible_words(html[: found.start()])
        or _FORWARDED.match(_visible_words(html[found.start() : found.start() + 2000]))
    ):
        return html, ""
    return _strip_empty_end(html[: found.start()]), html[found.start() :]


def _strip_empty_end(html: str) -> str:
    """HTML without the empty lines at its end; looks at few characters at a time, for the whole could be nothing else."""
    end = _find_trimmed_end(html, len(html))
    while found := _SPACE.search(html, max(0, end - 150), end):
        end = _find_trimmed_end(html, found.start())
    return html[:end]


def _find_trimmed_end(html: str, end: int) -> int:
    while end and html[end - 1].isspace():
        end -= 1
    return end


def _visible_words(html: str) -> str:
    return _TAG.sub("", html).replace("&nbsp;", " ").strip()


def split_text_quotation(text: str) -> tuple[str, str]:
    """Plain mail as (what is new, what it quotes at its end)."""
    lines = text.split("\n")
    start = len(lines)
    while start and (not lines[start - 1].strip() or lines[start - 1].startswith(">")):
        start -= 1
    if not any(line.startswith(">") for line in lines[start:]):
        return text, ""
    for above in (1, 2):
        if start >= above and _WROTE.fullmatch("\n".join(lines[start - above : start])):
            start -= above
            break
    own = "\n".join(lines[:start]).rstrip("\n ")
    return (own, "\n".join(lines[start:])) if own else (text, "")


def link_addresses(text: str) -> Markup:
    """Plain text with its addresses as links; nothing else in it is markup."""
    out, at = [], 0
    for found in _LINK.finditer(text):
        said = _END.sub("", found[0])
        out += [escape(text[at : found.start()]), _render_anchor(said)]
        at = found.start() + len(said)
    return Markup("".join([*out, escape(text[at:])]))


def _render_anchor(said: str) -> str:
    address = said if said.startswith("http") else f"mailto:{said}"
    return f'<a href="{escape(address)}" target="_blank" rel="{_REL}">{escape(said)}</a>'


def render_html(html: str, pictures: dict[str, str]) -> str:
    """HTML mail made safe again; `pictures` are addresses of the images it brings along, by content id."""

    def picture(found: re.Match[str]) -> str:
        return f'src="{escape(pictures.get(Markup(found[1]).unescape(), BLOCKED))}"'

    return _PICTURE.sub(picture, sanitise_html(html))


def is_blocked(html: str) -> bool:
    """Whether sanitised HTML lost images that would have been fetched."""
    return BLOCKED in html


def render_editable_html(html: str) -> Markup:
    """HTML to write on with: words, lists and links; no styles, which the page's own policy would refuse."""
    return Markup(
        nh3.clean(
            sanitise_html(html),
            tags=_EDITABLE,
            attributes={"a": {"href"}},
            url_schemes={"http", "https", "mailto"},
            link_rel=_REL,
        )
    )


def split_draft(message: dict[str, Any]) -> tuple[str, str, str]:
    """A draft as (own text, own HTML, quoted HTML)."""
    own_text, quoted_text = split_text_quotation(message["text"])
    if message["html"] is None:
        return own_text, from_text(own_text), from_text(quoted_text) if quoted_text else ""
    own, quoted = split_html_quotation(message["html"])
    return own_text, own, quoted


DOCUMENT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Message</title><style>
html {{ overflow-x: auto; overflow-y: hidden; }}
body {{ margin: 0; padding: 1px 0; font: 14px/1.5 Inter, Roboto, Arial, "Liberation Sans", sans-serif; color: #1c1f24; overflow-wrap: break-word; }}
img {{ max-width: 100%; height: auto; }} a {{ color: #1d5fbf; }} pre {{ white-space: pre-wrap; }}
blockquote {{ margin: 0 0 0 .8ex; border-left: 1px solid #ccc; padding-left: 1ex; }}
table {{ font-size: inherit; }}
</style></head><body>{}</body></html>
"""


def wrap_document(html: str) -> str:
    """A page of its own around sanitised HTML."""
    return DOCUMENT.format(html)
