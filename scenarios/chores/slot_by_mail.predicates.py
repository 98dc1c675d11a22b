"""Whether the call stands in the calendar, at its day and hour."""

import re
from datetime import date

from world.grading import Finding, Run

OFF = re.compile(r"(?i)\b(not?|never|cancel\w*|called off|declined|moved|off)\b")
CLOCK = re.compile(r"(\d{1,2})[:.](\d\d)(?::00)?\s*([ap]m)?")


def check_entry(run: Run) -> Finding:
    """Proves that the first free line of the calendar holds the day, the hours and a word on the call."""
    row = run.fact("event.truth.row")
    cells = {
        one.row["col"]: one
        for one in run.effects
        if one.table == "sheets_cell"
        and one.actors == {run.agent}
        and one.row["row"] == row
        and _in_calendar(run, one.row)
    }
    typed = {col: str(one.row["input"] or "") for col, one in cells.items()}
    if any(text for col, text in typed.items() if col > 3):
        return Finding(False, 0.0, (), f"line {row + 1} has more than day, hours and what it is")
    if any(not typed.get(col) for col in range(4)):
        return Finding(False, 0.0, (), f"line {row + 1} of the calendar is not filled")
    fits = [
        _is_day(typed[0], run.fact("event.truth.day")),
        _is_clock(typed[1], run.fact("event.truth.mine")),
        _is_clock(typed[2], run.fact("event.truth.until")),
    ]
    names = [
        run.fact("event.truth.contact"),
        *run.fact("event.truth.contact").split(),
        run.fact("event.truth.customer"),
    ]
    named = any(one.lower() in typed[3].lower() for one in names) and not OFF.search(typed[3])
    if not named:
        return Finding(False, sum(fits) / 4, (), f"line {row + 1} does not say with whom: {typed[3]}")
    if not all(fits):
        return Finding(False, sum(fits) / 4, (), f"line {row + 1}: {', '.join(typed.values())}")
    return Finding(True, 1.0, tuple(("sheets_cell", one.pk) for one in cells.values()), "the call is in the calendar")


def _is_day(text, day):
    return text == day or _number(text) == (date.fromisoformat(day) - date(1899, 12, 30)).days


def _is_clock(text, clock):
    minutes = int(clock[:2]) * 60 + int(clock[3:])
    number = _number(text)
    if number is not None:
        return abs(number % 1 * 1440 - minutes) < 1
    found = CLOCK.fullmatch(text.strip().lower())
    if not found:
        return False
    hour = int(found[1]) % 12 + 12 * (found[3] == "pm") if found[3] else int(found[1])
    return hour * 60 + int(found[2]) == minutes


def _number(text):
    try:
        return float(text)
    except ValueError:
        return None


def _in_calendar(run, cell):
    key = run.fact("event.truth.book")["key"]
    file = next(one["id"] for one in run.rows("drive_file") if one["key"] == key)
    return any(
        one["id"] == cell["sheet_id"] and one["title"] == "Calendar" and one["file_id"] == file
        for one in run.rows("sheets_sheet")
    )
