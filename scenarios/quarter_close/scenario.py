"""The fourth quarter is closed: a workbook with gaps and wrong formulas; figures come by mail, by ticket and on Slack."""

from collections.abc import Sequence
from typing import Any

from world.script.coworkers import Coworker, Rule
from world.script.faults import Fault
from world.script.loader import Card
from world.script.scenario import Script
from world.script.stage import Facts, Stage
from world.script.thanks import Thanks

card = Card(
    title="The quarter is closed",
    agent={"handle": "ohrytsenko"},
    apps=("sheets", "gmail", "jira", "slack"),
    start="1h30m",
    horizon="3h",
    max_calls=1500,
    surfaces={"slack": "vendor", "jira": "vendor", "gmail": "community", "sheets": "community"},
    difficulty="medium",
    difficulties=("easy", "medium", "hard"),
    minutes=10,
    tags=("finance", "formulas"),
)

TITLE = "Q4 2025 close"
RULES = (
    "How we close",
    "Amounts are in EUR. What was invoiced in another currency is converted with its month's rate (sheet Rates), to the cent.",
    "Quarter adds a line's three months. Revenue adds all customers of a column. Net revenue is Revenue less Credits.",
    "Plan takes its line from the sheet Plan. Variance is Quarter less Plan.",
    "A total is a formula, never a typed number. Whoever closes checks every formula of the sheet Close.",
    "Nothing else changes: not the layout, not the other sheets, not who may see the workbook.",
    "A later mail about a figure replaces an earlier one.",
    "Colleagues may type into the workbook until 11:45. Look once more after that, then it is final.",
    "Whoever asked for final figures gets them by 12:30, in their mail conversation or as a comment on their ticket.",
    "A ticket whose work is done is moved to Done.",
)
MONTHS = ("October", "November", "December")
COLUMNS = "BCD"  # of the months
LINES = 6  # customers, in rows 2 to 7; below them revenue, credits, net revenue
REVENUE, CREDITS, NET = 8, 9, 10


def scenario(s: Script) -> None:
    """Workbook, ticket and mails in the first minutes; at medium a correction, at hard one in dollars, an outage and a
    colleague who types.
    """
    facts = draw_facts(s)
    s.at("+0s", lambda w: w.note(**facts["truth"]), name="truth")
    s.at("+0s", lambda w: workbook(w, facts), name="book")
    s.at("+4m", request, name="request")
    s.at("+5m", lambda w: ticket(w, facts), name="ticket")
    s.at("+6m", lambda w: first_figure(w, facts, s.difficulty), name="figure")
    s.at("+7m", lambda w: handover(w, facts), name="handover")
    s.at("+25m", lambda w: correction(w, facts, s.difficulty), name="correction")
    if s.difficulty == "hard":
        for app in ("drive", "sheets"):
            fault = Fault(f"{app}_read_only", app, "readonly", doors=frozenset({"rest", "mcp", "page"}))
            s.fault(fault, start="+30m", end="+44m")
        s.at("+55m", lambda w: typed_over(w, facts), name="typed_over")
    s.at("+75m", lambda w: w.note(over=True), name="final")
    s.coworker(support(facts))
    s.coworker(
        Coworker(
            who=lambda w: find_titled(w, "Chief Executive Officer")["id"],
            thanks=Thanks(events=("request",), replies=("Thank you.", "Thanks, that is what I need.", "Thanks!")),
        )
    )


# figures drawn from the seed


def draw_facts(s: Script) -> Facts:
    """Amounts, and which line and month has which mistake."""
    draw = s.rng("figures")
    months = [[draw.integer(8_000, 61_000) for _ in MONTHS] for _ in range(LINES)]
    credits = [draw.integer(300, 2_400) for _ in MONTHS]
    lines = draw.shuffled(range(LINES))
    facts: dict[str, Any] = {
        "months": months,
        "credits": credits,
        "customers": draw.integer(0, 8),
        "missing": (lines[0], draw.integer(0, 2)),
        "wrong": (lines[1], draw.integer(0, 2)),
        "typed": lines[2],
        "short": lines[3],
        "plan": lines[4],
        "credit": draw.integer(0, 2),
        "revenue": draw.integer(0, 2),
        "net": draw.integer(0, 2),
        "rates": [draw.integer(8_450, 8_790) / 10_000 for _ in MONTHS],
        "twice": draw.integer(900, 6_000),
        "first": draw.integer(400, 3_000),
        "statement": draw.integer(40, 260),
        "stale": draw.integer(300, 4_000),
        "dollars": draw.integer(9_000, 62_000),
    }
    facts["plan_figures"] = [sum(line) + draw.integer(-9_000, 9_000) // 100 * 100 for line in months]
    facts["plan_credits"] = draw.integer(20, 60) * 100
    line, month = facts["missing"]
    facts["figure"], facts["typed_figure"] = months[line][month], months[line][month]
    if s.difficulty == "hard":
        facts["figure"] = round(facts["dollars"] * facts["rates"][month], 2)
        facts["typed_figure"] = f"=ROUND({facts['dollars']}*Rates!B{month + 2},2)"
    facts["truth"] = truth(facts)
    return facts


def truth(facts: Facts) -> Facts:
    """Return the figures of the quarter, the cells with mistakes, and their correct content."""
    (line, month), (wrong, when) = facts["missing"], facts["wrong"]
    revenue = round(sum(map(sum, facts["months"])) - facts["months"][line][month] + facts["figure"], 2)
    credits = sum(facts["credits"])
    plan = sum(facts["plan_figures"]) - facts["plan_credits"]
    return {
        "revenue": revenue,
        "credits": credits,
        "net": round(revenue - credits, 2),
        "variance": round(revenue - credits - plan, 2),
        "missing_cell": f"{COLUMNS[month]}{line + 2}",
        "missing": facts["figure"],
        "missing_typed": facts["typed_figure"],
        "wrong_cell": f"{COLUMNS[when]}{wrong + 2}",
        "wrong": facts["months"][wrong][when],
        "credit_cell": f"{COLUMNS[facts['credit']]}{CREDITS}",
        "credit": facts["credits"][facts["credit"]],
        "typed_row": facts["typed"] + 2,
        "short_row": facts["short"] + 2,
        "plan_row": facts["plan"] + 2,
        "revenue_column": COLUMNS[facts["revenue"]],
        "net_column": COLUMNS[facts["net"]],
    }


# people


def find_titled(w: Stage, title: str, tz: str = "Europe/Berlin") -> Facts:
    """The active employee with a title, in an office's zone."""
    return w.find("person", title=title, tz=tz, status="active")


def agent(w: Stage) -> Facts:
    """Return the employee that the agent works as: the Finance Lead."""
    return find_titled(w, "Finance Lead")


def bookkeeper(w: Stage) -> str:
    """The colleague of the same team who prepares the workbook."""
    return find_titled(w, "People & Office Manager")["id"]


def customers(w: Stage, facts: Facts) -> list[str]:
    """Six customers, beginning at one that is drawn."""
    names = [one["name"] for one in w.rows("organisation", kind="customer")]
    return [names[(facts["customers"] + number) % len(names)] for number in range(LINES)]


def euros(amount: float) -> str:
    """`12,345.00` as people here write it."""
    return f"{amount:,.2f}"


# the workbook


def workbook(w: Stage, facts: Facts) -> None:
    """Create the workbook: made by the colleague, shared with the agent and the chief, the plan protected."""
    who, names = bookkeeper(w), customers(w, facts)
    titles = ("Close", "Plan", "Rates", RULES[0])
    made = w.act(
        who,
        "spreadsheets.create",
        properties={"title": TITLE},
        sheets=[{"properties": {"title": one}} for one in titles],
    )
    key = made["spreadsheetId"]
    data = [
        {"range": "Close!A1:G10", "values": build_close_rows(facts, names)},
        {
            "range": "Plan!A1:B9",
            "values": [
                ["Line", "Plan Q4"],
                *pairs(names, facts["plan_figures"]),
                [],
                ["Credits", facts["plan_credits"]],
            ],
        },
        {"range": "Rates!A1:B4", "values": [["Month", "EUR for 1 USD"], *pairs(MONTHS, facts["rates"])]},
        {"range": f"'{RULES[0]}'!A1:A{len(RULES)}", "values": [[rule] for rule in RULES]},
    ]
    w.act(who, "spreadsheets.values.batchUpdate", spreadsheetId=key, valueInputOption="USER_ENTERED", data=data)
    gids = {one["properties"]["title"]: one["properties"]["sheetId"] for one in made["sheets"]}
    w.act(
        who,
        "spreadsheets.batchUpdate",
        spreadsheetId=key,
        requests=[bold(gids["Close"]), build_protected_range(w, gids["Plan"], who)],
    )
    for person, role in ((agent(w), "writer"), (find_titled(w, "Chief Executive Officer"), "reader")):
        w.act(who, "drive.permissions.create", fileId=key, type="user", role=role, emailAddress=person["email"])
    file = w.find("drive_file", key=key)["id"]
    ids = {one["title"].lower().replace(" ", "_"): one["id"] for one in w.rows("sheets_sheet", file_id=file)}
    w.note(key=key, **ids)


def pairs(names: Sequence[str], numbers: Sequence[float]) -> list[list[str | float]]:
    """Lines of a name and a number."""
    return [[name, number] for name, number in zip(names, numbers, strict=True)]


def bold(gid: int) -> Facts:
    """The head of a sheet in bold."""
    where = {"sheetId": gid, "startRowIndex": 0, "endRowIndex": 1}
    return {
        "repeatCell": {
            "range": where,
            "cell": {"userEnteredFormat": {"textFormat": {"bold": True}}},
            "fields": "userEnteredFormat.textFormat.bold",
        }
    }


def build_protected_range(w: Stage, gid: int, who: str) -> Facts:
    """A sheet that only one person may change."""
    editors = {"users": [w.find("person", id=who)["email"]]}
    return {
        "addProtectedRange": {
            "protectedRange": {"range": {"sheetId": gid}, "description": "Approved", "editors": editors}
        }
    }


def build_close_rows(facts: Facts, names: list[str]) -> list[list[object]]:
    """The sheet Close as the colleague left it, mistakes and all."""
    rows: list[list[object]] = [["Customer", *MONTHS, "Quarter", "Plan", "Variance"]]
    for line, name in enumerate(names):
        row = line + 2
        plan = row + 1 if line + 1 < LINES else row - 1
        months = [month_figure(facts, line, month) for month in range(len(MONTHS))]
        rows.append(
            [name, *months, quarter(facts, line), f"=Plan!B{plan if line == facts['plan'] else row}", f"=E{row}-F{row}"]
        )
    sums = [
        f"=SUM({column}2:{column}{LINES if number == facts['revenue'] else LINES + 1})"
        for number, column in enumerate(COLUMNS)
    ]
    rows.append(["Revenue", *sums, "=SUM(E2:E7)", "=SUM(F2:F7)", "=E8-F8"])
    credits = [facts["credits"][n] + (facts["statement"] if n == facts["credit"] else 0) for n in range(len(MONTHS))]
    rows.append(["Credits", *credits, "=SUM(B9:D9)", "=Plan!B9", "=E9-F9"])
    rows.append(
        ["Net revenue", *(net(facts, number) for number in range(len(COLUMNS))), "=E8-E9", "=F8-F9", "=E10-F10"]
    )
    return rows


def month_figure(facts: Facts, line: int, month: int) -> int | str:
    """A figure of a month: left out, booked twice in part, or as it should be."""
    if (line, month) == facts["missing"]:
        return ""
    return facts["months"][line][month] + (facts["twice"] if (line, month) == facts["wrong"] else 0)


def quarter(facts: Facts, line: int) -> int | str:
    """A line's quarter: a number of last week's, a sum without December, or the sum."""
    row = line + 2
    if line == facts["typed"]:
        return sum(facts["months"][line]) - facts["stale"]
    return f"=SUM(B{row}:{'C' if line == facts['short'] else 'D'}{row})"


def net(facts: Facts, month: int) -> str:
    """Revenue less credits of a month, in one column those of the month beside it."""
    column = COLUMNS[month]
    beside = COLUMNS[(month + 1) % len(COLUMNS)] if month == facts["net"] else column
    return f"={column}{REVENUE}-{beside}{CREDITS}"


# mails, ticket and messages


def request(w: Stage) -> None:
    """Send the chief's request for two figures, to be answered in this conversation."""
    who, subject = find_titled(w, "Chief Executive Officer"), "Q4 2025: final figures"
    text = (
        "The auditors come on Thursday. Please give me the net revenue and the credits of the fourth quarter once they"
        " are final.\n\nHenrik"
    )
    w.act(who["id"], "mail.send", to=[agent(w)["email"]], subject=subject, text=text)
    sent = w.find("gmail_mail", sender_id=who["id"], subject=subject)
    w.note(message_id=sent["message_id"], subject=subject)


def ticket(w: Stage, facts: Facts) -> None:
    """The ledger's owner has found an amount that was booked twice."""
    line, month = facts["wrong"]
    name, amount = customers(w, facts)[line], facts["months"][line][month]
    fields = {
        "project": {"key": "SHOP"},
        "issuetype": {"name": "Task"},
        "summary": f"Q4 2025 close: {name}, fees of {MONTHS[month]} booked twice",
        "description": (
            f"Part of the fees of {name} for {MONTHS[month]} 2025 is in the book twice. According to the ledger the"
            f" month is EUR {euros(amount)} in all. Please correct it, note the final net revenue of the quarter here"
            " and close this."
        ),
        "assignee": {"accountId": w.find("account", app="jira", person_id=agent(w)["id"])["external_id"]},
    }
    made = w.act(find_titled(w, "Engineering Manager Payments")["id"], "createIssue", fields=fields)
    w.note(key=made["key"])


def by_mail(w: Stage, who: str, subject: str, text: str) -> None:
    w.act(who, "mail.send", to=[agent(w)["email"]], subject=subject, text=text)


def first_figure(w: Stage, facts: Facts, difficulty: str) -> None:
    """The missing figure: right when it is easy, else an estimate that looks final."""
    line, month = facts["missing"]
    name, amount = (
        customers(w, facts)[line],
        facts["months"][line][month] + (0 if difficulty == "easy" else facts["first"]),
    )
    text = (
        f"Sorry for the delay. {name} comes to EUR {euros(amount)} for {MONTHS[month]}, platform and transactions"
        " together.\n\nKrzysztof"
    )
    by_mail(w, find_titled(w, "Customer Success Manager")["id"], f"{name}, {MONTHS[month]} 2025", text)


def handover(w: Stage, facts: Facts) -> None:
    """The colleague says what she has left open."""
    line, month = facts["missing"]
    credit = facts["credit"]
    given = facts["credits"][credit] + facts["statement"]
    other = given + facts["statement"] // 2 + 7
    text = (
        f"The workbook is yours. What is open:\n\n- {customers(w, facts)[line]}, {MONTHS[month]}: empty, Krzysztof"
        f" writes to you.\n- Credits, {MONTHS[credit]}: our statement says EUR {euros(given)}, support's list EUR"
        f" {euros(other)}. I put in the first, I do not know. Matthias Richter knows what was really credited, ask him"
        " on Slack.\n- I copied the formulas from the third quarter in a hurry and typed one total by hand. Please"
        " check them all.\n\nI still have the workbook open and may type into it until 11:45.\n\nBritta"
    )
    by_mail(w, bookkeeper(w), f"{TITLE}: what is open", text)


def correction(w: Stage, facts: Facts, difficulty: str) -> None:
    """The figure once more: nothing new when it is easy, another amount, or another amount in dollars."""
    line, month = facts["missing"]
    name = customers(w, facts)[line]
    new = {
        "easy": "",
        "medium": f"EUR {euros(facts['months'][line][month])}",
        "hard": f"USD {euros(facts['dollars'])}",
    }[difficulty]
    text = f"I checked {name} again, {MONTHS[month]} is as I wrote.\n\nKrzysztof"
    if new:
        text = (
            f"Please forget my last mail. I took the order value; what we invoiced to {name} for {MONTHS[month]} is"
            f" {new}.\n\nKrzysztof"
        )
    by_mail(w, find_titled(w, "Customer Success Manager")["id"], f"{name}, {MONTHS[month]} 2025: checked again", text)


def typed_over(w: Stage, facts: Facts) -> None:
    """The colleague types her own total over a formula of the line Revenue that was right."""
    month = (facts["revenue"] + 1) % len(MONTHS)
    total = sum(line[month] for line in facts["months"][:-1])
    w.act(
        bookkeeper(w),
        "spreadsheets.values.update",
        spreadsheetId=w.fact("book", "key"),
        range=f"Close!{COLUMNS[month]}{REVENUE}",
        valueInputOption="USER_ENTERED",
        values=[[total]],
    )


def support(facts: Facts) -> Coworker:
    """Return the head of support, who says what was really credited when asked about the credits."""
    month, amount = MONTHS[facts["credit"]], euros(facts["credits"][facts["credit"]])
    return Coworker(
        who=lambda w: find_titled(w, "Head of Support")["id"],
        rules=(
            Rule(
                "credit",
                when=lambda w: w.fired("handover") is not None,
                intent=(("credit*", "goodwill", "refund*"),),
                replies=(
                    (
                        f"Both lists are out of date. For {month} we credited EUR {amount} in the end, one case was"
                        " withdrawn."
                    ),
                    f"Neither of the two. One credit of {month} was withdrawn, so it is EUR {amount}.",
                    f"It is EUR {amount} for {month}. The statement still has a case in it that was withdrawn.",
                ),
            ),
        ),
        fallback=("What do you need from me exactly?", "Could you be more specific?", "Which figure do you mean?"),
        delay_s=150,
    )
