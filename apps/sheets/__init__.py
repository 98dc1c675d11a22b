"""The spreadsheet service and its drive: Sheets v4, Drive v3, a formula engine and a grid."""

from apps.sheets import checking, operations, staff
from apps.sheets.app import app
from apps.sheets.drive import unfurling

__all__ = ["app", "checking", "operations", "staff", "unfurling"]
