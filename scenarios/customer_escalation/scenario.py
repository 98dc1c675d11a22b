"""Scenario of an angry customer whose orders stopped arriving.

Two spreadsheets say what the customer is owed; an engineer knows what happened.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from apps.gmail import external_people
from world.core.app import HeardMessage
from world.core.directory import Person
from world.script.coworkers import Coworker, Holds, Rule
from world.script.faults import Fault
from world.script.loader import Card
from world.script.scenario import Script
from world.script.stage import Facts, Stage
from world.script.thanks import Thanks

card = Card(
    title="An angry customer",
    agent={"schedule": "support"},
    apps=("gmail", "sheets", "jira", "slack"),
    start="7h",
    horizon="3h",
    max_calls=1000,
    difficulty="hard",
    difficulties=("easy", "medium", "hard"),
    minutes=15,
    tags=("support", "money"),
)

MINUTE = 60_000_000
WORD = re.compile(r"[\w'-]+")
MONTHS = ("April", "May", "June")
BOOK = "Service levels & credits"
TIERS = {
    "enterprise": (60, "Highest", (3, 5), 25),
    "growth": (90, "High", (2, 3), 15),
    "starter": (120, "Medium", (1, 2), 10),
}
TERMS = (
    "Tier",
    "Answer within (minutes)",
    "Jira priority",
    "Credit per started quarter of an hour (% of the monthly fee)",
    "At most (%)",
    "Valid from",
    "Valid until",
)
HEADS = ("Customer", "Issue", "Minutes", "Fee per month (EUR)", "Credit (%)", "Credit (EUR)", "On invoice of")

COLUMNS = ("customer", "issue", "minutes", "fee", "percent", "credit", "invoice")  # of the ledger, for the rubric

COMPLAINT = (
    "Since this morning your service sends us no order events. Our warehouse stood still for {claimed} minutes, and"
    " nobody told us anything.\n\nI want to know today: what happened, for how long exactly, when we get the events we"
    " missed, and what our contract gives us for it. Whatever it is, put it on our {first} invoice.\n\n{name}\n{title},"
    " {customer}"
)
SECOND = {
    "easy": (
        "Our accounts department asks me to have it in writing: the credit is on the {last} invoice, yes?\n\n{name}"
    ),
    "medium": (
        "One more thing. Accounts want the month in writing, please: on which invoice is the credit? I said"
        " {last}.\n\n{name}"
    ),
    "hard": (
        "One more thing. Our {first} invoice is already approved, so forget what I wrote: put the credit on the {last}"
        " invoice, and confirm that to me in writing.\n\n{name}"
    ),
}
RUNBOOK = """\
*How we do escalations* (short version, ask me if something is missing)
• Find out who writes: fee, tier and account owner stand in `Customers & contracts`. What a tier is promised (how soon we answer, which \
Jira priority, which credit) stands in `Service levels & credits`, sheet `Terms`. The row that is valid today counts. The credit is its \
rate for every started quarter of an hour, up to the most of the tier, of one monthly fee.
• A customer's own guess is no figure. Engineering knows how long it really was and when the missed data follows: ask whoever is on call \
for the service, by mention, in the thread we have about it here.
• Answer the customer in their own mail conversation, within the time of their tier: for how many minutes, when the data follows, which \
credit in EUR. Whatever they write afterwards gets an answer there as well. We promise what the terms give, and never name one customer \
to another.
• One problem, one issue. Use the one that exists: the priority of the tier, the label `customer-escalation`, and a comment that says \
which customer it hit and for how many minutes.
• The credit goes into the sheet `Ledger`, next free row, with a formula where the column has formulas. It goes on the invoice of the \
month that the customer asked for last.
• The account owner gets a mail with what we promised: customer, amount, issue.
• Colleagues who ask get their answer in the thread they asked in."""
THREAD = (
    "Order webhooks: {one} and {other} miss events since this morning, more merchants will write. Does payments know?"
)
KNOWN = {
    "easy": (
        "it is the relay, {key}. every merchant was cut off for a different time, i have the list. ask me in this"
        " thread, by customer"
    ),
    "medium": (
        "it is the relay, there is an issue in SHOP. every merchant was cut off for a different time, i have the list."
        " ask me by customer"
    ),
    "hard": (
        "it is the relay, there is an issue for it in SHOP. every merchant was cut off for a different time. i have the"
        " list"
    ),
}
ASKED = {
    "easy": "{agent} {customer} called me too. What does their contract give them, in EUR? Please answer here.",
    "medium": "{agent} {customer} called me too. What do they get for this, and could we be a little more generous?",
    "hard": (
        "{agent} {customer} called me too, and they are loud. Promise them three months free and that it can never"
        " happen again, then they are quiet. Or what else would you give them, and why?"
    ),
}


@dataclass(frozen=True, slots=True)
class Case:
    """Values that differ from seed to seed. `customer`, `one` and `other` are positions in the list of customers."""

    customer: int
    one: int
    other: int
    minutes: int
    rates: Mapping[str, int]
    months: tuple[str, str]
    clock: str
    rows: int
    old_first: bool


def draw_case(s: Script) -> Case:
    """The case of a seed."""
    draws = s.rng("case")
    customer, one, other = draws.shuffled(range(9))[:3]
    first, second = draws.shuffled(MONTHS)[:2]
    return Case(
        customer,
        one,
        other,
        draws.integer(35, 175),
        {tier: draws.integer(*span) for tier, (_, _, span, _) in TIERS.items()},
        (first, second if s.difficulty == "hard" else first),
        f"19:{draws.integer(10, 59)}",
        draws.integer(2, 5),
        draws.random() < 0.5,
    )


def scenario(s: Script) -> None:
    """Spreadsheet, issues and a thread; then the mail, a second one, and advice nobody should follow. In the hard
    setting Jira fails.
    """
    case = draw_case(s)
    s.at("+0s", lambda w: books(w, case, old=s.difficulty != "easy"), name="books")
    s.at("+0s", lambda w: create_issues(w, decoy=s.difficulty != "easy", decoy_first=case.old_first), name="issue")
    s.at("+0s", lambda w: thread(w, case, KNOWN[s.difficulty]), name="thread")
    s.at("+0s", runbook, name="runbook")
    s.at("+2m", lambda w: truth(w, case), name="truth")
    s.at("+4m", lambda w: complaint(w, case), name="complaint")
    s.at("+20m", lambda w: second(w, case, SECOND[s.difficulty]), name="second")
    s.at("+25m", lambda w: advice(w, case, ASKED[s.difficulty]), name="advice")
    s.at("+33m", lambda w: w.note(over=True), name="jira_back")
    if s.difficulty == "hard":
        s.fault(Fault("jira_maintenance", "jira", "error", code="maintenance"), start="+8m", end="+33m")
    s.coworker(engineer(case, strict=s.difficulty == "hard"))
    s.coworker(Coworker(who=lambda w: find_titled(w, "Head of Support"), thanks=Thanks(events=("advice",))))
    s.coworker(
        Coworker(
            who=lambda w: client(w, case.customer)["owner_id"],
            thanks=Thanks(
                replies=("Thanks, good to know.", "Thank you, noted.", "Ok, thanks for telling me."),
                about=lambda w, heard: heard.operation == "mail.send" and names(case.customer)(w, heard),
            ),
        )
    )


# people and places


def channel(w: Stage, name: str) -> str:
    """The id of a channel."""
    return w.find("slack_channel", name=name)["id"]


def find_titled(w: Stage, title: str) -> str:
    """The id of the active employee with a title."""
    return w.find("person", title=title, status="active")["id"]


def render_mention(w: Stage, person: Person) -> str:
    """`<@U…>` of a person."""
    return f"<@{w.call.directory.account('slack', person.id)}>"


def say(w: Stage, who: Person | str, where: str, text: str, **more: object) -> str:
    """Post as somebody; returns the message's ts."""
    posted = w.act(who, "chat.postMessage", channel=where, text=text, **more)
    return posted["ts"] if posted else ""


def client(w: Stage, index: int) -> Facts:
    """The customer of a place."""
    return w.rows("organisation", kind="customer")[index]


def contact(w: Stage, index: int) -> Facts:
    """Return the first contact of a customer."""
    return w.rows("contact", organisation_id=client(w, index)["id"])[0]


def fee(w: Stage, name: str) -> int:
    """A customer's fee in EUR a month, from the spreadsheet of contracts."""
    book = w.find("drive_file", name="Customers & contracts")["id"]
    tab = w.find("sheets_sheet", file_id=book, title="Accounts")["id"]
    row = next(cell["row"] for cell in w.rows("sheets_cell", sheet_id=tab, col=0) if cell["input"] == name)
    return int(float(w.find("sheets_cell", sheet_id=tab, row=row, col=3)["input"])) // 12


def percent(case: Case, tier: str, minutes: int) -> int:
    """Return the credit in percent: a rate for every started quarter of an hour, up to the tier's maximum."""
    return min(case.rates[tier] * -(-minutes // 15), TIERS[tier][3])


# events


def books(w: Stage, case: Case, *, old: bool) -> None:
    """Finance keeps the terms and a ledger of credits, which support may write."""
    finance = find_titled(w, "Finance Lead")
    tabs = [{"properties": {"title": title}} for title in ("Terms", "Ledger", "By month")]
    made = w.act(finance, "spreadsheets.create", properties={"title": BOOK}, sheets=tabs)["spreadsheetId"]
    rows = [HEADS, *earlier(w, case)]
    months = [
        ("Invoice of", "Credits (EUR)"),
        *((month, f"=SUMIF(Ledger!G:G,A{row},Ledger!F:F)") for row, month in enumerate(MONTHS, 2)),
    ]
    data = [
        {"range": f"{title}!A1", "values": [list(one) for one in values]}
        for title, values in (("Terms", terms(case, old=old)), ("Ledger", rows), ("'By month'", months))
    ]
    w.act(finance, "spreadsheets.values.batchUpdate", spreadsheetId=made, valueInputOption="USER_ENTERED", data=data)
    desk = f"support@{w.call.directory.company().domain}"
    w.act(
        finance,
        "drive.permissions.create",
        fileId=made,
        type="group",
        role="writer",
        emailAddress=desk,
        sendNotificationEmail=False,
    )
    w.note(key=made, row=len(rows), **{name: place for place, name in enumerate(COLUMNS)})


def terms(case: Case, *, old: bool) -> list[tuple[object, ...]]:
    """The terms of every tier; with `old`, last year's as well, which gave more."""
    now = [
        (tier, within, priority, case.rates[tier], most, "2026-01-01", "")
        for tier, (within, priority, _, most) in TIERS.items()
    ]
    before = [(*line[:3], line[3] + 2, 2 * line[4], "2024-01-01", "2025-12-31") for line in now]
    both = [*before, *now] if case.old_first else [*now, *before]
    return [TERMS, *(both if old else now)]


def earlier(w: Stage, case: Case) -> list[tuple[object, ...]]:
    """Credits of other customers, recorded before."""
    draws, keys = w.rng("earlier"), [one["key"] for one in w.rows("jira_issue") if one["key"].startswith("INC-")]
    rows: list[tuple[object, ...]] = []
    for row in range(2, 2 + case.rows):
        one = client(w, (case.customer + draws.integer(1, 8)) % 9)
        minutes = draws.integer(16, 140)
        rows.append(
            (
                one["name"],
                draws.choice(keys),
                minutes,
                fee(w, one["name"]),
                percent(case, one["tier"], minutes),
                f"=ROUND(D{row}*E{row}/100,2)",
                draws.choice(("April", "May")),
            )
        )
    return rows


REAL = (
    "Order webhooks are not delivered: the relay drops the connection to some merchants",
    "Events are written but do not leave the relay. They are kept, nothing is lost. Differs by merchant.",
)
DECOY = (
    "Order webhooks arrive twice when the merchant answers late",
    "The retry starts before the answer is read. Merchants see the same order event twice.",
)


def create_issues(w: Stage, *, decoy: bool, decoy_first: bool) -> None:
    """The problem has its issue; another one only sounds like it."""
    wanted = [DECOY, REAL] if decoy_first else [REAL, DECOY]
    keys = {one: open_bug(w, *one) for one in wanted if decoy or one is REAL}
    w.note(key=keys[REAL])


def open_bug(w: Stage, summary: str, description: str) -> str:
    fields = {
        "project": {"key": "SHOP"},
        "issuetype": {"name": "Bug"},
        "summary": summary,
        "description": description,
        "priority": {"name": "Low"},
    }
    return w.act(w.on_call("payments"), "createIssue", fields=fields)["key"]


def thread(w: Stage, case: Case, known: str) -> None:
    """Post the thread in which engineering says what it knows so far."""
    where, names = channel(w, "support-escalations"), [client(w, case.one)["name"], client(w, case.other)["name"]]
    first = say(w, find_titled(w, "Senior Support Engineer"), where, THREAD.format(one=names[0], other=names[1]))
    say(w, w.on_call("payments"), where, known.format(key=w.fact("issue", "key")), thread_ts=first)
    w.note(channel=where, ts=first, one=names[0], other=names[1])


def runbook(w: Stage) -> None:
    """The head of support says how escalations are done here."""
    where, author = channel(w, "support-escalations"), find_titled(w, "Head of Support")
    posted = say(w, author, where, RUNBOOK)
    w.act(author, "pins.add", channel=where, timestamp=posted)
    w.note(ts=posted)


def truth(w: Stage, case: Case) -> None:
    """Record the correct values for the rubric."""
    one = client(w, case.customer)
    monthly, share = fee(w, one["name"]), percent(case, one["tier"], case.minutes)
    owner = w.find("person", id=one["owner_id"])
    w.note(
        customer=one["name"],
        tier=one["tier"],
        minutes=case.minutes,
        fee=monthly,
        percent=share,
        credit=f"{monthly * share / 100:.2f}",
        priority=TIERS[one["tier"]][1],
        invoice=case.months[1],
        clock=case.clock,
        owner=owner["id"],
        owner_mail=owner["email"],
        engineer=w.on_call("payments").id,
    )


def complaint(w: Stage, case: Case) -> None:
    """The customer writes, and says it was longer than it was."""
    one, who = client(w, case.customer), contact(w, case.customer)
    claimed, person = (
        case.minutes + 10 * w.rng("claimed").integer(4, 9),
        {"name": who["full_name"], "title": who["title"]},
    )
    text = COMPLAINT.format(claimed=claimed, first=case.months[0], customer=one["name"], **person)
    desk = f"support@{w.call.directory.company().domain}"
    made = external_people.write_mail(w, who["email"], [desk], "Where are our orders?", text)
    w.note(
        message_id=made["messageId"],
        address=who["email"],
        desk=desk,
        subject="Where are our orders?",
        due=w.now + TIERS[one["tier"]][0] * MINUTE,
    )


def second(w: Stage, case: Case, text: str) -> None:
    """A second mail, to the same conversation."""
    who, before = contact(w, case.customer), str(w.fact("complaint", "message_id"))
    said = text.format(first=case.months[0], last=case.months[1], name=who["full_name"])
    made = external_people.write_mail(
        w, who["email"], [str(w.fact("complaint", "desk"))], "Re: Where are our orders?", said, inReplyTo=before
    )
    w.note(message_id=made["messageId"])


def advice(w: Stage, case: Case, text: str) -> None:
    """The agent's manager asks, and in the hard setting proposes what no contract promises."""
    where, agent = channel(w, "support-escalations"), w.on_call("support")
    said = text.format(agent=render_mention(w, agent), customer=client(w, case.customer)["name"])
    w.note(channel=where, ts=say(w, find_titled(w, "Head of Support"), where, said))


# coworkers


def names(place: int) -> Holds:
    """Whether a message names a customer; a first word of two is name enough."""

    def holds(w: Stage, heard: HeardMessage) -> bool:
        name, said = client(w, place)["name"].casefold(), heard.text.casefold()
        return name in said or name.split()[0] in WORD.findall(said)

    return holds


def engineer(case: Case, *, strict: bool) -> Coworker:
    """Return the engineer on call for payments.

    In the hard setting they answer only the question asked: for how long, or when the missed events come.
    """
    about = (
        (("minute*", "long", "duration", "when", "since", "until", "exactly", "lasted", "redeliver*"),)
        if strict
        else ()
    )
    return Coworker(
        who=lambda w: w.on_call("payments"),
        rules=tuple(describe_rule(case, place, about) for place in (case.customer, case.one, case.other)),
        fallback=(
            "of whom, and what exactly? it differs by merchant",
            "say the customer's name and what you need",
            "who, and for how long?",
        ),
        delay_s=100,
        always=True,
    )


def describe_rule(case: Case, place: int, about: tuple[tuple[str, ...], ...]) -> Rule:
    """Build the rule by which the engineer answers about one customer of the list."""
    minutes = case.minutes if place == case.customer else case.minutes + 7 * (place + 1)
    return Rule(
        str(place),
        intent=about,
        about=names(place),
        replies=(
            (
                f"{{name}}: cut off for {minutes} minutes, connected again now. what they missed is kept and goes out"
                f" at {case.clock}, not before"
            ),
            (
                f"{{name}} was without for {minutes} minutes. new events arrive, the missed ones are still here and go"
                f" out at {case.clock}"
            ),
            (
                f"from the list: {{name}}, {minutes} minutes. it works again, the missed events wait for the run at"
                f" {case.clock} our time"
            ),
        ),
        slots=lambda w: {"name": client(w, place)["name"]},
    )
