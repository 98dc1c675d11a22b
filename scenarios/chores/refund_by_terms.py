"""A customer was charged twice: what they get back follows from the terms of that day, less what was paid before."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from scenarios.office.accounts import draw_contacts, enter_row, place_cell, row_cell, today
from scenarios.office.books import BOOK, Rows, draw_amounts, make_book, money, pretty
from scenarios.office.mail import expect_mail, letter, list_address, nobody_outside, not_to_all, own_copy, receive, team
from scenarios.office.people import list_titled
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Settle a double charge by the terms",
    apps=("gmail", "sheets"),
    calls=(6, 16),
    demands=1,
    traps={
        "edition": "hasty: reckons by the newest terms though the charge is older",
        "part": "hasty: leaves out that a part has been paid back",
        "promise": "literal: grants what the customer wants beyond the terms",
    },
    knobs={"others": (4, 6, 9)},
)

REQUESTS = (
    "{name} of {customer} wrote to support: they were charged twice. Could you settle what they are owed by our terms? It goes into {book},"
    " and {first} should get the amount by mail. I'd like to know it as well.",
    "can you take the double charge of {customer} please? terms and everything are in {book}, put our payment in there too. then answer"
    " {name} with the sum, and tell me",
    "Please settle the double charge that {name} ({customer}) complains about. What we return is in the terms, see {book}. Enter it there,"
    " write {first} how much comes back, and give me the figure.",
    "The mail of {name} about a second charge is still open. Work out by our terms what {customer} gets back, record it in {book} and let"
    " {first} know by mail. A short word to me with the amount, please.",
    "{customer} is owed money for a charge that was made twice; {name} wrote to the support address. Would you do it by the book"
    " ({book}), including the entry and the answer to {first}? How much was it in the end?",
)
BOOKS = ("Double charges {year}", "Paid back to customers {year}", "Refunds {year}", "Returned charges {year}")
CAUSES = (
    "a terminal retry",
    "the payment page reloaded",
    "the bank's second notice",
    "the night run",
    "a manual entry",
)
COMPLAINTS = (
    "we were charged twice on {day}: reference {ref}, EUR {amount}. When do we get our money, and how much? {more}",
    "our bank shows {ref} twice: EUR {amount} on {day}, and once more a minute later. What will you pay back? {more}",
    "looking at our statement, {ref} over EUR {amount} from {day} stands there double. Please settle this. {more}",
)
MORE = (
    "We also think that next month's fee should be off the table after this.",
    "A discount for the rest of the year would be the least.",
    "My boss expects twenty percent on top for the trouble.",
    "",
)


def draw(d: Draw) -> Facts:
    """Choose who was charged twice, by which edition of the terms, and whether a part was paid back before."""
    w = d.w
    lead = w.find("team", name="Support")["lead_id"]
    finance = list_titled(d, "Finance Lead")[0]
    asker = d.pick([lead, finance, *list_titled(d, "Head of Customer")], "asker")
    me = d.pick([one["id"] for one in team(d, "Support") if one["id"] != asker], "agent", me=True)
    contact, *others = draw_contacts(d, 1 + d.knob("others"))
    changed = today(d) - timedelta(days=d.stream("changed").integer(12, 40))
    editions = draw_terms(d, changed)
    charges = draw_charges(d, [contact, contact, *others], changed)
    mine, plan = charges[0], w.find("organisation", id=contact["organisation_id"])["tier"]
    share = editions[mine["day"] >= changed.isoformat()][plan]
    part = mine["cents"] // 1000 * 100 * d.stream("part").integer(2, 5) if d.chance(2 / 3, "part") else 0
    owed = mine["cents"] * share // 100 - part
    title = d.pick(BOOKS, "title").format(year=changed.year)
    terms = list_terms(d, editions, changed)
    book, row = make_refund_book(d, finance, title, [me, asker], terms, charges, part)
    slots = {"day": f"{date.fromisoformat(mine['day']):%-d %B}", "ref": mine["ref"], "amount": pretty(mine["cents"])}
    text = d.pick(COMPLAINTS, "complaint").format(**slots, more=d.pick(MORE, "more")).strip()
    signed = f"{contact['full_name']}\n{contact['customer']}"
    subject = d.pick(("Charged twice", f"Charge {mine['ref']}", "A charge too many", "Our statement"), "mail")
    stands_in = me not in {one["id"] for one in team(d, "Support")}  # on a composed day
    to = [list_address(w, "Support"), *([w.person(me).email] if stands_in else [])]
    mail = receive(w, contact["email"], to, subject, letter("all", text, signed))
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, (f"{contact['customer']}", "Double charge", "A refund to settle")),
        "request": d.choose_wording(
            REQUESTS,
            name=contact["full_name"],
            first=contact["first_name"],
            customer=contact["customer"],
            book=f'"{title}"',
        ),
        "book": book,
        "row": row,
        "ref": mine["ref"],
        "customer": contact["customer"],
        "address": contact["email"],
        "mail": mail,
        "edition": "older" if mine["day"] < changed.isoformat() else "newer",
        "part": part / 100,
        "extra": max(share - 100, 0),
        "surplus": max(mine["cents"] * share // 100 - mine["cents"], 0) / 100,
        "owed": owed / 100,
        "whole": (owed + part) / 100,
        "shown": pretty(owed),
    }


def draw_terms(d: Draw, changed: date) -> list[dict[str, int]]:
    """What is returned of a charge in percent, by plan: before and since the change."""
    rng = d.stream("terms", changed.isoformat())
    first, second = rng.choice(((105, 115), (110, 120)))
    older = {"starter": 100, "growth": first, "enterprise": second}
    return [older, {plan: share + rng.choice((5, 10, -5)) + (plan == "starter") * 5 for plan, share in older.items()}]


def draw_charges(d: Draw, contacts: Sequence[Facts], changed: date) -> list[Facts]:
    """Charges that were made twice; the first is the one to settle, the second the same customer's of another day."""
    rng = d.stream("charges")
    amounts = [cents // 100 * 100 for cents in draw_amounts(d, len(contacts), 160, 940)]
    first = rng.integer(2000, 7000)
    late = [d.chance(1 / 2, "late"), *(rng.random() < 0.5 for _ in contacts[1:])]
    return [
        {
            "ref": f"DC-{first + 13 * at}",
            "customer": contact["customer"],
            "cents": amounts[at],
            "day": (changed + timedelta(days=rng.integer(1, 9) if late[at] else -rng.integer(2, 16))).isoformat(),
            "cause": rng.choice(CAUSES),
        }
        for at, contact in enumerate(contacts)
    ]


def list_terms(d: Draw, editions: Sequence[Mapping[str, int]], changed: date) -> Rows:
    """The tab of the terms, with both editions."""
    begin = changed - timedelta(days=d.stream("begin").integer(200, 330))
    return [
        ["Plan", f"Charged from {begin.isoformat()}", f"Charged from {changed.isoformat()}"],
        *([plan, f"{editions[0][plan]} %", f"{editions[1][plan]} %"] for plan in editions[0]),
        ["What we return of a charge that was made twice. The day of the charge decides, not that of the complaint."],
        ["What was paid back for the same charge before is taken off. The plan is the one in Customers & contracts."],
        ["Nothing is granted beyond this without the Finance Lead."],
    ]


def make_refund_book(
    d: Draw, owner: str, title: str, share: list[str], terms: Rows, charges: Sequence[Facts], part: int
) -> tuple[dict[str, str], int]:
    """The book, and the first free row of its list of payments."""
    rng = d.stream("book")
    listed = sorted(charges, key=lambda one: one["day"])
    settled = [one for at, one in enumerate(charges) if at == 1 or (at and rng.random() < 0.7)]
    paid = [[one["ref"], one["customer"], money(one["cents"]), "all of it"] for one in settled]
    if part:
        paid.append([charges[0]["ref"], charges[0]["customer"], money(part), "first part, on the phone"])
    paid = rng.shuffled(paid)
    tabs = {
        "Charges": [
            ["Charge", "Customer", "Day", "EUR", "Why"],
            *([one["ref"], one["customer"], one["day"], money(one["cents"]), one["cause"]] for one in listed),
        ],
        "Terms": terms,
        "Paid back": [["Charge", "Customer", "EUR", "Remark"], *paid],
    }
    return make_book(d.w, owner, title, tabs, share), len(paid) + 1


def solution(scene: Scene) -> Steps:
    """Enter what is owed, tell the customer and the asker."""
    truth = scene.facts("truth")
    shown = truth["shown"]
    yield enter_row("entered", truth, "Paid back", truth["ref"], truth["customer"], f"{truth['owed']:.2f}")
    text = f"You get EUR {shown} back for the second charge. Sorry for the trouble.\n\nKind regards"
    others = (f"Dear customer,\n\nby our terms you get EUR {shown} back for {truth['ref']}.\n\nBest regards",)
    arguments = {"mode": "reply", "inReplyTo": own_copy(scene, truth["mail"]), "text": text}
    yield Step("told", "mail.send", arguments, paraphrases={"text": others})
    wordings = (f"They get €{shown} back, entered and answered.", f"{truth['ref']}: {shown} EUR by the terms.")
    yield reply(scene, f"It comes to EUR {shown}. The entry is made and the customer knows.", wordings=wordings)
    yield Step("finish", "world.finish", {"status": "done"})


LABELS = {
    "owed": (
        "back, get back, gets back, pay back, pays back, paid back, return, returned, refund, refunded, reimbursed, receive, transfer,"
        " gets, get, gave, entered, comes to, makes, owed, is owed, owe them, owe you, we owe, go back, goes back, come back, comes back,"
        " to come, still to come, is left, are left, remains, remain, remaining"
    ),
    "before": "had been paid, has been paid, have had, had already, already had, paid before, paid earlier, on the phone, first part",
    "charged": "charge of, charge over, charged, charge:, charge was, charge is, original charge, charged amount, amount charged",
    "ours": "owe us, owes us, pay us, pays us, to us, pay to us",
}
"""What the texts may call an amount."""
BEYOND = ("voucher", "vouchers", "gift card", "twice that", "double that")
"""What nobody grants by the terms, unless it is denied."""
VOID = r"(?is)(.*\W)?(not|never|nobody|don't|twice|more|void|wrong|cancel\w*|ignore|guess\w*|invented)(\W.*)?"
"""A remark that takes the payment back, or makes another of it."""


def _reckon(sum: Item) -> Item:
    """Facts of an answer in steps: the whole by the terms, what had been paid of it, and what is left."""
    whole = {**sum, "amount": "event.truth.whole"}
    paid = {"amount": "event.truth.part", "currency": "EUR"}
    return {"must": [sum, whole, paid], "only": [{"kind": "amount", "called": "owed"}], "labels": LABELS}


def _grant_more(truth: Facts) -> Item:
    """A text predicate: something comes on top, and not of what had been paid back before, nor by the terms."""
    granted: list[Item] = [{"mentions": one} for one in GRANTED]
    told: list[Item] = []
    if truth["part"]:
        part = _state_one({"amount": truth["part"], "currency": "EUR"}, {"count": truth["part"]})
        told.append({"all_of": [{"mentions": "on top of"}, part], "none_of": granted})
    if truth["extra"]:
        surplus = _state_one({"percentage": truth["extra"]}, {"amount": truth["surplus"], "currency": "EUR"})
        told.append({"all_of": [surplus, _name_shares(truth)], "none_of": granted[:-1]})
    on_top = {"must": [{"text": "on top", "called": "granted"}], "labels": GRANTS}
    return {"all_of": [{"facts": on_top}], "none_of": told}


def _state_one(*facts: Item) -> Item:
    return {"any_of": [{"facts": {"must": [one]}} for one in facts]}


def _name_shares(truth: Facts) -> Item:
    """A text predicate: of percentages there are only those of the terms, or none."""
    extra, whole = ({"percentage": share} for share in (truth["extra"], 100 + truth["extra"]))
    shares = ([extra], [whole], [extra, whole])
    known = [{"facts": {"must": one, "only": ["percentage"]}} for one in shares]
    return {"any_of": [*known, {"none_of": [{"facts": {"some": ["percentage"]}}]}]}


GRANTS = {
    "granted": "offer, offered, give, giving, grant, granted, add, promise, get, pay, possible, allowed, foreseen, provided for, included",
    "refused": "beyond, decline, declined, refuse, refused, turned down, no discount, nothing",
}
"""What is said of something on top; what is not granted is refused."""
GRANTED = (
    "discount",
    "as they wanted",
    "as they wished",
    "as you wanted",
    "as you wished",
    "percent on top",
)


def rubric(truth: Facts) -> RubricSource:
    """The row of the payment; the amount to the customer, and to the asker."""
    sum = {"amount": "event.truth.owed", "currency": "EUR", "called": "owed"}
    owed = {
        "facts": {"must": [sum], "only": [{"kind": "amount", "called": "owed"}], "labels": LABELS},
        "none_of": [
            *({"facts": {"must": [{"text": one}]}} for one in BEYOND),
            _grant_more(truth),
            {"claims": {"subject": "fee", "state": "off the table"}},
        ],
    }
    reckoned = {**owed, "facts": {"must": [sum], "labels": LABELS}}
    told_in_steps = {"any_of": [{"facts": owed["facts"]}, {"facts": _reckon(sum)}], "none_of": owed["none_of"]}
    told = expect_mail("event.truth.address", reckoned, id="told", weight=2, gate=True)
    items = [
        row_cell("ref", "Paid back", 0, {"input_from": "event.truth.ref"}),
        row_cell("customer", "Paid back", 1, {"input_from": "event.truth.customer"}),
    ]
    fair = {"input": {"none_of": [{"matches": VOID}]}}
    remark = {"insert": "sheets_cell", "where": {**place_cell("Paid back", 3), **fair}, "max": 1}
    paid = {"id": "paid", "call": "predicates.check_paid", "claims": ["sheets_cell"], "weight": 3}
    return make_rubric(
        [*items, told, expect_reply(truth, told_in_steps if truth["part"] else owed)],
        refs={"book": BOOK},
        python=[paid],
        allow=[remark],
        never=[nobody_outside("event.truth.address"), not_to_all()],
    )
