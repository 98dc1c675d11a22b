"""A summary does not agree with its ledger: the formulas that are wrong are mended, what is typed on purpose stays."""

from scenarios.office.books import draw_amounts, list_workdays, make_book, money, write
from scenarios.office.people import list_titled
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Mend the totals of a summary",
    apps=("sheets",),
    calls=(5, 14),
    traps={
        "typed": "hasty: types the right number where a formula belongs",
        "accrual": "literal: takes away a line that is typed on purpose",
        "second": "forgetful: mends the first wrong cell and not the others",
    },
)

REQUESTS = (
    "The summary in {book} does not agree with the ledger any more. Could you find what is wrong and repair it, so that it stays right when"
    " lines are changed? Tell me the total you come to.",
    "totals in {book} are off again. please fix the cells that are wrong (not just the numbers, next month they have to work too) and give"
    " me the total",
    "Something is broken in {book}: ledger and summary show different things. Please mend the formulas, leave alone what is meant to be so,"
    " and write me the right total in euros.",
    "I added up {book} by hand and get another total than the sheet. Would you repair the summary and tell me what it is then? Some of it"
    " is explained in the notes.",
    "Before I send {book} to the board: its summary is wrong in a few places. Please put it in order, for good and not only for today, and"
    " answer with the total.",
)
AREAS = ("Hosting", "Travel", "Training", "Licences", "Events", "Hardware", "Office", "Recruiting", "Advice", "Phones")
BOOKS = ("Costs {period}", "Spending {period}", "Ledger {period}", "{period}: what we spent", "Running costs {period}")
PERIODS = ("February", "Q1 2026", "this winter", "January and February", "first quarter")
PAYEES = (
    "Deutsche Bahn",
    "AWS",
    "Meetup Hall",
    "Kiosk",
    "JetBrains",
    "Bookshop",
    "Hotel Adler",
    "Telco",
    "Notary",
    "IKEA",
)
ACCRUALS = ("Accrual audit", "Accrual bonus", "Accrual heating", "Accrual legal", "Accrual fair stand")
LINES = 16


def draw(d: Draw) -> Facts:
    """Make a ledger and a summary of it in which three formulas are wrong."""
    owner = list_titled(d, "Finance Lead")[0]
    asker = d.pick(list_titled(d, "Chief", "Head of", "Finance", "Engineering Manager"), "asker")
    me = d.pick([one["id"] for one in d.people() if one["id"] != asker], "agent", me=True)
    areas = d.sample(AREAS, 6, "areas")
    rng = d.stream("ledger")
    amounts = draw_amounts(d, LINES + 1, 30, 3900)
    of = [*areas, *(rng.choice(areas) for _ in range(LINES - len(areas)))]
    days = sorted(list_workdays(d, 40)[:LINES])
    ledger = [
        [day.replace(year=day.year - 1).isoformat(), area, money(cents), rng.choice(PAYEES)]
        for day, area, cents in zip(days, rng.shuffled(of), amounts, strict=False)
    ]
    accrual = d.pick(ACCRUALS, "accrual")
    wrong = draw_faults(d, len(areas), ledger)
    right = list_formulas(len(areas))
    summary = [[area, wrong.get(f"B{row}", right[f"B{row}"])] for row, area in enumerate(areas, 2)]
    last = len(areas) + 3
    summary += [[accrual, money(amounts[LINES])], ["Total", wrong.get(f"B{last}", right[f"B{last}"])]]
    title = d.pick(BOOKS, "title").format(period=d.pick(PERIODS, "period"))
    tabs = {
        "Summary": [["Area", "EUR"], *summary],
        "Ledger": [["Day", "Area", "EUR", "Paid to"], *ledger],
        "Notes": [
            [
                f"{accrual}: the invoice has not come, so it is not in the ledger. The amount is typed and belongs to the total."
            ],
            ["Everything else in the summary is calculated."],
        ],
    }
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, ("Totals", "Summary is wrong", "Costs", "Does not add up")),
        "request": d.choose_wording(REQUESTS, book=f'"{title}"'),
        "book": make_book(d.w, owner, title, tabs, [me, asker]),
        "areas": areas,
        "accrual": accrual,
        "wrong": wrong,
        "right": right,
        "total": sum(amounts[: LINES + 1]) / 100,
    }


def list_formulas(count: int) -> dict[str, str]:
    """The right formula of each calculated cell of the summary."""
    cells = {
        f"B{row}": f"=SUMIF(Ledger!$B$2:$B${LINES + 1},A{row},Ledger!$C$2:$C${LINES + 1})"
        for row in range(2, count + 2)
    }
    return {**cells, f"B{count + 3}": f"=SUM(B2:B{count + 2})"}


def draw_faults(d: Draw, count: int, ledger: list[list[str]]) -> dict[str, str]:
    """Two areas and the total, each with a formula that is wrong in its own way, or with a number."""
    rng = d.stream("faults")
    first, second = rng.shuffled(range(2, count + 2))[:2]
    short = min(number for number, line in enumerate(ledger) if number >= LINES - 5)
    kinds = {
        "typed": lambda row: money(rng.integer(20_000, 400_000)),
        "label": lambda row: (
            f"=SUMIF(Ledger!$B$2:$B${LINES + 1},A{row - 1 if row > 2 else 3},Ledger!$C$2:$C${LINES + 1})"
        ),
        "short": lambda row: f"=SUMIF(Ledger!$B$2:$B${short},A{row},Ledger!$C$2:$C${short})",
        "column": lambda row: f"=COUNTIF(Ledger!$B$2:$B${LINES + 1},A{row})",
    }
    chosen = rng.shuffled(sorted(kinds))[:2]
    faults = {f"B{row}": kinds[kind](row) for row, kind in zip((first, second), chosen, strict=True)}
    totals = (f"=SUM(B2:B{count + 1})", f"=SUM(B3:B{count + 2})", money(rng.integer(900_000, 3_000_000)))
    return {**faults, f"B{count + 3}": rng.choice(totals)}


def solution(scene: Scene) -> Steps:
    """Write the right formulas, and tell the total."""
    truth = scene.facts("truth")
    for name in truth["wrong"]:
        yield write(f"mend_{name.lower()}", truth["book"], f"Summary!{name}", truth["right"][name])
    total = f"{truth['total']:,.2f}"
    yield reply(
        scene,
        f"The total is EUR {total}, including {truth['accrual']}. The formulas are repaired.",
        wordings=(f"It comes to €{total} now; three formulas were wrong.",),
    )
    yield Step("finish", "world.finish", {"status": "done"})


LABELS = {
    "total": "total, right total, correct total, new total, sum, comes to, now, in all, adds up to, amounts to",
    "wrong": (
        "by mistake, wrong, wrongly, wrong total, old total, before, showed, used to, was, had, instead of, not "
        "use, do not use, don't use, not the total, not take, broken, until now, so far, typed, formerly, without, except,"
        " leaving out, excluding, too low, too high, too much, too little, for each, per area"
    ),
}
"""What the answer may call an amount."""


def rubric(truth: Facts) -> RubricSource:
    """Every wrong cell is a formula that means the right thing, and the total is told."""
    total = {"amount": "event.truth.total", "currency": "EUR", "tol": 0.01, "called": "total"}
    python = [
        {"id": f"mended_{number}", "call": f"predicates.check_formula_{number}", "claims": ["sheets_cell"], "weight": 2}
        for number, _ in enumerate(truth["wrong"])
    ]
    python.append({"id": "rest", "call": "predicates.rest", "claims": ["sheets_cell"]})
    return make_rubric([expect_reply(truth, {"facts": {"must": [total], "labels": LABELS}}, weight=2)], python=python)
