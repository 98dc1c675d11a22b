"""The browser UI of the issue tracker; importing a module declares its pages."""

from apps.jira.pages import (
    backlog,
    board,
    completion,
    compose,
    create,
    filters,
    frame,
    home,
    issue,
    plan,
    projects,
    reports,
    search,
)
from apps.jira.pages.page_map import PLACES
from apps.jira.pages.template_filters import FILTERS
from apps.jira.pages.ui import pages

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
    "plan",
    "projects",
    "reports",
    "search",
    "frame",
]
