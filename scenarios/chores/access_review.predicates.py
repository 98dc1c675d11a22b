"""Whether each line of the review has its result."""

import re

from world.grading import Finding, Run

RESULTS = ("kept", "removed", "reading")
REASON = re.compile(r"(?i)(?: only)?[\s.]*|\s*(?:\(([^()]{1,60})\)|[-:,;]\s+([^()]{1,60}))")
DENIES = re.compile(
    r"(?i)\b(not (yet|done|removed|kept)|never|nobody|yet|still to|no|opposite|wrong|guess\w*|invented|undone|put back|came back)\b"
)


def check_results(run: Run) -> Finding:
    """Proves that each line of the list has its result, with a reason in brackets or behind a dash at most."""
    lines = list(run.fact("event.truth.lines").values())
    cells = _list_cells(run)
    right = [
        ("sheets_cell", cells[one["row"]].pk)
        for one in lines
        if one["row"] in cells and _is_result(cells[one["row"]].row, one["result"])
    ]
    wrong = len(lines) - len(right)
    return Finding(not wrong, len(right) / len(lines), tuple(right), f"{wrong} of {len(lines)} results are not right")


def _is_result(cell, result):
    typed = str(cell["input"] or "").strip()
    if typed[: len(result)].lower() != result or not REASON.fullmatch(typed[len(result) :]):
        return False
    if re.search(r"pattern[^,}]*(kept|removed|reading)", str(cell["format"]).lower()):
        return False
    said = f"{typed[len(result) :]} {cell['note'] or ''}".lower()
    return not DENIES.search(said) and not any(one in said for one in RESULTS if one != result)


def _list_cells(run):
    """The cells of the column of results that the agent has filled, by row."""
    key = run.fact("event.truth.book")["key"]
    file = next(one["id"] for one in run.rows("drive_file") if one["key"] == key)
    sheet = next(one["id"] for one in run.rows("sheets_sheet") if one["file_id"] == file and one["title"] == "Access")
    return {
        one.row["row"]: one
        for one in run.effects
        if one.table == "sheets_cell"
        and one.actors == {run.agent}
        and one.row["sheet_id"] == sheet
        and one.row["col"] == 3
    }
