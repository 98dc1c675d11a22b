"""The spreadsheet service, whose files lie in the drive: Sheets v4, a formula engine and a grid."""

from apps.sheets import conduct, operations, predicates, probes, readings
from apps.sheets.app import app

__all__ = ["app", "conduct", "operations", "predicates", "probes", "readings"]
