"""The browser client of the chat service: pages, forms, and the page of each operation."""

from apps.slack.pages import apps, browse, channel, commands, compose, lists, search, sidebar
from apps.slack.pages.page_map import PLACES
from apps.slack.pages.template_filters import FILTERS
from apps.slack.pages.ui import pages

pages.filters = FILTERS

__all__ = ["PLACES", "apps", "browse", "channel", "commands", "compose", "lists", "pages", "search", "sidebar"]
