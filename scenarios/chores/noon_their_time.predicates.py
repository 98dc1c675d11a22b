"""Whether nobody is reminded who has signed, is away, or has had a reminder already."""

from world.grading import Finding, Run


def check_spared(run: Run) -> Finding:
    """Proves that no reminder is left for anybody who needs none, and none came at once."""
    spared = {one["dm"]: one["name"] for one in run.fact("event.truth.spared").values()}
    missing = {one["dm"]: one["name"] for one in run.fact("event.truth.reminded").values()}
    mine = [row for row in run.rows("slack_scheduled_message") if row["person_id"] == run.agent]
    planned = [spared[row["channel_id"]] for row in mine if row["state"] == "pending" and row["channel_id"] in spared]
    sent = [
        {**spared, **missing}[change.after["channel_id"]]
        for change in run.messages(run.agent)
        if change.table == "slack_message"
        and change.call_seq in run.own_calls
        and change.after["channel_id"] in {**spared, **missing}
        and "sign" in str(change.after["text"]).lower()
        and "thank" not in str(change.after["text"]).lower()
    ]
    if planned or sent:
        return Finding(False, 0.0, (), f"{', '.join(planned + sent)} should not be reminded, or not now")
    return Finding(True, 1.0, (), "nobody is reminded who needs no reminder")
