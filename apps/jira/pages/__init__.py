"""The browser UI of the issue tracker; importing a module declares its pages."""

from apps.jira.pages import (
    backlog,
    board,
    completion,
    compose,
    create,
    filters,
    home,
    issue,
    projects,
    reports,
    search,
    shared,
)
from apps.jira.pages.places import PLACES
from apps.jira.pages.ui import pages
from apps.jira.pages.words import FILTERS

pages.filters = FILTERS

__all__ = [
    "PLACES",
    "backlog",
    "board",
    "completion",
    "compose",
    "create",
    "filters",
    "home",
    "issue",
    "pages",
    "projects",
    "reports",
    "search",
    "shared",
]
