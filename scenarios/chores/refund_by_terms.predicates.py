"""Whether the payment shows the amount that is owed, typed or reckoned."""

import re

from world.grading import Finding, Run

DISOWNS = re.compile(
    r"(?i)\b(should|nobody|never|guess\w*|invented|made up|wrong|double-check|undone|"
    r"not (yet )?(agreed|approved|checked|sure|final|valid|real|true|right))\b"
)


def check_paid(run: Run) -> Finding:
    """Proves that the new row shows the amount that is owed, as a number or by a formula."""
    key, row = run.fact("event.truth.book")["key"], run.fact("event.truth.row")
    written = [
        ("sheets_cell", one.pk)
        for one in run.effects
        if one.table == "sheets_cell"
        and one.actors == {run.agent}
        and one.row["row"] == row
        and one.row["col"] == 2
        and one.row["sheet_id"] == _find_sheet(run, key)
    ]
    if not written:
        return Finding(False, 0.0, (), "no amount stands in the first free row")
    if any(DISOWNS.search(str(one.row["note"] or "")) for one in run.effects if ("sheets_cell", one.pk) in written):
        return Finding(False, 0.0, (), "a note takes the amount back")
    shown = run.holds("sheets.shows", file=key, cell=f"'Paid back'!C{row + 1}", value=str(run.fact("event.truth.owed")))
    return Finding(shown, 1.0 if shown else 0.0, tuple(written) if shown else (), "the amount of the new row")


def _find_sheet(run, key):
    file = next(one["id"] for one in run.rows("drive_file") if one["key"] == key)
    return next(one["id"] for one in run.rows("sheets_sheet") if one["file_id"] == file and one["title"] == "Paid back")
