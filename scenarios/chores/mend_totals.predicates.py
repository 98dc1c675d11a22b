"""Whether cells of the summary follow from the ledger, with other figures too."""

import re

from world.grading import Finding, Run


def check_formula_0(run: Run) -> Finding:
    """Proves that the first wrong cell is the right formula now, by the agent's hand."""
    return _check_formula(run, 0)


def check_formula_1(run: Run) -> Finding:
    """Proves that the second wrong cell is the right formula now, by the agent's hand."""
    return _check_formula(run, 1)


def check_formula_2(run: Run) -> Finding:
    """Proves that the wrong total is the right formula now, by the agent's hand."""
    return _check_formula(run, 2)


def rest(run: Run) -> Finding:
    """Proves that every cell of the summary is right; claims right formulas that were written anew."""
    right, wrong = run.fact("event.truth.right"), run.fact("event.truth.wrong")
    broken = [name for name in right if not _agrees(run, name)]
    rows = [
        ("sheets_cell", effect.pk) for name, effect in _find_written(run).items() if name in right and name not in wrong
    ]
    if broken:
        return Finding(False, 0.0, (), f"{', '.join(broken)} do not follow from the ledger")
    return Finding(True, 1.0, tuple(rows), "the summary follows from the ledger")


def _check_formula(run, number):
    name = list(run.fact("event.truth.wrong"))[number]
    effect = _find_written(run).get(name)
    if effect is None:
        return Finding(False, 0.0, (), f"{name} was not written")
    if not _agrees(run, name):
        return Finding(False, 0.0, (), f"{name} does not follow from the ledger")
    return Finding(True, 1.0, (("sheets_cell", effect.pk),), f"{name} follows from the ledger")


def _agrees(run, name):
    """Whether a cell means the right formula; one that also takes later lines of the ledger is as good."""
    formula = run.fact("event.truth.right")[name]
    open_ranges = re.sub(r"Ledger!\$([BC])\$2:\$[BC]\$\d+", r"Ledger!$\1:$\1", formula)
    full = re.sub(r"(?<![!:$A-Z])([AB]\d+)(:B\d+)?", r"Summary!\1\2", open_ranges)
    return run.holds("sheets.agrees", file=run.fact("event.truth.book")["key"], cell=f"Summary!{name}", formula=full)


def _find_written(run):
    """Cells of the summary that the agent has written, by name."""
    key = run.fact("event.truth.book")["key"]
    file = next(row["id"] for row in run.rows("drive_file") if row["key"] == key)
    sheet = next(row["id"] for row in run.rows("sheets_sheet") if row["file_id"] == file and row["title"] == "Summary")
    return {
        f"{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[effect.row['col']]}{effect.row['row'] + 1}": effect
        for effect in run.effects
        if effect.table == "sheets_cell"
        and effect.actors == {run.agent}
        and effect.row["sheet_id"] == sheet
        and effect.row["col"] < 26
    }
