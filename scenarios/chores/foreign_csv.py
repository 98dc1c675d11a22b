"""Figures of another office came by mail in its own spelling: they go into the sheet as numbers and dates."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from scenarios.office.books import BOOK, cell, draw_amounts, list_workdays, make_book, money, write
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Enter figures that another office wrote in its own spelling",
    apps=("sheets", "gmail"),
    calls=(9, 22),
    traps={
        "comma": "literal: pastes texts, or reads 1.234 as one and a bit",
        "day": "hasty: takes 03.04. for the fourth of March",
        "there": "hasty: overwrites a figure that is there already",
        "unknown": "forgetful: does not say that a number has no row",
    },
)

REQUESTS = (
    "{sender} has mailed you the figures of {office}. Could you put them into {book}? Nothing that is there already may change. Tell me"
    " which numbers you could not enter.",
    "can you get the {office} figures into {book}? you have them in a mail from {sender}. don't overwrite anything, just list the numbers"
    " that don't fit for me",
    "Please transfer the list that {sender} sent you to {book}. The sheet calculates with it, so be careful with their way of writing. I"
    " need to know which numbers are left over.",
    "The figures of {office} are in your inbox ({sender}), and {book} is waiting for them. Existing entries stay as they are. Which"
    " numbers do I have to clear up with {sender}?",
    "Would you type the {office} list from {sender}'s mail into {book} for me? Filled cells are final. Write me the numbers you had to"
    " leave out.",
)
OFFICES = (
    ("Berlin", "{day:%d.%m.%Y}", "."),
    ("Lisbon", "{day:%d/%m/%Y}", "."),
    ("Warsaw", "{day:%d.%m.%Y}", " "),
    ("Paris", "{day:%d/%m/%Y}", " "),
    ("Copenhagen", "{day:%d-%m-%Y}", "."),
    ("Milan", "{day:%d/%m/%y}", "."),
)
ITEMS = (
    "Rent",
    "Cleaning",
    "Power",
    "Internet",
    "Coffee",
    "Repairs",
    "Travel",
    "Paper",
    "Insurance",
    "Parking",
    "Plants",
    "Phones",
)
BOOKS = ("Office costs", "Costs by office", "Side costs {office}", "{office} ledger", "Payments {office}")
LEADS = (
    "Hi {me},\n\nhere is our list, straight from the bookkeeping here in {office}. We write day before month, as always.",
    "Hello {me},\n\nthe figures of {office}. Copied from our own program, dates are day first.",
    "Dear {me},\n\nas promised, the {office} costs (day, month, year).",
)
HEADS = ("Nr;Datum;Betrag", "No;Date;Amount EUR", "Number;Day;Sum")
RULES = (
    ("Amounts are numbers and days are dates, so that the sheet can add and sort them.",),
    ("A filled cell is final. A number without a row gets none here.",),
)


def draw(d: Draw) -> Facts:
    """Make the sheet, and let a colleague send a list in another spelling."""
    w = d.w
    sender, me, asker, owner = d.sample(d.people(), 4, "people", me=1)
    office, style, thousands = d.pick(OFFICES, "office")
    lines = draw_lines(d)
    title = d.pick(BOOKS, "title").format(office=office)
    rows = [one for one in lines if one["kind"] != "unknown"]
    for number, one in enumerate(rows):
        one["row"] = number + 1
    listed = [list_row(one) for one in rows]
    sums = ["Total", "", f"=SUM(C2:C{len(rows) + 1})", ""]
    tabs = {office: [["Number", "What", "EUR", "Paid on"], *listed, [], sums], "Notes": RULES}
    book = make_book(w, owner["id"], title, tabs, [me["id"], asker["id"]])
    sent = [one for one in d.stream("order").shuffled(lines) if one["kind"] != "silent"]
    body = "\n".join(
        f"{one['number']}{one['pad']};{style.format(day=one['date'])};{spell(one['cents'], thousands)}" for one in sent
    )
    rng = d.stream("mail")
    text = f"{rng.choice(LEADS).format(me=me['first_name'], office=office)}\n\n{rng.choice(HEADS)}\n{body}\n\n{sender['first_name']}"
    subject = rng.choice((f"{office}: figures", "Our list", f"Costs {office}", "Figures as promised"))
    w.act(sender["id"], "mail.send", to=[me["email"]], subject=subject, text=text)
    return {
        "me": me["id"],
        "asker": asker["id"],
        **choose_place(d, me["id"], asker["id"], ("Figures", f"{office}'s list", "Office costs", "Numbers to enter")),
        "request": d.choose_wording(REQUESTS, sender=sender["full_name"], office=office, book=f'"{title}"'),
        "book": book,
        "office": office,
        "entered": {
            f"n{one['row']}": {
                "row": one["row"],
                "amount": shortest(one["cents"]),
                "iso": one["iso"],
                "serial": one["serial"],
            }
            for one in rows
            if one["kind"] == "new"
        },
        "others": [one["number"] for one in rows if one["kind"] == "new"],
        "left": {
            f"x{number}": one["number"] for number, one in enumerate(lines) if one["kind"] in ("unknown", "other")
        },
    }


def draw_lines(d: Draw) -> list[dict[str, Any]]:
    """Ten lines: new ones, some that are filled already, some without a row."""
    rng = d.stream("lines")
    kinds = rng.shuffled(["new"] * 6 + ["unknown", "silent", "other" if d.chance(2 / 3, "other") else "same"])
    amounts = draw_amounts(d, len(kinds), 40, 2600)
    items, first = d.sample(ITEMS, len(kinds), "items"), rng.integer(1100, 8000)
    start = list_workdays(d, 1)[0] - timedelta(days=70)
    lines: list[dict[str, Any]] = []
    for at, kind in enumerate(kinds):
        day = start + timedelta(days=rng.integer(0, 50))
        whole = kind == "new" and [one["kind"] for one in lines].count("new") < 2
        cents = rng.integer(10, 99) * 10_000 + rng.integer(1, 9) * 1_000 + 400 if whole else amounts[at]
        lines.append(
            {
                "number": f"{'ABKX'[at % 4]}{first + 31 * at}",
                "kind": kind,
                "item": items[at],
                "cents": cents,
                "date": day,
                "iso": day.isoformat(),
                "serial": str((day - date(1899, 12, 30)).days),
                "pad": rng.choice(("", "", " ", "  ")),
            }
        )
    return lines


def list_row(line: Facts) -> list[object]:
    """The row of a number; a filled one has its figures, or others."""
    if line["kind"] not in ("same", "other"):
        return [line["number"], line["item"]]
    cents = line["cents"] + (1_100 if line["kind"] == "other" else 0)
    return [line["number"], line["item"], money(cents), line["iso"]]


def spell(cents: int, thousands: str) -> str:
    """`1.234,50`: an amount with a decimal comma; round ones have none."""
    whole = f"{cents // 100:,}".replace(",", thousands)
    return whole if cents % 100 == 0 else f"{whole},{cents % 100:02d}"


def shortest(cents: int) -> str:
    """`1234.5`: an amount as a cell keeps it."""
    return f"{cents / 100:.2f}".rstrip("0").rstrip(".")


def solution(scene: Scene) -> Steps:
    """Enter amount and day of each number that has an empty row, and name the others."""
    truth = scene.facts("truth")
    for name, one in truth["entered"].items():
        yield write(name, truth["book"], f"'{truth['office']}'!C{one['row'] + 1}", one["amount"], one["iso"])
    left: Sequence[str] = list(truth["left"].values())
    yield reply(
        scene,
        f"The figures are in. I left out {' and '.join(left)}: please clear that up.",
        wordings=(f"All entered but {', '.join(left)}.",),
    )
    yield Step("finish", "world.finish", {"status": "done"})


LABELS = {
    "left": (
        "left out, leave out, left over, left alone, could not enter, couldn't enter, can't enter, not enter, not "
        "entered, not in, not type, not typed, not transferred, not put in, not fit, not match, no match, clear "
        "up, clarify, ask, no row, no line, without a row, unknown, missing, skipped, omitted, open, differ, "
        "differs, different, another amount, other figures, filled already, already filled, was "
        "filled, were filled, filled with, already has, already had, already there, had figures already, unclear, questions, not exist, not there"
    ),
    "entered": (
        "entered, are in, is in, all in, done, typed, transferred, added, filled, found rows, found a row, in the "
        "sheet now, fitted, fitted in, fitted as well, fit as well, went in, have rows, has a row, fine"
    ),
}
"""What the answer may call a number."""


def rubric(truth: Facts) -> RubricSource:
    """Amount and day of each number, typed as such, and the numbers that are left over."""
    cells: list[Item] = []
    for name, one in truth["entered"].items():
        row = f"event.truth.entered.{name}.row"
        amount, day = {"kind": "number", "input": one["amount"]}, {"kind": "number", "input": one["serial"]}
        cells.append(cell(f"amount_{name}", truth["office"], row, 2, amount, empty=True, weight=2))
        cells.append(cell(f"day_{name}", truth["office"], row, 3, day, empty=True))
    facts = {
        "must": [{"text": f"event.truth.left.{name}", "called": "left"} for name in truth["left"]],
        "never": [{"text": "event.truth.others", "called": "left"}],
        "labels": LABELS,
    }
    told = expect_reply(truth, {"facts": facts}, weight=2)
    return make_rubric([*cells, told], refs={"book": BOOK})
