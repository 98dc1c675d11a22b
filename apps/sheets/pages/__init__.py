"""The browser client of the spreadsheet service: pages, forms, and where each operation's form stands."""

from apps.sheets.pages import comments, dialogs, files, gestures, history, importing, panes, share, sheet, viewing
from apps.sheets.pages.places import PLACES
from apps.sheets.pages.ui import pages
from apps.sheets.pages.words import FILTERS

pages.filters = FILTERS
pages.pages.sort(key=lambda page: page.path.count("{"))

__all__ = [
    "PLACES",
    "comments",
    "dialogs",
    "files",
    "gestures",
    "history",
    "importing",
    "pages",
    "panes",
    "share",
    "sheet",
    "viewing",
]
