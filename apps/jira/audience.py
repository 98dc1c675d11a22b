"""Readers of an issue and its rows: the people of its project, or everybody in an open project."""

from collections.abc import Iterator

from apps.jira.domain.context import EVERYBODY, GRANTS
from world.core.audience import COMPANY, Audience, Cells, among, as_readers_of
from world.core.reading.part import Lookup


def of_project(project: Cells, lookup: Lookup) -> Audience:
    """Return everybody if the project gives everybody a role, else the people with a role."""
    return COMPANY if project["access"] in EVERYBODY else among(_people(project, lookup))


def _people(project: Cells, lookup: Lookup, role: str = "") -> Iterator[str]:
    for actor in lookup.find("jira_role_actor", project_id=project["id"]):
        if (actor["role"] == role or not role) and "BROWSE_PROJECTS" in GRANTS.get(actor["role"], ()):
            yield from (str(actor["actor"]),) if actor["kind"] == "person" else _group(actor["actor"], lookup)


def _group(group: object, lookup: Lookup) -> Iterator[str]:
    return (str(row["person_id"]) for row in lookup.find("jira_group_member", group_id=group))


of_issue = as_readers_of("jira_project", "project_id", of_project)
of_part = as_readers_of("jira_issue", "issue_id", of_issue)


def of_comment(comment: Cells, lookup: Lookup) -> Audience:
    """Return the issue's readers, or those to whom the comment is restricted."""
    whole, kept_to = of_part(comment, lookup), comment["visibility_value"]
    if comment["visibility_type"] is None:
        return whole
    if comment["visibility_type"] == "group":
        inside = frozenset(_group(kept_to, lookup))
    else:
        issue = lookup.row("jira_issue", comment["issue_id"])
        project = None if issue is None else lookup.row("jira_project", issue["project_id"])
        inside = frozenset(() if project is None else _people(project, lookup, str(kept_to)))
    return Audience(inside if whole.company else inside & whole.people)


def of_notification(row: Cells, lookup: Lookup) -> Audience:
    """Return the author and the people who were mailed."""
    return among((str(row["author_id"]), *row["recipients"]))


def of_filter(row: Cells, lookup: Lookup) -> Audience:
    """Return every employee for a shared filter, else its owner."""
    return COMPANY if row["shared"] else among((str(row["owner_id"]),))
