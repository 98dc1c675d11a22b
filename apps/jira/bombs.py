"""Inputs made to cost at the tracker's parsers: JQL, documents, wiki text, Markdown, files."""

from collections.abc import Mapping

from world.bench.attacker import Attacker
from world.bench.bombs import Bomb, repeat

ISSUE = "SHOP-1"


def _seek(jql: str) -> Bomb:
    return lambda at: at.call("searchAndReconsileIssuesUsingJql", jql=jql, maxResults=100)


def _comment(body: object) -> Bomb:
    def write(at: Attacker) -> None:
        at.post(f"/rest/api/3/issue/{ISSUE}/comment", {"body": body})
        at.page(f"/browse/{ISSUE}")

    return write


def _wiki(text: str) -> Bomb:
    """Through version 2 of the API, whose texts are wiki markup, and a page that shows it."""

    def write(at: Attacker) -> None:
        at.post(f"/rest/api/2/issue/{ISSUE}/comment", {"body": text})
        at.get(f"/rest/api/3/issue/{ISSUE}/comment")
        at.page(f"/browse/{ISSUE}")

    return write


def _tool_markdown(text: str) -> Bomb:
    return lambda at: at.tool("add_comment", {"issueIdOrKey": ISSUE, "body": text, "contentFormat": "markdown"})


def _document(*content: object) -> dict[str, object]:
    return {"type": "doc", "version": 1, "content": list(content)}


def _paragraph(*parts: object) -> dict[str, object]:
    return {"type": "paragraph", "content": list(parts)}


def _quote(depth: int) -> dict[str, object]:
    inner = _paragraph({"type": "text", "text": "x"})
    for _ in range(depth):
        inner = {"type": "bulletList", "content": [{"type": "listItem", "content": [inner]}]}
    return inner


def _form(parts: int) -> bytes:
    part = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n'
    return part * parts + b"--b--\r\n"


bombs: Mapping[str, Bomb] = {
    "JQL of alternatives": _seek(repeat("votes = {} or ", 12_000) + "votes = 1"),
    "JQL of exclusions": _seek(repeat("votes != {} and ", 12_000) + "votes = 1"),
    "JQL of texts": _seek(repeat("text ~ w{} or ", 12_000) + "votes = 1"),
    "JQL of comments": _seek(repeat("comment !~ w{} and ", 12_000) + "votes = 1"),
    "JQL of history": _seek(repeat("status was Done or ", 12_000) + "votes = 1"),
    "JQL of links": _seek(repeat('issue in linkedIssues("SHOP-{}") or ', 12_000) + "votes = 1"),
    "JQL of negations": _seek("not " * 3_000 + "votes = 1"),
    "JQL of brackets": _seek("(" * 6_000 + "votes = 1" + ")" * 6_000),
    "JQL of a long list": _seek("id in (" + ",".join(map(str, range(2_500))) + ")"),
    "JQL of orders": _seek("project = SHOP order by " + "created," * 1_000 + "created"),
    "JQL of a megabyte": lambda at: at.post("/rest/api/3/search/jql", {"jql": repeat("votes = {} or ", 1_000_000)}),
    "1,000 queries to parse": lambda at: at.post("/rest/api/3/jql/parse", {"queries": ["a = 1 and (b = 2)"] * 1_000}),
    "a document of 600 levels": _comment(_document(_quote(150))),
    "a document of 20,000 marks": _comment(
        _document(_paragraph(*[{"type": "text", "text": "x", "marks": [{"type": "strong"}]}] * 20_000))
    ),
    "a document of 5,000 paragraphs": _comment(_document(*[_paragraph({"type": "text", "text": "x"})] * 5_000)),
    "wiki text of stars": _wiki("*a " * 10_000),
    "wiki text of brackets": _wiki("[a|" * 10_000),
    "wiki text of braces": _wiki("{quote}" * 4_000),
    "wiki text of list marks": _wiki("*" * 30_000 + " x"),
    "wiki text of deep list marks": _wiki("\n".join("*" * depth + " x" for depth in range(1, 240))),
    "wiki text of table cells": _wiki("|a" * 15_000),
    "wiki text of dashes": _wiki("-a" * 15_000),
    "Markdown of brackets": _tool_markdown("[" * 30_000),
    "Markdown of quotes": _tool_markdown("> " * 15_000 + "x"),
    "Markdown of stars": _tool_markdown("**a " * 8_000),
    "Markdown of emphasis marks": _tool_markdown("*a_ " * 8_000),
    "Markdown of back ticks": _tool_markdown("`" * 15_000 + "a" + "`" * 14_999),
    "Markdown of links": _tool_markdown("[a](" * 8_000),
    "a property of 900 levels": lambda at: at.send(
        "PUT", f"/rest/api/3/issue/{ISSUE}/properties/x", b"[" * 900 + b"]" * 900, "application/json"
    ),
    "5,000 files in a form": lambda at: at.send(
        "POST",
        f"/rest/api/3/issue/{ISSUE}/attachments",
        _form(5_000),
        "multipart/form-data; boundary=b",
        **{"X-Atlassian-Token": "no-check"},
    ),
    "an issue with 10,000 labels": lambda at: at.call(
        "createIssue",
        fields={
            "project": {"key": "SHOP"},
            "issuetype": {"name": "Task"},
            "summary": "x",
            "labels": [f"l{number}" for number in range(10_000)],
        },
    ),
    "10,000 fields asked for": lambda at: at.post(
        "/rest/api/3/search/jql", {"jql": "project = SHOP", "fields": [f"f{n}" for n in range(10_000)]}
    ),
    "10,000 issues asked for": lambda at: at.call(
        "bulkFetchIssues", issueIdsOrKeys=[f"SHOP-{n}" for n in range(10_000)]
    ),
    "a page of a long JQL": lambda at: at.page("/issues?jql=" + "a%3D1%20or%20" * 1_500 + "a%3D1"),
    "a picker's query": lambda at: at.get("/rest/api/3/issue/picker?query=" + "a%20" * 5_000),
}
