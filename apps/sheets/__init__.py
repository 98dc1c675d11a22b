"""The spreadsheet service, whose files lie in the drive: Sheets v4, a formula engine and a grid."""

from apps.sheets import operations, predicates, probes, readings
from apps.sheets.app import app

__all__ = ["app", "operations", "predicates", "probes", "readings"]
