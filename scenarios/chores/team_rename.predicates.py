"""Whether the group's channel has its new name and a description that bears it."""

import re

from world.grading import Finding, Run


def check_channel(run: Run) -> Finding:
    """Proves that the agent gave the channel the new name and a description with it, in whatever order."""
    key, new = run.fact("event.truth.room")["key"], run.fact("event.truth.new")
    effects = [one for one in run.effects if one.table == "slack_channel" and one.row["id"] == key]
    if not effects or any(one.actors != {run.agent} for one in effects):
        return Finding(False, 0.0, (), "the agent has not changed the channel")
    row = effects[-1].row
    if row["name"] != f"wg-{new.lower()}" or not re.search(rf"(?i)\b{new}\b", str(row["purpose"])):
        return Finding(False, 0.0, (), f"the channel is called {row['name']}: {row['purpose']}")
    return Finding(True, 1.0, tuple(("slack_channel", one.pk) for one in effects), "the channel has its new name")
