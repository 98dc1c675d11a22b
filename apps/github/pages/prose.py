"""A Markdown file as a page: links and pictures lead to the repository's files; nothing is loaded from elsewhere."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from posixpath import normpath
from urllib.parse import unquote

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markupsafe import Markup
from mdit_py_plugins.tasklists import tasklists_plugin
from pygments.token import STANDARD_TYPES

from apps.github.domain.markup import ALLOWED, ATTRIBUTES, is_too_dense
from apps.github.pages.highlight import MOST_COLOURED, PREFIX, colour_lines, lexer_of
from apps.github.views.urls import quote_path

MARKDOWN = (".md", ".markdown", ".mkd", ".mdown")
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
ALIGNED = {"p", "div", "td", "th", "img", *HEADINGS}
CLASSES = {"task-list-item", "contains-task-list", "task-list-item-checkbox", "hl"} | {
    PREFIX + name for name in STANDARD_TYPES.values() if name
}
OWN = "user-content-"  # before every id that a file gives
SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
Address = Callable[[str, str], str]  # (kind, path) -> the page of a file: kind is blob or raw
There = Callable[[str], bool]  # whether a path is a file of the repository


def is_markdown(name: str) -> bool:
    """Whether a file is shown as a page."""
    return name.lower().endswith(MARKDOWN)


def is_page(name: str, text: str | None) -> bool:
    """Whether a file is rendered: one that is written in Markdown, and not too dense."""
    return bool(text) and is_markdown(name) and not is_too_dense(text or "")


@cache
def _markdown() -> MarkdownIt:
    made = MarkdownIt("gfm-like", {"linkify": False, "html": True, "breaks": False, "highlight": _code}).use(
        tasklists_plugin
    )
    made.core.ruler.push("anchors", _anchors)
    return made


def _code(text: str, language: str, _: str) -> str:
    lexer = lexer_of(language) if language and len(text) <= MOST_COLOURED else None
    return "" if lexer is None else str(Markup("\n").join(colour_lines(lexer, text)))


def _anchors(state: StateCore) -> None:
    """Give every heading the id that links to it use."""
    seen: dict[str, int] = {}
    for at, token in enumerate(state.tokens):
        if token.type == "heading_open":
            name = slug(state.tokens[at + 1].content)
            seen[name] = seen.get(name, -1) + 1
            token.attrSet("id", OWN + name + (f"-{seen[name]}" if seen[name] else ""))


def slug(text: str) -> str:
    """Return the anchor of a heading: `Getting started!` -> `getting-started`."""
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", text.strip().lower()))


def render_page(text: str, folder: str, address: Address, there: There = bool) -> Markup:
    """Render a Markdown file of a folder as safe HTML; a missing picture is replaced by its alternative text."""

    def filter_attribute(tag: str, name: str, value: str) -> str | None:
        if name == "class":
            return " ".join(word for word in value.split() if word in CLASSES) or None
        if name == "id":
            return value if value.startswith(OWN) else None
        if name == "href":
            return _href(value, folder, address)
        return _src(value, folder, address, there) if name == "src" else value

    return Markup(
        nh3.clean(
            _markdown().render(text),
            tags=ALLOWED,
            attributes=_attributes(),
            attribute_filter=filter_attribute,
            link_rel="nofollow noopener",
        )
    )


@cache
def _attributes() -> Mapping[str, set[str]]:
    every = {tag: set(names) - {"style"} for tag, names in ATTRIBUTES.items()}
    for tag in HEADINGS | {"span", "pre"}:
        every.setdefault(tag, set()).update({"class"} if tag in ("span", "pre") else {"id"})
    for tag in ALIGNED:
        every.setdefault(tag, set()).add("align")
    every["img"] |= {"width", "height"}
    return every


def _href(value: str, folder: str, address: Address) -> str | None:
    if value.startswith("#"):
        return f"#{OWN}{value[1:].removeprefix(OWN)}"
    if SCHEME.match(value):
        return value
    path, mark, anchor = value.partition("#")
    inside = within(folder, path.partition("?")[0])
    return None if inside is None else address("blob", quote_path(inside)) + (f"#{OWN}{anchor}" if mark else "")


def _src(value: str, folder: str, address: Address, there: There) -> str | None:
    """Return the address of a picture, only if it is in the repository."""
    inside = None if SCHEME.match(value) else within(folder, value.partition("?")[0])
    return None if inside is None or not there(inside) else address("raw", quote_path(inside))


def within(folder: str, path: str) -> str | None:
    """Return the path of a relative address; None outside of the repository."""
    plain = unquote(path)
    whole = normpath(plain.lstrip("/") if plain.startswith("/") else f"{folder}/{plain}".lstrip("/"))
    return None if whole.startswith("..") else "" if whole == "." else whole
