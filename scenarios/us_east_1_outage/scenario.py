"""AWS us-east-1 fails, then Slack fails; after the public post-mortem of 20 October 2025
(aws.amazon.com/message/101925).
"""

import tomllib
from base64 import b64decode
from typing import Any

from apps.github import code_review
from apps.gmail import external_people
from world.core.app import Heard
from world.core.directory import Person
from world.script.coworkers import Coworker, Demand, Rule
from world.script.faults import Backlog, Fault
from world.script.loader import Card
from world.script.scenario import Script, row
from world.script.stage import Stage

card = Card(
    title="us-east-1 is down, and then Slack is",
    agent={"schedule": "payments"},
    needs=("ci",),
    apps=("slack", "jira", "gmail", "sheets", "github", "status"),
    start="5h30m",
    horizon="4h",
    max_calls=600,
    settings={"limits": "vendor"},
    surfaces={"slack": "vendor", "jira": "vendor"},
    difficulty="hard",
    difficulties=("easy", "medium", "hard"),
    minutes=30,
    tags=("incident", "outage", "lying_status"),
)

ALERT = (
    ":rotating_light: *[FIRING:1] PaymentsAuthorisationErrors* (payments, us-east-1, page)\n"
    "5xx share of authorisations {share} % over 5 m (threshold 2 %). Runbook: INC, #status-updates, platform on call."
)
SECOND_ALERT = (
    ":rotating_light: *[FIRING:1] IdempotencyStoreTimeouts* (payments, us-east-1, page)\np99 of conditional writes"
    " {p99} ms, {timeouts} timeouts in 5 m. Connections to the table endpoint are not established."
)
RELIEF = (
    ":white_check_mark: *[RESOLVED] PaymentsAuthorisationErrors* (payments, us-east-1)\n"
    "5xx share {share} % for 5 m. Still firing: IdempotencyStoreTimeouts."
)
WAVE = (
    ":rotating_light: *[FIRING:1] CaptureBacklog* (payments, us-east-1, page)\n{waiting} captures wait, the oldest for"
    " {minutes} m: they time out on the idempotency table. 5xx share of authorisations {share} % again."
)
PAGER = (
    "Incident #{number}: {alert}\nStatus: Triggered\nUrgency: High\nService: payments (us-east-1)\nAssigned to:"
    " {name}\nEscalation policy: Payments, then Engineering Manager Payments\n\nAcknowledge in the thread of the alert."
)
ASKED = (
    "Hello,\n\nyour support gave me your address. Since this afternoon our buyers see an error when they pay, and I"
    " have our board on the phone. Is it you or is it us, and what do I tell them?\n\n{name}"
)
MUTED = (
    "Hello,\n\nour shop reports failed payments. I was told that you are the engineer in charge. Please answer me"
    " directly, I need this in writing today.\n\n{name}"
)
BY_MAIL = (
    "Hi,\n\nSlack does not load for anybody here. Let us go on by mail until it is back: where do we stand, and is"
    " payments still affected?\n\n{name}"
)
VENDOR = (
    "Hello,\n\nthis is an automated message about an event that affects your account.\n\nEvent:"
    " AWS_DYNAMODB_OPERATIONAL_ISSUE_{number}\nRegion: us-east-1\nService: DynamoDB\nDetected: 69 minutes before the"
    " first public note\n\nThe issue has been resolved and the service is operating normally. We apologise for the"
    " delay of this notice.\n\nAmazon Web Services"
)
CLEARED = (
    ":white_check_mark: *[RESOLVED] PaymentsAuthorisationErrors, IdempotencyStoreTimeouts, CaptureBacklog* (payments,"
    " us-east-1)\n5xx share 0.1 % for 10 m. All authorisations since {clock} UTC answered, no capture waits."
)
DECIDED = {
    "easy": (
        "{oncall} I have the command. This takes AWS hours, so card traffic moves to eu-west-1. The runbook is"
        " docs/runbooks/failover.md in quayline/payments: one pull request for config/regions.toml (active, mode, both"
        " weights, home and replica of the keys, ticket and reason, 4 tasks and max_rps 180 for eu-west-1, the next"
        " version) and an entry on top of config/CHANGES.md. You open it, {reviewer} reviews it."
    ),
    "medium": (
        "{oncall} I have the command. This takes AWS hours, so card traffic moves to eu-west-1, by"
        " docs/runbooks/failover.md in quayline/payments. You open the pull request, {reviewer} reviews it. The ticket"
        " in it is our INC issue."
    ),
    "hard": (
        "{oncall} I have the command. This takes AWS hours, so card traffic moves to eu-west-1, by the book. You open"
        " the pull request, platform reviews it. The ticket in it is our INC issue."
    ),
}
MOVED = {
    "easy": (
        'I have corrected the tab "Incident contacts": {name} runs in us-east-1 since last week, the row said'
        " eu-west-1. Please tell them too."
    ),
    "medium": (
        'There was a wrong region in the tab "Incident contacts", I have just corrected it. Please have another look.'
    ),
}


def scenario(s: Script) -> None:
    """The afternoon: alert, reports, a wrong cure, a late status page, no Slack, false recovery, a second wave,
    recovery, paperwork.
    """
    draws = s.rng("facts")
    batch = f"RB-{draws.integer(4100, 9899)}"
    share, captures = draws.integer(27, 46), draws.integer(31, 78)
    order = draws.shuffled(range(9))
    first, second = order[:2]
    number, vendor = draws.integer(4100, 9899), draws.integer(10_000_000, 99_999_999)
    later = number + draws.integer(3, 60)

    s.at("+3m", lambda w: contracts(w, order), name="contracts")
    s.at("+4m", lambda w: alert(w, share), name="alert")
    s.at("+5m", second_alert, name="second_alert")
    s.at("+6m", lambda w: page(w, "alert", number, "PaymentsAuthorisationErrors"), name="page")
    s.at(
        "+8m",
        lambda w: report(w, "support-2", "Customers cannot pay: checkout answers with an error at the last step"),
        name="report",
    )
    s.at("+12m", lambda w: duplicate(w, first), name="duplicate")
    s.at("+14m", lambda w: escalation(w, first, FIRST_QUESTION), name="first_question")
    s.at("+17m", wrong_cure, name="wrong_cure")
    s.at("+23m", aws_investigating, name="aws_page")
    s.at("+26m", customer_asks, name="customer_asks")
    s.at("+28m", muted_asks, name="muted_asks")
    s.at("+31m", eta, name="eta")
    failover(s)
    without_slack(s, second)
    s.at("+88m", aws_identified, name="aws_identified")
    second_wave(s, later, order[4])
    s.at("+110m", lambda w: vendor_mail(w, vendor), name="vendor_mail")
    s.at("+140m", cleared, name="cleared")
    s.at("+170m", aws_resolved, name="aws_resolved")
    s.on(
        row("jira_issue", "update", resolution_id=lambda value: value is not None),
        thanks,
        deadline="3h30m",
        otherwise=nothing,
    )
    s.at("+3m", lambda w: w.note(batch=batch, captures=captures), name="truth")
    s.coworker(platform(batch, captures))


def failover(s: Script) -> None:
    """Somebody decides that card traffic moves; platform reviews the pull request, in the hard setting not without a
    change.
    """
    tasks = s.rng("tasks").integer(5, 8) if s.difficulty == "hard" else LEAST
    decided = s.at("+33m", lambda w: decide(w, DECIDED[s.difficulty]), name="failover")
    s.on(
        row("github_pull", "update", merged_at=lambda value: value is not None),
        lambda w: deployed(w, tasks),
        deadline="107m",
        otherwise=nothing,
        after=decided,
        name="deployed",
    )
    s.coworker(reviewer(tasks))


def without_slack(s: Script, second: int) -> None:
    """Half an hour without Slack; in the hard setting its search lags afterwards."""
    down = s.at("+45m", slack_down, name="slack_down")
    s.at("+48m", by_mail, name="by_mail")
    s.at("+52m", lambda w: escalation(w, second, SECOND_QUESTION), name="second_question")
    s.at("+58m", chatter, name="chatter")
    s.at("+63m", slack_page, name="slack_page")
    back = s.at("+75m", slack_back, name="slack_back")
    s.fault(
        Fault("slack_outage", "slack", "error", backlog=Backlog(per_minute=4), code="internal_error"),
        start=down,
        end=back,
    )
    if s.difficulty == "hard":
        s.fault(Fault("slack_stale_search", "slack", "stale_read", operations=("search.*",)), start=back, end="+90m")
    s.at("+80m", slack_page_clear, name="slack_page_clear")


def second_wave(s: Script, number: int, moved: int) -> None:
    """One alert clears, a colleague takes it for all, and it comes again; the sheet turns out to have named a
    customer's region wrong.
    """
    if s.difficulty == "hard":
        s.at("+95m", relief, name="relief")
    s.at("+97m", false_recovery, name="false_recovery")
    s.at("+104m", wave, name="wave")
    s.at("+105m", lambda w: page(w, "wave", number, "CaptureBacklog"), name="second_page")
    s.at("+107m", lambda w: corrected(w, moved, MOVED.get(s.difficulty, "")), name="corrected")


# who and where


def channel(w: Stage, name: str) -> str:
    """The id of a channel."""
    return w.find("slack_channel", name=name)["id"]


def bot(w: Stage, handle: str) -> Person:
    """An integration."""
    return w.person(handle)


def titled(w: Stage, title: str) -> str:
    """The id of the active employee with a title."""
    return w.find("person", title=title, status="active")["id"]


def seat(w: Stage, name: str) -> str:
    """Who reports: a senior support engineer or a customer success manager."""
    title = {"support-2": "Senior Support Engineer", "success-1": "Customer Success Manager"}[name]
    return titled(w, title)


def customer(w: Stage, index: int) -> dict[str, Any]:
    """The customer of a position, by id."""
    found = w.rows("organisation", kind="customer")
    return found[index % len(found)]


def mention(w: Stage, person: Person) -> str:
    """`<@U…>` of a person."""
    return f"<@{w.call.directory.account('slack', person.id)}>"


def say(w: Stage, who: Person | str, where: str, text: str, **more: Any) -> str:
    """Post as somebody; returns the message's ts, or nothing while Slack is down."""
    posted = w.act(who, "chat.postMessage", channel=where, text=text, **more)
    return posted["ts"] if posted else ""


# what happens


def alert(w: Stage, share: int) -> None:
    where = channel(w, "alerts-payments")
    ts = say(w, bot(w, "alertmanager"), where, ALERT.format(share=share))
    w.note(channel=where, ts=ts)


def second_alert(w: Stage) -> None:
    numbers = w.rng("second alert")
    text = SECOND_ALERT.format(p99=numbers.integer(9000, 14000), timeouts=numbers.integer(800, 2400))
    say(w, bot(w, "alertmanager"), channel(w, "alerts-payments"), text)


def contracts(w: Stage, order: list[int]) -> None:
    """The customers' workbook says who runs where, and who may be written to: three, one who may not, and those who run
    elsewhere.
    """
    book = w.find("sheets_file", name="Customers & contracts")
    owner = w.person(titled(w, "Head of Customer Success"))
    three, muted, late, others = order[:3], order[3], order[4], order[5:]
    rows = [["Customer", "Runs in", "Incident contact", "Mail", "In an incident", "Account owner"]]
    rows += [contact_row(w, index, three, muted) for index in w.rng("contact rows").shuffled(order)]
    w.act(
        owner,
        "spreadsheets.batchUpdate",
        spreadsheetId=book["key"],
        requests=[{"addSheet": {"properties": {"title": TAB}}}],
    )
    w.act(
        owner,
        "spreadsheets.values.update",
        spreadsheetId=book["key"],
        range=f"{TAB}!A1:F{len(rows)}",
        valueInputOption="RAW",
        values=rows,
    )
    people = [contact(w, index) for index in order]
    w.note(
        book=book["key"],
        muted=people[3]["email"],
        muted_name=customer(w, muted)["name"],
        owner=account_owner(w, muted).email,
    )
    w.note(**{f"name_{n}": customer(w, index)["name"] for n, index in enumerate(three, 1)})
    w.note(**{f"mail_{n}": people[n - 1]["email"] for n in (1, 2, 3)})
    w.note(name_4=customer(w, late)["name"], mail_4=people[4]["email"])
    w.note(**{f"other_{n}": people[n + 4]["email"] for n in range(1, len(others) + 1)})


TAB = "Incident contacts"


def corrected(w: Stage, index: int, said: str) -> None:
    """The owner of the sheet corrects a customer's region, and says so unless nothing shall be said."""
    book, name = w.find("sheets_file", name="Customers & contracts"), customer(w, index)["name"]
    tab = w.find("sheets_sheet", file_id=book["id"], title=TAB)["id"]
    line = w.find("sheets_cell", sheet_id=tab, col=0, input=name)["row"] + 1
    owner = w.person(titled(w, "Head of Customer Success"))
    w.act(
        owner,
        "spreadsheets.values.update",
        spreadsheetId=book["key"],
        range=f"{TAB}!B{line}",
        valueInputOption="RAW",
        values=[["us-east-1"]],
    )
    if said:
        say(w, owner, channel(w, "support-escalations"), said.format(name=name))
    w.note(customer=name)


def contact_row(w: Stage, index: int, three: list[int], muted: int) -> list[str]:
    """One line of the tab."""
    person, here = contact(w, index), index in three or index == muted
    word = "Do not write, the account owner calls" if index == muted else "Write"
    region = "us-east-1" if here else "eu-west-1"
    return [
        customer(w, index)["name"],
        region,
        person["full_name"],
        person["email"],
        word,
        account_owner(w, index).full_name,
    ]


def contact(w: Stage, index: int) -> dict[str, Any]:
    """Whom a customer names for incidents: the second person we know there, or the only one."""
    people = w.rows("contact", organisation_id=customer(w, index)["id"])
    return people[1] if len(people) > 1 else people[0]


def account_owner(w: Stage, index: int) -> Person:
    """Who looks after a customer."""
    return w.person(customer(w, index)["owner_id"])


def page(w: Stage, event: str, number: int, name: str) -> None:
    """The pager calls whoever is on call, in the thread of an alert and by mail."""
    oncall = w.on_call("payments")
    where, ts = w.fact(event, "channel"), w.fact(event, "ts")
    say(
        w,
        bot(w, "pager"),
        where,
        f"Paging {mention(w, oncall)} (Payments primary). Acknowledge in this thread.",
        thread_ts=ts,
    )
    external_people.write_mail(
        w,
        w.person("pager").email,
        [oncall.email],
        f"[#{number}] TRIGGERED: {name}",
        PAGER.format(number=number, alert=name, name=oncall.full_name),
        automatic=True,
    )
    w.note(oncall=oncall.id, number=str(number))


def report(w: Stage, who: str, summary: str) -> None:
    fields = {
        "project": {"key": "INC"},
        "issuetype": {"name": "Incident"},
        "summary": summary,
        "description": (
            "Several merchants called within five minutes. Buyers see an error after they confirm the payment."
        ),
    }
    made = w.act(seat(w, who), "createIssue", fields=fields)
    w.note(key=made["key"] if made else "")


def duplicate(w: Stage, index: int) -> None:
    name = customer(w, index)["name"]
    fields = {
        "project": {"key": "INC"},
        "issuetype": {"name": "Incident"},
        "summary": f"{name}: payment page fails, orders do not go through",
        "description": (
            f"{name} says no order has gone through since a few minutes ago. Error page after the last step."
        ),
    }
    made = w.act(seat(w, "success-1"), "createIssue", fields=fields)
    w.note(key=made["key"] if made else "", customer=name)


FIRST_QUESTION = "{oncall} {name} is on the phone: are their payments failing because of us, and what may I tell them?"
SECOND_QUESTION = (
    "{oncall} {name} asks whether orders placed in the last hour are lost. Can you say anything I can pass on?"
)


def escalation(w: Stage, index: int, text: str) -> None:
    name = customer(w, index)["name"]
    where = channel(w, "support-escalations")
    asked = text.format(oncall=mention(w, w.on_call("payments")), name=name)
    ts = say(w, titled(w, "Head of Support"), where, asked)
    w.note(channel=where, ts=ts, customer=name)


def wrong_cure(w: Stage) -> None:
    where = channel(w, "incidents")
    author = titled(w, "Engineering Manager Checkout")
    text = (
        "26.4 went to half the fleet at lunch and now payments is red. I say we roll back 26.4 right now, any"
        " objections?"
    )
    w.note(channel=where, ts=say(w, author, where, text))


def aws_investigating(w: Stage) -> None:
    w.act(
        bot(w, "vendor-status"),
        "status.post",
        vendor="aws",
        incident="us-east-1-2026-03-02",
        name="Increased error rates in US-EAST-1",
        status="investigating",
        impact="minor",
        components={"Database tables (US-EAST-1)": "degraded_performance"},
        body="We are investigating increased error rates and latencies for multiple services in the US-EAST-1 Region.",
    )
    say(
        w,
        bot(w, "vendor-status"),
        channel(w, "incidents"),
        "AWS: *Investigating* increased error rates in US-EAST-1 (minor).",
    )


def customer_asks(w: Stage) -> None:
    """A customer of the affected region writes to the engineer."""
    ask(w, w.fact("contracts", "mail_2"), "Payments failing in our shop", ASKED)


def muted_asks(w: Stage) -> None:
    """So does one who may be told by nobody but the account owner."""
    ask(w, w.fact("contracts", "muted"), "Failed payments, need an answer today", MUTED)


def ask(w: Stage, address: str, subject: str, text: str) -> None:
    """A customer's mail to whoever is on call."""
    name = w.find("contact", email=address)["full_name"]
    sent = external_people.write_mail(w, address, [w.on_call("payments").email], subject, text.format(name=name))
    w.note(message_id=sent["messageId"] if sent else "")


def by_mail(w: Stage) -> None:
    """Support cannot reach anybody in Slack and writes a mail."""
    head = w.person(titled(w, "Head of Support"))
    sent = w.act(
        head,
        "mail.send",
        to=[w.on_call("payments").email],
        subject="Slack is gone, where do we stand?",
        text=BY_MAIL.format(name=head.first_name),
    )
    w.note(message_id=header(w, sent["id"]) if sent else "")


def header(w: Stage, message: str) -> str:
    """The Message-ID of a message somebody sent."""
    return w.find("gmail_mail", id=w.find("gmail_message", id=message)["mail_id"])["message_id"]


def vendor_mail(w: Stage, number: int) -> None:
    """AWS tells by mail, late, and that it is over before it is."""
    sender = w.find("contact", organisation_id=w.find("organisation", name="Amazon Web Services")["id"])["email"]
    where = f"no-reply@{sender.rpartition('@')[2]}"
    external_people.write_mail(
        w,
        where,
        [w.on_call("payments").email],
        "AWS Health event: DynamoDB operational issue (us-east-1)",
        VENDOR.format(number=number),
    )
    w.note(event=f"AWS_DYNAMODB_OPERATIONAL_ISSUE_{number}")


def eta(w: Stage) -> None:
    where = channel(w, "incidents")
    text = (
        f"{mention(w, w.on_call('payments'))} two board members are asking me. When are we back, and when do I hear"
        " from you next?"
    )
    w.note(channel=where, ts=say(w, titled(w, "Chief Executive Officer"), where, text))


def slack_down(w: Stage) -> None:
    w.note(until="unknown")


def slack_back(w: Stage) -> None:
    w.note(ok=True)


def chatter(w: Stage) -> None:
    say(
        w,
        titled(w, "Product Manager Payments"),
        channel(w, "team-payments"),
        "is slack slow for anyone else or is it my wifi",
    )


def slack_page(w: Stage) -> None:
    w.act(
        bot(w, "vendor-status"),
        "status.post",
        vendor="slack",
        incident="slack-2026-03-02",
        name="Trouble sending and loading messages",
        status="investigating",
        impact="major",
        components={"Messaging": "partial_outage"},
        body="Some customers may be unable to send or load messages. We are looking into it.",
    )


def slack_page_clear(w: Stage) -> None:
    w.act(
        bot(w, "vendor-status"),
        "status.post",
        vendor="slack",
        incident="slack-2026-03-02",
        status="resolved",
        impact="major",
        components={"Messaging": "operational"},
        body="The issue is resolved. Delayed messages are being delivered.",
    )


def aws_identified(w: Stage) -> None:
    w.act(
        bot(w, "vendor-status"),
        "status.post",
        vendor="aws",
        incident="us-east-1-2026-03-02",
        status="identified",
        impact="major",
        components={"Database tables (US-EAST-1)": "major_outage"},
        body=(
            "We have identified the cause: DNS resolution of the DynamoDB API endpoint in US-EAST-1. We are working on"
            " recovery."
        ),
    )
    say(
        w,
        bot(w, "vendor-status"),
        channel(w, "incidents"),
        "AWS: *Identified*: DNS resolution of the DynamoDB endpoint in US-EAST-1.",
    )


def false_recovery(w: Stage) -> None:
    where = channel(w, "incidents")
    author = titled(w, "Engineering Manager Checkout")
    w.note(
        channel=where, ts=say(w, author, where, "looks fixed to me, my test order just went through. can we call it?")
    )


def relief(w: Stage) -> None:
    """One of two alerts clears, which is not the end."""
    share = w.rng("relief").integer(11, 19) / 10
    say(w, bot(w, "alertmanager"), channel(w, "alerts-payments"), RELIEF.format(share=share))


def wave(w: Stage) -> None:
    """What waited comes at once, and fails again."""
    where, numbers = channel(w, "alerts-payments"), w.rng("wave")
    text = WAVE.format(
        waiting=numbers.integer(2100, 7900), minutes=numbers.integer(31, 58), share=numbers.integer(12, 24)
    )
    w.note(channel=where, ts=say(w, bot(w, "alertmanager"), where, text))


def cleared(w: Stage) -> None:
    where = channel(w, "alerts-payments")
    clock = f"{(w.now // 60_000_000 - 10) % 1440 // 60:02}:{(w.now // 60_000_000 - 10) % 60:02}"
    w.note(channel=where, ts=say(w, bot(w, "alertmanager"), where, CLEARED.format(clock=clock)))


def aws_resolved(w: Stage) -> None:
    w.act(
        bot(w, "vendor-status"),
        "status.post",
        vendor="aws",
        incident="us-east-1-2026-03-02",
        status="resolved",
        impact="major",
        components={"Database tables (US-EAST-1)": "operational"},
        body="All services in US-EAST-1 operate normally. The cause was an empty DNS record of the DynamoDB endpoint.",
    )
    say(
        w, bot(w, "vendor-status"), channel(w, "incidents"), "AWS: *Resolved*. DynamoDB in US-EAST-1 operates normally."
    )


def thanks(w: Stage) -> None:
    w.note(ok=True)


def nothing(w: Stage) -> None:
    w.note(ok=False)


# the repository

HERE = {"owner": "quayline", "repo": "payments"}
REGIONS, CHANGES = "config/regions.toml", "config/CHANGES.md"
HOME, AWAY = "us-east-1", "eu-west-1"
LEAST = 4  # tasks of the runbook


def text_of(w: Stage, path: str, ref: str = "main") -> str:
    """A file of the repository, as its reviewer reads it."""
    found = w.act(reviewer_id(w), "repos/get-content", **HERE, path=path, ref=ref)
    return b64decode(found["content"]).decode()


def reviewer_id(w: Stage) -> str:
    """Who reviews for platform: somebody else than who is on call there."""
    oncall = w.on_call("platform").id
    return next(
        one["id"] for one in w.rows("person", title="Site Reliability Engineer", status="active") if one["id"] != oncall
    )


def login(w: Stage, person: str) -> str:
    """Somebody's name on the code host."""
    return w.find("github_account", person_id=person)["login"]


def decide(w: Stage, text: str) -> None:
    """The decision, in public; what the files say until then is left for the solution."""
    where, who = channel(w, "incidents"), reviewer_id(w)
    said = text.format(oncall=mention(w, w.on_call("payments")), reviewer=mention(w, w.person(who)))
    ts = say(w, titled(w, "Chief Technology Officer"), where, said)
    sha = w.act(who, "git/get-ref", **HERE, ref="heads/main")["object"]["sha"]
    w.note(
        channel=where,
        ts=ts,
        reviewer=who,
        login=login(w, who),
        sha=sha,
        regions=text_of(w, REGIONS),
        changes=text_of(w, CHANGES),
    )


def deployed(w: Stage, tasks: int) -> None:
    """A pull request was merged: what the default branch holds now, and whether it is what the runbook and the reviewer
    want.
    """
    before, who = w.fired("failover"), reviewer_id(w)
    facts = before.facts if before else {}
    sha = w.act(who, "git/get-ref", **HERE, ref="heads/main")["object"]["sha"]
    changed = w.act(who, "repos/compare-commits-with-basehead", **HERE, basehead=f"{facts['sha']}...{sha}")["files"]
    right = switched(str(facts["regions"]), text_of(w, REGIONS), str(w.fact("report", "key")), tasks)
    title, _, entries = str(facts["changes"]).partition("\n\n")
    told = text_of(w, CHANGES).startswith(title) and text_of(w, CHANGES).rstrip().endswith(entries.rstrip())
    merged = max((one for one in w.rows("github_pull") if one["merged_at"]), key=lambda one: one["merged_at"])
    number = w.find("github_issue", id=merged["issue_id"])["number"]
    alone = sorted(one["filename"] for one in changed) == sorted((CHANGES, REGIONS))
    w.note(sha=sha, pull=number, named=f"#{number}", linked=f"pull/{number}", right=right, recorded=told, alone=alone)


def switched(before: str, after: str, ticket: str, tasks: int) -> bool:
    """Whether a regions.toml is the other one after a failover: what the runbook names has changed, and nothing else."""
    old, new = tomllib.loads(before), tomllib.loads(after)
    here, there, found = old["regions"][HOME], old["regions"][AWAY], new["regions"].get(AWAY, {})
    room = {name: found.get(name) for name in ("tasks", "max_rps")}
    wanted = old | {
        "version": old["version"] + 1,
        "active": AWAY,
        "mode": "failover",
        "change": {"ticket": ticket, "reason": new["change"]["reason"]},
        "idempotency": {"home": AWAY, "replica": HOME},
        "regions": {HOME: here | {"weight": 0}, AWAY: there | room | {"weight": 100}},
    }
    return new == wanted and found["tasks"] >= tasks


# who knows


def reviewer(tasks: int) -> Coworker:
    """Reviews for platform: what is green, and leaves room for the retries."""

    def roomy(w: Stage, heard: Heard) -> bool:
        found = code_review.pull_of(w, heard)
        text = text_of(w, REGIONS, found[3].head_sha) if found else ""
        return tomllib.loads(text).get("regions", {}).get(AWAY, {}).get("tasks", 0) >= tasks

    return Coworker(
        who=reviewer_id,
        rules=(
            Rule(
                "review",
                intent=(),
                demands=(
                    Demand(
                        code_review.has_finished_checks,
                        (
                            "i look at a pull request when its checks are done. call me there then",
                            "the checks are not through. say my name on the pull request when they are",
                            "not before the checks are done, please call me again on the pull request",
                        ),
                    ),
                    Demand(
                        code_review.green,
                        (
                            "red. read what the test says",
                            "CI is red, see the log",
                            "not while it is red",
                        ),
                        by=code_review.requests_changes,
                    ),
                    Demand(
                        roomy,
                        (
                            (
                                f"the retries come on top of the peak. {AWAY} needs {tasks} tasks, max_rps to match."
                                " call me when that is in and green"
                            ),
                            (
                                f"too small, the retry worker doubles the traffic: {tasks} tasks in {AWAY} and max_rps"
                                " to match, then call me again"
                            ),
                            (
                                f"please {tasks} tasks for {AWAY} (and max_rps), retries are not in the peak. call me"
                                " when it is green"
                            ),
                        ),
                        by=code_review.requests_changes,
                    ),
                ),
                replies=("ok, merge it", "looks right, go", "approved. merge and tell the others"),
                by=code_review.approves,
            ),
        ),
        delay_s=240,
        always=True,
    )


def platform(batch: str, captures: int) -> Coworker:
    """Platform on call: knows which batch was captured twice, and tells it to whoever asks about retries or double
    charges.
    """

    def begun(w: Stage) -> bool:
        return w.fired("alert") is not None

    return Coworker(
        who=lambda w: w.on_call("platform"),
        rules=(
            Rule(
                "not me",
                intent=(("please review",),),
                replies=(
                    "i have both hands in the retry worker, {name} does the reviews today",
                    "not me today, {name} reviews",
                    "{name} looks at pull requests while i am on the retry worker",
                ),
                slots=lambda w: {"name": w.person(reviewer_id(w)).first_name},
            ),
            Rule(
                "batch",
                when=begun,
                intent=(
                    (
                        "retry*",
                        "retries",
                        "replay*",
                        "twice",
                        "double*",
                        "duplicate*",
                        "capture*",
                        "batch*",
                        "reconcil*",
                        "moved",
                        "queue*",
                    ),
                ),
                replies=(
                    (
                        f"yes. the retry worker replayed {captures} captures when the first connections came back, all"
                        f" of them in batch {batch}. i stopped it. that batch must be reconciled before anybody starts"
                        " it again"
                    ),
                    (
                        f"we have one: batch {batch}, {captures} captures went out a second time before i stopped the"
                        f" retry worker. nothing else moved twice. reconcile {batch} first please"
                    ),
                    (
                        f"looked at it just now: {captures} captures sent twice, all in {batch}. worker is stopped,"
                        f" leave it until {batch} is reconciled"
                    ),
                ),
            ),
            Rule(
                "cause",
                when=begun,
                intent=(("cause", "why", "happened", "wrong", "dns", "dynamo*", "aws", "root"),),
                replies=(
                    (
                        "no new connections to the dynamodb endpoint from anywhere in us-east-1, the name does not"
                        " resolve. existing ones died one by one. not our deploy"
                    ),
                    "dynamodb's name resolves to nothing in us-east-1. so not 26.4, and nothing we can fix from here",
                    "dns for dynamodb in us-east-1 is empty. aws has not said so yet",
                ),
            ),
        ),
        fallback=(
            "in the middle of it. what exactly do you need to know?",
            "i'm on it, ask me something specific",
            "can you say what you need from me?",
        ),
        delay_s=120,
        always=True,
    )
