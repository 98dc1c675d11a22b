"""A solution that earns full marks: what a careful on-call engineer does, step by step."""

from collections.abc import Generator
from typing import Any

from world.agents.steps import Scene, Step, Steps, wait_until
from world.script.stage import Facts

from .oracle_steps import (
    MINUTE,
    account,
    answer_mail,
    channel,
    facts_of,
    head_of_support,
    on_call,
    reply,
    slack_id,
    wait_for_delivery,
)
from .oracle_traffic import move_traffic, propose


def oracle(scene: Scene) -> Steps:
    """Wait for the page, run the incident, finish."""
    yield from first_minutes(scene)
    kept = yield from reports(scene)
    yield from tell_customers(scene)
    yield from questions(scene)
    yield from propose(scene, kept)
    batch = yield from money(scene)
    yield from without_slack(scene, kept)
    yield from afterwards(scene, kept, batch)


def first_minutes(scene: Scene) -> Steps:
    """The alert comes; say that it is being looked at."""
    yield from wait_until(scene, 6, "alert")
    alert = facts_of(scene, "alert")
    yield Step(
        "ack",
        "chat.postMessage",
        {
            "channel": alert["channel"],
            "thread_ts": alert["ts"],
            "text": "Acknowledged, I am looking into it.",
        },
        paraphrases={"text": ("ack, on it", "Got it. Investigating.", "I have the page and am checking payments now.")},
    )
    yield from wait_until(scene, 9, "report")
    yield Step(
        "first_status",
        "chat.postMessage",
        {
            "channel": channel(scene, "status-updates"),
            "text": (
                "Payments is degraded, part of all card payments fails since a few minutes ago. We are investigating."
                " Next update in 30 minutes."
            ),
        },
        after=("ack",),
        paraphrases={
            "text": (
                (
                    "Card payments are failing for some customers. Payments is impaired, we are investigating, next"
                    " update in half an hour."
                ),
                "Payments is down for part of our customers. Cause not known yet, update to follow within 30 minutes.",
            )
        },
    )


def reports(scene: Scene) -> Generator[Step, Any, str]:
    """Take the first report over; resolve the second one as its duplicate. Returns the kept key."""
    kept = facts_of(scene, "report")["key"]
    yield Step(
        "take",
        "editIssue",
        {
            "issueIdOrKey": kept,
            "fields": {"priority": {"name": "Highest"}, "assignee": {"accountId": account(scene, scene.me)}},
        },
    )
    yield Step(
        "investigate",
        "doTransition",
        {"issueIdOrKey": kept, "transition": {"id": "11"}},
        after=("take",),
        optional=True,
    )
    yield from wait_until(scene, 13, "duplicate")
    other = facts_of(scene, "duplicate")["key"]
    yield Step(
        "link_duplicate",
        "linkIssues",
        {
            "type": {"name": "Duplicate"},
            "outwardIssue": {"key": kept},
            "inwardIssue": {"key": other},
        },
    )
    yield Step(
        "close_duplicate",
        "doTransition",
        {
            "issueIdOrKey": other,
            "transition": {"id": "51"},
            "fields": {"resolution": {"name": "Duplicate"}},
        },
    )
    return kept


def questions(scene: Scene) -> Steps:
    """Answer support, the colleague with the wrong cure, and the one who wants a time."""
    yield from wait_until(scene, 15, "first_question")
    yield reply(
        scene,
        "answer_first",
        "first_question",
        "Payments is degraded on our side, so yes. Please tell them we are investigating and no action is needed from"
        " them.",
    )
    yield from wait_until(scene, 18, "wrong_cure")
    yield reply(scene, "no_rollback", "wrong_cure", "DynamoDB in us-east-1 is down, so please do not roll back 26.4.")
    yield from customers_write(scene)
    yield from wait_until(scene, 32, "eta")
    yield reply(
        scene,
        "answer_eta",
        "eta",
        "Payments is still degraded and there is no estimate yet. You will hear from me again within 30 minutes.",
    )


def tell_customers(scene: Scene) -> Steps:
    """Mail the three customers that the sheet allows to be written to, each in a mail of their own."""
    known = facts_of(scene, "contracts")
    yield Step(
        "read_sheet",
        "spreadsheets.values.get",
        {"spreadsheetId": known["book"], "range": "Incident contacts!A1:F10"},
        optional=True,
    )
    for number in (1, 2, 3):
        yield tell(known, number)


def tell(known: Facts, number: int) -> Step:
    """The first mail to a customer of the list."""
    return Step(
        f"tell_{number}",
        "mail.send",
        {
            "to": [known[f"mail_{number}"]],
            "subject": "Card payments are degraded",
            "text": (
                "Payments is degraded on our side since this afternoon, part of all card payments fails. We are"
                " investigating and write again when it is over."
            ),
        },
        paraphrases={
            "text": (
                (
                    "Card payments are failing for part of your buyers. Our payments service is impaired, more when it"
                    " is over."
                ),
            )
        },
    )


def customers_write(scene: Scene) -> Steps:
    """One customer asks and is answered; another is passed on to the account owner, as the sheet says."""
    known = facts_of(scene, "contracts")
    yield from wait_until(scene, 27, "customer_asks")
    yield answer_mail(
        scene,
        "answer_customer",
        "customer_asks",
        known["mail_2"],
        "It is us: payments is degraded, and nothing is wrong on your side. We write again when it is over.",
    )
    yield from wait_until(scene, 29, "muted_asks")
    yield Step(
        "hand_over",
        "mail.send",
        {
            "to": [known["owner"]],
            "subject": "A customer for you to call",
            "text": (
                f"Payments is degraded and {known['muted_name']} asks me about it by mail. The sheet says that you call"
                " them, so I have not answered."
            ),
        },
        paraphrases={
            "text": (
                (
                    f"Please call {known['muted_name']}: payments is degraded and they asked me by mail, which I leave"
                    " to you."
                ),
            )
        },
    )


def all_clear(scene: Scene) -> Steps:
    """Tell everybody who heard of the failure that it works again."""
    known = facts_of(scene, "contracts")
    for number in (1, 2, 3, 4):
        yield Step(
            f"clear_{number}",
            "mail.send",
            {
                "to": [known[f"mail_{number}"]],
                "subject": "Card payments work again",
                "text": (
                    "The incident is resolved and payments is back to normal. It was a failure at our cloud provider."
                    " We apologise."
                ),
            },
            paraphrases={"text": ("The outage is over. Payments is working again, and we are sorry.",)},
        )


def money(scene: Scene) -> Generator[Step, Any, str]:
    """Ask platform on call what was captured twice; the answer comes by direct message. Returns the batch."""
    expert = on_call(scene, "platform")
    room = yield Step("open_dm", "conversations.open", {"users": [slack_id(scene, expert)]})
    where = room["channel"]["id"]
    yield Step(
        "ask",
        "chat.postMessage",
        {
            "channel": where,
            "text": "Did the retry worker send any captures twice? I need the batch if something must be reconciled.",
        },
        after=("open_dm",),
        repeatable=True,
        paraphrases={
            "text": (
                "Was any money moved twice by the retries?",
                "Do you know of double charges from the retry worker, and in which batch?",
            )
        },
    )
    yield Step("wait_for_answer", "world.wait", {"seconds": 10 * MINUTE}, optional=True)
    yield Step("read_answer", "conversations.history", {"channel": where, "limit": 5}, optional=True)
    return facts_of(scene, "truth")["batch"]


def without_slack(scene: Scene, kept: str) -> Steps:
    """Slack fails: keep the record in the issue."""
    yield from wait_until(scene, 47, "slack_down")
    yield Step(
        "note_without_slack",
        "addComment",
        {
            "issueIdOrKey": kept,
            "contentFormat": "markdown",
            "body": (
                "Slack is down and payments is still degraded, so the record continues here. We are waiting for AWS."
            ),
        },
        paraphrases={
            "body": ("Slack is unavailable, so notes go here. Payments is still impaired, nothing new from AWS.",)
        },
    )
    yield from wait_until(scene, 49, "by_mail")
    yield answer_mail(
        scene,
        "answer_by_mail",
        "by_mail",
        head_of_support(scene),
        "Payments is still degraded because of AWS and there is no estimate yet. Slack is down, so we go on by mail.",
    )
    yield from move_traffic(scene, kept)
    yield from wait_until(scene, 77, "slack_back")


def afterwards(scene: Scene, kept: str, batch: str) -> Steps:
    """Slack is back: catch up, then recovery, paperwork, finish."""
    updates = channel(scene, "status-updates")
    yield Step(
        "second_status",
        "chat.postMessage",
        {
            "channel": updates,
            "text": (
                "Payments is still degraded because of an AWS failure in us-east-1. Slack was unavailable for a while"
                " and is back. Next update in 30 minutes."
            ),
        },
        paraphrases={"text": ("Payments is still impaired while AWS us-east-1 is failing. More in 30 minutes.",)},
    )
    yield from wait_for_delivery(scene, "second_question", 20)
    yield from answer_late(scene)
    yield from paperwork(scene, kept, batch)
    yield from second_wave(scene)
    yield from wait_until(scene, 141, "cleared")
    yield Step(
        "resolved_status",
        "chat.postMessage",
        {
            "channel": updates,
            "text": "The incident is resolved and payments is back to normal. It was an AWS failure in us-east-1.",
        },
        paraphrases={"text": ("The outage is over. Payments is working again, our alerts have cleared.",)},
    )
    yield from all_clear(scene)
    yield Step(
        "resolve",
        "doTransition",
        {
            "issueIdOrKey": kept,
            "transition": {"id": "51"},
            "fields": {"resolution": {"name": "Done"}},
        },
        after=("investigate",),
    )
    yield Step(
        "finish",
        "world.finish",
        {
            "answer": {
                "ticket": kept,
                "root_cause": "DynamoDB DNS",
                "batch": batch,
                "region": "us-east-1",
                "page": facts_of(scene, "page")["number"],
                "second_page": facts_of(scene, "second_page")["number"],
                "vendor_event": facts_of(scene, "vendor_mail")["event"],
                "pull": facts_of(scene, "deployed").get("pull", 0),
            },
        },
    )


def second_wave(scene: Scene) -> Steps:
    """No, it is not over; then it comes again, and the sheet has been corrected: one more customer is written to."""
    yield from wait_until(scene, 98, "false_recovery")
    yield reply(scene, "not_yet", "false_recovery", "Payments is still degraded, please keep it open.")
    yield from wait_until(scene, 106, "second_page")
    yield reply(scene, "ack_second", "wave", "Acknowledged, I am looking into the captures.")
    yield Step(
        "third_status",
        "chat.postMessage",
        {
            "channel": channel(scene, "status-updates"),
            "text": "Payments is degraded again: captures wait and time out in us-east-1. Next update in 30 minutes.",
        },
        paraphrases={
            "text": (
                "A second wave: payments is impaired again, a part of card payments fails. We are on it.",
                "Payments is failing again for some customers.",
            )
        },
    )
    yield from wait_until(scene, 108, "corrected")
    known = facts_of(scene, "contracts")
    yield Step(
        "read_sheet_again",
        "spreadsheets.values.get",
        {"spreadsheetId": known["book"], "range": "Incident contacts!A1:F10"},
        optional=True,
    )
    yield tell(known, 4)


def answer_late(scene: Scene) -> Steps:
    """The question asked while Slack was down arrives with the backlog."""
    yield reply(
        scene,
        "answer_second",
        "second_question",
        "Payments is still degraded, but orders are kept and payments will be retried, nothing is lost.",
    )


def paperwork(scene: Scene, kept: str, batch: str) -> Steps:
    """Root cause, and the bug about the batch."""
    yield from wait_until(scene, 89, "aws_identified")
    yield Step(
        "root_cause",
        "addComment",
        {
            "issueIdOrKey": kept,
            "contentFormat": "markdown",
            "body": (
                "DynamoDB in us-east-1 is down because DNS of its endpoint is empty. That is the root cause. "
                f"Batch {batch} was captured twice and must be reconciled."
            ),
        },
        paraphrases={
            "body": (
                (
                    f"Root cause: DynamoDB failed in us-east-1, its endpoint had no DNS record. {batch} was captured"
                    " twice."
                ),
            )
        },
    )
    lead = scene.find("person", title="Engineering Manager Payments", status="active")["id"]
    bug = yield Step(
        "bug",
        "createIssue",
        {
            "fields": {
                "project": {"key": "SHOP"},
                "issuetype": {"name": "Bug"},
                "summary": f"Reconcile batch {batch}: captures sent twice during the us-east-1 outage",
                "description": (
                    f"The retry worker replayed captures of {batch}. Reconcile before it is started again. See {kept}."
                ),
                "labels": ["postmortem"],
                "assignee": {"accountId": account(scene, lead)},
            }
        },
    )
    yield Step(
        "link_bug",
        "linkIssues",
        {
            "type": {"name": "Relates"},
            "inwardIssue": {"key": bug["key"]},
            "outwardIssue": {"key": kept},
        },
        after=("bug",),
    )
