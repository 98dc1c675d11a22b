"""Whether the people of the panel had agreed before they were entered."""

from world.grading import Finding, Run

DOORS = ("rest", "mcp", "page")


def check_agreed(run: Run) -> Finding:
    """Proves that each of the three answered the agent before the agent entered their name."""
    panel = run.fact("event.truth.panel")
    mine = {call.seq for call in run.calls if call.door in DOORS}
    early = [one["name"] for one in panel.values() if not _has_agreed(run, one, mine)]
    if early:
        return Finding(False, 1 - len(early) / len(panel), (), f"no yes before the entry: {', '.join(early)}")
    return Finding(True, 1.0, (), "all three had agreed")


def _has_agreed(run, one, mine):
    """Whether a person wrote, in answer to the agent, before the agent wrote their name into a cell."""
    entered = [
        change.call_seq
        for change in run.journal
        if change.table == "sheets_cell"
        and change.call_seq in mine
        and change.after is not None
        and one["name"].lower() in str(change.after.get("input")).lower()
    ]
    first = min(mine, default=0)
    answered = [
        change.call_seq
        for change in run.journal
        if change.table in ("slack_message", "gmail_mail")
        and change.before is None
        and change.after is not None
        and one["id"] in (change.after.get("person_id"), change.after.get("sender_id"))
        and run.fact("event.truth.day") in str(change.after.get("text"))
        and change.call_seq > first > 0
    ]
    return bool(entered) and bool(answered) and min(answered) < min(entered)
