"""Credits that were agreed in tickets are compared with the ledger: what is missing is booked, what is double is marked."""

from collections.abc import Mapping, Sequence
from typing import Any

from scenarios.office.accounts import today
from scenarios.office.books import draw_amounts, list_workdays, make_book, money, pretty
from scenarios.office.mail import list_contacts
from scenarios.office.people import find_titled, list_titled
from scenarios.office.questions import write_letter
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import comment, open_ticket
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Find agreed credits that never reached the ledger",
    apps=("jira", "sheets", "gmail"),
    calls=(4, 26),
    split="test",
    traps={
        "discount": "literal: books a credit that was replaced by a discount",
        "changed": "hasty: books the amount of the description, not the one agreed on later",
        "booked": "hasty: books a credit again whose row has no ticket",
        "waiting": "hasty: books a credit that nobody has approved",
        "mailed": "forgetful: leaves out the credit that stands in a mail only",
        "double": "forgetful: does not mark the row that was booked twice",
    },
)

REQUESTS = (
    "Which of the credits with the label {label} never reached the ledger? Please book them in {book}, mark what is there twice, and give me"
    " the sum you added. {name} has one without a ticket, it is in your mail.",
    "can you reconcile the {label} credits with {book}? missing ones in, doubles marked, by the rules of the book. {name} wrote you about"
    " one more. i need the sum of what you add",
    "Customers complain that credits do not arrive. Would you compare the tickets labelled {label}, and the mail from {name} to you, with"
    " {book}, add what is missing and mark the double? Tell me the total of the new rows.",
    "Before the quarter closes: every approved credit of {label} must stand once in {book}. Please see to it. One more came from {name} to"
    " you by mail. What is the total of those you had to enter?",
    "{book} does not have all credits, I fear. The tickets carry {label}, and {name} mailed you one that has none. Please complete the"
    " ledger, mark rows that are there twice and answer with the amount added in total.",
)
BOOKS = ("Credit ledger", "Ledger of credits", "Credits to customers", "Credit notes, ledger")
LABELS = ("credit-q1", "credits-2026", "goodwill", "credit-winter", "credit-run")
RULES = (
    ("One row for each credit. New rows go below the last one: customer, ticket (or mail), EUR.",),
    (
        "Booked is what is approved on the ticket, with the amount agreed on last. A credit without a ticket needs the mail of who agreed.",
    ),
    ("What the customer gets in another way is no credit.",),
    ("A row that is there twice stays. The later one gets the word double under Remark.",),
)
REASONS = (
    "webhooks that came twice",
    "the export that stood still for a day",
    "the wrong VAT rate in January",
    "two refunds that were late",
    "the outage of the dashboard",
    "the reader that never arrived",
    "a fee that was charged too early",
    "statements without a logo",
    "the slow settlement in February",
    "wrong rates over a weekend",
)
SUMMARIES = (
    "Credit for {customer}: {reason}",
    "{customer}, credit for {reason}",
    "{customer} gets a credit ({reason})",
)
ASKED = ("They ask for EUR {eur}.", "EUR {eur} as a credit, they say.", "Proposal: EUR {eur}.")
APPROVED = ("Approved, EUR {eur}.", "Fine with me: approved with EUR {eur}.", "EUR {eur} is approved.")
CHANGED = (
    "After the call with them it is EUR {new} instead of {eur}. Approved.",
    "They found one more week, so we make it EUR {new}. Approved as well.",
    "Settled on EUR {new}, that is approved now. Please forget the {eur}.",
)
REPLACED = (
    "They take ten percent off the next invoice instead. No credit then.",
    "Changed: they get two months free on the next contract in place of the credit.",
    "They would rather have a discount on the renewal, which legal has signed. So nothing to book here.",
)
WAITING = (
    "Looks a lot to me. I want to see the log before I approve this.",
    "Not approved yet, I have asked them for the invoice numbers.",
    "Let me talk to them first, please.",
)
MAILS = (
    "I agreed on a credit of EUR {eur} with {customer} for {reason}. There is no ticket for it, my mail has to do.",
    "{customer} gets EUR {eur} from us for {reason}. I have approved it, I just never opened a ticket.",
    "Please take one more along: EUR {eur} for {customer}, because of {reason}. Approved by me, no ticket.",
)
SUBJECTS = ("One more credit", "Credit for {customer}", "{customer}", "A credit without a ticket")


def draw(d: Draw) -> Facts:
    """Agree on credits in tickets and in a mail, and make a ledger that lacks some and has one twice."""
    w = d.w
    asker = d.pick(list_titled(d, "Finance Lead", "Chief", "Head of"), "asker")
    success = [one["id"] for one in find_titled(d, "Customer Success", "Head of Customer Success", "Head of Support")]
    boss, seller = d.sample([one for one in success if one != asker], 2, "people of customers")
    me = d.pick([one["id"] for one in d.people() if one["id"] not in (asker, boss, seller)], "agent", me=True)
    label = d.pick(LABELS, "label")
    credits = draw_credits(d)
    for number, one in enumerate(credits):
        agree(d, number, one, {"me": me, "boss": boss, "seller": seller, "label": label})
    rows, booked = list_ledger(d, credits)
    added = [one for one in credits if one["kind"] in ("missing", "changed", "mailed")]
    title = d.pick(BOOKS, "title")
    head = ["Day", "Customer", "Ticket", "EUR", "Remark"]
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, ("Credits", "Ledger", "Missing credits", f"{label}: what is missing")),
        "request": d.choose_wording(REQUESTS, label=label, book=f'"{title}"', name=w.person(seller).full_name),
        "book": make_book(w, asker, title, {"Ledger": [head, *rows], "Rules": RULES}, [me]),
        "last": len(rows) + 1,
        "today": today(d).isoformat(),
        "double": booked,
        "added": {
            f"a{number}": {"customer": one["customer"], "key": one["key"], "eur": money(one["final"])}
            for number, one in enumerate(added)
        },
        "kept": [one["key"] for one in credits if one not in added],
        "sum": sum(one["final"] for one in added) / 100,
        "spoken": pretty(sum(one["final"] for one in added)),
    }


def draw_credits(d: Draw) -> list[dict[str, Any]]:
    """Nine credits, each with a customer, a reason and an amount; one or two are missing without more."""
    rng = d.stream("credits")
    kinds = ["booked", "booked", "double", "nameless", "missing", "mailed", "discount", "waiting"]
    kinds = rng.shuffled([*kinds, "changed" if d.chance(2 / 3, "changed") else "missing"])
    customers = sorted({one["customer"] for one in list_contacts(d.w)})
    amounts, reasons = draw_amounts(d, 2 * len(kinds), 40, 1900), d.sample(REASONS, len(kinds), "reasons")
    names = (rng.shuffled(customers) * 2)[: len(kinds)]
    return [
        {
            "kind": kind,
            "customer": customer,
            "reason": reason,
            "asked": amounts[2 * at],
            "final": amounts[2 * at + 1] if kind == "changed" else amounts[2 * at],
            "key": "mail",
        }
        for at, (kind, customer, reason) in enumerate(zip(kinds, names, reasons, strict=True))
    ]


def agree(d: Draw, number: int, credit: dict[str, Any], who: Mapping[str, str]) -> None:
    """Let people agree on a credit, in a ticket or by mail; a ticket's key goes into the credit."""
    w, rng = d.w, d.stream("agree", number)
    slots = {"customer": credit["customer"], "reason": credit["reason"]}
    slots |= {"eur": pretty(credit["asked"]), "new": pretty(credit["final"])}
    if credit["kind"] == "mailed":
        text = rng.choice(MAILS).format(**slots)
        write_letter(w, who["seller"], who["me"], rng.choice(SUBJECTS).format(**slots), text)
        return
    summary, text = rng.choice(SUMMARIES).format(**slots), rng.choice(ASKED).format(**slots)
    credit["key"] = open_ticket(w, who["seller"], summary, text, kind="Task", labels=[who["label"]])
    said = {"waiting": (WAITING,), "discount": (APPROVED, REPLACED), "changed": (APPROVED, CHANGED)}
    for texts in said.get(credit["kind"], (APPROVED,)):
        comment(w, who["boss"], credit["key"], rng.choice(texts).format(**slots))


def list_ledger(d: Draw, credits: Sequence[Facts]) -> tuple[list[list[object]], int]:
    """The rows of the ledger, and the index of the one that is there for the second time."""
    rng = d.stream("ledger")
    rows = [
        [one["customer"], "" if one["kind"] == "nameless" else one["key"], money(one["final"]), ""]
        for one in credits
        if one["kind"] in ("booked", "double", "nameless")
    ]
    old = [
        [one["customer"], f"SHOP-{rng.integer(2, 60)}", money(rng.integer(50, 900) * 100), ""] for one in credits[:4]
    ]
    twice = next([one["customer"], one["key"], money(one["final"]), ""] for one in credits if one["kind"] == "double")
    rows = [*old, *rng.shuffled(rows)]
    first = rows.index(twice)
    at = rng.integer(first + 1, len(rows))
    rows.insert(at, list(twice))
    days = list_workdays(d, len(rows))
    listed = [
        [day.replace(year=day.year - 1, month=12).isoformat() if day.day < 29 else f"{day.year - 1}-12-28", *row]
        for day, row in zip(days, rows, strict=True)
    ]
    return listed, at + 1


def solution(scene: Scene) -> Steps:
    """Mark the double, add the missing rows, tell the sum."""
    truth = scene.facts("truth")
    place = {"spreadsheetId": truth["book"]["key"], "valueInputOption": "USER_ENTERED"}
    mark = {**place, "range": f"Ledger!E{truth['double'] + 1}", "values": [["double"]]}
    yield Step("mark", "spreadsheets.values.update", mark, repeatable=True)
    rows = [[one["customer"], one["key"], one["eur"]] for one in truth["added"].values()]
    add = {**place, "range": f"Ledger!B{truth['last'] + 1}", "values": rows}
    yield Step("add", "spreadsheets.values.update", add, repeatable=True)
    total = truth["spoken"]
    yield reply(
        scene,
        f"I added {len(rows)} credits, EUR {total} in total, and marked one row as double.",
        wordings=(f"The missing ones come to €{total}. They are in the ledger now.",),
    )
    yield Step("finish", "world.finish", {"status": "done"})


MARK = (
    r"(?i)\W*doubled?\W*((of|see|to|entry|booking|booked|row|line|in|with|from|above|the|first|earlier|other|as|same|already|ticket|credit"
    r"|[A-Z]+-\d+|[A-E]?\d+)\W*)*"
)
"""A remark that calls a row double, and at most says of which."""
CALLED = {
    "added": (
        "added, add, missing, were missing, new rows, new, total, sum, in total, together, entered, booked, come to, comes to, altogether, in"
        " all, never reached"
    ),
    "other": (
        "double, twice, booked twice, were there, there already, already there, each, per row, for each, get back, back from, discount, waiting,"
        " not approved, left out, replaced"
    ),
}
"""What the answer may call an amount."""


def rubric(truth: Facts) -> RubricSource:
    """Rows of the missing credits and no other, the mark, and the sum."""
    marked = {
        "id": "marked",
        "insert": "sheets_cell",
        "where": {
            "file_id": {"ref": "book"},
            "sheet": "Ledger",
            "row_from": "event.truth.double",
            "col": 4,
            "input": {"matches": MARK},
        },
        "weight": 2,
    }
    refs = {"book": {"table": "drive_file", "where": {"key_from": "event.truth.book.key"}}}
    python = [
        {"id": f"added_{name}", "call": f"predicates.check_{name}", "claims": ["sheets_cell"], "weight": 2}
        for name in truth["added"]
    ]
    total = {"amount": "event.truth.sum", "currency": "EUR", "tol": 0.01, "called": "added"}
    answer = expect_reply(truth, {"facts": {"must": [total], "labels": CALLED}}, weight=2)
    keys = {name: one for name, one in truth["added"].items() if one["key"] != "mail"}
    tickets = {
        f"ticket_{name}": {"table": "jira_issue", "where": {"key_from": f"event.truth.added.{name}.key"}}
        for name in keys
    }
    booked = [{"facts": {"must": [{"text": one}]}} for one in ("booked", "in the ledger", "entered", "added")]
    words = {"field": "body_text", "any_of": booked, "none_of": [{"mentions": one} for one in ("not", "nothing", "no")]}
    allow = [
        {"insert": "jira_comment", "where": {"issue_id": {"ref": name}}, "text": {**words, "max_chars": 300}, "max": 1}
        for name in tickets
    ]
    off = [{"claims": {"subject": one, "state": "rejected"}} for one in ("this", "it", "credit", "the credit")]
    refused = {"field": "body_text", "any_of": [*off, {"mentions": "not approved"}, {"mentions": "nothing"}]}
    never = [
        {
            "id": f"refused_{name}",
            "insert": "jira_comment",
            "where": {"issue_id": {"ref": name}, "author": {"ref": "agent"}},
            "text": refused,
        }
        for name in tickets
    ]
    return make_rubric([marked, answer], refs={**refs, **tickets}, python=python, allow=allow, never=never)
