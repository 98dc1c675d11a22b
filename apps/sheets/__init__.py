"""The spreadsheet service and its drive: Sheets v4, Drive v3, a formula engine and a grid."""

from apps.sheets import directory_sync, operations, predicates
from apps.sheets.app import app
from apps.sheets.drive import unfurls

__all__ = ["app", "predicates", "operations", "directory_sync", "unfurls"]
