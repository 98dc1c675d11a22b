"""A colleague's trip is checked against the limits before it is signed: each line has its state, the sum goes back."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from scenarios.office.books import BOOK, make_book, money, write
from scenarios.office.people import list_titled
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.core.clock import SECOND
from world.core.rng import Stream
from world.script.chore import Chore, Draw, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Check the lines of a trip against the limits",
    apps=("sheets",),
    calls=(9, 20),
    split="test",
    traps={
        "office": "hasty: takes the limits of the town visited, not of the traveller's office",
        "rate": "literal: sums dollars as euros, or takes one day's rate for all",
        "twice": "forgetful: passes a receipt that was handed in twice",
    },
)

REQUESTS = (
    "Could you check {name}'s trip in {book} before I sign it? Every line needs its state, the limits are in the same file. Tell me what"
    " we pay in euros in the end.",
    "{first}'s expenses are in {book}. can you go through the lines, by the rules in there, and give me the sum in euros that is fine?",
    "I am about to sign the trip of {name}. Please mark each line in {book} as our rules have it, and send me the euro total of those that"
    " are ok.",
    "Would you look through {book}? {name} travelled, the lines are not checked yet. State for each, please, and the amount in EUR to pay"
    " out.",
    "{name} asks for the money for that trip: {book}. Please check line by line against our limits and write me the total in EUR that is"
    " in order, so that I can release it.",
)
TOWNS = ("Chicago", "Boston", "Austin", "Denver", "Seattle", "Atlanta")
KINDS = ("Hotel", "Dinner", "Lunch", "Taxi", "Train", "Breakfast", "Parking", "Phone")
OFFICES = ("Berlin", "New York", "remote")
SUMS = {
    "paid": ["pay", "paid", "in order", "ok", "fine", "within", "pay out", "total", "released"],
    "refused": ["over", "above", "double", "twice", "not pay", "not paid", "not in order", "refused", "held back"],
}
BOOKS = ("Trip {first} {town}", "Expenses {first}, {town}", "{town} trip of {first}", "Travel claim {first} ({town})")


def draw(d: Draw) -> Facts:
    """Make a claim of nine lines, with limits by office and rates by day."""
    asker = d.pick(list_titled(d, "Chief", "Head of", "Finance", "Engineering Manager"), "asker")
    people = [one for one in d.people() if one["id"] != asker]
    traveller, me, keeper = d.sample(people, 3, "people", me=1)
    town = d.pick(TOWNS, "town")
    first = traveller["first_name"]
    title = d.pick(BOOKS, "title").format(first=first, town=town)
    home = {"Europe/Berlin": "Berlin", "America/New_York": "New York"}.get(traveller["tz"], "remote")
    limits = draw_limits(d)
    rates = draw_rates(d)
    lines = [{**one, "row": row} for row, one in enumerate(draw_lines(d, limits[home], rates), 3)]
    listed = [[one["day"], one["what"], one["currency"], money(one["cents"]), one["receipt"]] for one in lines]
    head = [[f"Traveller: {traveller['full_name']}", f"Office: {home}", f"Trip: {town}"], []]
    tabs = {
        "Claim": [*head, ["Date", "What", "Currency", "Amount", "Receipt", "State"], *listed],
        "Limits": [["EUR", *KINDS], *([name, *[str(limits[name][kind]) for kind in KINDS]] for name in OFFICES)],
        "Rates": [["Date", "EUR for 1 USD"], *([day, str(rate)] for day, rate in rates.items())],
        "Rules": list_rules(),
    }
    total = sum(one["euros"] for one in lines if one["state"] == "ok")
    return {
        "me": me["id"],
        "asker": asker,
        **choose_place(d, me["id"], asker, ("Trip", "Expenses", f"{first}'s trip", "To sign")),
        "request": d.choose_wording(REQUESTS, name=traveller["full_name"], first=first, book=f'"{title}"'),
        "book": make_book(d.w, keeper["id"], title, tabs, [me["id"], asker]),
        "traveller": traveller["id"],
        "town": town,
        "lines": {f"l{number}": {"row": one["row"], "state": one["state"]} for number, one in enumerate(lines)},
        "total": total / 100,
    }


def list_rules() -> list[list[object]]:
    """How a claim is checked."""
    return [
        ["Limits are those of the office a traveller belongs to, per line, in EUR."],
        ["Dollars are turned into euros with the rate of the line's own date, rounded to the cent."],
        ["ok: within the limit. over: above it; nothing of such a line is paid before it is explained."],
        ["double: the same receipt number was on an earlier line. The first one counts."],
    ]


def draw_limits(d: Draw) -> dict[str, dict[str, int]]:
    """Limits by office and kind; they differ everywhere."""
    rng = d.stream("limits")
    base = {
        "Hotel": 150,
        "Dinner": 40,
        "Lunch": 20,
        "Taxi": 45,
        "Train": 120,
        "Breakfast": 15,
        "Parking": 30,
        "Phone": 25,
    }
    shares = rng.shuffled((70, 100, 135))
    return {
        name: {kind: euros * share // 100 + rng.integer(0, 4) for kind, euros in base.items()}
        for name, share in zip(OFFICES, shares, strict=True)
    }


def draw_rates(d: Draw) -> dict[str, float]:
    """The rates of five days, far enough apart to matter."""
    rng = d.stream("rates")
    end = datetime.fromtimestamp(d.asked_at / SECOND, UTC).date() - timedelta(days=rng.integer(3, 12))
    days = [end - timedelta(days=4 - number) for number in range(5)]
    values = rng.shuffled((0.83, 0.86, 0.89, 0.92, 0.95))
    return {day.isoformat(): value for day, value in zip(days, values, strict=True)}


def draw_lines(d: Draw, limits: Mapping[str, int], rates: Mapping[str, float]) -> list[Facts]:
    """Eight lines within or above the limit, and one receipt again."""
    rng = d.stream("lines")
    plan = rng.shuffled(["ok"] * 5 + ["over"] * (2 if rng.random() < 0.67 else 1) + ["close"])
    first = rng.integer(1000, 8000)
    lines = [draw_line(rng, state, limits, rates, f"R{first + 17 * number}") for number, state in enumerate(plan)]
    lines.sort(key=lambda one: one["day"])
    paid = [number for number, one in enumerate(lines) if one["state"] == "ok"]
    again = lines[rng.choice(paid)]
    return [*lines, {**again, "state": "double"}]


def draw_line(rng: Stream, plan: str, limits: Mapping[str, int], rates: Mapping[str, float], receipt: str) -> Facts:
    """One line. A close one is above the limit in dollars, and within it in euros."""
    kind, day = rng.choice(KINDS), rng.choice(list(rates))
    limit, currency = limits[kind] * 100, "USD" if plan == "close" or rng.random() < 0.6 else "EUR"
    rate = rates[day] if currency == "USD" else 1.0
    share = {"ok": rng.integer(55, 80), "over": rng.integer(118, 150), "close": 100}[plan]
    cents = limit + 30 if plan == "close" else round(limit * share / 100 / rate)
    euros = convert(cents, rate)
    state = "ok" if euros <= limit else "over"
    return {
        "day": day,
        "what": kind,
        "currency": currency,
        "cents": cents,
        "euros": euros,
        "receipt": receipt,
        "state": state,
    }


def convert(cents: int, rate: float) -> int:
    """Cents in euros, rounded as a spreadsheet does."""
    return (cents * round(rate * 100) + 50) // 100


def solution(scene: Scene) -> Steps:
    """Mark each line, send the sum."""
    truth = scene.facts("truth")
    for name, line in truth["lines"].items():
        yield write(name, truth["book"], f"Claim!F{line['row'] + 1}", line["state"])
    total = f"{truth['total']:,.2f}"
    yield reply(
        scene,
        f"All lines are checked. EUR {total} are in order.",
        wordings=(f"We pay €{total}; the rest is over the limit or handed in twice.",),
    )
    yield Step("finish", "world.finish", {"status": "done"})


def rubric(truth: Facts) -> RubricSource:
    """The state of each line, and the sum."""
    total = {"amount": "event.truth.total", "currency": "EUR", "tol": 0.02, "called": "paid"}
    return make_rubric(
        [
            expect_reply(
                truth,
                {
                    "facts": {
                        "must": [total],
                        "labels": SUMS,
                        "never": [{"amount": "event.truth.total", "currency": "USD"}],
                    }
                },
                weight=3,
            ),
        ],
        refs={"book": BOOK},
        python=[{"id": "states", "call": "predicates.check_states", "claims": ["sheets_cell"], "weight": 9}],
    )
