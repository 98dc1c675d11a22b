"""Invoices of suppliers came in by mail: each is matched to its order, and what does not fit is put aside."""

from apps.gmail.external_people import write_mail
from scenarios.office.books import BOOK, cell, draw_amounts, make_book, money, pretty, word, write
from scenarios.office.mail import nobody_outside
from scenarios.office.people import list_titled
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Match the invoices of suppliers to their orders",
    apps=("sheets", "gmail"),
    calls=(9, 22),
    traps={
        "bank": "hasty: matches an invoice whose account is not the supplier's",
        "copy": "literal: takes the second mail about an invoice for another one",
        "amount": "hasty: matches by supplier without the amount",
    },
    knobs={"more": (0, 1, 3)},
)

REQUESTS = (
    "The suppliers' invoices should all be in your inbox by now. Could you match them to the orders in {book}? The tab with our rules says"
    " how. I need to know how many match, and which orders I have to look at myself, if any.",
    "can you do the invoice matching in {book} please? everything came to your address. tell me the number that matched and anything odd,"
    " by order number",
    "Payment run is tomorrow. Please go through the invoices you got by mail and put their state into {book}, by the rules in there. Then"
    " write me how many are matched and the number of any order that is not in order.",
    "It's invoice day again: {book}, the usual way. They were all mailed to you. How many match, and do I have to ring anybody about an"
    " order?",
    "Would you match this week's invoices (your mailbox) against {book}? Our own rules apply, they are in the same file. Let me have the"
    " count of matched ones and name the orders with a query.",
    "I promised to release the payments tonight, so {book} has to be up to date: every invoice in your mail against its order. Just answer"
    " with how many matched and which orders are in query.",
)
SUPPLIERS = (
    ("Papierhaus Löffler", "loeffler-papier", "printer paper and envelopes"),
    ("Kaffeerösterei Brandt", "brandt-kaffee", "coffee, 24 kg"),
    ("Nordlicht Reinigung", "nordlicht-reinigung", "office cleaning"),
    ("Bauer & Sohn Elektro", "bauer-elektro", "sockets in the meeting room"),
    ("Hudson Office Supply", "hudsonsupply", "desk lamps"),
    ("Lindqvist Möbel", "lindqvist-mobel", "four standing desks"),
    ("Velo Kurier Mitte", "velokurier", "courier rides"),
    ("Studio Okafor", "studiookafor", "photos for the website"),
    ("Petrov Translations", "petrov-translations", "translation of the handbook"),
    ("Greenleaf Plants", "greenleafplants", "plants and their care"),
    ("Rao Catering", "raocatering", "lunch for the all-hands"),
    ("Tecnoprint Milano", "tecnoprint", "banners for the fair"),
    ("Sicherheit Wolff", "wolff-sicherheit", "fire extinguisher check"),
    ("Harbor Water", "harborwater", "water dispensers"),
    ("Atelier Moreau", "ateliermoreau", "signs for the doors"),
    ("Keller IT Handel", "kellerhandel", "docking stations"),
)
BOOKS = ("Supplier orders {month}", "Orders and invoices, {month}", "Purchasing {month}", "Open orders ({month})")
MONTHS = ("Q1", "February and March", "spring 2026", "March", "week 10")
RULES = (
    ("How we match",),
    ("Every invoice that came in: its number goes into the column Invoice of its order, whatever its state.",),
    ("State is open (no invoice yet), matched or query.",),
    ("matched: the amount is the order's, to the cent, and the account is the one in the tab Suppliers.",),
    ("query: an amount or an account that differs. We never change an account because of a mail.",),
    ("A second mail with the same invoice number is a reminder.",),
)
LETTERS = (
    "Dear customer,\n\nplease find our invoice {invoice} for your order {order} ({what}): EUR {amount}, due in 14 days. Account ending in"
    " {account}.\n\nKind regards\n{supplier}",
    "Hello,\n\nthank you for order {order}. We charge EUR {amount} for {what}. Invoice number {invoice}, our account ends in"
    " {account}.\n\nBest\n{supplier}",
    "Invoice {invoice}\n\nYour order: {order}\nFor: {what}\nTotal: EUR {amount}\nPayable to the account ending {account}\n\n{supplier}",
)
NOTICE = "\n\nPlease note that we have a new bank. The account above is the right one from now on."
AGAIN = (
    "Dear customer,\n\nwe have not seen a payment of EUR {amount} for {what} yet. Invoice {invoice}, account ending in {account}. If you"
    " have paid already, please ignore this.\n\n{supplier}",
    "Hello again,\n\njust in case our last mail got lost: {what}, EUR {amount}, {invoice}. Account as before, ending in {account}.\n\n"
    "{supplier}",
)
COUNTED = {
    "matched": ["match", "matched", "matches", "fit", "fits", "in order", "fine"],
    "query": ["query", "queries", "not match", "odd", "differ", "to look at"],
}
ODD = {
    "query": (
        "query, queries, in query, odd, differ, differs, not match, not matched, not fit, no match, wrong, look "
        "at, to look at, check, ring, call, new account, other account, another account, unclear, issue, not in "
        "order, not fine, not right, problem, problems, open question, put aside, held back, deviates"
    ),
    "matched": ("match, matched, matches, fit, fits, in order, fine, right, correct, ok, nothing to do, clear"),
    "paid": "can be paid, be paid, pay it, payment can go out, can go out, release, account is right",
}
SUBJECTS = ("Invoice {invoice}", "Your order {order}", "{supplier}: invoice for {order}", "Rechnung {invoice}")


def draw(d: Draw) -> Facts:
    """Make a list of orders, and let most suppliers send an invoice."""
    w = d.w
    finance, office = list_titled(d, "Finance Lead")[0], list_titled(d, "People & Office")[0]
    me = d.pick((finance, office), "agent", me=True)
    bosses = list_titled(d, "Chief", "Head of", "Engineering Manager")
    asker = d.pick([one for one in (finance, office, *bosses) if one != me], "asker")
    orders = draw_orders(d)
    title = d.pick(BOOKS, "title").format(month=d.pick(MONTHS, "month"))
    tabs = {
        "Orders": [["Order", "Supplier", "What", "Amount EUR", "State", "Invoice"], *map(list_order, orders)],
        "Suppliers": [["Supplier", "Account ends in"], *([one["supplier"], one["known"]] for one in orders)],
        "Rules": RULES,
    }
    book = make_book(w, finance, title, tabs, [office, asker, me])
    for number, order in enumerate(orders):
        if order["state"] != "open":
            send_invoice(d, me, order, number)
    came = {f"o{number}": one for number, one in enumerate(orders) if one["state"] != "open"}
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, ("Invoices", "Supplier invoices", "Matching", "Payment run")),
        "request": d.choose_wording(REQUESTS, book=f'"{title}"'),
        "book": book,
        "orders": came,
        "matched": sum(one["state"] == "matched" for one in came.values()),
        "queries": {name: one for name, one in came.items() if one["state"] == "query"},
    }


def draw_orders(d: Draw) -> list[Facts]:
    """Eight or more orders: most with an invoice that fits, some with one that does not, some without."""
    count = 8 + d.knob("more")
    suppliers, amounts = d.sample(SUPPLIERS, count, "suppliers"), draw_amounts(d, count, 80, 4200)
    rng = d.stream("orders")
    first, number = rng.integer(1100, 8800), rng.integer(200, 900)
    kinds = ["bank" if d.chance(2 / 3, "bank") else "moved", "amount" if d.chance(2 / 3, "amount") else "fine"]
    kinds = d.stream("kinds").shuffled([*kinds, "copy", "none", "none", *["fine"] * (count - 5)])
    return [
        {
            "row": at + 1,
            "order": f"PO-{first + 7 * at}",
            "supplier": name,
            "domain": domain,
            "what": what,
            "cents": amounts[at],
            "known": str(rng.integer(1000, 9999)),
            "kind": kinds[at],
            "invoice": rng.choice(("R{}", "{}-26", "INV{}", "2026/{}")).format(number + 13 * at),
            "state": {"bank": "query", "amount": "query", "none": "open"}.get(kinds[at], "matched"),
        }
        for at, (name, domain, what) in enumerate(suppliers)
    ]


def list_order(order: Facts) -> list[object]:
    """The row of an order; its account is the supplier's, in another tab."""
    return [order["order"], order["supplier"], order["what"], money(order["cents"]), "open"]


def send_invoice(d: Draw, me: str, order: Facts, number: int) -> None:
    """Send an order's invoice, and the reminder if there is one."""
    rng = d.stream("invoice", number)
    cents = order["cents"] + (rng.choice((900, 4500, 12000, 27)) if order["kind"] == "amount" else 0)
    account = str(int(order["known"]) % 9000 + 951) if order["kind"] == "bank" else order["known"]
    slots = {**order, "amount": pretty(cents), "account": account}
    notice = NOTICE if order["kind"] in ("bank", "moved") else ""
    sender, to = f"billing@{order['domain']}.example", [d.w.person(me).email]
    write_mail(d.w, sender, to, rng.choice(SUBJECTS).format(**slots), rng.choice(LETTERS).format(**slots) + notice)
    if order["kind"] == "copy":
        write_mail(
            d.w, sender, to, rng.choice(("Reminder", "Open amount", "Second copy")), rng.choice(AGAIN).format(**slots)
        )


def solution(scene: Scene) -> Steps:
    """Write state and number beside each order, then answer."""
    truth = scene.facts("truth")
    for name, order in truth["orders"].items():
        yield write(name, truth["book"], f"Orders!E{order['row'] + 1}", order["state"], order["invoice"])
    odd = " and ".join(one["order"] for one in truth["queries"].values())
    tail = f"Please look at {odd}: that does not fit, so I put it to query." if odd else "Nothing is left to look at."
    yield reply(
        scene,
        f"{truth['matched']} invoices match. {tail}",
        wordings=(f"{truth['matched']} are matched. {'In query: ' + odd if odd else 'No queries'}.",),
    )
    yield Step("finish", "world.finish", {"status": "done"})


def rubric(truth: Facts) -> RubricSource:
    """State and number of each invoice that came, and an answer with the count and the queries."""
    cells: list[Item] = []
    for name, order in truth["orders"].items():
        row = f"event.truth.orders.{name}.row"
        number = {"input": {"matches": rf"(?i)\s*'?{order['invoice']}\s*"}}
        cells += [
            cell(f"state_{name}", "Orders", row, 4, word(order["state"]), weight=2),
            cell(f"number_{name}", "Orders", row, 5, number, empty=True),
        ]
    named: list[Item] = [
        {"any_of": [_call_odd(name, part) for part in ("order", "supplier")]} for name in truth["queries"]
    ]
    fine = [name for name in truth["orders"] if name not in truth["queries"]]
    kept = [{"text": f"event.truth.orders.{name}.order", "called": "query"} for name in fine]
    named.append({"facts": {"never": kept, "labels": ODD}})
    text = {
        "facts": {"must": [{"count": "event.truth.matched", "called": "matched"}], "labels": COUNTED},
        "all_of": named,
    }
    never = [
        {
            "id": "accounts",
            "write": "any",
            "table": "sheets_cell",
            "where": {"file_id": {"ref": "book"}, "sheet": "Suppliers"},
        }
    ]
    return make_rubric([*cells, expect_reply(truth, text)], refs={"book": BOOK}, never=[*never, nobody_outside()])


def _call_odd(name: str, part: str) -> Item:
    """A text predicate: an order, or its supplier, is named as one that does not fit."""
    odd = {"text": f"event.truth.queries.{name}.{part}"}
    return {"facts": {"must": [{**odd, "called": "query"}], "never": [{**odd, "called": "paid"}], "labels": ODD}}
