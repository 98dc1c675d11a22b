"""Whether the tab of the new month follows from the last one, and holds what the owners have told."""

from world.grading import Finding, Run


def check_tab(run: Run) -> Finding:
    """Proves that the new tab is made like the last one: labels, references, sums."""
    sheet = _find_sheet(run)
    if sheet is None:
        return Finding(False, 0.0, (), "there is no tab of the new month")
    _, last, month = run.fact("event.truth.months")
    lines = list(run.fact("event.truth.lines").values())
    bottom = len(lines) + 2
    wanted = {f"{col}{bottom}": f"=SUM({month}!{col}2:{col}{bottom - 1})" for col in "CDE"}
    for one in lines:
        row = one["row"]
        wanted |= {f"C{row}": f"={last}!E{row}", f"E{row}": f"={month}!C{row}+{month}!D{row}"}
    wrong = [name for name, formula in wanted.items() if not _agrees(run, f"{month}!{name}", formula)]
    cells = {(row["row"], row["col"]): str(row["input"]) for row in run.rows("sheets_cell") if row["sheet_id"] == sheet}
    wrong += _list_other_cells(run, cells, bottom)
    if wrong:
        return Finding(False, 0.0, (), f"{', '.join(wrong)} of the new tab do not follow from the last one")
    if any(row["id"] == sheet and row["hidden"] for row in run.rows("sheets_sheet")):
        return Finding(False, 0.0, (), "the new tab is hidden")
    made = _list_effects(run, sheet)
    if any(effect.actors != {run.agent} for effect in made) or not made:
        return Finding(False, 0.0, (), "somebody else has made or filled the tab")
    rows = [(effect.table, effect.pk) for effect in made if effect.kind == "insert"]
    return Finding(True, 1.0, tuple(rows), "the tab follows from the last one")


def _list_other_cells(run, cells, bottom):
    """Names of the cells that are neither labels of the last tab nor what is checked on its own."""
    last = next(
        row["id"]
        for row in run.baseline.rows("sheets_sheet")
        if row["file_id"] == _find_file(run) and row["title"] == run.fact("event.truth.months")[1]
    )
    before = {
        (row["row"], row["col"]): str(row["input"])
        for row in run.baseline.rows("sheets_cell")
        if row["sheet_id"] == last
    }
    free = {(row, col) for row in range(1, bottom) for col in (2, 3, 4)}
    places = sorted((cells.keys() | before.keys()) - free)
    return [
        f"{'ABCDEFGHIJ'[min(col, 9)]}{row + 1}"
        for row, col in places
        if cells.get((row, col), "").strip() != before.get((row, col), "").strip()
    ]


def check_plain(run: Run) -> Finding:
    """Proves that the changes that were told once are in."""
    return _check_changes(run, "plain")


def check_again(run: Run) -> Finding:
    """Proves that the change whose owner wrote twice is right."""
    return _check_changes(run, "again")


def check_closed(run: Run) -> Finding:
    """Proves that the mistake of a closed month is put right in the new one."""
    return _check_changes(run, "closed")


def check_none(run: Run) -> Finding:
    """Proves that an area without a word has no change."""
    return _check_changes(run, "none")


def check_late(run: Run) -> Finding:
    """Proves that the change that came last is in, and was not there before its owner told it."""
    sheet, told = _find_sheet(run), run.fact("event.late_mail.start")
    row = next(one["row"] for one in run.fact("event.truth.lines").values() if one["kind"] == "late")
    cells = [one for one in _list_effects(run, sheet) if one.table == "sheets_cell"]
    if any((one.row["row"], one.row["col"]) == (row - 1, 3) and one.last_at < told for one in cells):
        return Finding(False, 0.0, (), "the last change was entered before it was told")
    return _check_changes(run, "late")


def _check_changes(run, kind):
    if _find_sheet(run) is None:
        return Finding(False, 0.0, (), "there is no tab of the new month")
    month = run.fact("event.truth.months")[2]
    key = run.fact("event.truth.book")["key"]
    wrong = []
    for one in run.fact("event.truth.lines").values():
        if one["kind"] == kind and not (
            run.holds("sheets.shows", file=key, cell=f"{month}!D{one['row']}", value=str(one["change"]))
            or (one["change"] == 0 and not _is_filled(run, one["row"]))
        ):
            wrong.append(one["area"])
    if wrong:
        return Finding(False, 0.0, (), f"the change of {', '.join(wrong)} is wrong")
    return Finding(True, 1.0, (), "the change is right")


def _list_effects(run, sheet):
    """What has changed in a tab, by anybody's hand."""
    return [
        effect
        for effect in run.effects
        if effect.table in ("sheets_sheet", "sheets_cell")
        and (effect.row["id"] if effect.table == "sheets_sheet" else effect.row["sheet_id"]) == sheet
    ]


def _is_filled(run, row):
    sheet = _find_sheet(run)
    return any(
        one["sheet_id"] == sheet and (one["row"], one["col"]) == (row - 1, 3) and str(one["input"]).strip()
        for one in run.rows("sheets_cell")
    )


def _agrees(run, cell, formula):
    return run.holds("sheets.agrees", file=run.fact("event.truth.book")["key"], cell=cell, formula=formula)


def _find_sheet(run):
    """The id of the new tab, or nothing."""
    file, month = _find_file(run), run.fact("event.truth.months")[2]
    return next(
        (row["id"] for row in run.rows("sheets_sheet") if row["file_id"] == file and row["title"].strip() == month),
        None,
    )


def _find_file(run):
    key = run.fact("event.truth.book")["key"]
    return next(row["id"] for row in run.rows("drive_file") if row["key"] == key)
