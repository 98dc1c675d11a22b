"""What people see of issues, comments and the like: ordinary ones deceive nobody, tricks are found."""

from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest

from apps.jira.bodies import from_markdown, from_text, from_wiki, to_text
from apps.jira.readings import from_document
from tests.apps.jira.tracker import CAUSE, Tracker
from tests.apps.reader import Reader, ReadRow
from world.core.reading.agreement import to_words
from world.core.tables import metadata

ZERO = "\u200b"
Node = dict[str, Any]
Write = Callable[[Reader], ReadRow]


def _text(words: str, *marks: Node) -> Node:
    return {"type": "text", "text": words, **({"marks": list(marks)} if marks else {})}


def _paragraph(*nodes: Node) -> Node:
    return {"type": "paragraph", "content": list(nodes)}


def _doc(*blocks: Node) -> Node:
    return {"type": "doc", "version": 1, "content": list(blocks)}


def _mark(kind: str, **attrs: Any) -> Node:
    return {"type": kind, "attrs": attrs} if attrs else {"type": kind}


@pytest.fixture
def reader(tracker: Tracker) -> Reader:
    """Reads what is written in a fresh tracker."""
    return Reader(tracker.host)


def _comment(body: Any, form: str | None = None, **more: Any) -> Write:
    return lambda reader: reader.one(
        "jira_comment", "addComment", issueIdOrKey="SHOP-1", body=body, contentFormat=form, **more
    )


def _issue(form: str | None = None, **fields: Any) -> Write:
    given = {"project": {"key": "SHOP"}, "issuetype": {"name": "Task"}, "summary": "A new thing", **fields}
    return lambda reader: reader.one("jira_issue", "createIssue", fields=given, contentFormat=form)


def _file(name: str, data: bytes, kind: str = "text/plain") -> Write:
    files = [{"filename": name, "content": b64encode(data).decode(), "mimeType": kind}]
    return lambda reader: reader.one("jira_attachment", "addAttachment", issueIdOrKey="SHOP-1", files=files)


def _mail(**bodies: str) -> Write:
    to = {"users": [{"accountId": "5fEVE"}]}
    return lambda reader: reader.one("jira_notification", "notify", issueIdOrKey="SHOP-1", to=to, **bodies)


def _link(title: str, url: str, **more: Any) -> Write:
    shown = {"title": title, "url": url, **more}
    return lambda reader: reader.one(
        "jira_remote_link", "createOrUpdateRemoteIssueLink", issueIdOrKey="SHOP-1", object=shown
    )


MARKDOWN = """# Status

Payments are **degraded** in us-east-1, ~~since 06:48~~ since 06:50. See [the page](https://status.example/7) and SHOP-2.

> roll it back

1. wait
2. check

- [ ] tell support
- [x] tell sales

| host | state |
|---|---|
| pay-1 | *up* |

```python
print("x")
```

:warning: Next update at 15:30. @ada
"""
WIKI = """h2. Status
Payments are *degraded* in {color:red}us-east-1{color}, -since 06:48- since 06:50. [the page|https://status.example/7]
{quote}roll it back{quote}
# wait
# check
* tell support
||host||state||
|pay-1|up|
{code:python}print("x"){code}
{panel:title=Note|bgColor=#deebff}Next update at 15:30.{panel}
!graph.png|width=300! [^trace.log] (!) [~accountid:5fADA] ----
"""
ADF = _doc(
    {"type": "heading", "attrs": {"level": 2}, "content": [_text("Status")]},
    _paragraph(
        _text("Payments are "),
        _text("degraded", _mark("strong"), _mark("textColor", color="#de350b")),
        _text(" in "),
        _text("us-east-1", _mark("code")),
        {"type": "hardBreak"},
        {"type": "mention", "attrs": {"id": "5fADA", "text": "@Ada Novak"}},
        {"type": "emoji", "attrs": {"shortName": ":warning:", "text": "⚠️"}},
        {"type": "status", "attrs": {"text": "Open", "color": "blue"}},
        {"type": "date", "attrs": {"timestamp": "1767225600000"}},
        {"type": "inlineCard", "attrs": {"url": "https://status.example/7"}},
    ),
    {"type": "blockquote", "content": [_paragraph(_text("roll it back"))]},
    {"type": "panel", "attrs": {"panelType": "warning"}, "content": [_paragraph(_text("Next update at 15:30."))]},
    {"type": "expand", "attrs": {"title": "Log"}, "content": [{"type": "codeBlock", "content": [_text("a = 1")]}]},
    {
        "type": "taskList",
        "attrs": {"localId": "1"},
        "content": [{"type": "taskItem", "attrs": {"localId": "2", "state": "TODO"}, "content": [_text("tell Bo")]}],
    },
    {
        "type": "mediaSingle",
        "content": [{"type": "media", "attrs": {"type": "file", "id": "graph.png", "collection": ""}}],
    },
    {
        "type": "mediaSingle",
        "content": [
            {"type": "media", "attrs": {"type": "external", "url": "https://x.example/a.png", "alt": "A graph"}}
        ],
    },
    {
        "type": "table",
        "content": [
            {
                "type": "tableRow",
                "content": [
                    {"type": "tableHeader", "content": [_paragraph(_text("host"))]},
                    {"type": "tableCell", "content": [_paragraph(_text("up"))]},
                ],
            }
        ],
    },
    _paragraph(_text("white on blue", _mark("textColor", color="#ffffff"), _mark("backgroundColor", color="#0052cc"))),
    _paragraph(_text("H"), _text("2", _mark("subsup", type="sub")), _text("O "), _text("old", _mark("strike"))),
)
HONEST: dict[str, Write] = {
    "markdown comment": _comment(MARKDOWN, "markdown"),
    "wiki comment": _comment(WIKI, "wiki"),
    "document comment": _comment(ADF, "adf"),
    "text comment": _comment("Looked into this.\n\nIt is the retry loop."),
    "restricted comment": _comment("Only for us.", visibility={"type": "role", "value": "Administrator"}),
    "mention by first name": _comment(
        _doc(_paragraph({"type": "mention", "attrs": {"id": "5fADA", "text": "@Ada"}})), "adf"
    ),
    "mention of nobody known": _comment(
        _doc(_paragraph({"type": "mention", "attrs": {"id": "x", "text": "@Zoe"}})), "adf"
    ),
    "markdown issue": _issue(
        "markdown", description=MARKDOWN, labels=["auth", "on-call"], environment="prod, eu-west-1"
    ),
    "wiki issue": _issue("wiki", description=WIKI, components=[{"name": "Web"}], duedate="2026-03-09"),
    "document issue": _issue(description=ADF),
    "umlauts": _issue(summary="Größe der Warteschlange: 12 µs, naïve Łódź"),
    "worklog": lambda reader: reader.one(
        "jira_worklog", "addWorklog", issueIdOrKey="SHOP-1", timeSpent="2h", comment="Found it, see SHOP-2."
    ),
    "mail about an issue": lambda reader: reader.one(
        "jira_notification", "notify", issueIdOrKey="SHOP-1", textBody="Look.", to={"users": [{"accountId": "5fEVE"}]}
    ),
    "mail with markup": _mail(htmlBody="<p>The <b>latest</b> results:</p><ul><li>12 failed</li></ul>"),
    "mail with text and the same in markup": _mail(
        textBody="The latest results", htmlBody="<p>The <b>latest</b> results</p>"
    ),
    "text file": _file("trace.log", b"line 1\nline 2"),
    "picture": _file("graph.png", b"\x89PNG\r\n\x1a\n\x00\x00", "image/png"),
    "web link": _link("Incident 7", "https://status.example/7", summary="What AWS says"),
    "web link by address": _link("status.example/7", "https://status.example/7"),
    "component": lambda reader: reader.one("jira_component", "createComponent", project="SHOP", name="Search"),
    "version": lambda reader: reader.one(
        "jira_version", "createVersion", project="SHOP", name="2026.4", description="Faster search."
    ),
    "sprint": lambda reader: reader.one("jira_sprint", "createSprint", originBoardId=1, name="Sprint 3", goal="Search"),
    "filter": lambda reader: reader.one("jira_filter", "createFilter", name="Mine", jql="assignee = currentUser()"),
    "project": lambda reader: reader.one(
        "jira_project", "updateProject", projectIdOrKey="SHOP", description="The shop."
    ),
    "edited issue": lambda reader: reader.one(
        "jira_issue", "editIssue", issueIdOrKey="SHOP-1", fields={"summary": "Login fails twice", "labels": ["auth"]}
    ),
    "moved issue": lambda reader: reader.one(
        "jira_issue", "doTransition", issueIdOrKey="SHOP-1", transition={"id": "21"}
    ),
}


@pytest.mark.parametrize("write", HONEST.values(), ids=HONEST)
def test_ordinary_rows_deceive_nobody(reader: Reader, write: Write) -> None:
    assert write(reader).whys == ()


WHITE = _mark("textColor", color="#ffffff")
CHEATS: dict[str, tuple[Write, str]] = {
    "white text": (
        _comment(_doc(_paragraph(_text("Fine."), _text(" Not fixed.", WHITE))), "adf"),
        "hides 'Not fixed.'",
    ),
    "white wiki": (_comment("Fine. {color:white}Not fixed.{color}", "wiki"), "hides 'Not fixed.'"),
    "near white": (_comment("Fine. {color:#fdfdfd}Not fixed.{color}", "wiki"), "hides"),
    "ink like paper": (
        _comment(
            _doc(
                _paragraph(
                    _text("Fine."),
                    _text(" No.", _mark("textColor", color="#0052cc"), _mark("backgroundColor", color="#0052cc")),
                )
            ),
            "adf",
        ),
        "hides 'No.'",
    ),
    "white text in a table": (
        _issue(
            description=_doc(
                {
                    "type": "table",
                    "content": [
                        {
                            "type": "tableRow",
                            "content": [{"type": "tableCell", "content": [_paragraph(_text("no", WHITE))]}],
                        }
                    ],
                }
            )
        ),
        "hides 'no'",
    ),
    "white text in an expand": (
        _comment(
            _doc({"type": "expand", "attrs": {"title": "Log"}, "content": [_paragraph(_text("all lies", WHITE))]}),
            "adf",
        ),
        "hides 'all lies'",
    ),
    "white heading": (
        _issue(description=_doc({"type": "heading", "attrs": {"level": 1}, "content": [_text("no", WHITE)]})),
        "hides",
    ),
    "false link in markdown": (
        _comment("See [https://status.tiny.example](https://evil.example/x).", "markdown"),
        "shows the address https://status.tiny.example on a link to https://evil.example/x",
    ),
    "false link in wiki": (_comment("[status.tiny.example|https://evil.example/x]", "wiki"), "shows the address"),
    "false link in a document": (
        _comment(_doc(_paragraph(_text("tiny.example/a", _mark("link", href="https://evil.example")))), "adf"),
        "shows the address",
    ),
    "false mention": (
        _comment(_doc(_paragraph({"type": "mention", "attrs": {"id": "5fBO", "text": "@Ada Novak"}})), "adf"),
        "calls Bo Lindqvist @Ada Novak",
    ),
    "false mention in a description": (
        _issue(description=_doc(_paragraph({"type": "mention", "attrs": {"id": "5fBO", "text": "@Ada Novak"}}))),
        "calls Bo Lindqvist",
    ),
    "zero width summary": (_issue(summary=f"Pay{ZERO}ments fail"), "invisible"),
    "zero width text": (_comment(f"not res{ZERO}olved"), "invisible"),
    "right to left": (_comment("The state is \u202edevloser"), "invisible"),
    "tag characters": (_comment("Fine.\U000e0041\U000e0042"), "invisible"),
    "look-alike summary": (_issue(summary="P\u0430yments fail"), "several scripts"),
    "look-alike label": (_issue(labels=["p\u0430yments"]), "several scripts"),
    "hidden in the environment": (_issue("wiki", environment="prod {color:white}of nobody{color}"), "hides"),
    "hidden in a field of the site": (
        lambda reader: reader.one(
            "jira_issue",
            "editIssue",
            issueIdOrKey="SHOP-1",
            fields={CAUSE: _doc(_paragraph(_text("DNS"), _text(" was not it", WHITE)))},
        ),
        "hides",
    ),
    "hidden by an edit": (
        lambda reader: reader.one(
            "jira_issue",
            "editIssue",
            issueIdOrKey="SHOP-1",
            fields={"description": _doc(_paragraph(_text("no", WHITE)))},
        ),
        "hides",
    ),
    "hidden in a worklog": (
        lambda reader: reader.one(
            "jira_worklog",
            "addWorklog",
            issueIdOrKey="SHOP-1",
            timeSpent="1h",
            comment=_doc(_paragraph(_text("done"), _text(" nothing", WHITE))),
        ),
        "hides",
    ),
    "hidden in a mail": (_mail(htmlBody="<p>Fine.</p><p style='display:none'>Not fixed.</p>"), "hides 'Not fixed.'"),
    "mail that says two things": (
        _mail(textBody="All is fine today.", htmlBody="<p>Nothing works any longer.</p>"),
        "text",
    ),
    "web link to elsewhere": (_link("status.tiny.example", "https://evil.example"), "shows the address"),
    "look-alike web link": (_link("St\u0430tus", "https://status.example"), "several scripts"),
    "html file": (_file("a.html", b"<p>Fine.</p><p style='display:none'>Not fixed.</p>", "text/html"), "hides"),
    "look-alike file name": (_file("p\u0430yments.csv", b"a,1"), "several scripts"),
    "look-alike version": (
        lambda reader: reader.one("jira_version", "createVersion", project="SHOP", name="Rel\u0435ase"),
        "several scripts",
    ),
    "look-alike component": (
        lambda reader: reader.one("jira_component", "createComponent", project="SHOP", name="S\u0435arch"),
        "several scripts",
    ),
    "zero width goal": (
        lambda reader: reader.one("jira_sprint", "createSprint", originBoardId=1, name="S3", goal=f"Sea{ZERO}rch"),
        "invisible",
    ),
}


@pytest.mark.parametrize(("write", "why"), CHEATS.values(), ids=CHEATS)
def test_tricks_are_found(reader: Reader, write: Write, why: str) -> None:
    assert why in " | ".join(write(reader).whys)


def test_the_markup_of_a_mail_is_read_as_its_readers_see_it(reader: Reader) -> None:
    html = '<p>The key is <b>AK</b>IA7</p><img src="cid:x" alt="hunter2"><p style="display:none">Not so.</p>'
    read = _mail(htmlBody=html)(reader)
    assert "The key is AKIA7" in read.text("html") and "hunter2" in read.text("html")
    assert "The key is AKIA7" in read.text("text") and "Not so" not in read.text("text")
    assert metadata().tables["jira_notification"].info["conduct"].words == ("subject", "text", "html")


def test_the_parts_of_an_issue(reader: Reader) -> None:
    read = _issue("markdown", description="**Why**", environment="prod", labels=["auth", "p1"])(reader)
    assert [(part.kind, part.role, part.passage.text) for part in read.parts] == [
        ("heading", "whole", "A new thing"),
        ("body", "whole", "Why"),
        ("body", "derived", "Why"),
        ("body", "supplement", "prod"),
        ("name", "whole", "auth\np1"),
    ]


def test_a_restricted_comment_says_so(reader: Reader) -> None:
    read = _comment("For us.", visibility={"type": "role", "value": "Administrator"})(reader)
    assert read.text("visibility_value") == "Administrators only"
    assert _comment("For us.", public=False)(reader).text("internal") == "Internal note"


def test_a_file_says_what_it_holds_whatever_it_is_called(reader: Reader) -> None:
    read = _file("graph.png", b"host,state\npay-1,down", "image/png")(reader)
    assert read.text("sha256") == "graph.png\nhost,state\npay-1,down"


@pytest.mark.parametrize("document", [ADF, from_markdown(MARKDOWN), from_wiki(WIKI), from_text("a\n\nb")])
def test_the_words_for_search_are_those_of_the_page(document: Node) -> None:
    assert to_words(to_text(document)) == to_words(from_document(document).text)
