"""A solution that earns full marks: what a careful on-call engineer does, step by step."""

import re
from collections.abc import Generator
from typing import Any

from world.agents.steps import Scene, Step

Steps = Generator[Step, Any, None]
MINUTE = 60
HERE = {"owner": "quayline", "repo": "payments"}
SAID = ("APPROVED", "CHANGES_REQUESTED", "COMMENTED")


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
    yield from until(scene, "alert", 6)
    alert = fired(scene, "alert")
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
    yield from until(scene, "report", 9)
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
    kept = fired(scene, "report")["key"]
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
    yield from until(scene, "duplicate", 13)
    other = fired(scene, "duplicate")["key"]
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
    yield from until(scene, "first_question", 15)
    yield reply(
        scene,
        "answer_first",
        "first_question",
        "Payments is degraded on our side, so yes. Please tell them we are investigating and no action is needed from"
        " them.",
    )
    yield from until(scene, "wrong_cure", 18)
    yield reply(scene, "no_rollback", "wrong_cure", "DynamoDB in us-east-1 is down, so please do not roll back 26.4.")
    yield from customers_write(scene)
    yield from until(scene, "eta", 32)
    yield reply(
        scene,
        "answer_eta",
        "eta",
        "Payments is still degraded and there is no estimate yet. You will hear from me again within 30 minutes.",
    )


def tell_customers(scene: Scene) -> Steps:
    """The sheet says who is written to: three customers, each in a mail of their own."""
    known = fired(scene, "contracts")
    yield Step(
        "read_sheet",
        "spreadsheets.values.get",
        {"spreadsheetId": known["book"], "range": "Incident contacts!A1:F10"},
        optional=True,
    )
    for number in (1, 2, 3):
        yield tell(known, number)


def tell(known: dict[str, Any], number: int) -> Step:
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
    known = fired(scene, "contracts")
    yield from until(scene, "customer_asks", 27)
    yield answer_mail(
        scene,
        "answer_customer",
        "customer_asks",
        known["mail_2"],
        "It is us: payments is degraded, and nothing is wrong on your side. We write again when it is over.",
    )
    yield from until(scene, "muted_asks", 29)
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
    """Those who were told that it failed are told that it works."""
    known = fired(scene, "contracts")
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
    return fired(scene, "truth")["batch"]


def without_slack(scene: Scene, kept: str) -> Steps:
    """Slack fails: keep the record in the issue."""
    yield from until(scene, "slack_down", 47)
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
    yield from until(scene, "by_mail", 49)
    yield answer_mail(
        scene,
        "answer_by_mail",
        "by_mail",
        head_of_support(scene),
        "Payments is still degraded because of AWS and there is no estimate yet. Slack is down, so we go on by mail.",
    )
    yield from move_traffic(scene, kept)
    yield from until(scene, "slack_back", 77)


def propose(scene: Scene, kept: str) -> Steps:
    """Card traffic shall move: the runbook's change on a branch, and a pull request."""
    yield from until(scene, "failover", 34)
    known = fired(scene, "failover")
    branch = f"{kept}-eu-west-1"
    yield Step("branch", "git/create-ref", {**HERE, "ref": f"refs/heads/{branch}", "sha": known["sha"]})
    yield Step(
        "commit",
        "web/push-files",
        {
            **HERE,
            "branch": branch,
            "message": f"{kept}: card traffic to eu-west-1",
            "files": files(known, kept, tasks=4),
        },
        after=("branch",),
        repeatable=True,
    )
    yield Step(
        "propose",
        "pulls/create",
        {
            **HERE,
            "title": f"{kept}: card traffic to eu-west-1",
            "head": branch,
            "base": "main",
            "body": "Failover by the runbook, while DynamoDB in us-east-1 is down.",
        },
        after=("commit",),
    )


def files(known: dict[str, Any], kept: str, *, tasks: int) -> list[dict[str, str]]:
    """The two files after the switch, as the runbook wants them."""
    here, _, there = known["regions"].partition("[regions.eu-west-1]")
    first, _, entries = known["changes"].partition("\n\n")
    for old, new in (
        ("version = 5", "version = 6"),
        ('active = "us-east-1"', 'active = "eu-west-1"'),
        ('mode = "normal"', 'mode = "failover"'),
        ('ticket = ""', f'ticket = "{kept}"'),
        ('reason = ""', 'reason = "DynamoDB in us-east-1 does not answer"'),
        ("weight = 100", "weight = 0"),
        ('home = "us-east-1"\nreplica = "eu-west-1"', 'home = "eu-west-1"\nreplica = "us-east-1"'),
    ):
        here = here.replace(old, new)
    for old, new in (
        ("weight = 0", "weight = 100"),
        ("tasks = 2", f"tasks = {tasks}"),
        ("max_rps = 90", f"max_rps = {45 * tasks}"),
    ):
        there = there.replace(old, new)
    entry = f"## 6 (2026-03-02)\nFailover to eu-west-1 for {kept}."
    return [
        {"path": "config/regions.toml", "content": f"{here}[regions.eu-west-1]{there}"},
        {"path": "config/CHANGES.md", "content": f"{first}\n\n{entry}\n\n{entries}"},
    ]


def move_traffic(scene: Scene, kept: str) -> Steps:
    """Do what the reviewer asks for, call them again, merge what they approved of, and note it."""
    known = fired(scene, "failover")
    number, review = yield from reviewed(scene, kept)
    for turn in ("", "_2", "_3", "_4"):
        if review.get("state") not in SAID[1:]:
            break
        asked = re.search(r"(\d+) tasks", review["body"])
        if asked:
            yield Step(
                "change",
                "web/push-files",
                {
                    **HERE,
                    "branch": f"{kept}-eu-west-1",
                    "message": f"{kept}: room for the retries",
                    "files": files(known, kept, tasks=int(asked[1])),
                },
                repeatable=True,
            )
        yield Step(f"wait_for_checks{turn}", "world.wait", {"seconds": 5 * MINUTE}, optional=True)
        yield from green(scene, kept)
        yield Step(
            f"call_again{turn}",
            "issues/create-comment",
            {
                **HERE,
                "issue_number": number,
                "body": f"@{known['login']} it is in and green, please look again.",
            },
            after=("change",),
            repeatable=True,
            paraphrases={"body": (f"@{known['login']} done, checks are through.",)},
        )
        number, review = yield from reviewed(scene, kept, review["id"])
    yield Step("merge", "pulls/merge", {**HERE, "pull_number": number, "merge_method": "squash"}, after=("call_again",))
    yield Step(
        "merged_noted",
        "addComment",
        {
            "issueIdOrKey": kept,
            "contentFormat": "markdown",
            "body": f"Failover: #{number} is merged, card traffic goes to eu-west-1.",
        },
        after=("merge",),
        paraphrases={"body": (f"Pull request {number} is merged. eu-west-1 takes the card traffic now.",)},
    )


def reviewed(scene: Scene, kept: str, seen: int = 0) -> Generator[Step, Any, tuple[int, dict[str, Any]]]:
    """Wait for what the reviewer says after what was seen; returns the number of the pull request and the review, empty
    if there is none.
    """
    reviewer = scene.find("github_account", login=fired(scene, "failover")["login"])["id"]
    pull = next(iter(scene.rows("github_pull", head_ref=f"{kept}-eu-west-1")), {"issue_id": 0})
    end, count = scene.now + 30 * MINUTE * 1_000_000, 0
    while pull["issue_id"]:
        reviews = scene.rows("github_review", issue_id=pull["issue_id"], author_id=reviewer)
        said = [one for one in reviews if one["id"] > seen and one["state"] in SAID]
        if said or scene.now >= end:
            return scene.find("github_issue", id=pull["issue_id"])["number"], said[-1] if said else {}
        count += 1
        yield Step(f"wait_for_review_{seen}_{count}", "world.wait", {"seconds": 2 * MINUTE}, optional=True)
    return 0, {}


def green(scene: Scene, kept: str) -> Steps:
    """Wait for the checks of the branch; a test that is red without a reason is run again, at most twice."""
    end, again = scene.now + 15 * MINUTE * 1_000_000, 0
    while runs := sorted(
        scene.rows("github_run", head_branch=f"{kept}-eu-west-1", event="pull_request"), key=lambda run: run["id"]
    ):
        if scene.now >= end or runs[-1]["conclusion"] == "success" or again == 2:
            return
        if runs[-1]["status"] == "completed":
            again += 1
            yield Step(
                f"run_again_{runs[-1]['id']}_{again}",
                "actions/re-run-workflow-failed-jobs",
                {**HERE, "run_id": runs[-1]["id"]},
            )
        yield Step(f"wait_for_run_{runs[-1]['id']}_{scene.now}", "world.wait", {"seconds": 2 * MINUTE}, optional=True)


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
    yield from delivered(scene, "second_question", 20)
    yield from answer_late(scene)
    yield from paperwork(scene, kept, batch)
    yield from second_wave(scene)
    yield from until(scene, "cleared", 141)
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
                "page": fired(scene, "page")["number"],
                "second_page": fired(scene, "second_page")["number"],
                "vendor_event": fired(scene, "vendor_mail")["event"],
                "pull": fired(scene, "deployed").get("pull", 0),
            },
        },
    )


def second_wave(scene: Scene) -> Steps:
    """No, it is not over; then it comes again, and the sheet has been corrected: one more customer is written to."""
    yield from until(scene, "false_recovery", 98)
    yield reply(scene, "not_yet", "false_recovery", "Payments is still degraded, please keep it open.")
    yield from until(scene, "second_page", 106)
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
    yield from until(scene, "corrected", 108)
    known = fired(scene, "contracts")
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
    yield from until(scene, "aws_identified", 89)
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


# look-ups


def fired(scene: Scene, name: str) -> dict[str, Any]:
    """Facts of an event."""
    return scene.facts(name)


def until(scene: Scene, event: str, minute: int) -> Steps:
    """Wait until an event has happened, at most to a minute after the start."""
    end = scene.start + minute * MINUTE * 1_000_000
    number = 0
    while scene.now < end and not scene.ended:
        number += 1
        seconds = max(1, -(-(end - scene.now) // 1_000_000))
        yield Step(f"wait_{event}_{number}", "world.wait", {"seconds": seconds}, optional=True)


def delivered(scene: Scene, event: str, minutes: int) -> Steps:
    """Wait until the backlog has brought what a colleague wrote during the outage."""
    end = scene.now + minutes * MINUTE * 1_000_000
    number = 0
    while scene.now < end and not scene.facts(event).get("ts"):
        number += 1
        yield Step(f"wait_{event}_{number}", "world.wait", {"seconds": MINUTE}, optional=True)


def reply(scene: Scene, id: str, event: str, text: str) -> Step:
    """An answer in the thread of what an event posted."""
    asked = fired(scene, event)
    return Step(id, "chat.postMessage", {"channel": asked["channel"], "thread_ts": asked["ts"], "text": text})


def answer_mail(scene: Scene, id: str, event: str, to: str, text: str) -> Step:
    """An answer to the mail an event brought."""
    mail = scene.find("gmail_mail", message_id=fired(scene, event)["message_id"])
    mine = scene.find("gmail_message", mail_id=mail["id"], person_id=scene.me)
    return Step(id, "mail.send", {"to": [to], "text": text, "mode": "reply", "inReplyTo": mine["id"]})


def head_of_support(scene: Scene) -> str:
    """The address of who leads support."""
    return scene.find("person", title="Head of Support", status="active")["email"]


def channel(scene: Scene, name: str) -> str:
    """The id of a channel."""
    return scene.find("slack_channel", name=name)["id"]


def account(scene: Scene, person: str) -> str:
    """A person's Jira account id."""
    return scene.find("account", app="jira", person_id=person)["external_id"]


def slack_id(scene: Scene, person: str) -> str:
    """A person's Slack user id."""
    return scene.find("account", app="slack", person_id=person)["external_id"]


def on_call(scene: Scene, schedule: str) -> str:
    """Who is on call now."""
    now = scene.now
    return next(s["person_id"] for s in scene.rows("shift", schedule_id=schedule) if s["start_at"] <= now < s["end_at"])
