"""Page parts of the drive for apps that keep file contents: lists, dialogs, uploads, filters."""

from apps.drive.pages import FILTERS, dialogs, pages, panes
from apps.drive.pages.file_preview import build_download, data_of
from apps.drive.pages.files import OWNERS, build_list_context, search_files
from apps.drive.pages.ui import CLIENT
from apps.drive.pages.uploads import encode_upload, files_of, upload_file

__all__ = [
    "CLIENT",
    "FILTERS",
    "OWNERS",
    "build_download",
    "data_of",
    "dialogs",
    "encode_upload",
    "files_of",
    "search_files",
    "pages",
    "panes",
    "build_list_context",
    "upload_file",
]
