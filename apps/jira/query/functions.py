"""JQL functions: their arguments, and the values they return.

Names, arguments and kinds: support.atlassian.com/jira-software-cloud/docs/jql-functions/
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlmodel import col, select, union

from apps.jira.models import ChangeItem, Comment, Issue, IssueLink, Vote, Watcher
from apps.jira.query import dates
from apps.jira.query.context import Lookups, NamedRow, find_named
from apps.jira.query.tree import Function, JqlError

Kind = Literal["user", "date", "issue", "version", "type", "sprint", "project", "component"]
Literals = Sequence[int | str]
Evaluate = Callable[[Function, Lookups], Literals]


@dataclass(frozen=True, slots=True)
class Definition:
    """A function: its result, the number of its arguments, and its evaluation."""

    name: str
    kind: Kind
    many: bool
    fewest: int
    most: int | None
    evaluate: Evaluate


@dataclass(frozen=True, slots=True)
class Result:
    """The values a call of a function stands for: ids, or microseconds for dates."""

    kind: Kind
    values: Literals


def find_function(call: Function) -> Definition:
    """The function a query names. Raises JqlError for an unknown one."""
    found = FUNCTIONS.get(call.name.lower())
    if found is None:
        raise JqlError([f"Unable to find JQL function '{call.shown}'."])
    return found


def evaluate(call: Function, lookups: Lookups) -> Result:
    """The values of a call. Raises JqlError in the vendor's words for wrong arguments."""
    found = find_function(call)
    count = len(call.arguments)
    if count < found.fewest or (found.most is not None and count > found.most):
        raise JqlError([_wrong_count(found, count)])
    return Result(found.kind, found.evaluate(call, lookups))


def _wrong_count(found: Definition, count: int) -> str:
    if found.name == "linkedIssues":
        return (
            "Incorrect number of arguments for function 'linkedIssues'. Usage: 'linkedIssues ( issuekey [,"
            " linkDescription ]* )'."
        )
    if found.fewest == found.most:
        return f"Function '{found.name}' expected '{found.fewest}' arguments but received '{count}'."
    return (
        f"Function '{found.name}' expected between '{found.fewest}' and '{found.most}' arguments but received"
        f" '{count}'."
    )


def caller_clock(lookups: Lookups) -> dates.Clock:
    """The caller's clock."""
    context = lookups.context
    return dates.Clock(context.now, context.zone, context.week_start)


def resolve_person(text: str, lookups: Lookups) -> list[str]:
    """Return the people that a word names."""
    return lookups.people.get(text.casefold(), [])


def _evaluate_now(call: Function, lookups: Lookups) -> Literals:
    return [lookups.context.now]


def _boundary_function(edge: str, unit: str) -> Evaluate:
    def work_out(call: Function, lookups: Lookups) -> Literals:
        moment = dates.period_boundary(edge, unit, call.arguments[0] if call.arguments else None, caller_clock(lookups))
        if moment is None:
            form = "should have the format (+/-)n(yMwdm), e.g -1M for 1 month earlier."
            raise JqlError([f"Duration for function '{call.name}' {form}"])
        return [moment.at]

    return work_out


def _evaluate_current_user(call: Function, lookups: Lookups) -> Literals:
    return [lookups.context.person]


def _evaluate_members_of(call: Function, lookups: Lookups) -> Literals:
    members = lookups.members(call.arguments[0])
    if members is None:
        why = f"can not generate a list of usernames for group '{call.arguments[0]}'; the group does not exist."
        raise JqlError([f"Function 'membersOf' {why}"])
    return members


def _sprints_function(state: str) -> Evaluate:
    return lambda call, lookups: [sprint.id for sprint in lookups.sprints if sprint.flag == state]


def _types_function(wanted: Callable[[int], bool]) -> Evaluate:
    return lambda call, lookups: [kind.id for kind in lookups.types if wanted(kind.position)]


def _list_project_versions(call: Function, lookups: Lookups) -> list[NamedRow]:
    if not call.arguments:
        return lookups.versions
    projects: set[int] = set()
    for argument in call.arguments:
        found = find_named(lookups.projects, argument)
        if not found:
            raise JqlError([f"Could not resolve the project '{argument}' provided to function '{call.name}'."])
        projects.update(row.id for row in found)
    return [version for version in lookups.versions if version.project_id in projects]


def _versions_function(state: str) -> Evaluate:
    return lambda call, lookups: [row.id for row in _list_project_versions(call, lookups) if row.flag == state]


def _edge_version_function(state: str, last: bool) -> Evaluate:
    def work_out(call: Function, lookups: Lookups) -> Literals:
        rows = [row for row in _list_project_versions(call, lookups) if row.flag == state]
        return [rows[-1 if last else 0].id] if rows else []

    return work_out


def is_issue_key(text: str) -> bool:
    """Whether a text has the form of an issue key."""
    project, dash, number = text.rpartition("-")
    return bool(dash and project and number.isascii() and number.isdigit())


def find_issue_id(text: str, lookups: Lookups) -> int | None:
    """The visible issue with a key or a numeric id."""
    if text.isascii() and text.isdigit() and len(text) < 19:
        return lookups.issue_by_id(int(text))
    return lookups.issue(text)


def _evaluate_linked_issues(call: Function, lookups: Lookups) -> Literals:
    issue = find_issue_id(call.arguments[0], lookups)
    if issue is None:
        raise JqlError([f"Issue '{call.arguments[0]}' could not be found in function '{call.name}'."])
    outward, inward = _find_link_directions(call, lookups)
    source, destination = col(IssueLink.source_id), col(IssueLink.destination_id)
    away = select(destination.label("id")).where(source == issue, col(IssueLink.type_id).in_(outward))
    back = select(source.label("id")).where(destination == issue, col(IssueLink.type_id).in_(inward))
    return sorted(row.id for row in lookups.context.read(union(away, back)))


def _find_link_directions(call: Function, lookups: Lookups) -> tuple[list[int], list[int]]:
    """Link types to follow outward and inward from the issue."""
    every = [row.id for row in lookups.link_types]
    if len(call.arguments) == 1:
        return every, every
    outward: list[int] = []
    inward: list[int] = []
    for argument in call.arguments[1:]:
        word = argument.casefold()
        ahead = [row.id for row in lookups.link_types if word in (row.outward.casefold(), row.name.casefold())]
        behind = [row.id for row in lookups.link_types if word in (row.inward.casefold(), row.name.casefold())]
        if not ahead and not behind:
            raise JqlError([f"Issue link type '{argument}' could not be found in function '{call.name}'."])
        outward += ahead
        inward += behind
    return outward, inward


def _evaluate_watched_issues(call: Function, lookups: Lookups) -> Literals:
    statement = select(Watcher.issue_id).where(col(Watcher.person_id) == lookups.context.person)
    return [row.issue_id for row in lookups.context.read(statement.order_by(col(Watcher.issue_id)))]


def _evaluate_voted_issues(call: Function, lookups: Lookups) -> Literals:
    statement = select(Vote.issue_id).where(col(Vote.person_id) == lookups.context.person)
    return [row.issue_id for row in lookups.context.read(statement.order_by(col(Vote.issue_id)))]


def _evaluate_updated_by(call: Function, lookups: Lookups) -> Literals:
    """Return the issues a person created, edited or commented on, between two dates."""
    people = resolve_person(call.arguments[0], lookups)
    if not people:
        raise JqlError([f"The user '{call.arguments[0]}' does not exist in function 'updatedBy'."])
    since, until = _parse_bounds(call, lookups)
    times = [
        (col(Issue.id), col(Issue.creator_id), col(Issue.created_at)),
        (col(ChangeItem.issue_id), col(ChangeItem.author_id), col(ChangeItem.created_at)),
        (col(Comment.issue_id), col(Comment.author_id), col(Comment.created_at)),
        (col(Comment.issue_id), col(Comment.update_author_id), col(Comment.updated_at)),
    ]
    parts = [
        select(issue.label("id")).where(author.in_(people), at >= since, at < until) for issue, author, at in times
    ]
    return sorted(row.id for row in lookups.context.read(union(*parts)))


def _parse_bounds(call: Function, lookups: Lookups) -> tuple[int, int]:
    limits = [-(2**62), 2**62]
    for index, argument in enumerate(call.arguments[1:]):
        moment = dates.parse_moment(argument, caller_clock(lookups))
        if moment is None:
            raise JqlError([f"Date value '{argument}' for function 'updatedBy' is invalid. {dates.FORMATS}"])
        limits[index] = moment.at
    return limits[0], limits[1]


def _find_leads(call: Function, lookups: Lookups) -> set[str]:
    if not call.arguments:
        return {lookups.context.person}
    found = resolve_person(call.arguments[0], lookups)
    if not found:
        why = f"can not generate a list of projects for user '{call.arguments[0]}'; the user does not exist."
        raise JqlError([f"Function '{call.name}' {why}"])
    return set(found)


def _evaluate_projects_led(call: Function, lookups: Lookups) -> Literals:
    people = _find_leads(call, lookups)
    return [row.id for row in lookups.projects if lookups.project_leads[row.id] in people]


def _evaluate_components_led(call: Function, lookups: Lookups) -> Literals:
    people = _find_leads(call, lookups)
    return [row.id for row in lookups.components if row.flag in people]


def _index_definitions(rows: Sequence[Definition]) -> dict[str, Definition]:
    return {row.name.lower(): row for row in rows}


FUNCTIONS = _index_definitions(
    [
        Definition("now", "date", False, 0, 0, _evaluate_now),
        *(
            Definition(f"{edge}Of{name}", "date", False, 0, 1, _boundary_function(edge, unit))
            for edge in ("start", "end")
            for name, unit in (("Day", "d"), ("Week", "w"), ("Month", "M"), ("Year", "y"))
        ),
        Definition("currentUser", "user", False, 0, 0, _evaluate_current_user),
        Definition("membersOf", "user", True, 1, 1, _evaluate_members_of),
        Definition("openSprints", "sprint", True, 0, 0, _sprints_function("active")),
        Definition("closedSprints", "sprint", True, 0, 0, _sprints_function("closed")),
        Definition("futureSprints", "sprint", True, 0, 0, _sprints_function("future")),
        Definition("standardIssueTypes", "type", True, 0, 0, _types_function(lambda level: level >= 0)),
        Definition("subtaskIssueTypes", "type", True, 0, 0, _types_function(lambda level: level < 0)),
        Definition("releasedVersions", "version", True, 0, None, _versions_function("released")),
        Definition("unreleasedVersions", "version", True, 0, None, _versions_function("unreleased")),
        Definition("latestReleasedVersion", "version", False, 1, 1, _edge_version_function("released", last=True)),
        Definition(
            "earliestUnreleasedVersion", "version", False, 1, 1, _edge_version_function("unreleased", last=False)
        ),
        Definition("linkedIssues", "issue", True, 1, None, _evaluate_linked_issues),
        Definition("watchedIssues", "issue", True, 0, 0, _evaluate_watched_issues),
        Definition("votedIssues", "issue", True, 0, 0, _evaluate_voted_issues),
        Definition("updatedBy", "issue", True, 1, 3, _evaluate_updated_by),
        Definition("projectsLeadByUser", "project", True, 0, 1, _evaluate_projects_led),
        Definition("componentsLeadByUser", "component", True, 0, 1, _evaluate_components_led),
    ]
)
