"""Connections of issues, pull requests, labels and milestones."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlmodel import col, func, select

from apps.github.columns import Condition
from apps.github.domain.notify import MENTIONING
from apps.github.graphql.connections import Page, page_of_rows
from apps.github.graphql.loader import Loader
from apps.github.graphql.plain_rows import Conditions, read_rows
from apps.github.graphql.registry import TYPES, field, not_found
from apps.github.graphql.values import Args
from apps.github.models import Repository
from apps.github.models_issues import Issue, Label, Milestone
from apps.github.operations.issues.milestones import moment
from apps.github.spellings import has_name, spellings

ORDERS = {"CREATED_AT": "created_at", "UPDATED_AT": "updated_at"}
_MERGED = "(SELECT issue_id FROM github_pull WHERE merged_at IS NOT NULL)"
_FOLLOWED = "(SELECT issue_id FROM github_subscription WHERE account_id = :follower AND ignored IS 0)"


class IssueLabelRow(NamedTuple):
    """A label, with the issue it is on."""

    id: int
    repo_id: int
    name: str
    color: str
    description: str | None
    default: bool


TYPES[IssueLabelRow] = "Label"


@field("Repository", "issues")
def issues(near: Loader, row: Repository, args: Args) -> Page:
    """Return the issues of a repository."""
    return issue_page(near, Conditions("repo_id = :repo", repo=row.id), args, False)


@field("Repository", "pullRequests")
def pulls(near: Loader, row: Repository, args: Args) -> Page:
    """Return the pull requests of a repository."""
    return issue_page(near, Conditions("repo_id = :repo", repo=row.id), args, True)


@field("Label", "issues")
def issues_with(near: Loader, row: Label, args: Args) -> Page:
    """Return the issues with a label."""
    return issue_page(near, _filter_by_label(row), args, False)


@field("Label", "pullRequests")
def pulls_with(near: Loader, row: Label, args: Args) -> Page:
    """Return the pull requests with a label."""
    return issue_page(near, _filter_by_label(row), args, True)


@field("Milestone", "issues")
def issues_in(near: Loader, row: Milestone, args: Args) -> Page:
    """Return the issues of a milestone."""
    return issue_page(near, Conditions("milestone_id = :milestone", milestone=row.id), args, False)


@field("Milestone", "pullRequests")
def pulls_in(near: Loader, row: Milestone, args: Args) -> Page:
    """Return the pull requests of a milestone."""
    return issue_page(near, Conditions("milestone_id = :milestone", milestone=row.id), args, True)


def _filter_by_label(row: Label) -> Conditions:
    return Conditions(
        "repo_id = :repo",
        "id IN (SELECT issue_id FROM github_issue_label WHERE label_id = :label)",
        repo=row.repo_id,
        label=row.id,
    )


def issue_page(near: Loader, where: Conditions, args: Args, pull: bool) -> Page:
    """Return a page of issues or pull requests under the filters common to such connections."""
    where.add("is_pull = :pull", pull=pull)
    filters = args.get("filterBy") or {}
    states = args.get("states") or filters.get("states")
    if states:
        where.add(_of_states(where, states))
    for names in (args.get("labels"), filters.get("labels")):
        if names:
            where.add(
                "id IN (SELECT il.issue_id FROM github_issue_label il JOIN github_label l ON l.id = il.label_id"
                f" WHERE l.name IN {where.bind_list(spellings(near.call, col(Label.name), *names))})"
            )
    for name, column in (("headRefName", "head_ref"), ("baseRefName", "base_ref")):
        if args.get(name) is not None:
            where.add(f"id IN (SELECT issue_id FROM github_pull WHERE {column} = :{column})", **{column: args[name]})
    _filter(near, where, filters)
    order = args.get("orderBy") or {"field": "CREATED_AT", "direction": "ASC"}
    if order["field"] == "COMMENTS":
        return _by_comments(near, where, args, order["direction"] == "DESC")
    return near.page_by(
        Issue, where, args, ORDERS[order["field"]], descending=order["direction"] == "DESC", asks=args.asks
    )


def _of_states(where: Conditions, states: list[str]) -> str:
    condition = f"state IN {where.bind_list(name.lower() for name in states if name != 'MERGED')}"
    if "MERGED" in states:
        return f"({condition} OR id IN {_MERGED})"
    return f"{condition} AND id NOT IN {_MERGED}" if "CLOSED" in states else condition


def _filter(near: Loader, where: Conditions, filters: dict[str, Any]) -> None:
    if "assignee" in filters:
        _add_assignee(near, where, filters["assignee"])
    if filters.get("createdBy"):
        where.add("author_id = :author", author=_account(near, filters["createdBy"]))
    if filters.get("mentioned"):
        found = near.call.all(MENTIONING, {"login": f"%@{filters['mentioned']}%"})
        where.add(f"id IN {where.bind_list(row[0] for row in found)}")
    if filters.get("since"):
        where.add("updated_at >= :since", since=moment(filters["since"], "Issue", "since") or 0)
    if filters.get("viewerSubscribed"):
        where.add(f"id IN {_FOLLOWED}", follower=near.me.id)
    for name in ("milestone", "milestoneNumber"):
        if name in filters:
            _in_milestone(where, filters[name], name)


def _account(near: Loader, login: str) -> int:
    found = near.context.find_login(login)
    return found.id if found is not None else 0


def _add_assignee(near: Loader, where: Conditions, login: str | None) -> None:
    if login in (None, "*"):
        where.add(f"id {'NOT IN' if login is None else 'IN'} (SELECT issue_id FROM github_assignee)")
    else:
        where.add(
            "id IN (SELECT issue_id FROM github_assignee WHERE account_id = :assignee)", assignee=_account(near, login)
        )


def _in_milestone(where: Conditions, wanted: str | None, name: str) -> None:
    """Add the condition for a milestone by number or title; null for none, `*` for any."""
    if wanted in (None, "*"):
        where.add(f"milestone_id IS {'' if wanted is None else 'NOT '}NULL")
        return
    number = int(wanted) if wanted.isdecimal() and len(wanted) < 10 else 0
    where.add(
        f"milestone_id IN (SELECT id FROM github_milestone WHERE number = :n{name} OR title = :t{name})",
        **{f"n{name}": number, f"t{name}": wanted},
    )


def _by_comments(near: Loader, where: Conditions, args: Args, descending: bool) -> Page:
    rows = read_rows(near.call, Issue, where)
    counts = near.counts("comments", COUNT, [row.id for row in rows])
    rows.sort(key=lambda row: (counts[row.id], row.id), reverse=descending)
    return page_of_rows(rows, args, lambda row: [counts[row.id], row.id], descending=descending)


COUNT = "SELECT issue_id, count(*) FROM github_comment WHERE issue_id IN (SELECT value FROM json_each(:ids)) GROUP BY 1"


# -- one by number


def find_issue(near: Loader, row: Repository, number: int) -> Issue | None:
    """Find an issue or pull request by its number."""
    return near.call.session.exec(select(Issue).where(Issue.repo_id == row.id, Issue.number == number)).first()


@field("Repository", "issue")
def issue(near: Loader, row: Repository, args: Args) -> Issue:
    """Return an issue by its number."""
    found = find_issue(near, row, args["number"])
    if found is None or found.is_pull:
        raise not_found("an Issue", f"the number of {args['number']}")
    return found


@field("Repository", "pullRequest")
def pull(near: Loader, row: Repository, args: Args) -> Issue:
    """Return a pull request by its number."""
    found = find_issue(near, row, args["number"])
    if found is None or not found.is_pull:
        raise not_found("a PullRequest", f"the number of {args['number']}")
    return found


@field("Repository", "issueOrPullRequest")
def issue_or_pull(near: Loader, row: Repository, args: Args) -> Issue:
    """Return an issue or pull request by its number."""
    found = find_issue(near, row, args["number"])
    if found is None:
        raise not_found("an issue or pull request", f"the number of {args['number']}")
    return found


# -- labels and milestones


@field("Repository", "labels")
def labels(near: Loader, row: Repository, args: Args) -> Page:
    """Return the labels of a repository."""
    rows = near.call.session.exec(select(Label).where(Label.repo_id == row.id).order_by(col(Label.id)))
    word = (args.get("query") or "").lower()
    return label_page(
        [one for one in rows if word in one.name.lower() or word in (one.description or "").lower()], args
    )


def label_page(rows: Sequence[Label | IssueLabelRow], args: Args) -> Page:
    """Return a page of labels, oldest first by default."""
    order = args.get("orderBy") or {"field": "CREATED_AT", "direction": "ASC"}
    descending = order["direction"] == "DESC"
    if order["field"] == "NAME":
        ranked = sorted(rows, key=lambda one: one.name.lower(), reverse=descending)
        return page_of_rows(ranked, args, lambda one: one.name.lower(), descending=descending)
    return page_of_rows(
        sorted(rows, key=lambda one: one.id, reverse=descending), args, lambda one: one.id, descending=descending
    )


@field("Repository", "label")
def label(near: Loader, row: Repository, args: Args) -> Label | None:
    """Return a label by name."""
    query = select(Label).where(Label.repo_id == row.id, has_name(near.call, args["name"]))
    return near.call.session.exec(query).first()


MILESTONES: dict[str, int] = {
    "CREATED_AT": Milestone.created_at,
    "UPDATED_AT": Milestone.updated_at,
    "NUMBER": Milestone.number,
}


@field("Repository", "milestones")
def milestones(near: Loader, row: Repository, args: Args) -> Page:
    """Return the milestones of a repository."""
    where: list[Condition] = [Milestone.repo_id == row.id]
    if args.get("states"):
        where.append(col(Milestone.state).in_([name.lower() for name in args["states"]]))
    if args.get("query"):
        where.append(func.lower(Milestone.title).contains(args["query"].lower(), autoescape=True))
    order = args.get("orderBy") or {"field": "NUMBER", "direction": "ASC"}
    if order["field"] == "DUE_DATE":
        rows = list(near.call.session.exec(select(Milestone).where(*where)))
        down = order["direction"] == "DESC"
        rows.sort(key=lambda one: (one.due_on or 2**53, one.id), reverse=down)
        return page_of_rows(rows, args, lambda one: [one.due_on or 2**53, one.id], descending=down)
    return near.page_of(
        Milestone, where, args, col(MILESTONES[order["field"]]), descending=order["direction"] == "DESC", asks=args.asks
    )


@field("Repository", "milestone")
def milestone(near: Loader, row: Repository, args: Args) -> Milestone | None:
    """Return a milestone by its number."""
    return near.call.session.exec(
        select(Milestone).where(Milestone.repo_id == row.id, Milestone.number == args["number"])
    ).first()
