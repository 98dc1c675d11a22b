"""What people see of issues, pull requests, commits and the like: ordinary ones deceive nobody, tricks are found."""

from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest

from apps.github.domain import markup
from apps.github.readings import from_gfm
from tests.apps.reader import Reader, ReadRow
from tests.company import as_person
from world.run.host import Host

ZERO = "\u200b"
LOOK_ALIKE = "p\u0430yments"
Write = Callable[[Reader], ReadRow]
BODY = """## What

Retries are **bounded** now, ~~for ever~~ three times. Fixes #99, see [the runbook](https://wiki.example/retries).

> Could this fail?

No: `retry(3)`.

- [x] tests
- [ ] docs

| before | after |
|:-------|------:|
| ∞      | 3     |

```diff
- retry()
+ retry(3)
```

<details><summary>Log</summary>

`3 retries`

</details>

![A graph](https://x.example/graph.png) cc @bo @tiny/core 1a2b3c4 :tada: 1 &lt; 2 <kbd>Ctrl</kbd>
[docs]: https://docs.example "The docs"
[docs]

[docs]: https://docs.example "The docs"
"""
SUGGESTION = "Without this line?\n\n```suggestion\n    return list(n)\n```\n"


def _here(table: str, operation: str, who: str = "ada", /, **arguments: Any) -> Write:
    def write(reader: Reader) -> ReadRow:
        return reader.one(table, operation, who, owner="tiny", repo="app", **arguments)

    return write


def _issue(title: str = "Retries never end", body: str | None = None, **more: Any) -> Write:
    return _here("github_issue", "issues/create", title=title, body=body, **more)


def _comment(body: str) -> Write:
    return _here("github_comment", "issues/create-comment", issue_number=1, body=body)


def _pull(title: str, body: str) -> Write:
    return _here("github_issue", "pulls/create", title=title, body=body, head="feature", base="main")


def _review(body: str) -> Write:
    def write(reader: Reader) -> ReadRow:
        _pull("Numbers", "")(reader)
        return _here("github_review", "pulls/create-review", "bo", pull_number=3, body=body, event="COMMENT")(reader)

    return write


def _line_comment(body: str) -> Write:
    def write(reader: Reader) -> ReadRow:
        _pull("Numbers", "")(reader)
        place = {"path": "src/count.py", "position": 1, "commit_id": _head(reader, "feature")}
        return _here("github_review_comment", "pulls/create-review-comment", "bo", pull_number=3, body=body, **place)(
            reader
        )

    return write


def _head(reader: Reader, branch: str) -> str:
    found = reader.host.call(
        as_person(reader.host), "rest", "repos/get-branch", {"owner": "tiny", "repo": "app", "branch": branch}
    )
    return str(found["commit"]["sha"])


def _commit(message: str, **more: Any) -> Write:
    content = b64encode(b"Notes\n").decode()
    return _here(
        "github_ref", "repos/create-or-update-file-contents", path="NOTES.md", message=message, content=content, **more
    )


def _release(name: str, body: str, tag: str = "v1.0") -> Write:
    return _here("github_release", "repos/create-release", tag_name=tag, name=name, body=body)


def _asset(name: str, data: bytes, kind: str, label: str | None = None) -> Write:
    def write(reader: Reader) -> ReadRow:
        id = _release("First", "")(reader).row["id"]
        content = b64encode(data).decode()
        given = {"release_id": id, "name": name, "content": content, "content_type": kind, "label": label}
        return _here("github_asset", "repos/upload-release-asset", **given)(reader)

    return write


def _gist(name: str, text: str, description: str = "Notes") -> Write:
    given = {"files": {name: {"content": text}}, "description": description}
    return lambda reader: reader.one("github_gist", "gists/create", **given)


def _status(context: str, description: str, url: str | None = None) -> Write:
    def write(reader: Reader) -> ReadRow:
        given = {"state": "success", "context": context, "description": description, "target_url": url}
        return _here("github_status", "repos/create-commit-status", sha=_head(reader, "main"), **given)(reader)

    return write


def _check(title: str, summary: str) -> Write:
    def write(reader: Reader) -> ReadRow:
        given = {"name": "smoke", "status": "completed", "conclusion": "success"}
        output = {"title": title, "summary": summary}
        return _here("github_check_run", "checks/create", head_sha=_head(reader, "main"), output=output, **given)(
            reader
        )

    return write


def _profile(**fields: str) -> Write:
    return lambda reader: reader.one("github_account", "users/update-authenticated", **fields)


HONEST: dict[str, Write] = {
    "issue": _issue(body=BODY, labels=["bug"]),
    "issue without a text": _issue(),
    "comment": _comment(BODY),
    "pull request": _pull("Bound the retries", BODY),
    "review": _review("Two questions.\n\n> def count(n):\n\nWhy?"),
    "review without a text": _review("Fine."),
    "suggestion": _line_comment(SUGGESTION),
    "commit": _commit("Add notes\n\nThey say what a retry costs.\n\nCo-authored-by: Bo <bo@tiny.example>"),
    "branch": lambda reader: reader.one(
        "github_ref", "git/create-ref", owner="tiny", repo="app", ref="refs/heads/fix-1", sha=_head(reader, "main")
    ),
    "release": _release("First", BODY),
    "text asset": _asset("notes.txt", b"Notes\n", "text/plain", "The notes"),
    "archive": _asset("app.zip", b"PK\x05\x06" + b"\x00" * 18, "application/zip"),
    "gist": _gist("a.md", BODY),
    "label": _here("github_label", "issues/create-label", name="needs-triage", color="f29513"),
    "milestone": _here("github_milestone", "issues/create-milestone", title="Spring", description=BODY),
    "repository": _here("github_repository", "repos/update", description="Counts", homepage="https://tiny.example"),
    "topics": _here("github_repository", "repos/replace-all-topics", names=["counting"]),
    "profile": _profile(name="Ada Novak", bio="Counts things", company="@tiny"),
    "own nickname": _profile(name="Adanova"),
    "status": _status("ci/smoke", "All fine", "https://ci.example/1"),
    "check": _check("All fine", "**3** of 3 passed"),
    "remark on a commit": lambda reader: reader.one(
        "github_commit_comment",
        "repos/create-commit-comment",
        owner="tiny",
        repo="app",
        commit_sha=_head(reader, "main"),
        body="Nice, `[*range(n)]`.",
    ),
    "team": lambda reader: reader.one("github_team", "teams/create", org="tiny", name="Risk", description="Looks"),
    "edited issue": _here("github_issue", "issues/update", issue_number=1, title="Counting is very slow", body=BODY),
}


@pytest.mark.parametrize("write", HONEST.values(), ids=HONEST)
def test_ordinary_rows_deceive_nobody(host: Host, write: Write) -> None:
    assert write(Reader(host)).whys == ()


CHEATS: dict[str, tuple[Write, str]] = {
    "comment in the markup": (_comment("Fixed.\n\n<!-- it is not fixed -->"), "hides"),
    "comment within a line": (_comment("Fixed <!-- not --> today."), "hides 'not'"),
    "comment without an end": (_issue(body="Fixed.\n\n<!-- it is not fixed"), "hides"),
    "definition of a link": (_comment("Fixed.\n\n[//]: # (it is not fixed)"), "hides"),
    "definition nobody uses": (_comment('Fixed.\n\n[note]: https://a.example "it is not fixed"'), "hides"),
    "label nobody uses": (_comment("Fixed.\n\n[it is not fixed at all]: https://a.example"), "hides"),
    "style": (_issue(body="Fixed.\n\n<style>not fixed at all</style>"), "hides"),
    "script": (_pull("Fix", "Fixed.\n\n<script>not fixed at all</script>"), "hides"),
    "comment in a pull request": (_pull("Fix", "Fixed.\n<!-- do not merge -->"), "hides 'do not merge'"),
    "comment in a review": (_review("Fine.\n\n<!-- not at all -->"), "hides"),
    "comment in a line comment": (_line_comment("Fine. <!-- not at all -->"), "hides"),
    "comment in release notes": (_release("First", "Stable.\n\n<!-- it crashes -->"), "hides"),
    "comment in a gist": (_gist("a.md", "Fine.\n\n<!-- not at all -->"), "hides"),
    "comment in a milestone": (
        _here("github_milestone", "issues/create-milestone", title="Spring", description="Fine.<!-- no -->"),
        "hides",
    ),
    "comment in a check": (_check("All fine", "3 of 3 <!-- failed -->"), "hides 'failed'"),
    "comment by an edit": (
        _here("github_issue", "issues/update", issue_number=1, body="Slow. <!-- no longer -->"),
        "hides",
    ),
    "false link": (
        _comment("See [https://status.tiny.example](https://evil.example)."),
        "shows the address https://status.tiny.example on a link to https://evil.example",
    ),
    "false link in HTML": (_comment('<a href="https://evil.example">tiny.example/x</a>'), "shows the address"),
    "false link by reference": (_comment("[tiny.example][1]\n\n[1]: https://evil.example"), "shows the address"),
    "false status link": (_status("tiny.example/ci", "Fine", "https://evil.example"), "shows the address"),
    "zero width title": (_issue(f"Retries ne{ZERO}ver end"), "invisible"),
    "zero width text": (_comment(f"not fi{ZERO}xed"), "invisible"),
    "right to left": (_comment("The build is \u202eneerg"), "invisible"),
    "look-alike title": (_issue(f"The {LOOK_ALIKE} fail"), "several scripts"),
    "look-alike label": (
        _here("github_label", "issues/create-label", name=LOOK_ALIKE, color="f29513"),
        "several scripts",
    ),
    "look-alike branch": (
        lambda reader: reader.one(
            "github_ref",
            "git/create-ref",
            owner="tiny",
            repo="app",
            ref="refs/heads/m\u0430in",
            sha=_head(reader, "main"),
        ),
        "several scripts",
    ),
    "zero width commit": (_commit(f"Revert not{ZERO}hing"), "invisible"),
    "look-alike commit": (_commit(f"Fix {LOOK_ALIKE}"), "several scripts"),
    "look-alike release": (_release("First", "", "v1.0-rele\u0430se"), "several scripts"),
    "HTML asset": (_asset("a.html", b"<p>Fine.</p><p style='opacity:0'>Not at all.</p>", "text/html"), "hides"),
    "look-alike topic": (_here("github_repository", "repos/update", description=LOOK_ALIKE), "several scripts"),
    "a colleague's name": (_profile(name="Bo Lindqvist"), "Ada Novak goes by the name of Bo Lindqvist"),
}


@pytest.mark.parametrize(("write", "why"), CHEATS.values(), ids=CHEATS)
def test_tricks_are_found(host: Host, write: Write, why: str) -> None:
    assert why in " | ".join(write(Reader(host)).whys)


def test_what_the_page_leaves_out_is_read_as_hidden() -> None:
    made = from_gfm("Fixed <!-- not --> today.")
    assert made.text == "Fixed today.\nnot"
    assert made.without("hidden").split() == ["Fixed", "today."]
    assert from_gfm("`<!-- code -->`").text == "<!-- code -->"


def test_html_in_markdown_is_drawn_without_what_could_hide_it() -> None:
    drawn = markup.html('<p style="display:none" onclick="x()">seen</p><details open><summary>S</summary>in</details>')
    assert drawn.replace("\n", "") == '<p>seen</p><details open=""><summary>S</summary>in</details>'


def test_a_branch_says_what_its_new_commits_say(host: Host) -> None:
    reader = Reader(host)
    first = _commit("Add notes\n\nWhat a retry costs.", branch="feature")(reader)
    assert first.text("target") == "Add notes\n\nWhat a retry costs."
    assert first.text("name").startswith("feature")


def test_a_comment_that_is_folded_away_says_so(host: Host) -> None:
    reader = Reader(host)
    made = reader.host.call(
        as_person(host),
        "rest",
        "issues/create-comment",
        {"owner": "tiny", "repo": "app", "issue_number": 1, "body": "It is fixed."},
    )
    query = "mutation($id: ID!) { minimizeComment(input: {subjectId: $id, classifier: SPAM}) { clientMutationId } }"
    read = reader.one("github_comment", "graphql/mutate", query=query, variables={"id": made["node_id"]})
    assert read.text("hidden") == "This comment was marked as spam."


def test_pictures_say_their_alternative_text(host: Host) -> None:
    read = _comment("![Latency falls](https://x.example/a.png)")(Reader(host))
    assert [part.passage.text for part in read.parts if part.kind == "aside"] == ["Latency falls"]


def test_boxes_of_a_list_of_tasks_are_ticked_or_not(host: Host) -> None:
    read = _comment("- [x] tests\n- [ ] docs")(Reader(host))
    assert read.text("body") == "- ☑ tests\n- ☐ docs"
