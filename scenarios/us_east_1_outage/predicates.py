"""What the rubric cannot say by columns alone: a direct message to one person, and a link to a new issue."""

from world.grading import Finding, PersonRef, RowRef, Run

ABOUT_MONEY = ("twice", "double", "doubled", "capture", "captures", "captured", "retry", "retries", "retried", "replay", "replayed",
               "duplicate", "duplicated", "reconcile", "reconciled", "reconciliation", "batch", "moved")  # fmt: skip
MOST = 6


def asked_platform(run: Run) -> Finding:
    """Proves that platform on call was asked directly about money moved twice, once the alert was out; claims that
    conversation, at most six messages."""
    expert = run.ref("expert")
    if not isinstance(expert, PersonRef):
        return Finding(False, 0.0, (), "nobody is on call for the platform")
    rooms = {row["id"] for row in run.rows("slack_channel") if row["kind"] == "im" and _between(row, run.agent, expert.id)}
    rows, asked = [], False
    for effect in _own(run):
        if effect.table in ("slack_channel", "slack_member") and _room(effect) in rooms and effect.kind == "insert":
            rows.append((effect.table, effect.pk))
        elif effect.table == "slack_message" and _room(effect) in rooms and effect.kind == "insert":
            rows.append((effect.table, effect.pk))
            late = effect.first_at >= run.fact("event.alert.start")
            asked = asked or (late and any(word in ABOUT_MONEY for word in run.text(effect.row["text"]).words))
    said = [row for row in rows if row[0] == "slack_message"]
    if not asked:
        return Finding(False, 0.0, (), "platform on call was not asked about money moved twice")
    return Finding(len(said) <= MOST, 1.0 if len(said) <= MOST else 0.0, rows, f"{len(said)} direct messages")


def bug_linked(run: Run) -> Finding:
    """Proves that the bug about the batch is linked to the incident as `Relates`."""
    inc, relates = run.ref("inc"), run.ref("relates")
    if not isinstance(inc, RowRef) or not isinstance(relates, RowRef):
        return Finding(False, 0.0, (), "the incident is not there")
    made = {effect.row["id"] for effect in _own(run) if effect.table == "jira_issue" and effect.kind == "insert"}
    for effect in _own(run):
        if effect.table == "jira_issue_link" and effect.kind == "insert" and effect.row["type_id"] == relates.pk[0]:
            ends = {effect.row["source_id"], effect.row["destination_id"]}
            if inc.pk[0] in ends and ends & made:
                return Finding(True, 1.0, ((effect.table, effect.pk),), "linked")
    return Finding(False, 0.0, (), "no `relates to` link between the incident and a bug of the agent's")


def _own(run):
    return [effect for effect in run.effects if effect.actors == {run.agent}]


def _between(row, agent, expert):
    return row["members_key"] == ",".join(sorted((agent, expert)))


def _room(effect):
    return effect.row["id"] if effect.table == "slack_channel" else effect.row["channel_id"]
