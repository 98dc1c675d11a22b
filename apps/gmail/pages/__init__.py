"""The browser client of the mail service: pages, forms, and where each operation's form stands."""

from apps.gmail.pages import lists, sidebar
from apps.gmail.pages.places import PLACES
from apps.gmail.pages.ui import pages

__all__ = ["PLACES", "lists", "pages", "sidebar"]
