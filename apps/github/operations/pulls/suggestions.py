"""Suggested changes of review comments, committed to the pull request's branch."""

import re
from typing import Annotated, NamedTuple

from pydantic import Field

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.diff_position import RIGHT
from apps.github.domain.params import Body, Id, Line
from apps.github.domain.pull_rows import EXAMPLE, PullRef, get_pull, reconsider
from apps.github.domain.review_rows import find_comment
from apps.github.domain.revisions import by_web
from apps.github.git import Repo
from apps.github.git.myers import lines_of
from apps.github.models import Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull, ReviewComment, ReviewThread
from apps.github.operations.pulls.merges import head_to_change, move_head
from apps.github.refusals import unprocessable
from world.core.call import Call
from world.core.json_types import JsonObject

SOURCE = (
    "docs.github.com/pull-requests/collaborating-with-pull-requests/reviewing-changes-in-pull-requests/"
    "incorporating-feedback-in-your-pull-request"
)
BLOCK = re.compile(
    r"^(?P<fence>`{3,}|~{3,})[ \t]*suggestion[^\n]*\n(?P<text>.*?)(?:^(?P=fence)[`~]*[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE,
)
MOST = 100


class Suggestions(PullRef):
    """Comments whose suggestions to commit together."""

    comment_ids: Annotated[list[Id], Field(min_length=1, max_length=MOST)] = Field(
        description="Ids of review comments with suggestions."
    )
    commit_title: Line | None = Field(default=None, description="The first line of the commit's message.")
    commit_message: Body | None = Field(default=None, description="The rest of the message.")


class Edit(NamedTuple):
    """Replacement of the lines `first` to `last` of a file, counted from 1, by `text`."""

    path: str
    first: int
    last: int
    text: str


def suggestion_in(body: str) -> str | None:
    """Return the text a comment proposes; None if it proposes none."""
    found = BLOCK.search(body.replace("\r\n", "\n"))
    return None if found is None else found["text"]


@app.operation(
    "web/pulls/apply-suggestions",
    writes=True,
    units=1,
    source=SOURCE,
    examples=[{**EXAMPLE, "comment_ids": ["$pulls/create-review-comment:id"]}],
    after=["pulls/create-review-comment"],
    raises=("not_found", "forbidden", "archived", "unprocessable", "protected_branch"),
)
def apply_suggestions(call: Call, params: Suggestions) -> JsonObject:
    """Commit suggestions of review comments to the pull request's branch, together, and resolve their conversations."""
    context = GithubContext(call)
    repo, issue, pull = get_pull(context, params)
    comments = [find_comment(context, repo, id)[0] for id in dict.fromkeys(params.comment_ids)]
    return {"sha": apply(context, repo, issue, pull, comments, params.commit_title, params.commit_message)}


def apply(
    context: GithubContext,
    repo: Repository,
    issue: Issue,
    pull: Pull,
    comments: list[ReviewComment],
    title: str | None = None,
    body: str | None = None,
) -> str:
    """Commit suggestions; return the new head. Raises unprocessable, forbidden."""
    head_repo = head_to_change(context, repo, issue, pull)
    edits = [_edit(context, issue, row) for row in comments]
    git = context.git(repo)
    tree = _write_edits(git, git.tree_of(pull.head_sha), edits)
    if tree == git.tree_of(pull.head_sha):
        raise unprocessable("Suggestions cannot be applied: they change nothing.")
    message = f"{title or ('Update ' + edits[0].path if len(edits) == 1 else 'Apply suggestions from code review')}"
    message += "".join(f"\n\n{part}" for part in (body, _thanks(context, comments)) if part)
    sha = git.put_commit(tree, [pull.head_sha], message, context.signature(), by_web(context))
    head = move_head(context, repo, head_repo, pull, sha)
    _resolve(context, pull, comments)
    return head


def _resolve(context: GithubContext, pull: Pull, comments: list[ReviewComment]) -> None:
    """Resolve the conversations whose suggestions are committed."""
    for row in comments:
        thread = context.call.session.get(ReviewThread, row.thread_id)
        if thread is not None and thread.resolved_by_id is None:
            thread.resolved_by_id = context.me.id
            context.add(thread)
    reconsider(context, pull)


def _thanks(context: GithubContext, comments: list[ReviewComment]) -> str:
    others = [context.account(id) for id in dict.fromkeys(row.author_id for row in comments) if id != context.me.id]
    signed = [context.signature(account) for account in others]
    return "\n".join(f"Co-authored-by: {who.name} <{who.email}>" for who in signed)


def _edit(context: GithubContext, issue: Issue, row: ReviewComment) -> Edit:
    thread = context.call.session.get(ReviewThread, row.thread_id)
    text = suggestion_in(row.body)
    if thread is None or thread.issue_id != issue.id or text is None:
        raise unprocessable("The comment has no suggestion.")
    if thread.outdated or thread.line is None or thread.side != RIGHT:
        raise unprocessable("Outdated suggestions cannot be applied.")
    return Edit(thread.path, thread.start_line or thread.line, thread.line, text)


def _write_edits(git: Repo, tree: str, edits: list[Edit]) -> str:
    """Write a tree with the edits; those of one file from its end, so that none moves another."""
    changes: dict[str, tuple[int, str] | None] = {}
    for path in dict.fromkeys(one.path for one in edits):
        entry = git.at(tree, path)
        if entry is None or entry.kind != "blob":
            raise unprocessable("Outdated suggestions cannot be applied.")
        lines = lines_of(git.blob(entry.sha))
        end = len(lines) + 1
        for one in sorted((one for one in edits if one.path == path), key=lambda one: one.last, reverse=True):
            if one.last >= end or one.last > len(lines):
                raise unprocessable("Only one suggestion per line can be applied in a batch.")
            lines[one.first - 1 : one.last] = [_match_line_ending(one.text, lines[one.last - 1])]
            end = one.first
        changes[path] = (entry.mode, git.put_blob(b"".join(lines)))
    return git.put_changed_tree(tree, changes)


def _match_line_ending(text: str, replaced: bytes) -> bytes:
    """Return a suggestion with the line ending of the lines it replaces."""
    data = text.encode("utf-8", "surrogateescape")
    if replaced.endswith(b"\r\n"):
        data = data.replace(b"\n", b"\r\n")
    return data if replaced.endswith(b"\n") else data.removesuffix(b"\n")
