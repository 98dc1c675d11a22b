"""Whether the missing credits stand below the last row of the ledger, each once."""

import re
from datetime import date

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
    added = _list_rows(run)
    first = run.fact("event.truth.last")
    if set(added) - set(range(first, first + len(run.fact("event.truth.added")))):
        return Finding(False, 0.0, (), "new rows do not stand right below the last one, or are too many")
    rows = [cells for cells in added.values() if _is_row(cells, credit, run)]
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


REMARK = re.compile(r"(?i)\b(not|never|no|nobody|don't|double|twice|wrong|void|cancel\w*|guess\w*|invented)\b")


def _is_row(cells, credit, run):
    text = {col: str(effect.row["input"]).strip() for col, effect in cells.items()}
    filled = {col for col, said in text.items() if said}
    if not filled <= {0, 1, 2, 3, 4} or REMARK.search(" ".join((text.get(2, ""), text.get(4, "")))):
        return False
    if any(REMARK.search(str(effect.row["note"] or "")) for effect in cells.values()):
        return False
    named = text.get(1, "").lower() == credit["customer"].lower()
    ticket = r"(?:e-?)?mail\b[\w\s.,:()-]{0,60}" if credit["key"] == "mail" else re.escape(credit["key"])
    amount = re.fullmatch(r"=?\s*(\d+(?:[.]\d+)?)", text.get(3, "").replace(",", ""))
    return bool(
        named
        and amount
        and abs(float(amount[1]) - float(credit["eur"])) < 0.005
        and re.fullmatch(rf"(?i)(?:by |from |the |see )*{ticket}", text.get(2, ""))
        and not re.search(r"[A-Z]+-\d+", text.get(2, "").replace(credit["key"], ""))
        and _is_recent(text.get(0, ""), run.fact("event.truth.today"))
    )


def _is_recent(day, today):
    """Whether the day of a row is left out, or lies in the four months up to today."""
    if not day:
        return True
    number, now = int(day) if day.isdigit() else _count_days(day), _count_days(today)
    return number is not None and now is not None and -1 <= now - number <= 123


def _count_days(day):
    try:
        return (date.fromisoformat(day) - date(1899, 12, 30)).days
    except ValueError:
        return None
