"""The browser client of the mail service: pages, forms, and where each operation's form stands."""

from apps.gmail.pages import compose, conversation, frames, gestures, labels, lists, search, settings, sidebar
from apps.gmail.pages.places import PLACES
from apps.gmail.pages.ui import pages
from apps.gmail.pages.words import FILTERS

pages.filters = FILTERS
pages.pages.sort(
    key=lambda page: page.path.count("{")
)  # `/mail/search` is no folder, `/mail/label/{name}` no conversation

__all__ = [
    "PLACES",
    "compose",
    "conversation",
    "frames",
    "gestures",
    "labels",
    "lists",
    "pages",
    "search",
    "settings",
    "sidebar",
]
