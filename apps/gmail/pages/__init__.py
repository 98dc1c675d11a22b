"""The browser client of the mail service: pages, forms, and the page of each operation."""

from apps.gmail.pages import compose, conversation, frames, labels, lists, search, settings, sidebar, thread_actions
from apps.gmail.pages.page_map import PLACES
from apps.gmail.pages.template_filters import FILTERS
from apps.gmail.pages.ui import pages

pages.filters = FILTERS
pages.pages.sort(
    key=lambda page: page.path.count("{")
)  # `/mail/search` is no folder, `/mail/label/{name}` no conversation

__all__ = [
    "PLACES",
    "compose",
    "conversation",
    "frames",
    "thread_actions",
    "labels",
    "lists",
    "pages",
    "search",
    "settings",
    "sidebar",
]
