"""The browser client of the spreadsheet service: pages and forms beside the drive's, and each operation's page."""

from apps.drive.pages.public import FILTERS as OF_DRIVE
from apps.drive.pages.public import pages as drive_pages
from apps.sheets.pages import comments, export, grid_actions, history, home, imports, panes, sheet
from apps.sheets.pages.page_map import PLACES
from apps.sheets.pages.ui import pages

pages.filters = {**OF_DRIVE, "pieces": comments.pieces}
pages.actions.update(drive_pages.actions)
own = {page.path for page in pages.pages}
pages.pages += [page for page in drive_pages.pages if page.path not in own and not page.path.startswith("/d/")]
pages.pages.sort(key=lambda page: page.path.count("{"))

__all__ = ["PLACES", "comments", "export", "grid_actions", "history", "home", "imports", "pages", "panes", "sheet"]
