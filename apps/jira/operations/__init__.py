"""What can be done in the issue tracker; importing the package declares every operation."""

from apps.jira.operations import (
    attachments,
    boards,
    comments,
    development,
    filters,
    issues,
    jql_help,
    links,
    meta,
    moves,
    notices,
    project_parts,
    projects,
    properties,
    roles,
    search,
    sprints,
    transitions,
    unfurling,
    users,
    watchers,
    worklogs,
)

__all__ = [
    "attachments", "boards", "comments", "development", "filters", "issues", "jql_help", "links", "meta", "moves", "notices",
    "project_parts", "projects", "properties", "roles", "search", "sprints", "transitions", "unfurling", "users", "watchers", "worklogs",
]  # fmt: skip
