"""Pages of daily work: importing this module declares issues, pull requests, people, notifications and search."""

from apps.github.pages import (
    compare,
    completion,
    conflicts,
    dashboard,
    home,
    inbox,
    issues,
    labels,
    people,
    pulls,
    reactions,
    reviews,
    search,
)

__all__ = [
    "compare",
    "completion",
    "conflicts",
    "dashboard",
    "home",
    "inbox",
    "issues",
    "labels",
    "people",
    "pulls",
    "reactions",
    "reviews",
    "search",
]
