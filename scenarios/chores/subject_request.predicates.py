"""Whether the findings are those of the person, all of them and no others."""

import re

from world.grading import Finding, Run

DENIES = re.compile(
    r"(?i)\b(not in|not here|not held|not found|nothing|no data|no trace|none|nowhere|never|nobody|deleted?)\b"
)


def check_findings(run: Run) -> Finding:
    """Proves that each line of the findings names one of the person's places, and that none is missing."""
    key, hits = run.fact("event.truth.book")["key"], list(run.fact("event.truth.hits").values())
    sheet = _find_sheet(run, key)
    written = [
        one
        for one in run.effects
        if one.table == "sheets_cell"
        and one.actors == {run.agent}
        and one.row["sheet_id"] == sheet
        and one.row["row"] > 0
    ]
    lines: dict[int, str] = {}
    for one in sorted(written, key=lambda effect: effect.row["col"]):
        lines[one.row["row"]] = f"{lines.get(one.row['row'], '')} {one.row['input']}".strip()
    lines = {row: line for row, line in lines.items() if not _is_sum(line, len(hits))}
    found = {row: [hit for hit in hits if _names(line, hit)] for row, line in lines.items()}
    listed = {hit for some in found.values() for hit in some}
    strange = [lines[row] for row, some in found.items() if len(some) != 1 or DENIES.search(lines[row])]
    strange += [f"{hit} twice" for hit in listed if sum(hit in some for some in found.values()) > 1]
    notes = [str(one.row["note"] or "") for one in written]
    said = [*lines.values(), *notes]
    strange += [other for other in run.fact("event.truth.others") if any(_hints_at(line, other) for line in said)]
    if any(run.fact("event.truth.namesake").split("@")[-1] in one.lower() for one in said):
        strange.append("the namesake's address")
    missing = [hit for hit in hits if hit not in listed]
    if missing or strange:
        share = max(0.0, (len(listed) - len(strange)) / len(hits))
        return Finding(False, share, (), f"missing: {missing}; not the person's: {strange}")
    return Finding(True, 1.0, tuple(("sheets_cell", one.pk) for one in written), "all findings and no others")


def _is_sum(line, count):
    return re.fullmatch(rf"(?i)\W*(total|sum|hits|findings)\W*{count}\W*", line) is not None


def _hints_at(line, other):
    """Whether a line names a place, or its key in other letters: `SHOP - 7`, `SHOP no. 7`."""
    key = re.fullmatch(r"([A-Z]+)-(\d+)", other)
    return _names(line, other) or bool(key and re.search(rf"(?i)\b{key[1]}\b\D{{0,6}}{key[2]}(?!\d)", line))


def _names(line, hit):
    """Whether a line names a place: the words of its key, title or subject in this order, none of them cut."""
    padded, wanted = f" {_plain(line)} ", f" {_plain(hit)} "
    return wanted in padded


def _plain(text):
    return " ".join("".join(one if one.isalnum() or one in "-" else " " for one in text.lower()).split())


def _find_sheet(run, key):
    file = next(one["id"] for one in run.rows("drive_file") if one["key"] == key)
    return next(one["id"] for one in run.rows("sheets_sheet") if one["file_id"] == file and one["title"] == "Findings")
