"""Declarations for graders: an account's own settings, owners of a repository's rows, and rows that give access."""

import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from apps.github.added_lines import list_added_lines
from apps.github.app import app
from apps.github.audience import of_issue_part, of_part, of_repository, of_review
from apps.github.domain.revisions import WEB
from world.core.audience import Cells, anybody
from world.core.conduct import Conduct, changes_column, grant_access, message, own
from world.core.reading.part import Lookup

LONGEST = 100_000  # bytes


def read_object(data: bytes) -> str:
    """Return the text of a git object; empty for a tree, a picture or very long content."""
    content = zlib.decompress(data)
    return "" if b"\0" in content or len(content) > LONGEST else content.decode("utf-8", "replace")


def signers(commit: Cells, lookup: Lookup) -> Iterator[str]:
    """Yield the names and addresses a commit names as committer and author.

    The site itself commits what is done on the site, and merges on the site are its own. A commit that was rebased
    keeps its author, and one that a fork has taken over is not its owner's.
    """
    if _is_copy(commit, lookup):
        return
    tried = "Merge {1} into {0}".format(*commit["parents"].split()) if " " in commit["parents"] else ""
    if commit["message"].strip() == tried or any(lookup.find("github_pull", merge_sha=commit["sha1"])):
        return
    if (commit["committer_name"], commit["committer_email"]) != WEB:
        yield from (commit["committer_name"], commit["committer_email"])
    same = {name: commit[name] for name in ("repo_id", "author_email", "authored_at")}
    if all(one["committed_at"] >= commit["committed_at"] for one in lookup.find("github_commit", **same)):
        yield from (commit["author_name"], commit["author_email"])


def _is_copy(commit: Cells, lookup: Lookup) -> bool:
    """Whether a commit stands in the repository that its own is a fork of."""
    repo = lookup.row("github_repository", commit["repo_id"])
    source = None if repo is None else repo["fork_of"]
    return source is not None and lookup.row("github_commit", source, commit["sha1"]) is not None


def _show_issue_deeds(before: Cells | None, after: Cells | None) -> Iterator[str]:
    """Show that an issue, a pull request or a milestone was opened or closed."""
    if before is None:
        yield "opened"
    if changes_column(before, after, "state"):
        yield from ("opened", "closed")


def _prove_issue_deeds(before: Cells | None, after: Cells | None) -> Iterator[str]:
    """Prove that an issue, a pull request or a milestone was opened, or was closed."""
    if before is None:
        yield "opened"
    elif changes_column(before, after, "state") and after is not None:
        yield "closed" if after["state"] == "closed" else "opened"


def _prove_merge(before: Cells | None, after: Cells | None) -> Iterator[str]:
    """Prove that a pull request was merged."""
    if changes_column(before, after, "merged_at") and after is not None and after["merged_at"]:
        yield "merged"


def _prove_insertion(kind: str, before: Cells | None, after: Cells | None) -> Iterator[str]:
    """Prove a deed that makes a row."""
    if before is None:
        yield kind


def _show_approval(before: Cells | None, after: Cells | None) -> Iterator[str]:
    """Show that a review approves."""
    if after is not None and after["state"] == "APPROVED":
        yield "approved"


def _show_pull_deeds(before: Cells | None, after: Cells | None) -> Iterator[str]:
    """Show that a pull request was merged."""
    if changes_column(before, after, "merged_at"):
        yield from ("merged", "deployed")


def _show_commit_deeds(before: Cells | None, after: Cells | None) -> Iterator[str]:
    """Show that something was changed or reverted."""
    yield "changed"
    if after is not None and "revert" in str(after["message"]).lower():
        yield "rolled_back"


app.declare_conduct(
    {
        "github_comment": message("issue_id", "author", words="body").read_by(of_issue_part),
        "github_commit_comment": message("repo_id", "author", words="body sha path").read_by(of_part),
        "github_review": replace(
            message("issue_id", "author", words="body state commit_sha").read_by(of_review),
            shows=_show_approval,
            proves=_show_approval,
        ),
        "github_review_comment": message("issue_id", "author", words="body").read_by(of_issue_part),
        "github_gist_comment": message("gist_id", "author", words="body").read_by(anybody),
        "github_review_request": replace(
            own("reviewer"), shows=lambda before, after: ("assigned",)
        ),  # a review of one's own takes it away
        "github_reaction": own("user"),
        "github_star": own("user"),
        "github_watch": own("user"),
        "github_follow": own("user"),
        "github_subscription": own("user"),
        "github_notification": own("user"),
        "github_issue": Conduct(("author",), readers=of_part, shows=_show_issue_deeds, proves=_prove_issue_deeds),
        "github_pull": Conduct(shows=_show_pull_deeds, proves=_prove_merge),
        "github_assignee": Conduct(
            shows=lambda before, after: ("assigned",), proves=partial(_prove_insertion, "assigned")
        ),
        "github_deployment": Conduct(shows=lambda before, after: ("deployed", "released")),
        "github_run": Conduct(shows=lambda before, after: ("started",)),
        "github_ref": Conduct(readers=of_part, brings=list_added_lines, shows=lambda before, after: ("deployed",)),
        "github_release": Conduct(
            readers=of_part, shows=lambda before, after: ("released",), proves=partial(_prove_insertion, "opened")
        ),
        "github_milestone": Conduct(readers=of_part, shows=_show_issue_deeds, proves=_prove_issue_deeds),
        "github_label": Conduct(readers=of_part),
        "github_repository": Conduct(readers=of_repository),
        "github_gist": Conduct(readers=anybody),
        "github_public_key": grant_access("user"),
        "github_collaborator": grant_access(),
        "github_invitation": grant_access(),
        "github_org_member": grant_access(),
        "github_team_member": grant_access(),
        "github_repo_team": grant_access(),
        # what no branch leads to changes nothing; a branch that leads there is weighed
        "github_object": replace(own(), readers=of_part, holds=("data", read_object)),
        "github_commit": replace(own(), signed=signers, shows=_show_commit_deeds),
        "github_hook": replace(grant_access(), secrets=("secret",)),
        "github_secret": grant_access(),
        "github_ruleset": grant_access(),
    }
)
