"""Messages of merge and squash commits.

Source: docs.github.com/repositories/.../configuring-commit-squashing-for-pull-requests.
"""

from typing import NamedTuple

from apps.github.domain.context import GithubContext
from apps.github.git.graph import Row
from apps.github.models import Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull


class Message(NamedTuple):
    """Title and body of a commit."""

    title: str
    body: str

    @property
    def text(self) -> str:
        """The whole message."""
        return f"{self.title}\n\n{self.body}" if self.body else self.title


def merge_message(context: GithubContext, repo: Repository, issue: Issue, pull: Pull) -> Message:
    """Return a merge commit's message.

    By default `Merge pull request #7 from quayline/retries` and the title, else the repository's format.
    """
    head = context.repo_by_id(pull.head_repo_id) if pull.head_repo_id is not None else None
    owner = context.account(head.owner_id).login if head is not None else "unknown"
    plain = repo.merge_title != "PR_TITLE"
    title = (
        f"Merge pull request #{issue.number} from {owner}/{pull.head_ref}"
        if plain
        else f"{issue.title} (#{issue.number})"
    )
    return Message(title, {"PR_TITLE": issue.title, "PR_BODY": issue.body or ""}.get(repo.merge_message, ""))


def squash_message(context: GithubContext, repo: Repository, issue: Issue, commits: list[Row]) -> Message:
    """Return a squash commit's message: title with number, the commits' messages, and their co-authors."""
    alone = commits[0] if len(commits) == 1 else None
    title = alone.subject if alone is not None and repo.squash_title != "PR_TITLE" else issue.title
    body = {"PR_BODY": issue.body or "", "COMMIT_MESSAGES": _describe_commits(commits)}.get(repo.squash_message, "")
    author = context.account(issue.author_id)
    others = coauthors(
        commits, {(author.email or "").lower(), f"{author.id}+{author.login}@users.noreply.github.com".lower()}
    )
    return Message(f"{title} (#{issue.number})", _join_body(body, others))


def _describe_commits(commits: list[Row]) -> str:
    """Return the body of a single commit, or a list of the messages of several."""
    if len(commits) == 1:
        return commits[0].message.strip("\n").partition("\n")[2].strip("\n")
    return "\n\n".join(f"* {row.message.strip()}" for row in commits)


def coauthors(commits: list[Row], known: set[str]) -> list[str]:
    """Return a `Co-authored-by` line for each author of a commit, except for known addresses."""
    found: dict[str, str] = {}
    for row in commits:
        if row.author_email.lower() not in known:
            found.setdefault(row.author_email.lower(), f"Co-authored-by: {row.author_name} <{row.author_email}>")
    return list(found.values())


def _join_body(body: str, lines: list[str]) -> str:
    kept = [line for line in lines if line not in body]
    if not kept:
        return body
    gap = "\n\n---------\n\n" if body else ""
    return body + gap + "\n".join(kept)
