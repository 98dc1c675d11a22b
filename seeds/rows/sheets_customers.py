"""The customers' workbooks: accounts and renewals, revenue, credits, quotas."""

from collections.abc import Sequence
from datetime import date

from seeds.rows.sheets_builder import AMBER, GREEN, RED, Input, Paper, PlantedError, Remark, TabBuilder, letter
from seeds.rows.sheets_facts import MONTHS, SELF_SERVE, Contract, SheetFacts

OUTLOOK = {"certain": "certain", "likely": "likely", "depends": "depends on us"}


def euros(cents: int) -> float:
    """An amount as it is typed."""
    return cents / 100


def accounts(known: SheetFacts) -> Paper:
    """Customers and contracts: accounts, renewals, regions, contacts."""
    pages = [_accounts(known), _renewals(known), _regions(known), _contacts(known)]
    return Paper(
        "accounts",
        "Customers & contracts",
        known.seat("success-head", "success-1"),
        "Customers",
        pages,
        640,
        3.1,
        known.seat("success-2", "success-1"),
        (("@customers", "writer"), ("finance", "writer"), ("company", "reader")),
        event="e.customers",
        starred=("success-1", "success-2", "ceo"),
    )


def _accounts(known: SheetFacts) -> TabBuilder:
    page = TabBuilder("Accounts", (190, 170, 90, 120, 110, 95, 95, 150, 250, 150), frozen=1, frozen_columns=1)
    heads = (
        "Customer",
        "Region",
        "Tier",
        "Contract value",
        "Fee per month",
        "Since",
        "Term ends",
        "Contact",
        "Mail",
        "Account owner",
    )
    looks = ("bold", "", "", "eur0", "eur", "day", "day")
    rows: list[Sequence[Input]] = []
    for i, one in enumerate(known.contracts):
        contact, owner = one.client.contacts[0], known.company.staff[one.client.owner or "ceo"]
        rows.append(
            (
                one.client.name,
                one.region,
                one.client.tier,
                euros(one.value),
                f"=D{i + 2}/12",
                one.since,
                one.ends,
                contact.full,
                contact.email,
                owner.full,
            )
        )
    first, end = page.table(heads, rows, looks)
    page.line(
        ("Total", None, None, f"=SUM(D{first + 1}:D{end})", f"=SUM(E{first + 1}:E{end})"),
        ("sum", "sum", "sum", "sum eur0", "sum eur"),
        row=end + 1,
    )
    for row, one in enumerate(known.contracts, first):
        page.events[row] = (f"e.customers.{one.client.handle}", "customers", one.client.handle)
    page.choices(2, first, end, ("enterprise", "growth", "starter"))
    page.lay("named_range", (first, 0, end, 10), "AccountList")
    page.lay("named_range", (first, 3, end, 4), "ContractValue")
    page.lay("basic_filter", (0, 0, end, 10))
    editors = {"users": [known.who("finance", "ceo").email, known.who("success-head", "success-1").email]}
    page.lay(
        "protected_range",
        (first, 3, end, 4),
        description="Contract values: finance only",
        warningOnly=False,
        editors=editors,
    )
    return page


def _renewals(known: SheetFacts) -> TabBuilder:
    page = TabBuilder("Renewals", (190, 95, 90, 110, 110, 130, 330, 150), frozen=1)
    ordered = sorted(known.contracts, key=lambda one: (date_of(one), one.client.name))
    rows: list[Sequence[Input]] = []
    for row, one in enumerate(ordered, 2):
        value = f"=VLOOKUP(A{row},Accounts!$A$2:$D${len(ordered) + 1},4,FALSE)"
        note = "Signed, 24 months from 1 April" if one.signed else one.promised or known.pack["outlook"][one.outlook]
        owner = known.company.staff[one.client.owner or "ceo"]
        rows.append(
            (
                one.client.name,
                date_of(one),
                f"=B{row}-TODAY()",
                value,
                one.client.tier,
                OUTLOOK[one.outlook],
                note,
                owner.full,
            )
        )
    heads = ("Customer", "Renews on", "Days left", "Value", "Tier", "Outlook", "What we promised, and to whom", "Owner")
    first, end = page.table(heads, rows, ("bold", "day", "int", "eur0", "", "", "wrap"))
    for number, word in enumerate(("certain", "likely", "depends on us")):
        span = f"F{first + 1}:F{end}"
        mine = f"{span},A{end + 2 + number}"
        line = (word, f"=COUNTIF({mine})", None, f"=SUMIF({mine},D{first + 1}:D{end})")
        page.line(line, ("", "int", "", "eur0"), row=end + 1 + number)
    page.line(
        ("All", f"=SUM(B{end + 2}:B{end + 4})", None, f"=SUM(D{end + 2}:D{end + 4})"),
        ("sum", "sum int", "sum", "sum eur0"),
        row=end + 4,
    )
    page.choices(5, first, end, tuple(OUTLOOK.values()))
    page.flag((first, 0, end, 8), f'=AND($B{first + 1}<TODAY(),$F{first + 1}<>"certain")', RED)
    page.flag((first, 5, end, 6), f'=$F{first + 1}="depends on us"', AMBER)
    page.flag((first, 5, end, 6), f'=$F{first + 1}="certain"', GREEN)
    return page


def date_of(one: Contract) -> date:
    """Return the renewal date of a contract in 2026; a signed one was due at the end of the term before."""
    return one.ends.replace(year=2026) if one.signed else one.ends


def _regions(known: SheetFacts) -> TabBuilder:
    page = TabBuilder("By region", (190, 90, 120, 120, 90), frozen=1)
    last = len(known.contracts) + 1
    names = sorted({one.region for one in known.contracts})
    span, value = f"Accounts!$B$2:$B${last}", f"Accounts!$D$2:$D${last}"
    rows = [
        (
            name,
            f"=COUNTIF({span},A{row})",
            f"=SUMIF({span},A{row},{value})",
            f"=ROUND(C{row}/B{row},0)",
            f"=C{row}/C${len(names) + 2}",
        )
        for row, name in enumerate(names, 2)
    ]
    first, end = page.table(
        ("Region", "Customers", "Contract value", "Average", "Share"), rows, ("bold", "int", "eur0", "eur0", "pct")
    )
    totals = (
        "Total",
        f"=SUM(B{first + 1}:B{end})",
        f"=SUM(C{first + 1}:C{end})",
        f"=ROUND(C{end + 1}/B{end + 1},0)",
        f"=SUM(E{first + 1}:E{end})",
    )
    page.line(totals, ("sum", "sum int", "sum eur0", "sum eur0", "sum pct"))
    return page


def _contacts(known: SheetFacts) -> TabBuilder:
    page = TabBuilder("Contacts", (190, 170, 170, 260, 150), frozen=1)
    rows = [
        (one.name, person.full, person.title, person.email, person.tz)
        for one in known.customers
        for person in one.contacts
    ]
    page.table(("Customer", "Name", "Title", "Mail", "Time zone"), rows, ("bold",))
    page.add_filter()
    return page


def revenue(known: SheetFacts) -> Paper:
    """Revenue by month, from the list of invoices."""
    invoices = _invoices(known)
    pages = [_months(known, invoices.height), _shares(known, invoices.height), invoices]
    shared = (("ceo", "writer"), ("cto", "reader"), ("success-head", "reader"))
    return Paper(
        "revenue", "Revenue 2025–26", known.seat("finance"), "Finance", pages, 415, 4.2, shared=shared, starred=("ceo",)
    )


def _invoices(known: SheetFacts) -> TabBuilder:
    page = TabBuilder("Invoices", (95, 190, 170, 110, 120), frozen=1)
    rows = [(one.month, one.customer, one.region, one.kind, euros(one.cents)) for one in known.invoices]
    page.table(("Month", "Customer", "Region", "Kind", "Amount"), rows, ("month", "", "", "", "eur"))
    page.add_filter()
    return page


def _months(known: SheetFacts, last: int) -> TabBuilder:
    regions = [*sorted({one.region for one in known.contracts}), SELF_SERVE]
    page = TabBuilder("Months", (95, *[115] * len(regions), 125, 90, 90), frozen=1, frozen_columns=1)
    total, grown, year = len(regions) + 1, len(regions) + 2, len(regions) + 3
    page.line(("Month", *regions, "Total", "to month before", "to year before"), "head")
    for number, month in enumerate(MONTHS, 2):
        sums = [
            f"=SUMIFS(Invoices!$E$2:$E${last},Invoices!$A$2:$A${last},$A{number},Invoices!$C$2:$C${last},{letter(column)}$1)"
            for column in range(1, total)
        ]
        before = f"={letter(total)}{number}/{letter(total)}{number - 1}-1" if number > 2 else None
        last_year = f"={letter(total)}{number}/{letter(total)}{number - 12}-1" if number > 13 else None
        page.line(
            (month, *sums, f"=SUM(B{number}:{letter(total - 1)}{number})", before, last_year),
            ("month", *["eur0"] * len(regions), "bold eur0", "pct", "pct"),
        )
    _quarters(page, total)
    page.flag((1, grown, 1 + len(MONTHS), year + 1), f"=AND(ISNUMBER({letter(grown)}2),{letter(grown)}2<0)", RED)
    page.lay("named_range", (1, total, 1 + len(MONTHS), total + 1), "RevenueByMonth")
    return page


def _quarters(page: TabBuilder, total: int) -> None:
    """Quarter totals below the months, and the year."""
    start = len(MONTHS) + 3
    for number in range(4):
        top = 2 + 3 * number
        sums = [f"=SUM({letter(column)}{top}:{letter(column)}{top + 2})" for column in range(1, total + 1)]
        page.line((f"Q{number + 1} 2025", *sums), ("bold", *["eur0"] * total), row=start - 1 + number)
    sums = [f"=SUM({letter(column)}{start}:{letter(column)}{start + 3})" for column in range(1, total + 1)]
    page.line(("2025", *sums), ("sum", *["sum eur0"] * total), row=start + 3)
    firsts = [f"=SUM({letter(column)}14:{letter(column)}15)" for column in range(1, total + 1)]
    page.line(("Q1 2026 so far", *firsts), ("bold", *["eur0"] * total), row=start + 4)


def _shares(known: SheetFacts, last: int) -> TabBuilder:
    """Build the tab of each customer's share of the year; the audit asks for shares above a tenth."""
    page = TabBuilder("Customers 2025", (190, 125, 125, 125, 90, 90), frozen=1)
    names = [one.client.name for one in known.contracts] + [SELF_SERVE]
    span = [f"Invoices!${column}$2:${column}${last}" for column in "ABDE"]
    rows: list[Sequence[Input]] = []
    for row, name in enumerate(names, 2):
        parts = [
            f'=SUMIFS({span[3]},{span[1]},$A{row},{span[2]},"{kind}",{span[0]},"<"&DATE(2026,1,1))'
            for kind in ("Platform", "Transactions")
        ]
        above = f'=IF(E{row}>0.1,"above 10 %","")' if name != SELF_SERVE else None
        rows.append((name, *parts, f"=B{row}+C{row}", f"=D{row}/D${len(names) + 2}", above))
    page.table(
        ("Customer", "Platform", "Transactions", "Total", "Share", ""), rows, ("bold", "eur0", "eur0", "eur0", "pct")
    )
    sums = [f"=SUM({column}2:{column}{len(names) + 1})" for column in "BCDE"]
    page.line(("Total", *sums), ("sum", "sum eur0", "sum eur0", "sum eur0", "sum pct"))
    return page


def credits(known: SheetFacts) -> Paper:
    """Credits of the year: one row for each that a mail promised."""
    pages = [_credits(known), _build_customer_tab(known)]
    shared = (("@customers", "reader"), ("success-head", "writer"), ("ceo", "reader"))
    return Paper(
        "credits",
        "Credits 2026",
        known.seat("finance"),
        "Finance",
        pages,
        54,
        known.since(*(one.event.at for one in known.credits)),
        shared=shared,
    )


def _credits(known: SheetFacts) -> TabBuilder:
    page = TabBuilder("Credits", (95, 190, 90, 110, 120, 300, 90, 150), frozen=1)
    fees = {one.client.handle: one.fee for one in known.contracts}
    rows: list[Sequence[Input]] = []
    for row, one in enumerate(known.credits, 2):
        part, whole = one.part
        share = f"=D{row}" if part == whole else f"=ROUND(D{row}*{part}/{whole},2)"
        by = known.people[one.event.actor].full
        fee = euros(fees[one.client.handle])
        rows.append(
            (known.day(one.event.at), one.client.name, known.key(one.incident), fee, share, one.why, one.invoice, by)
        )
    heads = ("Promised on", "Customer", "Incident", "Monthly fee", "Credit", "Why", "On invoice of", "Promised by")
    first, end = page.table(heads, rows, ("day", "bold", "", "eur", "eur"))
    for row, one in enumerate(known.credits, first):
        page.events[row] = (one.event.id, one.event.story, "credit")
    bottom = max(end, first + 1)
    page.line(
        ("Total", None, None, None, f"=SUM(E{first + 1}:E{bottom})"),
        ("sum", "sum", "sum", "sum", "sum eur"),
        row=bottom + 1,
    )
    page.lay("named_range", (first, 4, bottom, 5), "Credits")
    return page


def _build_customer_tab(known: SheetFacts) -> TabBuilder:
    page = TabBuilder("By customer", (190, 120, 90), frozen=1)
    names = [one.client.name for one in known.contracts]
    rows = [
        (name, f"=SUMIF(Credits!B:B,A{row},Credits!E:E)", f"=COUNTIF(Credits!B:B,A{row})")
        for row, name in enumerate(names, 2)
    ]
    first, end = page.table(("Customer", "Credited", "Times"), rows, ("bold", "eur", "int"))
    page.line(("Total", f"=SUM(B{first + 1}:B{end})", f"=SUM(C{first + 1}:C{end})"), ("sum", "sum eur", "sum int"))
    return page


def quotas(known: SheetFacts) -> Paper:
    """New business by account manager; a name in it ends in a blank, so what looks it up finds nothing."""
    page = TabBuilder("Quota", (190, 150, 110, 110, 90, 110), frozen=1)
    owners = sorted({one.client.owner or "ceo" for one in known.contracts})
    rows: list[Sequence[Input]] = []
    odd = len(known.contracts) - 1
    last = len(known.contracts) + 1
    for row, one in enumerate(known.contracts, 2):
        draw = known.draw("quota", one.client.domain)
        goal = one.fee * draw.integer(2, 5) // 10 // 5000 * 5000 + 50_000
        name = one.client.name + (" " if row - 2 == odd and known.messy else "")
        owner = known.company.staff[one.client.owner or "ceo"].full
        fee = f"=VLOOKUP(A{row},Fees!$A$2:$B${last},2,FALSE)"
        rows.append((name, owner, fee, euros(goal), f"=D{row}/C{row}", euros(goal * draw.integer(0, 9) // 10)))
    heads = ("Customer", "Owner", "Fee per month", "Upgrade goal", "of fee", "Reached")
    first, end = page.table(heads, rows, ("", "", "eur0", "eur0", "pct", "eur0"))
    for number, seat in enumerate(owners):
        row = end + 2 + number
        sums = [f"=SUMIF($B${first + 1}:$B${end},$B{row},{column}${first + 1}:{column}${end})" for column in "DF"]
        page.line(
            (None, known.company.staff[seat].full, None, sums[0], f"=F{row}/D{row}", sums[1]),
            ("", "bold", "", "eur0", "pct", "eur0"),
            row=row - 1,
        )
    line = first + odd
    witness = ("organisation", known.contracts[odd].client.id)
    if known.messy:
        page.blemishes += [PlantedError("key.trailing_blank", (line, 0), witness)]
        page.blemishes += [PlantedError("error.not_found", (line, column), witness) for column in (2, 4)]
        page.remarks.append(
            Remark(
                (line, 2), known.seat("success-2", "success-1"), 9.4, "Why is this one not found? The name is the same."
            )
        )
    fees = TabBuilder("Fees", (190, 110), frozen=1)
    fees.table(
        ("Customer", "Fee per month"), [(one.client.name, euros(one.fee)) for one in known.contracts], ("", "eur0")
    )
    shared = (("@customers", "writer"), ("ceo", "reader"))
    return Paper(
        "quota",
        "Quotas 2026",
        known.seat("success-head", "success-1"),
        "Customers",
        [page, fees],
        47,
        18.5,
        known.seat("success-2"),
        shared,
    )


def copy_of_accounts(known: SheetFacts) -> Paper | None:
    """Somebody's copy from January: the last customer is not in the total."""
    if not known.messy:
        return None
    page = TabBuilder("Accounts", (190, 170, 90, 120))
    rows = [(one.client.name, one.region, one.client.tier, euros(one.value)) for one in known.contracts]
    first, end = page.table(("Customer", "Region", "Tier", "Contract value"), rows, ("", "", "", "eur0"))
    page.line(("Total", None, None, f"=SUM(D{first + 1}:D{end - 1})"), ("bold", "", "", "bold eur0"))
    page.blemishes.append(
        PlantedError("total.omits_last_row", (end, 3), ("organisation", known.contracts[-1].client.id))
    )
    return Paper("accounts-copy", "customers_contracts_v2_FINAL (1)", known.seat("success-1"), "", [page], 39, 38.2)
