"""Mutations of issues, their labels and assignees, comments and reactions."""

from collections.abc import Sequence

from sqlmodel import SQLModel, col, select

from apps.github.columns import Condition
from apps.github.graphql.connections import cursor_of
from apps.github.graphql.conversations import CONTENTS, Reacted, groups
from apps.github.graphql.loader import Loader
from apps.github.graphql.mutation_context import (
    SUBJECTS,
    Given,
    Payload,
    ask,
    get_node,
    issue_at,
    logins,
    mutation,
    place,
)
from apps.github.graphql.registry import Fact, Problem, Values, batch
from apps.github.graphql.values import Args
from apps.github.models import Repository
from apps.github.models_issues import (
    Assignee,
    Blocking,
    Comment,
    Event,
    Issue,
    IssueLabel,
    Label,
    Notification,
    PinnedIssue,
    Reaction,
    SubIssue,
    Subscription,
    TransferredIssue,
)
from apps.github.operations.issues.issue_changes import drop_label
from apps.github.operations.issues.issue_transfer import transfer_issue
from apps.github.operations.issues.pinned_issues import pin_issue, unpin_issue
from world.core.errors import OperationError

ISSUES = ("Issue", "PullRequest")
LOCKS = {"OFF_TOPIC": "off-topic", "TOO_HEATED": "too heated", "RESOLVED": "resolved", "SPAM": "spam"}
REACTING = {  # subject -> noun of the operation, argument
    "issue": ("issue", "issue_number"),
    "comment": ("issue-comment", "comment_id"),
    "review_comment": ("pull-request-review-comment", "comment_id"),
    "commit_comment": ("commit-comment", "comment_id"),
    "release": ("release", "release_id"),
}


def names_of(near: Loader, ids: list[str]) -> list[str]:
    """Return the names of labels by their ids."""
    return [get_node(near, id, "Label").name for id in ids]


def milestone_of(near: Loader, id: str | None) -> int | None:
    """Return the number of a milestone by its id."""
    return None if id is None else get_node(near, id, "Milestone").number


def build_issue_arguments(near: Loader, given: Given) -> Payload:
    """Return the arguments common to creating and updating issues, without those not given."""
    out = {name: given[name] for name in ("title", "body") if given.get(name) is not None}
    if given.get("assigneeIds") is not None:
        out["assignees"] = logins(near, given["assigneeIds"])
    if given.get("labelIds") is not None:
        out["labels"] = names_of(near, given["labelIds"])
    if "milestoneId" in given:
        out["milestone"] = milestone_of(near, given["milestoneId"])
    return out


def again(near: Loader, row: Issue) -> Issue:
    """Return an issue as it is now."""
    fresh = near.call.session.get(Issue, row.id)
    assert fresh is not None
    return fresh


@mutation("createIssue")
def create_issue(near: Loader, given: Given) -> Payload:
    """Open an issue."""
    repo = get_node(near, given["repositoryId"], "Repository")
    made = ask(near, "issues/create", **place(near, repo), **build_issue_arguments(near, given))
    issue = near.call.session.get(Issue, made["id"])
    if given.get("parentIssueId"):
        ask(
            near,
            "issues/add-sub-issue",
            **issue_at(near, get_node(near, given["parentIssueId"], "Issue")),
            sub_issue_id=made["id"],
        )
    return {"issue": issue}


@mutation("updateIssue")
def update_issue(near: Loader, given: Given) -> Payload:
    """Change an issue."""
    issue = get_node(near, given["id"], "Issue")
    state = {"state": given["state"].lower()} if given.get("state") else {}
    ask(near, "issues/update", **issue_at(near, issue), **build_issue_arguments(near, given), **state)
    return {"issue": again(near, issue), "actor": near.me}


@mutation("closeIssue")
def close_issue(near: Loader, given: Given) -> Payload:
    """Close an issue."""
    issue = get_node(near, given["issueId"], "Issue")
    reason: Given = {"state_reason": (given.get("stateReason") or "COMPLETED").lower()}
    if given.get("duplicateIssueId"):
        reason = {
            "state_reason": "duplicate",
            "duplicate_issue_id": get_node(near, given["duplicateIssueId"], *ISSUES).id,
        }
    ask(near, "issues/update", **issue_at(near, issue), state="closed", **reason)
    return {"issue": again(near, issue)}


@mutation("reopenIssue")
def reopen_issue(near: Loader, given: Given) -> Payload:
    """Reopen an issue."""
    issue = get_node(near, given["issueId"], "Issue")
    ask(near, "issues/update", **issue_at(near, issue), state="open")
    return {"issue": again(near, issue)}


@mutation("deleteIssue")
def delete_issue(near: Loader, given: Given) -> Payload:
    """Delete an issue and everything that belongs to it; for administrators."""
    issue = get_node(near, given["issueId"], "Issue")
    repo = near.home(issue)
    near.context.need(repo, "admin")
    session = near.call.session
    comments = list(session.exec(select(Comment).where(Comment.issue_id == issue.id)))
    said = [("issue", issue.id), *(("comment", one.id) for one in comments)]
    for subject, id in said:
        _drop(near, Reaction, Reaction.subject == subject, Reaction.subject_id == id)
    for model in (Comment, Event, IssueLabel, Assignee, Subscription, PinnedIssue, TransferredIssue):
        _drop(near, model, model.issue_id == issue.id)
    _drop(near, SubIssue, (col(SubIssue.issue_id) == issue.id) | (col(SubIssue.parent_id) == issue.id))
    _drop(near, Blocking, (col(Blocking.issue_id) == issue.id) | (col(Blocking.blocked_by_id) == issue.id))
    _drop(near, Notification, Notification.subject == "Issue", Notification.subject_id == issue.id)
    session.delete(issue)
    return {"repository": repo}


@mutation("transferIssue")
def move_issue(near: Loader, given: Given) -> Payload:
    """Move an issue to another repository of the same owner."""
    issue, target = get_node(near, given["issueId"], "Issue"), get_node(near, given["repositoryId"], "Repository")
    create_labels = bool(given.get("createLabelsIfMissing"))
    transfer_issue(near.context, _find_home_to_write(near, issue), issue, target, create_labels=create_labels)
    return {"issue": again(near, issue)}


@mutation("pinIssue")
def pin(near: Loader, given: Given) -> Payload:
    """Pin an issue above its repository's list; at most three are."""
    issue = get_node(near, given["issueId"], "Issue")
    pin_issue(near.context, _find_home_to_write(near, issue), issue)
    return {"issue": again(near, issue)}


@mutation("unpinIssue")
def unpin(near: Loader, given: Given) -> Payload:
    """Take an issue from above its repository's list."""
    issue = get_node(near, given["issueId"], "Issue")
    return {"id": unpin_issue(near.context, _find_home_to_write(near, issue), issue), "issue": again(near, issue)}


def _find_home_to_write(near: Loader, issue: Issue) -> Repository:
    repo = near.home(issue)
    near.context.need(repo, "push")
    found = near.call.session.get(Repository, repo.id)
    assert found is not None
    return found


def _drop(near: Loader, model: type[SQLModel], *where: Condition) -> None:
    for row in near.call.session.exec(select(model).where(*where)).all():
        near.call.session.delete(row)


# -- labels and people


@mutation("addLabelsToLabelable")
def add_labels(near: Loader, given: Given) -> Payload:
    """Add labels to an issue or pull request."""
    issue = get_node(near, given["labelableId"], *ISSUES)
    ask(near, "issues/add-labels", **issue_at(near, issue), labels=names_of(near, given["labelIds"]))
    return {"labelable": again(near, issue)}


@mutation("removeLabelsFromLabelable")
def remove_labels(near: Loader, given: Given) -> Payload:
    """Remove labels from an issue or pull request; ones it does not have are ignored."""
    issue = get_node(near, given["labelableId"], *ISSUES)
    near.context.need(near.home(issue), "triage")
    for name in names_of(near, given["labelIds"]):
        _take_off(near, issue, name)
    return {"labelable": again(near, issue)}


def _take_off(near: Loader, issue: Issue, name: str) -> None:
    on = (
        select(Label.name)
        .join(IssueLabel, col(IssueLabel.label_id) == col(Label.id))
        .where(IssueLabel.issue_id == issue.id)
    )
    if name in near.call.session.exec(on).all():
        drop_label(near.context, near.home(issue), issue, name)


@mutation("clearLabelsFromLabelable")
def clear_labels(near: Loader, given: Given) -> Payload:
    """Remove all labels from an issue or pull request."""
    issue = get_node(near, given["labelableId"], *ISSUES)
    ask(near, "issues/remove-all-labels", **issue_at(near, issue))
    return {"labelable": again(near, issue)}


@mutation("addAssigneesToAssignable")
def add_assignees(near: Loader, given: Given) -> Payload:
    """Assign people to an issue or pull request."""
    issue = get_node(near, given["assignableId"], *ISSUES)
    ask(near, "issues/add-assignees", **issue_at(near, issue), assignees=logins(near, given["assigneeIds"]))
    return {"assignable": again(near, issue)}


@mutation("removeAssigneesFromAssignable")
def remove_assignees(near: Loader, given: Given) -> Payload:
    """Unassign people from an issue or pull request."""
    issue = get_node(near, given["assignableId"], *ISSUES)
    ask(near, "issues/remove-assignees", **issue_at(near, issue), assignees=logins(near, given["assigneeIds"]))
    return {"assignable": again(near, issue)}


# -- comments


@mutation("addComment")
def add_comment(near: Loader, given: Given) -> Payload:
    """Comment on an issue or a pull request."""
    issue = get_node(near, given["subjectId"], *ISSUES)
    made = ask(near, "issues/create-comment", **issue_at(near, issue), body=given["body"])
    row = near.call.session.get(Comment, made["id"])
    edge = {"node": row, "cursor": cursor_of([0, made["id"]])}
    return {"commentEdge": edge, "timelineEdge": dict(edge), "subject": again(near, issue)}


@mutation("updateIssueComment")
def update_comment(near: Loader, given: Given) -> Payload:
    """Change a comment."""
    row = get_node(near, given["id"], "IssueComment")
    ask(near, "issues/update-comment", **place(near, row), comment_id=row.id, body=given["body"])
    return {"issueComment": near.call.session.get(Comment, row.id)}


@mutation("deleteIssueComment")
def delete_comment(near: Loader, given: Given) -> Payload:
    """Delete a comment."""
    row = get_node(near, given["id"], "IssueComment")
    ask(near, "issues/delete-comment", **place(near, row), comment_id=row.id)
    return {}


@mutation("minimizeComment")
def minimize(near: Loader, given: Given) -> Payload:
    """Hide a comment."""
    return {"minimizedComment": _hide_comment(near, given["subjectId"], given["classifier"])}


@mutation("unminimizeComment")
def unminimize(near: Loader, given: Given) -> Payload:
    """Show a hidden comment again."""
    return {"unminimizedComment": _hide_comment(near, given["subjectId"], None)}


def _hide_comment(near: Loader, id: str, why: str | None) -> Comment:
    row = get_node(near, id, "IssueComment")
    near.context.need(near.home(row), "triage")
    row.hidden = why
    return row


# -- reactions


@mutation("addReaction")
def add_reaction(near: Loader, given: Given) -> Payload:
    """React to a comment, issue or pull request."""
    row = get_node(near, given["subjectId"])
    noun, argument = _get_reaction_subject(row)
    at = {argument: row.number if isinstance(row, Issue) else row.id}
    made = ask(near, f"reactions/create-for-{noun}", **place(near, row), **at, content=CONTENTS[given["content"]])
    return {"reaction": near.call.session.get(Reaction, made["id"]), "subject": row}


@mutation("removeReaction")
def remove_reaction(near: Loader, given: Given) -> Payload:
    """Remove a reaction of the caller."""
    row = get_node(near, given["subjectId"])
    _get_reaction_subject(row)
    mine = select(Reaction).where(
        Reaction.subject == SUBJECTS[type(row)], Reaction.subject_id == row.id, Reaction.account_id == near.me.id
    )
    reaction = near.call.session.exec(mine.where(Reaction.content == CONTENTS[given["content"]])).first()
    if near.home(row).archived:
        raise OperationError("archived")
    if reaction is not None:
        near.call.session.delete(reaction)
    return {"reaction": reaction, "subject": row}


@batch("AddReactionPayload RemoveReactionPayload", "reactionGroups")
def resolve_reaction_groups(near: Loader, rows: Sequence[Fact], args: Args) -> Values:
    """Return the reaction groups after the change."""
    return [groups(near, [row["subject"]], args)[0] for row in rows]


def _get_reaction_subject(row: Reacted) -> tuple[str, str]:
    subject = SUBJECTS.get(type(row))
    if subject not in REACTING:
        raise Problem("Subject cannot be reacted to", "UNPROCESSABLE")
    return REACTING[subject]


# -- locks, sub-issues


@mutation("lockLockable")
def lock(near: Loader, given: Given) -> Payload:
    """Lock a conversation."""
    issue = get_node(near, given["lockableId"], *ISSUES)
    reason = {"lock_reason": LOCKS[given["lockReason"]]} if given.get("lockReason") else {}
    ask(near, "issues/lock", **issue_at(near, issue), **reason)
    return {"lockedRecord": again(near, issue), "actor": near.me}


@mutation("unlockLockable")
def unlock(near: Loader, given: Given) -> Payload:
    """Unlock a conversation."""
    issue = get_node(near, given["lockableId"], *ISSUES)
    ask(near, "issues/unlock", **issue_at(near, issue))
    return {"unlockedRecord": again(near, issue), "actor": near.me}


@mutation("addSubIssue")
def add_sub_issue(near: Loader, given: Given) -> Payload:
    """Make an issue a sub-issue of another."""
    issue, below = get_node(near, given["issueId"], "Issue"), _below(near, given)
    ask(
        near,
        "issues/add-sub-issue",
        **issue_at(near, issue),
        sub_issue_id=below.id,
        replace_parent=bool(given.get("replaceParent")),
    )
    return {"issue": again(near, issue), "subIssue": again(near, below)}


def _below(near: Loader, given: Given) -> Issue:
    if given.get("subIssueId"):
        return get_node(near, given["subIssueId"], "Issue")
    path = near.context.page_path(str(given.get("subIssueUrl") or "")).strip("/").split("/")
    if len(path) == 4 and path[2] == "issues" and path[3].isdecimal() and len(path[3]) < 10:
        repo = near.context.repo(path[0], path[1])
        row = near.call.session.exec(
            select(Issue).where(Issue.repo_id == repo.id, Issue.number == int(path[3]))
        ).first()
        if row is not None:
            return row
    raise Problem("You must provide one of the following arguments: subIssueId, subIssueUrl", "UNPROCESSABLE")


@mutation("removeSubIssue")
def remove_sub_issue(near: Loader, given: Given) -> Payload:
    """Remove an issue from its parent."""
    issue, below = get_node(near, given["issueId"], "Issue"), get_node(near, given["subIssueId"], "Issue")
    ask(near, "issues/remove-sub-issue", **issue_at(near, issue), sub_issue_id=below.id)
    return {"issue": again(near, issue), "subIssue": again(near, below)}


@mutation("reprioritizeSubIssue")
def reprioritize(near: Loader, given: Given) -> Payload:
    """Move a sub-issue to another position under its parent."""
    issue, below = get_node(near, given["issueId"], "Issue"), get_node(near, given["subIssueId"], "Issue")
    where = {
        name: get_node(near, given[key], "Issue").id
        for name, key in (("after_id", "afterId"), ("before_id", "beforeId"))
        if given.get(key)
    }
    ask(near, "issues/reprioritize-sub-issue", **issue_at(near, issue), sub_issue_id=below.id, **where)
    return {"issue": again(near, issue)}
