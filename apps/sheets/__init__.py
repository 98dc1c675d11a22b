"""The spreadsheet service: Sheets v4, a formula engine and a grid. Its files are in the drive."""

from apps.sheets import conduct, operations, predicates, probes, readings
from apps.sheets.app import app

__all__ = ["app", "conduct", "operations", "predicates", "probes", "readings"]
