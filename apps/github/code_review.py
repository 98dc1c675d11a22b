"""Scenario helpers: conditions under which a colleague approves a pull request, and the review they submit."""

from dataclasses import replace
from fnmatch import fnmatchcase

from sqlmodel import select

from apps.github.domain.check_states import PENDING, rollup, states
from apps.github.domain.context import GithubContext
from apps.github.domain.pull_git import Changes
from apps.github.models import Account, Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull, Review
from world.core.app import HeardMessage
from world.script.coworkers import Holds
from world.script.stage import Stage

PLACE = "github:"


def approves(heard: HeardMessage) -> HeardMessage:
    """Answer with an approving review: the `by` of a rule."""
    return _review(heard, "APPROVE")


def requests_changes(heard: HeardMessage) -> HeardMessage:
    """Answer with a review that requests changes: the `by` of a demand."""
    return _review(heard, "REQUEST_CHANGES")


def _review(heard: HeardMessage, event: str) -> HeardMessage:
    if not heard.place.startswith(PLACE):
        return heard
    full_name, _, number = heard.place.removeprefix(PLACE).rpartition("#")
    owner, _, name = full_name.partition("/")
    return replace(
        heard,
        operation="pulls/create-review",
        arguments={"owner": owner, "repo": name, "pull_number": int(number), "event": event},
        field="body",
    )


def pull_of(w: Stage, heard: HeardMessage) -> tuple[GithubContext, Repository, Issue, Pull] | None:
    """Return the pull request that a message is about, or None."""
    full_name, _, number = heard.place.removeprefix(PLACE).rpartition("#")
    owner, _, name = full_name.partition("/")
    if not heard.place.startswith(PLACE):
        return None
    query = select(Repository, Issue, Pull).where(
        Account.id == Repository.owner_id,
        Account.login == owner,
        Repository.name == name,
        Issue.repo_id == Repository.id,
        Issue.number == int(number),
        Pull.issue_id == Issue.id,
    )
    found = w.call.session.exec(query).first()
    return None if found is None else (GithubContext(w.call), *found)


def _checks(w: Stage, heard: HeardMessage) -> str | None:
    found = pull_of(w, heard)
    return rollup(states(found[0], found[1], found[3].head_sha)) if found is not None else None


def green(w: Stage, heard: HeardMessage) -> bool:
    """Whether the pull request's last commit has checks and all of them passed."""
    return _checks(w, heard) == "success"


def has_finished_checks(w: Stage, heard: HeardMessage) -> bool:
    """Whether no check of the last commit is queued or running."""
    return _checks(w, heard) not in (None, PENDING)


def is_settled(w: Stage, heard: HeardMessage) -> bool:
    """Whether the pull request is closed, or the listener has approved its last commit: a reviewer's `over`."""
    found = pull_of(w, heard)
    if found is None:
        return False
    query = select(Review.id).where(
        Account.person_id == heard.listener,
        Review.author_id == Account.id,
        Review.issue_id == found[2].id,
        Review.commit_sha == found[3].head_sha,
        Review.state == "APPROVED",
    )
    return found[2].state == "closed" or w.call.session.exec(query).first() is not None


def is_on_pull_request(w: Stage, heard: HeardMessage) -> bool:
    """Whether the message was written on a pull request."""
    return pull_of(w, heard) is not None


def changes(pattern: str) -> Holds:
    """Return a demand that the pull request changes a file whose path matches `docs/*.md`."""

    def holds(w: Stage, heard: HeardMessage) -> bool:
        found = pull_of(w, heard)
        return found is not None and any(fnmatchcase(one.path, pattern) for one in Changes(*found).changes)

    return holds
