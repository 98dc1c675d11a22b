"""The workbooks of money: budget, vendors, the offices' cash, payouts; and a copy that lost what it refers to."""

from collections.abc import Sequence
from datetime import date, timedelta

from seeds.rows.sheets_builder import AMBER, RED, Input, Paper, PlantedError, TabBuilder
from seeds.rows.sheets_customers import euros
from seeds.rows.sheets_facts import MONTHS, SheetFacts

FEES = {"enterprise": 62, "growth": 88, "starter": 119}  # of ten thousand


def budget(known: SheetFacts) -> Paper:
    """The second quarter by line, the first by team."""
    pages = [_quarter(known), _teams(known)]
    shared = (("ceo", "writer"), ("cto", "reader"))
    return Paper(
        "budget",
        "Budget 2026",
        known.seat("finance"),
        "Finance",
        pages,
        118,
        3.9,
        shared=shared,
        starred=("ceo", "cto"),
    )


def _quarter(known: SheetFacts) -> TabBuilder:
    page = TabBuilder("Q2", (170, 120, 120, 120, 90, 150, 320), frozen=1)
    rows: list[Sequence[Input]] = []
    for row, one in enumerate(known.pack["budget"], 2):
        owner = known.who(one["owner"], "cto").full
        rows.append(
            (
                one["line"],
                one["plan"],
                one["forecast"],
                f"=C{row}-B{row}",
                f"=ROUND(D{row}/B{row},3)",
                owner,
                one["note"],
            )
        )
    first, end = page.table(
        ("Line", "Plan", "Forecast", "Variance", "%", "Who knows", "Note"),
        rows,
        ("bold", "eur0", "eur0", "eur0", "pct", "", "note"),
    )
    sums = [f"=SUM({column}{first + 1}:{column}{end})" for column in "BCD"]
    page.line(
        ("Total", *sums, f"=ROUND(D{end + 1}/B{end + 1},3)"), ("sum", "sum eur0", "sum eur0", "sum eur0", "sum pct")
    )
    page.flag((first, 4, end, 5), f"=$E{first + 1}>0.05", RED)
    page.lay("named_range", (first, 1, end, 2), "PlanQ2")
    page.lay("protected_range", (first, 1, end, 2), description="The plan is approved", warningOnly=True)
    return page


def _teams(known: SheetFacts) -> TabBuilder:
    """Tools, travel, training, hardware of each team; heads and rates stand in hidden columns."""
    page = TabBuilder("Q1 by team", (170, 110, 90, 110, 120, 120, 120, 120, 120, 90), frozen=1)
    rows: list[Sequence[Input]] = []
    row = 1
    for key, rate in known.pack["teams"].items():
        heads = sum(one.team == key and one.is_employed(known.spec.start) for one in known.company.staff.values())
        for kind, share in known.pack["kinds"].items() if heads else ():
            row += 1
            plan = f"=ROUND(C{row}*D{row}*3,0)"
            draw = known.draw("spent", key, kind)
            spent = [euros(int(heads * rate * share * draw.lognormal(100, 0.22))) for _ in range(2)]
            team = known.company.teams[key].name
            rows.append(
                (
                    team,
                    kind,
                    heads,
                    round(rate * share, 2),
                    plan,
                    *spent,
                    f"=F{row}+G{row}",
                    f"=H{row}-E{row}*2/3",
                    f"=H{row}/E{row}",
                )
            )
    heads = ("Team", "What", "Heads", "Per head", "Plan Q1", "January", "February", "Spent", "Over plan", "Used")
    first, end = page.table(heads, rows, ("bold", "", "int", "eur", "eur0", "eur", "eur", "eur", "eur", "pct"))
    page.covered = {2, 3}
    sums = [f"=SUM({column}{first + 1}:{column}{end})" for column in "EFGHI"]
    page.line(
        ("Total", None, None, None, *sums, f"=H{end + 1}/E{end + 1}"),
        ("sum", "sum", "sum", "sum", *["sum eur"] * 5, "sum pct"),
    )
    page.flag((first, 8, end, 9), f"=$I{first + 1}>0", AMBER)
    page.lay("basic_filter", (0, 0, end, 10))
    return page


def copy_of_budget(known: SheetFacts) -> Paper | None:
    """A copy whose sheet with the rates is gone."""
    if not known.messy:
        return None
    page = TabBuilder("Q2", (170, 120, 120, 120))
    rows: list[Sequence[Input]] = [
        (one["line"], one["plan"], one["forecast"], f"=C{row}-B{row}")
        for row, one in enumerate(known.pack["budget"], 2)
    ]
    first, end = page.table(("Line", "Plan", "Forecast", "Variance"), rows, ("", "eur0", "eur0", "eur0"))
    page.line(
        ("Total", f"=SUM(B{first + 1}:B{end})", f"=SUM(C{first + 1}:C{end})+#REF!", f"=C{end + 1}-B{end + 1}"),
        ("bold", "eur0", "eur0", "eur0"),
    )
    for column in (2, 3):
        page.blemishes.append(PlantedError("error.ref", (end, column), ("sheets_cell", f"budget:Q2:{end}:{column}")))
    return Paper("budget-copy", "Copy of Budget 2026", known.seat("cto"), "", [page], 2, 1.8)


def vendors(known: SheetFacts) -> Paper:
    """Everybody the company pays, until when, and who knows them."""
    page = TabBuilder("Vendors", (190, 170, 110, 100, 80, 100, 150, 90, 170, 250), frozen=1, frozen_columns=1)
    rows: list[Sequence[Input]] = []
    for one in known.pack["vendors"]:
        client = known.company.clients.get(one.get("client", ""))
        contact = (client.contacts[0].full, client.contacts[0].email) if client else (None, None)
        owner = known.who(one["owner"], "cto").full
        data = "yes" if one["data"] else "no"
        rows.append(
            (one["name"], one["what"], one["cycle"], one["fee"], one["currency"], one["ends"], owner, data, *contact)
        )
    heads = ("Vendor", "What", "Paid", "Fee", "Currency", "Ends", "Owner", "Personal data", "Contact", "Mail")
    first, end = page.table(heads, rows, ("bold", "", "", "", "", "day"))
    page.add_filter()
    page.flag((first, 5, end, 6), f"=$F{first + 1}<TODAY()+60", AMBER)
    page.choices(2, first, end, ("monthly", "yearly", "per transaction"))
    page.lay("filter_view", (0, 0, end, 10), title="With personal data", criteria={"7": {"hiddenValues": ["no"]}})
    shared = (("people", "writer"), ("cto", "writer"), ("platform-lead", "writer"), ("company", "reader"))
    return Paper("vendors", "Vendors", known.seat("finance"), "Finance", [page], 820, 12.6, shared=shared)


def berlin(known: SheetFacts) -> Paper | None:
    """The cash box of the Berlin office, in its locale: decimal comma, days first."""
    if "people" not in known.company.staff:
        return None
    page = TabBuilder("Kasse", (110, 230, 190, 120), frozen=1)
    first, end = page.table(("Datum", "Was", "Bei", "Betrag"), _cash(known), ("tag", "", "", "euro"))
    page.line(("Summe", None, None, f"=SUM(D{first + 1}:D{end})"), ("sum", "sum", "sum", "sum euro"))
    page.put(end + 2, 0, "Belege bitte in den Ordner, nicht in die Schublade.", "note")
    shared = (("finance", "writer"), ("ceo", "reader"))
    return Paper(
        "berlin", "Büro Berlin Ausgaben", "people", "People & office", [page], 419, 3.6, shared=shared, locale="de_DE"
    )


def _cash(known: SheetFacts) -> list[Sequence[Input]]:
    """List the payments of the cash box by day: single things, fruit every week, coffee and cleaning every month."""
    facts, first = known.pack["berlin"], MONTHS[0]
    fruit, rows = facts["weekly"], [tuple(one) for one in facts["once"]]
    for month in MONTHS:
        rows += [(month.replace(day=on), what, where, cost) for what, where, cost, on in facts["monthly"]]
    for number in range((known.today - first).days):
        day = first + timedelta(days=number)
        if day.weekday() == fruit["day"] and (day.month, day.day) > (1, 1) and day.month != 8:
            rows.append(
                (
                    day,
                    fruit["what"],
                    fruit["where"],
                    euros(known.draw("fruit", number).integer(fruit["low"], fruit["high"])),
                )
            )
    return sorted(rows, key=lambda row: (row[0], row[1]))


def expenses(known: SheetFacts) -> Paper | None:
    """The list of expenses that came by mail, typed off in Berlin: days before months, and an amount that is text."""
    found = known.attachment("hr/expenses", "expenses-january.csv")
    if found is None or "finance" not in known.company.staff or not known.messy:
        return None
    event, text = found
    page = TabBuilder("January", (110, 250, 110, 90))
    lines = [line.split(",") for line in text.split("\n")[1:]]
    days = [date.fromisoformat(day) for day, *_ in lines]
    wrong = next((row for row, day in enumerate(days) if day.day > 12), 0)
    looks = ("us", "", "usd")
    page.line(("Date", "What", "Amount", "Currency"), "head")
    for row, (_, what, amount, currency) in enumerate(lines):
        day: Input = f"{days[row]:%d/%m/%Y}" if row == wrong else days[row]
        page.line((day, what, float(amount), currency), looks)
    stale = len(lines)
    page.cells[stale, 2].kind = "text"
    page.line(("Total", None, f"=SUM(C2:C{stale + 1})"), ("bold", "", "bold usd"))
    mail = ("gmail_mail", known.row_of("gmail_mail", event.id))
    page.blemishes.append(PlantedError("date.day_first", (wrong + 1, 0), mail))
    page.blemishes.append(PlantedError("number.as_text", (stale, 2), mail))
    return Paper(
        "expenses",
        "Expenses New York January",
        "finance",
        "Finance",
        [page],
        known.since(event.at),
        known.since(event.at),
        event=event.id,
    )


def open_items(known: SheetFacts) -> Paper | None:
    """The month's differences, as the list that went round by mail: amounts with a comma, which are text here."""
    found = known.attachment("work/close-january", "open-items.csv")
    if found is None or not known.messy:
        return None
    event, text = found
    page = TabBuilder("open-items", (60, 110, 110, 110, 110))
    lines = [line.split(";") for line in text.split("\n")]
    page.line(lines[0], "head")
    mail = ("gmail_mail", known.row_of("gmail_mail", event.id))
    for number, *rest in lines[1:]:
        row = page.line((int(number), *rest))
        page.blemishes.append(PlantedError("number.decimal_comma", (row, 4), mail))
    owner = known.people[event.actor].seat
    return Paper(
        "open-items", "open-items", owner, "", [page], known.since(event.at), known.since(event.at), event=event.id
    )


def terms(known: SheetFacts) -> Paper | None:
    """Searches without a result, as they went round by mail, with shares of a total that nobody put there."""
    found = known.attachment("work/search-terms", "no-results.csv")
    if found is None or not known.messy:
        return None
    event, text = found
    page = TabBuilder("no-results", (170, 90, 90))
    lines = [line.split(",") for line in text.split("\n")]
    page.line((*lines[0], "share"), "head")
    mail = ("gmail_mail", known.row_of("gmail_mail", event.id))
    for row, (term, count) in enumerate(lines[1:], 2):
        at = page.line((term, int(count), f"=B{row}/B${len(lines) + 2}"), ("", "int", "pct"))
        page.blemishes.append(PlantedError("error.division", (at, 2), mail))
    owner = known.people[event.actor].seat
    shared = (("product-head", "commenter"), ("link", "reader"))
    return Paper(
        "terms",
        "no-results",
        owner,
        "",
        [page],
        known.since(event.at),
        known.since(event.at),
        shared=shared,
        event=event.id,
    )


def payouts(known: SheetFacts) -> Paper | None:
    """Build the workbook of January's payouts, order by order, with the fee that each should have cost."""
    if known.spec.size == "XS":
        return None
    page = TabBuilder("January", (110, 100, 190, 110, 90, 110, 90), frozen=1)
    draw = known.draw("payouts")
    count = draw.integer(700, 1300)
    rates = {one.client.name: FEES[one.client.tier] for one in known.contracts}
    names, weights = list(rates), [one.fee**0.5 for one in known.contracts]
    orders = sorted(draw.integer(301_000, 361_000) for _ in range(count))
    rows: list[Sequence[Input]] = []
    for row, order in enumerate(orders, 3):
        name = draw.weighted(names, weights)
        gross = int(draw.lognormal(21_400, 1.05))
        day = date(2026, 1, 1) + timedelta(days=(row - 3) * 31 // count)
        rows.append(
            (f"Q-{order}", day, name, euros(gross), euros(round(gross * rates[name] / 10_000)), f"=D{row}-E{row}")
        )
    page.line(
        ("January", None, None, f"=SUM(D3:D{count + 2})", f"=SUM(E3:E{count + 2})", f"=SUM(F3:F{count + 2})"),
        ("bold", "", "", *["bold eur"] * 3),
    )
    page.line(("Order", "Paid on", "Customer", "Gross", "Fee", "Net"), "head")
    for row, one in enumerate(rows, 2):
        page.line(one, ("", "day", "", "eur", "eur", "eur"), row=row)
    page.frozen = 2
    shared = (("payments-lead", "writer"), ("payments-3", "reader"))
    return Paper("payouts", "Payouts January 2026", known.seat("finance"), "Finance", [page], 27, 22.3, shared=shared)
