"""Whether days of notice and last days stand in the lines of the contracts above the limit, typed or reckoned."""

import re
from datetime import date

from world.grading import Finding, Run

DISOWNS = re.compile(
    r"(?i)\b(should|nobody|never|guess\w*|invented|made up|wrong|double-check|undone|"
    r"not (yet )?(agreed|approved|checked|sure|final|valid|real|true|right))\b"
)


def check_days(run: Run) -> Finding:
    """Proves that each contract above the limit shows its days of notice."""
    return _check(run, 3, lambda line: (str(line["days"]), rf"{line['days']}\s*(days)?"))


def check_last_days(run: Run) -> Finding:
    """Proves that each contract above the limit shows its last day for notice."""
    return _check(
        run,
        4,
        lambda line: (str((date.fromisoformat(line["last"]) - date(1899, 12, 30)).days), re.escape(line["last"])),
    )


def _check(run, col, describe):
    key, lines = run.fact("event.truth.book")["key"], list(run.fact("event.truth.found").values())
    cells = _list_cells(run, key, col)
    right = []
    for line in lines:
        number, text = describe(line)
        one = cells.get(line["row"])
        place = f"Contracts!{'DE'[col - 3]}{line['row'] + 1}"
        if one is not None and _is_sound(one.row) and _shows(run, key, place, number, text, one.row):
            right.append(("sheets_cell", one.pk))
    if len(right) < len(lines):
        return Finding(False, len(right) / len(lines), tuple(right), f"{len(right)} of {len(lines)} are right")
    return Finding(True, 1.0, tuple(right), "all are right")


def _shows(run, key, place, number, text, cell):
    typed = re.fullmatch(text, str(cell["input"] or "").strip()) is not None
    return typed or run.holds("sheets.shows", file=key, cell=place, value=number)


def _is_sound(cell):
    """Whether neither a note nor the order of day and month takes the value back."""
    return not DISOWNS.search(str(cell["note"] or "")) and "yyyy-dd" not in str(cell["format"]).lower()


def _list_cells(run, key, col):
    """The cells of a column of the contracts that the agent has filled, by row."""
    file = next(one["id"] for one in run.rows("drive_file") if one["key"] == key)
    sheet = next(
        one["id"] for one in run.rows("sheets_sheet") if one["file_id"] == file and one["title"] == "Contracts"
    )
    return {
        one.row["row"]: one
        for one in run.effects
        if one.table == "sheets_cell"
        and one.actors == {run.agent}
        and one.row["sheet_id"] == sheet
        and one.row["col"] == col
    }
