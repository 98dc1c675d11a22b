"""AWS us-east-1 fails, then Slack fails; after the public post-mortem of 20 October 2025 (aws.amazon.com/message/101925)."""

from typing import Any

from apps.gmail import outside
from world.coworkers import Coworker, Rule
from world.directory import Person
from world.faults import Backlog, Fault
from world.library import Card
from world.scenario import Script, row
from world.stage import Stage

card = Card(
    title="us-east-1 is down, and then Slack is",
    agent={"schedule": "payments"},
    apps=("slack", "jira", "gmail", "sheets", "status"),
    start="5h30m",
    horizon="4h",
    max_calls=600,
    settings={"limits": "vendor"},
    surfaces={"slack": "vendor", "jira": "vendor"},
    difficulty="hard",
    tags=("incident", "outage", "lying_status"),
)

ALERT = (
    ":rotating_light: *[FIRING:1] PaymentsAuthorisationErrors* (payments, us-east-1, page)\n"
    "5xx share of authorisations {share} % over 5 m (threshold 2 %). Runbook: INC, #status-updates, platform on call."
)
SECOND_ALERT = (
    ":rotating_light: *[FIRING:1] IdempotencyStoreTimeouts* (payments, us-east-1, page)\n"
    "p99 of conditional writes {p99} ms, {timeouts} timeouts in 5 m. Connections to the table endpoint are not established."
)
PAGER = (
    "Incident #{number}: PaymentsAuthorisationErrors\nStatus: Triggered\nUrgency: High\nService: payments (us-east-1)\n"
    "Assigned to: {name}\nEscalation policy: Payments, then Engineering Manager Payments\n\nAcknowledge in the thread of the alert."
)
ASKED = (
    "Hello,\n\nyour support gave me your address. Since this afternoon our buyers see an error when they pay, and I have our board on the "
    "phone. Is it you or is it us, and what do I tell them?\n\n{name}"
)
MUTED = (
    "Hello,\n\nour shop reports failed payments. I was told that you are the engineer in charge. Please answer me directly, I need this in "
    "writing today.\n\n{name}"
)
BY_MAIL = (
    "Hi,\n\nSlack does not load for anybody here. Let us go on by mail until it is back: where do we stand, and is payments still affected?\n\n{name}"
)
VENDOR = (
    "Hello,\n\nthis is an automated message about an event that affects your account.\n\nEvent: AWS_DYNAMODB_OPERATIONAL_ISSUE_{number}\n"
    "Region: us-east-1\nService: DynamoDB\nDetected: 69 minutes before the first public note\n\nThe issue has been resolved and the service "
    "is operating normally. We apologise for the delay of this notice.\n\nAmazon Web Services"
)
CLEARED = (
    ":white_check_mark: *[RESOLVED] PaymentsAuthorisationErrors, IdempotencyStoreTimeouts* (payments, us-east-1)\n"
    "5xx share 0.1 % for 10 m. All authorisations since {clock} UTC answered."
)


def scenario(s: Script) -> None:
    """The afternoon: alert, reports, a wrong cure, a late status page, no Slack, false recovery, recovery, paperwork."""
    draws = s.rng("facts")
    batch = f"RB-{draws.integer(4100, 9899)}"
    share, captures = draws.integer(27, 46), draws.integer(31, 78)
    order = draws.shuffled(range(9))
    first, second = order[:2]
    number, vendor = draws.integer(4100, 9899), draws.integer(10_000_000, 99_999_999)

    s.at("+3m", lambda w: contracts(w, order), name="contracts")
    s.at("+4m", lambda w: alert(w, share), name="alert")
    s.at("+5m", second_alert, name="second_alert")
    s.at("+6m", lambda w: page(w, number), name="page")
    s.at("+8m", lambda w: report(w, "support-2", "Customers cannot pay: checkout answers with an error at the last step"), name="report")
    s.at("+12m", lambda w: duplicate(w, first), name="duplicate")
    s.at("+14m", lambda w: escalation(w, first, FIRST_QUESTION), name="first_question")
    s.at("+17m", wrong_cure, name="wrong_cure")
    s.at("+23m", aws_investigating, name="aws_page")
    s.at("+26m", customer_asks, name="customer_asks")
    s.at("+28m", muted_asks, name="muted_asks")
    s.at("+31m", eta, name="eta")
    down = s.at("+45m", slack_down, name="slack_down")
    s.at("+48m", by_mail, name="by_mail")
    s.at("+52m", lambda w: escalation(w, second, SECOND_QUESTION), name="second_question")
    s.at("+58m", chatter, name="chatter")
    s.at("+63m", slack_page, name="slack_page")
    back = s.at("+75m", slack_back, name="slack_back")
    s.fault(Fault("slack_outage", "slack", "error", backlog=Backlog(per_minute=4), code="internal_error"), start=down, end=back)
    s.fault(Fault("slack_stale_search", "slack", "stale_read", operations=("search.*",)), start=back, end="+90m")
    s.at("+80m", slack_page_clear, name="slack_page_clear")
    s.at("+88m", aws_identified, name="aws_identified")
    s.at("+97m", false_recovery, name="false_recovery")
    s.at("+110m", lambda w: vendor_mail(w, vendor), name="vendor_mail")
    s.at("+118m", cleared, name="cleared")
    s.at("+150m", aws_resolved, name="aws_resolved")
    s.on(row("jira_issue", "update", resolution_id=lambda value: value is not None), thanks, deadline="3h30m", otherwise=nothing)
    s.at("+3m", lambda w: w.note(batch=batch, captures=captures), name="truth")
    s.coworker(platform(batch, captures))


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
    """The customers' workbook says who runs where, and who may be written to: three, one who may not, and those who run elsewhere."""
    book = w.find("sheets_file", name="Customers & contracts")
    owner = w.person(titled(w, "Head of Customer Success"))
    three, muted, others = order[:3], order[3], order[4:]
    rows = [["Customer", "Runs in", "Incident contact", "Mail", "In an incident", "Account owner"]]
    rows += [contact_row(w, index, three, muted) for index in w.rng("contact rows").shuffled(order)]
    w.act(owner, "spreadsheets.batchUpdate", spreadsheetId=book["key"], requests=[{"addSheet": {"properties": {"title": TAB}}}])
    w.act(owner, "spreadsheets.values.update", spreadsheetId=book["key"], range=f"{TAB}!A1:F{len(rows)}", valueInputOption="RAW", values=rows)
    people = [contact(w, index) for index in order]
    w.note(book=book["key"], muted=people[3]["email"], muted_name=customer(w, muted)["name"], owner=account_owner(w, muted).email)
    w.note(**{f"name_{n}": customer(w, index)["name"] for n, index in enumerate(three, 1)})
    w.note(**{f"mail_{n}": people[n - 1]["email"] for n in (1, 2, 3)})
    w.note(**{f"other_{n}": people[n + 3]["email"] for n in range(1, len(others) + 1)})


TAB = "Incident contacts"


def contact_row(w: Stage, index: int, three: list[int], muted: int) -> list[str]:
    """One line of the tab."""
    person, here = contact(w, index), index in three or index == muted
    word = "Do not write, the account owner calls" if index == muted else "Write"
    region = "us-east-1" if here else "eu-west-1"
    return [customer(w, index)["name"], region, person["full_name"], person["email"], word, account_owner(w, index).full_name]


def contact(w: Stage, index: int) -> dict[str, Any]:
    """Whom a customer names for incidents: the second person we know there, or the only one."""
    people = w.rows("contact", organisation_id=customer(w, index)["id"])
    return people[1] if len(people) > 1 else people[0]


def account_owner(w: Stage, index: int) -> Person:
    """Who looks after a customer."""
    return w.person(customer(w, index)["owner_id"])


def page(w: Stage, number: int) -> None:
    oncall = w.on_call("payments")
    where, ts = w.fact("alert", "channel"), w.fact("alert", "ts")
    say(w, bot(w, "pager"), where, f"Paging {mention(w, oncall)} (Payments primary). Acknowledge in this thread.", thread_ts=ts)
    outside.write(w, w.person("pager").email, [oncall.email], f"[#{number}] TRIGGERED: PaymentsAuthorisationErrors", PAGER.format(
        number=number, name=oncall.full_name), automatic=True)  # fmt: skip
    w.note(oncall=oncall.id, number=str(number))


def report(w: Stage, who: str, summary: str) -> None:
    fields = {
        "project": {"key": "INC"}, "issuetype": {"name": "Incident"}, "summary": summary,
        "description": "Several merchants called within five minutes. Buyers see an error after they confirm the payment.",
    }  # fmt: skip
    made = w.act(seat(w, who), "createIssue", fields=fields)
    w.note(key=made["key"] if made else "")


def duplicate(w: Stage, index: int) -> None:
    name = customer(w, index)["name"]
    fields = {
        "project": {"key": "INC"}, "issuetype": {"name": "Incident"}, "summary": f"{name}: payment page fails, orders do not go through",
        "description": f"{name} says no order has gone through since a few minutes ago. Error page after the last step.",
    }  # fmt: skip
    made = w.act(seat(w, "success-1"), "createIssue", fields=fields)
    w.note(key=made["key"] if made else "", customer=name)


FIRST_QUESTION = "{oncall} {name} is on the phone: are their payments failing because of us, and what may I tell them?"
SECOND_QUESTION = "{oncall} {name} asks whether orders placed in the last hour are lost. Can you say anything I can pass on?"


def escalation(w: Stage, index: int, text: str) -> None:
    name = customer(w, index)["name"]
    where = channel(w, "support-escalations")
    asked = text.format(oncall=mention(w, w.on_call("payments")), name=name)
    ts = say(w, titled(w, "Head of Support"), where, asked)
    w.note(channel=where, ts=ts, customer=name)


def wrong_cure(w: Stage) -> None:
    where = channel(w, "incidents")
    author = titled(w, "Engineering Manager Checkout")
    text = "26.4 went to half the fleet at lunch and now payments is red. I say we roll back 26.4 right now, any objections?"
    w.note(channel=where, ts=say(w, author, where, text))


def aws_investigating(w: Stage) -> None:
    w.act(
        bot(w, "vendor-status"), "status.post", vendor="aws", incident="us-east-1-2026-03-02", name="Increased error rates in US-EAST-1",
        status="investigating", impact="minor", components={"Database tables (US-EAST-1)": "degraded_performance"},
        body="We are investigating increased error rates and latencies for multiple services in the US-EAST-1 Region.",
    )  # fmt: skip
    say(w, bot(w, "vendor-status"), channel(w, "incidents"), "AWS: *Investigating* increased error rates in US-EAST-1 (minor).")


def customer_asks(w: Stage) -> None:
    """A customer of the affected region writes to the engineer."""
    ask(w, w.fact("contracts", "mail_2"), "Payments failing in our shop", ASKED)


def muted_asks(w: Stage) -> None:
    """So does one who may be told by nobody but the account owner."""
    ask(w, w.fact("contracts", "muted"), "Failed payments, need an answer today", MUTED)


def ask(w: Stage, address: str, subject: str, text: str) -> None:
    """A customer's mail to whoever is on call."""
    name = w.find("contact", email=address)["full_name"]
    sent = outside.write(w, address, [w.on_call("payments").email], subject, text.format(name=name))
    w.note(message_id=sent["messageId"] if sent else "")


def by_mail(w: Stage) -> None:
    """Support cannot reach anybody in Slack and writes a mail."""
    head = w.person(titled(w, "Head of Support"))
    sent = w.act(head, "mail.send", to=[w.on_call("payments").email], subject="Slack is gone, where do we stand?", text=BY_MAIL.format(
        name=head.first_name))  # fmt: skip
    w.note(message_id=header(w, sent["id"]) if sent else "")


def header(w: Stage, message: str) -> str:
    """The Message-ID of a message somebody sent."""
    return w.find("gmail_mail", id=w.find("gmail_message", id=message)["mail_id"])["message_id"]


def vendor_mail(w: Stage, number: int) -> None:
    """AWS tells by mail, late, and that it is over before it is."""
    sender = w.find("contact", organisation_id=w.find("organisation", name="Amazon Web Services")["id"])["email"]
    where = f"no-reply@{sender.rpartition('@')[2]}"
    outside.write(w, where, [w.on_call("payments").email], "AWS Health event: DynamoDB operational issue (us-east-1)", VENDOR.format(number=number))
    w.note(event=f"AWS_DYNAMODB_OPERATIONAL_ISSUE_{number}")


def eta(w: Stage) -> None:
    where = channel(w, "incidents")
    text = f"{mention(w, w.on_call('payments'))} two board members are asking me. When are we back, and when do I hear from you next?"
    w.note(channel=where, ts=say(w, titled(w, "Chief Executive Officer"), where, text))


def slack_down(w: Stage) -> None:
    w.note(until="unknown")


def slack_back(w: Stage) -> None:
    w.note(ok=True)


def chatter(w: Stage) -> None:
    say(w, titled(w, "Product Manager Payments"), channel(w, "team-payments"), "is slack slow for anyone else or is it my wifi")


def slack_page(w: Stage) -> None:
    w.act(
        bot(w, "vendor-status"), "status.post", vendor="slack", incident="slack-2026-03-02", name="Trouble sending and loading messages",
        status="investigating", impact="major", components={"Messaging": "partial_outage"},
        body="Some customers may be unable to send or load messages. We are looking into it.",
    )  # fmt: skip


def slack_page_clear(w: Stage) -> None:
    w.act(
        bot(w, "vendor-status"), "status.post", vendor="slack", incident="slack-2026-03-02", status="resolved", impact="major",
        components={"Messaging": "operational"}, body="The issue is resolved. Delayed messages are being delivered.",
    )  # fmt: skip


def aws_identified(w: Stage) -> None:
    w.act(
        bot(w, "vendor-status"), "status.post", vendor="aws", incident="us-east-1-2026-03-02", status="identified", impact="major",
        components={"Database tables (US-EAST-1)": "major_outage"},
        body="We have identified the cause: DNS resolution of the DynamoDB API endpoint in US-EAST-1. We are working on recovery.",
    )  # fmt: skip
    say(w, bot(w, "vendor-status"), channel(w, "incidents"), "AWS: *Identified*: DNS resolution of the DynamoDB endpoint in US-EAST-1.")


def false_recovery(w: Stage) -> None:
    author = titled(w, "Engineering Manager Checkout")
    say(w, author, channel(w, "incidents"), "looks fixed to me, my test order just went through. can we call it?")


def cleared(w: Stage) -> None:
    where = channel(w, "alerts-payments")
    clock = f"{(w.now // 60_000_000 - 10) % 1440 // 60:02}:{(w.now // 60_000_000 - 10) % 60:02}"
    w.note(channel=where, ts=say(w, bot(w, "alertmanager"), where, CLEARED.format(clock=clock)))


def aws_resolved(w: Stage) -> None:
    w.act(
        bot(w, "vendor-status"), "status.post", vendor="aws", incident="us-east-1-2026-03-02", status="resolved", impact="major",
        components={"Database tables (US-EAST-1)": "operational"},
        body="All services in US-EAST-1 operate normally. The cause was an empty DNS record of the DynamoDB endpoint.",
    )  # fmt: skip
    say(w, bot(w, "vendor-status"), channel(w, "incidents"), "AWS: *Resolved*. DynamoDB in US-EAST-1 operates normally.")


def thanks(w: Stage) -> None:
    w.note(ok=True)


def nothing(w: Stage) -> None:
    w.note(ok=False)


# who knows


def platform(batch: str, captures: int) -> Coworker:
    """Platform on call: knows which batch was captured twice, and tells it to whoever asks about retries or double charges."""

    def begun(w: Stage) -> bool:
        return w.fired("alert") is not None

    return Coworker(
        who=lambda w: w.on_call("platform"),
        rules=(
            Rule(
                "batch",
                when=begun,
                intent=(("retry*", "retries", "replay*", "twice", "double*", "duplicate*", "capture*", "batch*", "reconcil*", "moved", "queue*"),),
                replies=(
                    f"yes. the retry worker replayed {captures} captures when the first connections came back, all of them in batch {batch}. "
                    "i stopped it. that batch must be reconciled before anybody starts it again",
                    f"we have one: batch {batch}, {captures} captures went out a second time before i stopped the retry worker. "
                    f"nothing else moved twice. reconcile {batch} first please",
                    f"looked at it just now: {captures} captures sent twice, all in {batch}. worker is stopped, leave it until {batch} is reconciled",
                ),
            ),
            Rule(
                "cause",
                when=begun,
                intent=(("cause", "why", "happened", "wrong", "dns", "dynamo*", "aws", "root"),),
                replies=(
                    "no new connections to the dynamodb endpoint from anywhere in us-east-1, the name does not resolve. "
                    "existing ones died one by one. not our deploy",
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
