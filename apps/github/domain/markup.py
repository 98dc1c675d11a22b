"""GitHub-flavoured Markdown: conversion to HTML and plain text, and mentions of people, issues and commits."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from typing import Any, NamedTuple

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.tasklists import tasklists_plugin

# docs.github.com/get-started/writing-on-github/working-with-advanced-formatting/autolinked-references-and-urls
MENTION = re.compile(r"(?<![\w/`@.-])@([A-Za-z0-9](?:[A-Za-z0-9]|-(?=[A-Za-z0-9])){0,38})(/[A-Za-z0-9_-]+)?(?![\w-])")
NUMBER = re.compile(r"(?:(?<![\w/#-])(?P<full>[\w.-]{1,39}/[\w.-]{1,100})|(?<![\w&/#]))#(?P<number>\d{1,9})(?!\w)")
CLOSING = re.compile(
    r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:(?P<full>[\w.-]{1,39}/[\w.-]{1,100}))?#(?P<number>\d{1,9})(?!\w)",
    re.IGNORECASE,
)
CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`", re.DOTALL)
MARKS = re.compile(r"[*_~`\[|@#<&\n]")
MOST_MARKS = 4_000  # of one text: a text with more is shown as it is written; an article of 40 pages has a thousand
DROPPED = re.compile(r"<!--(.*?)(?:-->|\Z)|<(script|style)\b[^>]*>(.*?)(?:</\2|\Z)", re.DOTALL | re.IGNORECASE)


URL = re.compile(r"\bhttps?://[^\s<>\"'`]*[^\s<>\"'`.,;:!?)\]}]")
COMMIT = re.compile(r"(?<![\w/@#-])[0-9a-f]{7,40}(?![\w-])")
LINKED = re.compile(
    "|".join(
        f"(?P<{name}>{part.pattern})"
        for name, part in (
            ("url", URL),
            ("mention", re.compile(MENTION.pattern.replace("(?P<", "(?P<m_"))),
            ("issue", re.compile(NUMBER.pattern.replace("(?P<", "(?P<n_"))),
            ("commit", COMMIT),
        )
    )
)


class Autolink(NamedTuple):
    """An autolink prefix. `letters`: the reference may hold letters and hyphens, not digits alone."""

    prefix: str
    url: str
    letters: bool


@cache
def _reference_pattern(links: tuple[Autolink, ...]) -> re.Pattern[str]:
    """Return a pattern for references with any of the prefixes; group n is the reference of the n-th."""
    parts = (f"{re.escape(one.prefix)}({'[A-Za-z0-9-]+' if one.letters else '[0-9]+'})" for one in links)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(parts)})(?!\w)")


@cache
def _markdown() -> MarkdownIt:
    made = MarkdownIt("gfm-like", {"linkify": False, "html": True, "breaks": True}).use(tasklists_plugin)
    made.core.ruler.after("inline", "autolinks", _autolinks)
    return made


def _autolinks(state: StateCore) -> None:
    """Turn addresses, people, issues and commits in prose into links; `env` holds the link targets."""
    for token in state.tokens:
        if token.type == "inline" and token.children:
            token.children = list(_link_tokens(token.children, state.env))


def _link_tokens(tokens: list[Token], env: Mapping[str, object]) -> Iterator[Token]:
    inside = 0
    for token in tokens:
        inside += token.nesting if token.type in ("link_open", "link_close") else 0
        if token.type == "text" and not inside:
            yield from _split(token.content, env)
        else:
            yield token


def _split(text: str, env: Mapping[str, object]) -> Iterator[Token]:
    end = 0
    for found in LINKED.finditer(text):
        address = _address(found, env)
        if address is None:
            continue
        yield from _refer(text[end : found.start()], env)
        shown = found[0][:7] if found.lastgroup == "commit" or found["commit"] else found[0]
        yield from _link(address, shown)
        end = found.end()
    yield from _refer(text[end:], env)


def _refer(text: str, env: Mapping[str, Any]) -> Iterator[Token]:
    """Turn references to other sites in a piece of prose into links."""
    end, links = 0, env.get("links") or ()
    for found in _reference_pattern(links).finditer(text) if links else ():
        assert found.lastindex is not None
        yield Token("text", "", 0, content=text[end : found.start()])
        yield from _link(links[found.lastindex - 1].url.replace("<num>", found[found.lastindex]), found[0])
        end = found.end()
    yield Token("text", "", 0, content=text[end:])


def _link(address: str, shown: str) -> Iterator[Token]:
    yield Token("link_open", "a", 1, attrs={"href": address})
    yield Token("text", "", 0, content=shown)
    yield Token("link_close", "a", -1)


def _address(found: re.Match[str], env: Mapping[str, object]) -> str | None:
    site, repo = env.get("site"), env.get("repo")
    if found["url"]:
        return found["url"]
    if site is None:
        return None
    if found["mention"]:
        name, _, team = found["mention"].removeprefix("@").partition("/")
        return f"{site}/orgs/{name}/teams/{team}" if team else f"{site}/{name}"
    if found["issue"] and (found["n_full"] or repo):
        return f"{site}/{found['n_full'] or repo}/issues/{found['n_number']}"
    if found["commit"] and repo and any(char.isdigit() for char in found["commit"]):
        return f"{site}/{repo}/commit/{found['commit']}"
    return None


def is_too_dense(text: str) -> bool:
    """Whether a text has more marks than are rendered."""
    return len(text) > MOST_MARKS and len(MARKS.findall(text)) > MOST_MARKS


def html(text: str | None, site: str | None = None, repo: str | None = None, links: tuple[Autolink, ...] = ()) -> str:
    """Render a text as safe HTML.

    With the pages' address and `owner/name`, people, issues and commits become links; so do references with the
    repository's autolink prefixes. A text that is too dense is shown as it is written.
    """
    if is_too_dense(text or ""):
        return "<p>" + escape(text or "", quote=False).replace("\n", "<br>\n") + "</p>\n"
    made = _markdown().render(text or "", {"site": site, "repo": repo, "links": links})
    return nh3.clean(
        made,
        tags=ALLOWED,
        attributes=ATTRIBUTES,
        link_rel="nofollow noopener",
        filter_style_properties={"text-align"},
    )


def find_unseen(text: str | None) -> list[str]:
    """List the parts of a text that its page hides: comments, styles, scripts and link definitions."""
    if is_too_dense(text or ""):
        return []
    known: dict[str, Any] = {}
    tokens = _markdown().parse(text or "", known)
    pieces = (piece for token in tokens for piece in (token, *(token.children or ())))
    markup = (piece.content for piece in pieces if piece.type in ("html_block", "html_inline"))
    found = [said for part in markup for match in DROPPED.finditer(part) for said in match.group(1, 3) if said]
    for label, definition in known.get("references", {}).items():
        if (text or "").casefold().count(f"[{label.casefold()}]") < 2:
            found += [label, definition.get("title") or ""]
    return [said.strip() for said in found if said.strip()]


ALLOWED = {
    "p",
    "br",
    "hr",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "strong",
    "em",
    "s",
    "del",
    "code",
    "pre",
    "blockquote",
    "ul",
    "ol",
    "li",
    "a",
    "img",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "input",
    "span",
    "div",
    "details",
    "summary",
    "kbd",
    "sub",
    "sup",
    "dl",
    "dt",
    "dd",
    "samp",
    "var",
    "abbr",
    "ins",
    "b",
    "i",
}
ATTRIBUTES = {
    "a": {"href", "title"},
    "img": {"src", "alt", "title"},
    "code": {"class"},
    "li": {"class"},
    "ul": {"class"},
    "input": {"type", "checked", "disabled", "class"},
    "details": {"open"},
    "ol": {"start"},
    "th": {"style"},
    "td": {"style"},
}


def strip_markup(text: str | None) -> str:
    """Return a text without markup."""
    return re.sub(r"\n{2,}", "\n", nh3.clean(html(text), tags=set())).strip()


def _prose(text: str | None) -> str:
    return CODE.sub(" ", text or "")


def mentions(text: str | None) -> list[str]:
    """List the logins and `org/team` names mentioned outside code, each once, in order."""
    return list(dict.fromkeys((found[1] + (found[2] or "")) for found in MENTION.finditer(_prose(text))))


def references(text: str | None) -> list[tuple[str | None, int]]:
    """List (`owner/repo` or None, number) of the issues mentioned outside code, each once, in order."""
    return list(dict.fromkeys((found["full"], int(found["number"])) for found in NUMBER.finditer(_prose(text))))


def closes(text: str | None) -> list[tuple[str | None, int]]:
    """List (`owner/repo` or None, number) of the issues that a text says it closes, each once, in order."""
    return list(dict.fromkeys((found["full"], int(found["number"])) for found in CLOSING.finditer(_prose(text))))
