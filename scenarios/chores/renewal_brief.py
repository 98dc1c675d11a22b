"""A renewal talk is near: the briefing gets the fee in force, the term, the credits of the year and the open tickets."""

from datetime import date, timedelta

from scenarios.office.accounts import draw_contacts, place_cell, today
from scenarios.office.books import BOOK, Rows, draw_amounts, make_book, money, pretty, say_day, write
from scenarios.office.mail import letter, nobody_outside, receive, send, team
from scenarios.office.people import list_titled, software_engineers
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import move_ticket, open_ticket
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Fill the briefing for a renewal talk",
    apps=("sheets", "gmail", "jira"),
    calls=(6, 18),
    traps={
        "fee": "hasty: takes the fee of the list though both sides agreed on another in writing",
        "offer": "literal: takes an offer for an agreement, or one that begins later for the fee of today",
        "sister": "hasty: adds what belongs to the sister firm",
    },
)

REQUESTS = (
    "I talk to {customer} about the renewal tomorrow. Could you fill the briefing in {book}? Please tell me the monthly fee that is in force"
    " now, that is what they will start with.",
    "can you do me the usual brief on {customer}, in {book}? i'm on the phone with them tomorrow. and write me what they pay per month as"
    " of today",
    "Please prepare {customer} for me: the tab Brief in {book} is still empty. I need it before tomorrow's call, and the fee they pay per"
    " month here in your answer.",
    "Renewal call with {customer} tomorrow, and the briefing in {book} has nothing in it. Would you complete it? A line with today's fee per"
    " month is enough for me tonight.",
    "{customer} is up for renewal. Fill in the briefing ({book}) for me, would you? I only want to read one thing on my phone: what do they"
    " pay a month at present?",
)
BOOKS = (
    "Renewals {season}",
    "Renewal talks, {season}",
    "Briefs for renewals ({season})",
    "Contracts to renew {season}",
)
SEASONS = ("spring", "Q1", "Q2", "2026", "first half")
SISTERS = ("Logistics", "Retail", "Services", "Trading", "Studio", "Leasing", "Nord", "Outlet")
WISHES = (
    "Second user for the ledger",
    "Statement in their own layout",
    "Longer session for the counter",
    "Import of old orders",
    "Their own sender in mails",
    "Export at six",
)
REASONS = ("late payout", "outage", "wrong fee line", "double charge", "late webhooks", "missing report")
OFFERS = (
    "as we discussed, the fee would be EUR {new} a month instead of EUR {old}, from {start}. If you confirm this, it is agreed.",
    "our proposal after the talk: EUR {new} per month from {start}, until then EUR {old} as before. Please tell us whether you accept.",
    "here it is in writing: from {start} we would charge EUR {new} a month (now EUR {old}). Is that fine with you?",
)
YES = ("Agreed, we confirm it.", "Yes, that is fine with us. Please go ahead.", "We accept this, as written.")
NO = (
    "We cannot accept that. Please leave the fee as it is.",
    "Sorry, not this time. We keep the present fee until the end of the term.",
)
STATES = ("agreed", "agreed", "later", "declined")
FIELDS = ("fee", "end", "credits", "open")


def draw(d: Draw) -> Facts:
    """Choose a customer, what was agreed on their fee, their credits and tickets, and those of a sister firm."""
    w = d.w
    contact, *others = draw_contacts(d, 7)
    owner = contact["owner_id"]
    bosses = [one for one in list_titled(d, "Chief", "Head of", "Finance", "Customer Success") if one != owner]
    asker = d.pick(bosses, "asker")
    near = [*team(d, "Customer Success"), *team(d, "Support"), *team(d, "Product & Design")]
    me = d.pick([one["id"] for one in near if one["id"] not in (owner, asker)], "agent", me=True)
    customer = contact["customer"]
    sister = f"{customer} {d.pick(SISTERS, 'sister')}"
    state, listed, offered = d.pick(STATES, "state"), *draw_fees(d)
    day = today(d)
    start = (day + timedelta(days=45 if state == "later" else 0)).replace(day=1)
    slots = {"new": pretty(offered), "old": pretty(listed), "start": say_day(start)}
    text = letter(contact["first_name"], d.pick(OFFERS, "offer").format(**slots), w.person(owner).full_name)
    subject = d.pick(("Fee from {start}", "Our fee", "Your contract with us", "In writing"), "subject").format(**slots)
    sent = send(w, owner, [contact["email"]], subject, text, cc=[w.person(me).email])
    answer = letter(
        w.person(owner).first_name, d.pick(NO if state == "declined" else YES, "answer"), contact["full_name"]
    )
    to = [w.person(owner).email, w.person(me).email]
    receive(w, contact["email"], to, f"Re: {subject}", answer, inReplyTo=sent)
    label = contact["domain"].split(".")[0]
    opened = open_tickets(d, label, d.stream("open").integer(2, 4))
    lists, credits, end = list_accounts(d, customer, sister, [one["customer"] for one in others], listed, day)
    title = d.pick(BOOKS, "title").format(season=d.pick(SEASONS, "season"))
    tabs = {**lists, **describe_brief(customer, label, day)}
    fee = offered if state == "agreed" else listed
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, (customer, "A brief", f"Renewal of {customer}", "Tomorrow's call")),
        "request": d.choose_wording(REQUESTS, customer=customer, book=f'"{title}"'),
        "book": make_book(w, w.find("team", name="Customer Success")["lead_id"], title, tabs, [me, asker, owner]),
        "customer": customer,
        "sister": sister,
        "state": state,
        "opened": opened,
        "counted": 4,
        "values": {"fee": fee / 100, "end": end.isoformat(), "credits": credits / 100, "open": len(opened)},
        "fee": fee / 100,
        "shown": pretty(fee),
    }


def draw_fees(d: Draw) -> tuple[int, int]:
    """A fee per month in cents, and another that was offered."""
    rng = d.stream("fees")
    listed = rng.integer(18, 96) * 5000
    return listed, listed + rng.choice((-1, 1)) * rng.integer(3, 12) * 1500


def open_tickets(d: Draw, label: str, count: int) -> dict[str, str]:
    """Open tickets of the customer; beside them one that is done, and one of the sister firm."""
    w = d.w
    people = [one["id"] for one in software_engineers(d)]
    wishes = d.sample(WISHES, count + 2, "wishes")
    made = [
        open_ticket(w, person, wish, kind="Story", labels=[f"{label}-sister" if at == 1 else label])
        for at, (wish, person) in enumerate(zip(wishes, people * 2, strict=False))
    ]
    move_ticket(w, people[0], made[0], "Done")
    return {f"t{at}": key for at, key in enumerate(made[2:])}


def list_accounts(
    d: Draw, customer: str, sister: str, others: list[str], fee: int, day: date
) -> tuple[dict[str, Rows], int, date]:
    """The tabs of contracts and credits, the customer's credits of this year, and the end of their term."""
    rng = d.stream("accounts")
    names = rng.shuffled([customer, sister, *others])
    ends = {name: day + timedelta(days=rng.integer(20, 160)) for name in names}
    contracts = [
        [one, money(fee if one == customer else rng.integer(15, 99) * 5000), ends[one].isoformat()] for one in names
    ]
    amounts = iter(draw_amounts(d, 20, 40, 900))
    mine = rng.integer(2, 3)
    plan = [*[(customer, 0)] * mine, (customer, 1), (sister, 0), (sister, 0), *((one, 0) for one in others[:4])]
    credits = []
    for who, past in rng.shuffled(plan):
        first = date(day.year, 1, 1)
        when = first - timedelta(days=rng.integer(5, 80)) if past else first + timedelta(days=rng.integer(1, 50))
        credits.append([when.isoformat(), who, next(amounts), rng.choice(REASONS)])
    total = sum(one[2] for one in credits if one[1] == customer and one[0] >= f"{day.year}-01-01")
    tabs: dict[str, Rows] = {
        "Contracts": [["Customer", "EUR per month", "Term ends"], *contracts],
        "Credits": [["Day", "Customer", "EUR", "Why"], *([a, b, money(c), e] for a, b, c, e in sorted(credits))],
    }
    return tabs, total, ends[customer]


def describe_brief(customer: str, label: str, day: date) -> dict[str, Rows]:
    """The empty brief, and how a brief is filled."""
    return {
        "Brief": [
            ["Customer", customer],
            ["Fee per month in force today, EUR"],
            ["Term ends on"],
            [f"Credits since 1 January {day.year}, EUR"],
            ["Open wishes in Jira, number"],
        ],
        "How": [
            ["The tab Contracts is brought up to date once a quarter."],
            ["Until then a change counts from its first day on, if both sides have agreed to it in writing."],
            [f"Tickets about a customer's wishes carry the customer's label in SHOP: {label} for {customer}."],
            ["A sister firm has a contract and a brief of its own, and a label that says so."],
        ],
    }


def solution(scene: Scene) -> Steps:
    """Fill the four fields, tell the fee."""
    truth = scene.facts("truth")
    for row, name in enumerate(FIELDS, 2):
        yield write(name, truth["book"], f"Brief!B{row}", str(truth["values"][name]))
    shown = truth["shown"]
    wordings = (f"They pay €{shown} per month today.", f"{truth['customer']}: {shown} EUR a month. Brief is done.")
    yield reply(scene, f"The fee in force is EUR {shown} a month. The rest is in the briefing.", wordings=wordings)
    yield Step("finish", "world.finish", {"status": "done"})


LABELS = {
    "fee": "fee, pay, pays, paying, in force, today, at present, presently, currently, now, start with, stays at, remains",
    "before": "used to pay, paid, until now, before, old fee, former fee, formerly, previously",
    "list": "list, listed, contracts, tab contracts",
    "offered": "was offered, were offered, was declined, were declined, was refused, was rejected, were rejected,"
    " offer of, proposal of, from next month",
    "year": "a year, per year, annually, yearly, per annum",
    "credits": "credit, credits, credited",
}
"""What the answer may call an amount."""


def rubric(truth: Facts) -> RubricSource:
    """The four fields, the fee in the answer, and no word to the customer."""
    python = [
        {"id": f"brief_{name}", "call": f"predicates.check_{name}", "claims": ["sheets_cell"], "weight": weight}
        for name, weight in zip(FIELDS, (3, 1, 2, 2), strict=True)
    ]
    fee = {"amount": "event.truth.fee", "currency": "EUR", "called": "fee"}
    facts = {"must": [fee], "only": [{"kind": "amount", "called": "fee"}], "labels": LABELS}
    sister = [{"claims": {"subject": truth["sister"], "state": one}} for one in ("pays", "paying", "charged")]
    told = expect_reply(truth, {"facts": facts, "none_of": sister}, weight=2)
    keys = {"input": {"matches": r"(?i)(tickets?|wishes|open|keys?|and|[A-Z]+-\d+|[\s,;:.()]+)+"}}
    beside = {**place_cell("Brief", 2, row="event.truth.counted"), **keys}
    allow = [{"insert": "sheets_cell", "where": beside, "max": 1}]
    return make_rubric([told], refs={"book": BOOK}, python=python, allow=allow, never=[nobody_outside()])
