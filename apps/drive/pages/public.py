"""What the drive lends the pages of an app that keeps the content of files: lists, dialogs, uploads, filters."""

from apps.drive.pages import FILTERS, dialogs, pages, panes
from apps.drive.pages.file_preview import attached, data_of
from apps.drive.pages.files import OWNERS, build_list_context, search_files
from apps.drive.pages.ui import CLIENT
from apps.drive.pages.uploads import encoded, files_of, uploaded

__all__ = [
    "CLIENT",
    "FILTERS",
    "OWNERS",
    "attached",
    "data_of",
    "dialogs",
    "encoded",
    "files_of",
    "search_files",
    "pages",
    "panes",
    "build_list_context",
    "uploaded",
]
