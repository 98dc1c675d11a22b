"""A body as HTML: every piece is escaped when written, then the whole is sanitised.

Element and class names follow Jira's renderedFields.
"""

import re
from collections.abc import Callable, Sequence
from html import escape
from typing import Literal

import nh3

from apps.jira.bodies.adf import Adf, Node, attr, children, marks_of
from apps.jira.bodies.plain_text import date_text, inline_text, mention_text

Target = Literal["issue", "user", "media"]
Link = Callable[[Target, str], str | None]

TAGS = {
    "a",
    "b",
    "blockquote",
    "br",
    "code",
    "del",
    "details",
    "div",
    "em",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "img",
    "input",
    "ins",
    "li",
    "ol",
    "p",
    "pre",
    "span",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "time",
    "tr",
    "ul",
}
ATTRIBUTES = {
    "*": {"class"},
    "a": {"href", "title", "data-account-id"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
    "ol": {"start"},
    "input": {"type", "checked", "disabled"},
    "span": {"style", "title"},
    "time": {"datetime"},
    "pre": {"data-language"},
}
SCHEMES = {"http", "https", "mailto", "tel", "ftp"}

_FOUND = re.compile(r"(?P<url>https?://[^\s<>\"']+)|(?<![\w-])(?P<key>[A-Z][A-Z0-9_]{1,9}-[1-9]\d{0,8})(?![\w-])")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_LANGUAGE = re.compile(r"[^\w+#.-]")


def no_links(target: Target, value: str) -> str | None:
    """Return no address, for bodies without links."""
    return None


def to_html(body: Adf, link: Link = no_links) -> str:
    """Safe HTML of a body. `link` gives the address of an issue key, an accountId or an attachment, or None."""
    return nh3.clean(
        _Writer(link).blocks(children(body)),
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes=SCHEMES,
        link_rel="noopener nofollow",
        filter_style_properties={"color", "background-color"},
    )


class _Writer:
    """Writes HTML with the caller's links."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.inlines: dict[str, Callable[[Node], str]] = {
            "text": self.text,
            "hardBreak": lambda node: "<br>",
            "mention": self.mention,
            "inlineCard": lambda node: anchor(attr(node, "url"), escape(attr(node, "url"))),
            "date": lambda node: f'<time datetime="{escape(date_text(node))}">{escape(date_text(node))}</time>',
            "status": lambda node: (
                f'<span class="lozenge lozenge-{_css_word(attr(node, "color"))}">{escape(inline_text(node))}</span>'
            ),
            "emoji": lambda node: (
                f'<span class="emoji" title="{escape(attr(node, "shortName"))}">{escape(inline_text(node))}</span>'
            ),
            "mediaInline": self.media,
        }
        self.kinds: dict[str, Callable[[Node], str]] = {
            "heading": self.heading,
            "codeBlock": self.code,
            "panel": self.panel,
            "table": self.table,
            "orderedList": self.ordered,
            "rule": lambda node: "<hr>",
            "media": self.media,
            "expand": self.expand,
            "nestedExpand": self.expand,
            "taskItem": self.task,
            "blockCard": self.card,
            "embedCard": self.card,
        }
        self.plain = {
            "paragraph": "p",
            "bulletList": "ul",
            "listItem": "li",
            "blockquote": "blockquote",
            "taskList": "ul",
            "decisionList": "ul",
            "decisionItem": "li",
            "mediaSingle": "div",
            "mediaGroup": "div",
            "caption": "p",
        }

    def blocks(self, nodes: Sequence[Node]) -> str:
        return "\n".join(self.block(node) for node in nodes)

    def block(self, node: Node) -> str:
        kind = node["type"]
        if kind in self.kinds:
            return self.kinds[kind](node)
        tag = self.plain[kind]
        css = f' class="{kind}"' if kind[:5] in ("taskL", "decis", "media", "capti") else ""
        return f"<{tag}{css}>{self.inside(node)}</{tag}>"

    def inside(self, node: Node) -> str:
        """Inline content, or blocks."""
        nodes = children(node)
        if nodes and (nodes[0]["type"] in self.inlines or nodes[0]["type"] == "placeholder"):
            return "".join(
                self.inlines.get(child["type"], lambda item: escape(inline_text(item)))(child) for child in nodes
            )
        return self.blocks(nodes)

    def heading(self, node: Node) -> str:
        return f"<h{attr(node, 'level')}>{self.inside(node)}</h{attr(node, 'level')}>"

    def code(self, node: Node) -> str:
        language = _LANGUAGE.sub("", attr(node, "language"))[:40]
        words = escape("".join(child["text"] for child in children(node)))
        css = f' class="code-{language}" data-language="{language}"' if language else ""
        return f'<div class="code panel"><div class="codeContent panelContent"><pre{css}>{words}</pre></div></div>'

    def panel(self, node: Node) -> str:
        return (
            f'<div class="panel panel-{_css_word(attr(node, "panelType"))}"><div'
            f' class="panelContent">{self.inside(node)}</div></div>'
        )

    def ordered(self, node: Node) -> str:
        start = attr(node, "order", 1)
        return f"<ol{f' start={chr(34)}{int(start)}{chr(34)}' if start != 1 else ''}>{self.inside(node)}</ol>"

    def table(self, node: Node) -> str:
        rows = "".join(f"<tr>{''.join(self.cell(cell) for cell in children(row))}</tr>" for row in children(node))
        return f'<div class="table-wrap"><table class="confluenceTable"><tbody>{rows}</tbody></table></div>'

    def cell(self, cell: Node) -> str:
        tag = "th" if cell["type"] == "tableHeader" else "td"
        spans = "".join(
            f' {name}="{int(attr(cell, name))}"' for name in ("colspan", "rowspan") if attr(cell, name, 1) != 1
        )
        inside = children(cell)
        said = self.inside(inside[0]) if len(inside) == 1 and inside[0]["type"] == "paragraph" else self.blocks(inside)
        return f'<{tag} class="confluence{tag.upper()}"{spans}>{said}</{tag}>'

    def expand(self, node: Node) -> str:
        return f"<details><summary>{escape(attr(node, 'title'))}</summary>{self.blocks(children(node))}</details>"

    def task(self, node: Node) -> str:
        ticked = " checked" if attr(node, "state") == "DONE" else ""
        return f'<li class="task"><input type="checkbox" disabled{ticked}> {self.inside(node)}</li>'

    def card(self, node: Node) -> str:
        return f"<p>{anchor(attr(node, 'url'), escape(attr(node, 'url')))}</p>"

    def media(self, node: Node) -> str:
        external = attr(node, "url")
        name = attr(node, "alt") or external or attr(node, "id")
        href = external or self.link("media", attr(node, "id"))
        said = f'<span class="attachment">{escape(name)}</span>'
        return anchor(href, said) if href else said

    def mention(self, node: Node) -> str:
        account = attr(node, "id").removeprefix("accountid:")
        href = self.link("user", account)
        said = escape(mention_text(node))
        return (
            anchor(href, said, css="user-hover", account=account) if href else f'<span class="user-hover">{said}</span>'
        )

    def text(self, node: Node) -> str:
        marks = marks_of(node)
        said = escape(node["text"]) if "code" in marks or "link" in marks else self.linkify(node["text"])
        for kind in reversed(list(marks)):
            said = _render_mark(said, kind, marks[kind].get("attrs") or {})
        return said

    def linkify(self, words: str) -> str:
        out: list[str] = []
        at = 0
        for found in _FOUND.finditer(words):
            said = found[0].rstrip(".,;:!?)") if found["url"] else found[0]
            href = said if found["url"] else self.link("issue", said)
            if href:
                out += [
                    escape(words[at : found.start()]),
                    anchor(href, escape(said), css="" if found["url"] else "issue-link"),
                ]
                at = found.start() + len(said)
        return "".join([*out, escape(words[at:])])


def anchor(href: str, said: str, *, css: str = "", account: str = "") -> str:
    """A link; `said` is HTML already."""
    more = (f' class="{css}"' if css else "") + (f' data-account-id="{escape(account)}"' if account else "")
    return f'<a href="{escape(href)}"{more}>{said}</a>'


def _css_word(said: str) -> str:
    return re.sub(r"\W", "", said)[:20]


_ELEMENTS = {"strong": "b", "em": "em", "strike": "del", "underline": "ins", "code": "code"}


def _render_mark(said: str, kind: str, attrs: dict[str, str]) -> str:
    if kind in _ELEMENTS:
        return f"<{_ELEMENTS[kind]}>{said}</{_ELEMENTS[kind]}>"
    if kind == "link":
        return anchor(attrs["href"], said)
    if kind == "subsup":
        tag = "sub" if attrs["type"] == "sub" else "sup"
        return f"<{tag}>{said}</{tag}>"
    if kind in ("textColor", "backgroundColor") and _COLOUR.fullmatch(attrs["color"]):
        style = "color" if kind == "textColor" else "background-color"
        return f'<span style="{style}: {attrs["color"]}">{said}</span>'
    return said
