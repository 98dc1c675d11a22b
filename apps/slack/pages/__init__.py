"""The browser client of the chat service: pages, forms, and where each operation's form stands."""

from apps.slack.pages import browse, channel, compose, lists, search, sidebar
from apps.slack.pages.places import PLACES
from apps.slack.pages.ui import pages
from apps.slack.pages.words import FILTERS

pages.filters = FILTERS

__all__ = ["PLACES", "browse", "channel", "compose", "lists", "pages", "search", "sidebar"]
