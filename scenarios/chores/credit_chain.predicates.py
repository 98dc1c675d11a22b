"""Whether the missing credits stand below the last row of the ledger, each once."""

import re

from world.grading import Finding, Run


def check_a0(run: Run) -> Finding:
    """Proves that the first missing credit has a row of its own."""
    return _check_row(run, "a0")


def check_a1(run: Run) -> Finding:
    """Proves that the second missing credit has a row of its own."""
    return _check_row(run, "a1")


def check_a2(run: Run) -> Finding:
    """Proves that the third missing credit has a row of its own."""
    return _check_row(run, "a2")


def check_a3(run: Run) -> Finding:
    """Proves that the fourth missing credit has a row of its own."""
    return _check_row(run, "a3")


def _check_row(run, name):
    """Exactly one new row has the credit's customer, its ticket or the word mail, and its amount, and no other figure."""
    credit = run.fact("event.truth.added")[name]
    rows = [cells for cells in _list_rows(run).values() if _is_row(cells, credit)]
    if len(rows) != 1:
        return Finding(False, 0.0, (), f"{len(rows)} new rows for {credit['customer']}, {credit['eur']}")
    claimed = tuple(("sheets_cell", effect.pk) for effect in rows[0].values())
    return Finding(True, 1.0, claimed, "one new row")


def _list_rows(run):
    """Cells that the agent has filled below the last row of the ledger, by row and column."""
    key = run.fact("event.truth.book")["key"]
    file = next(row["id"] for row in run.rows("drive_file") if row["key"] == key)
    sheet = next(row["id"] for row in run.rows("sheets_sheet") if row["file_id"] == file and row["title"] == "Ledger")
    found = {}
    for effect in run.effects:
        if effect.table == "sheets_cell" and effect.row["sheet_id"] == sheet and effect.actors == {run.agent}:
            if effect.kind == "insert" and effect.row["row"] >= run.fact("event.truth.last"):
                found.setdefault(effect.row["row"], {})[effect.row["col"]] = effect
    return found


def _is_row(cells, credit):
    text = {col: str(effect.row["input"]).strip() for col, effect in cells.items()}
    if not set(text) <= {0, 1, 2, 3, 4} or any(re.search(r"(?i)double", text.get(col, "")) for col in text):
        return False
    amount = re.fullmatch(r"-?\d+(?:[.]\d+)?", text.get(3, ""))
    named = text.get(1, "").lower() == credit["customer"].lower()
    return bool(
        named
        and amount
        and abs(float(text[3]) - float(credit["eur"])) < 0.005
        and re.search(rf"(?i)\b(?:e-?)?{re.escape(credit['key'])}\b", text.get(2, ""))
    )
