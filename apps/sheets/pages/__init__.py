"""The browser client of the spreadsheet service: pages, forms, and where each operation's form stands."""

from apps.sheets.pages import (
    comments,
    dialogs,
    file_preview,
    files,
    grid_actions,
    history,
    imports,
    panes,
    share,
    sheet,
)
from apps.sheets.pages.page_map import PLACES
from apps.sheets.pages.template_filters import FILTERS
from apps.sheets.pages.ui import pages

pages.filters = FILTERS
pages.pages.sort(key=lambda page: page.path.count("{"))

__all__ = [
    "PLACES",
    "comments",
    "dialogs",
    "files",
    "grid_actions",
    "history",
    "imports",
    "pages",
    "panes",
    "share",
    "sheet",
    "file_preview",
]
