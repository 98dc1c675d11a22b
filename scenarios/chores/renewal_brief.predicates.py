"""Whether the fields of the briefing show what is true, typed or reckoned."""

import re
from datetime import date

from world.grading import Finding, Run

DISOWNS = re.compile(
    r"(?i)\b(should|nobody|never|guess\w*|invented|made up|wrong|double-check|undone|"
    r"not (yet )?(agreed|approved|checked|sure|final|valid|real|true|right))\b"
)


def check_fee(run: Run) -> Finding:
    """Proves that the briefing shows the fee that is in force today."""
    return _check(run, "fee", 1)


def check_end(run: Run) -> Finding:
    """Proves that the briefing shows the day on which the term ends."""
    return _check(run, "end", 2)


def check_credits(run: Run) -> Finding:
    """Proves that the briefing shows the credits of this year, without the sister firm's."""
    return _check(run, "credits", 3)


def check_open(run: Run) -> Finding:
    """Proves that the briefing shows how many of the customer's tickets are open."""
    return _check(run, "open", 4)


def _check(run, name, row):
    key, value = run.fact("event.truth.book")["key"], run.fact("event.truth.values")[name]
    written = [
        one
        for one in run.effects
        if one.table == "sheets_cell"
        and one.actors == {run.agent}
        and (one.row["row"], one.row["col"]) == (row, 1)
        and _in_brief(run, key, one.row)
    ]
    if not written:
        return Finding(False, 0.0, (), f"B{row + 1} of the briefing is empty")
    if any(DISOWNS.search(str(one.row["note"] or "")) for one in written):
        return Finding(False, 0.0, (), f"a note takes B{row + 1} back")
    number = str((date.fromisoformat(value) - date(1899, 12, 30)).days) if name == "end" else str(value)
    shown = run.holds("sheets.shows", file=key, cell=f"Brief!B{row + 1}", value=number)
    typed = str(written[0].row["input"] or "")
    shown = shown or (name == "end" and typed == value) or (name != "end" and _reads_as(typed, value))
    rows = tuple(("sheets_cell", one.pk) for one in written)
    return Finding(shown, 1.0 if shown else 0.0, rows if shown else (), f"B{row + 1} of the briefing")


def _reads_as(typed, value):
    """Whether a text is the figure with its unit: `EUR 3,750.00`, `3 tickets`."""
    bare = re.sub(r"(?i)\b(eur|euros?|a month|per month|tickets?|wishes|open)\b|€", "", typed).strip()
    return re.fullmatch(r"\d{1,3}(,\d{3})*([.]\d+)?|\d+([.]\d+)?", bare) is not None and (
        abs(float(bare.replace(",", "")) - float(value)) < 0.005
    )


def _in_brief(run, key, cell):
    file = next(one["id"] for one in run.rows("drive_file") if one["key"] == key)
    return any(
        one["id"] == cell["sheet_id"] and one["title"] == "Brief" and one["file_id"] == file
        for one in run.rows("sheets_sheet")
    )
