"""The browser client of the drive: lists of files, a file's page, dialogs, and the page of each operation."""

from apps.drive.pages import dialogs, file_preview, files, panes, share, uploads
from apps.drive.pages.page_map import PLACES
from apps.drive.pages.template_filters import FILTERS
from apps.drive.pages.ui import pages

pages.filters = FILTERS
pages.pages.sort(key=lambda page: page.path.count("{"))

__all__ = ["FILTERS", "PLACES", "dialogs", "file_preview", "files", "pages", "panes", "share", "uploads"]
