"""Texts that people read in the rows of the code host. Lines that commits add are read in added_lines.py."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from apps.github.added_lines import list_new_commits
from apps.github.app import app
from apps.github.domain import markup
from world.core.reading.composition import Composition
from world.core.reading.feigned_names import find_feigned_name
from world.core.reading.file import from_file
from world.core.reading.html import find_alt_texts, from_html
from world.core.reading.links import from_link
from world.core.reading.part import Lookup, Part, Role, Row
from world.core.reading.passage import Mark, Passage
from world.core.reading.plain import from_plain

MAX_COMMITS = 50  # of one branch whose messages are read
_REASONS = {
    "SPAM": "spam",
    "ABUSE": "abuse",
    "OFF_TOPIC": "off-topic",
    "OUTDATED": "outdated",
    "DUPLICATE": "a duplicate",
    "RESOLVED": "resolved",
}


def from_gfm(text: str) -> Passage:
    """Read a Markdown text as rendered, followed by its hidden parts."""
    shown, unseen = from_html(markup.html(text)), markup.find_unseen(text)
    if not unseen:
        return shown
    made = Composition()
    made.add("\n".join(unseen), ("hidden",))
    hidden, start = made.passage(), len(shown.text) + 1
    marks = (Mark(mark.start + start, mark.end + start, mark.kind) for mark in hidden.marks)
    return Passage(f"{shown.text}\n{hidden.text}", (*shown.marks, *marks))


def _markdown(row: Row, column: str, role: Role = "whole") -> Iterator[Part]:
    text = str(row[column] or "")
    if not text:
        return
    yield Part("body", partial(from_gfm, text), (column,), role, stored=None if "[" in text else text)
    alternatives = "\n".join(find_alt_texts(markup.html(text))) if "!" in text or "<" in text else ""
    if alternatives:
        yield Part("aside", from_plain(alternatives), (column,), "supplement")


def _line(row: Row, column: str) -> Iterator[Part]:
    """Yield a secondary line of a row."""
    if row[column]:
        yield Part("aside", from_plain(str(row[column])), (column,), "supplement")


@app.reads("github_issue")
def read_issue(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read an issue or a pull request: title and text."""
    yield Part("heading", from_plain(row["title"]), ("title",))
    yield from _markdown(row, "body")


@app.reads("github_pull")
def read_pull(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read the message of an auto-merge; title and text of the pull request are the issue's."""
    for column in ("auto_merge_title", "auto_merge_message"):
        yield from _line(row, column)


@app.reads("github_comment")
def read_comment(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a comment, and whether it is minimised."""
    yield from _markdown(row, "body")
    if row["hidden"]:
        said = f"This comment was marked as {_REASONS.get(row['hidden'], row['hidden'])}."
        yield Part("aside", from_plain(said), ("hidden",), "supplement")


@app.reads("github_commit_comment")
@app.reads("github_gist_comment")
@app.reads("github_review")
@app.reads("github_review_comment")
def read_remark(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a comment on a commit, a change or a gist."""
    return _markdown(row, "body")


@app.reads("github_release")
def read_release(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a release: its tag, name and notes."""
    yield Part("name", from_plain(row["tag"]), ("tag",))
    if row["name"]:
        yield Part("heading", from_plain(row["name"]), ("name",))
    yield from _markdown(row, "body")


@app.reads("github_asset")
def read_asset(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a file of a release: its name, label and content."""
    columns = ("name", "label", "content_type", "sha256")
    for column in ("name", "label"):
        if row[column]:
            yield Part("name", from_plain(row[column]), columns, "supplement")
    data = lookup.data(row["sha256"])
    said = None if data is None else from_file(row["name"], row["content_type"], data)
    if said is not None:
        yield Part("body", said, columns, "supplement")


@app.reads("github_gist")
def read_gist(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a gist: its description and files."""
    if row["description"]:
        yield Part("heading", from_plain(row["description"]), ("description",))
    for name, text in (row["files"] or {}).items():
        yield Part("name", from_plain(name), ("files",), "supplement")
        read = from_gfm if name.lower().endswith(".md") else from_plain
        yield Part("body", partial(read, str(text)), ("files",), "supplement")


@app.reads("github_ref")
def read_ref(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a branch or a tag: its name, and the messages of the commits that the run added."""
    yield Part("name", from_plain(row["name"].removeprefix("refs/heads/").removeprefix("refs/tags/")), ("name",))
    messages = "\n\n".join(commit["message"].strip() for commit in list_new_commits(row, lookup, MAX_COMMITS))
    if messages:
        yield Part("body", from_plain(messages), ("name", "target"), "supplement")


def _read_titled(row: Row, name: str, *more: str) -> Iterator[Part]:
    """Read a name, and lines about it."""
    yield Part("heading", from_plain(str(row[name])), (name,))
    for column in more:
        yield from _line(row, column)


@app.reads("github_label")
@app.reads("github_team")
def read_described(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a label or a team."""
    return _read_titled(row, "name", "description")


@app.reads("github_environment")
@app.reads("github_secret")
def read_named(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a name alone; the value of a secret is never read."""
    return _read_titled(row, "name")


@app.reads("github_variable")
def read_variable(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a workflow variable and its value."""
    return _read_titled(row, "name", "value")


@app.reads("github_public_key")
def read_public_key(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read the title of a key."""
    return _read_titled(row, "title")


@app.reads("github_milestone")
def read_milestone(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a milestone: title and description."""
    yield Part("heading", from_plain(row["title"]), ("title",))
    yield from _markdown(row, "description", "supplement")


@app.reads("github_repository")
def read_repository(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a repository: its name, description, address and topics."""
    yield from _read_titled(row, "name", "description", "homepage")
    if row["topics"]:
        yield Part("name", from_plain("\n".join(row["topics"])), ("topics",))


@app.reads("github_account")
def read_account(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a profile: its name and self-description."""
    if row["name"]:
        tricks = partial(find_feigned_name, row["name"], str(row["person_id"] or ""), lookup)
        yield Part("name", from_plain(row["name"]), ("name",), tricks=tricks)
    for column in ("bio", "company", "location", "blog", "twitter"):
        yield from _line(row, column)


@app.reads("github_status")
def read_status(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a commit status."""
    yield Part("name", from_link(row["context"], row["target_url"] or ""), ("context", "target_url"))
    yield from _line(row, "description")


@app.reads("github_check_run")
def read_check_run(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a check run with its output and annotations."""
    yield Part("name", from_plain(row["name"]), ("name",))
    if row["title"]:
        yield Part("heading", from_plain(row["title"]), ("title",))
    for column in ("summary", "text"):
        yield from _markdown(row, column, "supplement")
    notes = [str(note.get(field) or "") for note in _list_objects(row["annotations"]) for field in ("title", "message")]
    if any(notes):
        yield Part("aside", from_plain("\n".join(filter(None, notes))), ("annotations",), "supplement")


def _list_objects(value: Any) -> list[dict[str, object]]:
    return [one for one in value or () if isinstance(one, dict)]


@app.reads("github_deployment")
def read_deployment(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a deployment: its environment, description and task."""
    return _read_titled(row, "environment", "description", "task")


@app.reads("github_deployment_status")
def read_deployment_status(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a deployment status: its description and addresses."""
    for column in ("description", "environment_url", "log_url"):
        yield from _line(row, column)


_SETTING = "a setting with ids and words of a fixed set"
app.declare_unread(
    {
        "github_hook": "an address for programs, and its secret",
        "github_protection": "rules: names of branches, checks and people",
        "github_ruleset": "rules: names of refs, checks and people",
        "github_autolink": "a prefix and an address for what stands behind it",
        "github_review_thread": "path and lines are the repository's; its comments are rows of their own",
        "github_reaction": "an emoji of a fixed set, and ids",
        "github_viewed_file": "a mark of its owner's own",
        "github_workflow": "made of the workflow's file",
        "github_issue_type": "no operation makes one",
        **dict.fromkeys(
            (
                "github_collaborator github_invitation github_org_member github_repo_team github_subscription"
                " github_team_member"
            ).split(),
            _SETTING,
        ),
    }
)
