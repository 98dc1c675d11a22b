"""Whether the mails that came after the rules lie where they should."""

import re

from world.grading import Finding, Run


def check_later(run: Run) -> Finding:
    """Proves that later green results have the label and left the inbox, and that all other later mail stayed in it."""
    wrong = [mail["subject"] for mail in run.fact("event.truth.later").values() if not _lies_right(run, mail)]
    rules = [one for one in run.effects if one.table in ("gmail_filter", "gmail_label") and one.actors == {run.agent}]
    filters = [one.row for one in rules if one.table == "gmail_filter" and one.kind == "insert"]
    if any("TRASH" in str(one.row) or "forward" in str(one.row.get("action")) for one in rules):
        return Finding(False, 0.0, (), "a rule deletes or forwards")
    if not any(_hides(one) for one in filters):
        return Finding(False, 0.0, (), "no rule is left that files anything")
    odd = next((why for one in filters for why in [_find_fault(run, one)] if why), None)
    if odd:
        return Finding(False, 0.0, (), odd)
    if wrong:
        count = len(run.fact("event.truth.later"))
        share = 0.0 if not rules else 1 - len(wrong) / count
        return Finding(False, share, (), f"not where they should be: {'; '.join(wrong)}")
    return Finding(True, 1.0, tuple((one.table, one.pk) for one in rules), "later mail lies where it should")


def _hides(rule):
    return "INBOX" in _list_removed(rule)


def _list_removed(rule):
    found = re.search(r"removeLabelIds\W*\[([^\]]*)\]", str(rule["action"]))
    return found[1] if found else ""


def _find_fault(run, rule):
    """Why a rule is none for the green results to come: it hides other mail, marks others read, or names single mails."""
    asked = str(rule["criteria"]).lower()
    if not _hides(rule):
        return "a rule marks as read what stays in the inbox" if "UNREAD" in _list_removed(rule) else None
    if run.fact("event.truth.from") not in asked and run.fact("event.truth.machine").lower() not in asked:
        return "a rule hides mail of others"
    numbers = {one for mail in run.fact("event.truth.later").values() for one in re.findall(r"\d{3,}", mail["subject"])}
    if numbers & set(re.findall(r"\d{3,}", asked)):
        return "a rule is for single mails"
    return None


def _lies_right(run, mail):
    sent = [one["id"] for one in run.rows("gmail_mail", subject=mail["subject"])]
    copies = [
        one
        for number in sent
        for one in run.rows("gmail_message", mail_id=number, person_id=run.agent)
        if one["trashed_at"] is None and not one["is_spam"]
    ]
    if not copies:
        return False
    label = next(
        (
            one["id"]
            for one in run.rows("gmail_label", person_id=run.agent)
            if one["name"] == run.fact("event.truth.label")
        ),
        None,
    )
    given = {one["label_id"] for one in run.rows("gmail_message_label", message_id=copies[0]["id"])}
    if mail["kind"] == "green":
        return label in given and "INBOX" not in given
    return "INBOX" in given and label not in given
