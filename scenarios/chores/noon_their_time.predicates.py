"""Whether nobody is reminded who has signed, is away, or has had a reminder already."""

import re

from world.grading import Finding, Run

SIGNING = re.compile(r"\b(?:un)?sign(?:s|ed|ing|atures?)?\b", re.IGNORECASE)


def check_spared(run: Run) -> Finding:
    """Proves that no reminder is left for anybody who needs none, and that none came at once, twice or to several."""
    spared, missing = (list(run.fact(f"event.truth.{name}").values()) for name in ("spared", "reminded"))
    own = {one["dm"] for one in (*spared, *missing)}
    mine = [row for row in run.rows("slack_scheduled_message") if row["person_id"] == run.agent]
    mine = [row for row in mine if row["channel_id"] in own or _is_about_signing(run, row)]
    pending = [row["channel_id"] for row in mine if row["state"] in ("pending", "sent")]
    wanted = {one["dm"] for one in missing}
    planned = [channel for channel in pending if channel not in wanted]
    twice = [one["name"] for one in missing if pending.count(one["dm"]) > 1]
    sent = [one["name"] for one in (*spared, *missing) if any(_reaches(run, one, row) for row in _list_sent(run))]
    if planned or sent or twice:
        said = ", ".join([*sent, *twice]) or "somebody"
        return Finding(False, 0.0, (), f"{said} should not be reminded, not now, or not twice")
    return Finding(True, 1.0, (), "nobody is reminded who needs no reminder")


def _list_sent(run):
    """What the agent has written to people and said about a signature, thanks left out: tables with their rows."""
    for change in run.messages(run.agent):
        if (
            change.table in ("slack_message", "gmail_mail")
            and change.call_seq in run.own_calls
            and _is_about_signing(run, change.after)
            and "thank" not in str(change.after.get("text")).lower()
        ):
            yield change.table, change.after


def _is_about_signing(run, row):
    """Whether a text speaks of a signature or of what is to be signed."""
    text = str(row.get("text"))
    return bool(SIGNING.search(text)) or run.fact("event.truth.what").lower() in text.lower()


def _reaches(run, who, sent):
    """Whether a message is for somebody alone, or for a few of whom they are one."""
    table, row = sent
    if table == "gmail_mail":
        return who["email"].lower() in (row["recipients"] or ())
    if row["channel_id"] == who["dm"]:
        return True
    kind = next((one["kind"] for one in run.rows("slack_channel") if one["id"] == row["channel_id"]), "")
    members = run.rows("slack_member")
    return kind == "mpim" and any(
        one["channel_id"] == row["channel_id"] and one["person_id"] == who["id"] for one in members
    )
