"""Whether each line of the claim shows its state, typed or by a formula."""

from world.grading import Finding, Run


def check_states(run: Run) -> Finding:
    """Proves that the cell behind each line shows the line's state, by the agent's hand, and in no disguise."""
    key, lines = run.fact("event.truth.book")["key"], run.fact("event.truth.lines").values()
    filled = {(one.row["row"], one.row["col"]): one for one in run.effects if _is_own(run, one, key)}
    right = [
        filled[line["row"], 5]
        for line in lines
        if (line["row"], 5) in filled
        and run.holds("sheets.shows", file=key, cell=f"Claim!F{line['row'] + 1}", value=line["state"])
    ]
    share = len(right) / len(lines)
    rows = tuple(("sheets_cell", one.pk) for one in right)
    return Finding(share == 1, share, rows, f"{len(right)} of {len(lines)} lines show their state")


def _is_own(run, effect, key):
    """Whether the agent alone has filled a cell of the claim, without a format that shows something else."""
    if effect.table != "sheets_cell" or effect.kind != "insert" or effect.actors != {run.agent}:
        return False
    sheet = next(one for one in run.rows("sheets_sheet") if one["id"] == effect.row["sheet_id"])
    file = next(one for one in run.rows("drive_file") if one["key"] == key)
    disguised = "numberFormat" in str(effect.row["format"] or "")
    return (sheet["file_id"], sheet["title"]) == (file["id"], "Claim") and not disguised
