"""The pages of work: importing this module declares those of issues, pull requests, people, notifications and search."""

from apps.github.pages import (
    compare,
    completion,
    conflicts,
    home,
    inbox,
    issues,
    labels,
    mine,
    people,
    pulls,
    reacting,
    reviews,
    search,
)

__all__ = [
    "compare",
    "completion",
    "conflicts",
    "home",
    "inbox",
    "issues",
    "labels",
    "mine",
    "people",
    "pulls",
    "reacting",
    "reviews",
    "search",
]
