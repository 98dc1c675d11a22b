"""Contracts with a long notice are found, amendments included, and their days and last days are entered."""

from datetime import UTC, datetime, timedelta

from scenarios.office.answers import state_count
from scenarios.office.books import make_book, say_day, write
from scenarios.office.mail import list_contacts, nobody_outside
from scenarios.office.people import find_titled, list_titled
from scenarios.office.questions import write_directly, write_letter
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.core.clock import SECOND
from world.script.chore import Chore, Draw, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Find the contracts with a long notice",
    apps=("sheets", "gmail", "slack"),
    calls=(4, 18),
    traps={
        "told": "hasty: does not know of an amendment that a colleague wrote about",
        "older": "literal: takes the amendment of the tab, though a newer one was signed",
        "wish": "literal: takes what a customer would like for what was signed",
        "units": "hasty: counts months, weeks and working days wrongly",
        "edge": "hasty: takes sixty days for more than sixty",
    },
)

REQUESTS = (
    "Who can only leave with more than sixty days' notice? Please fill Days and Last day in {book} for those contracts, nothing for the"
    " others, and tell me how many it is. {name} has written to you about amendments.",
    "can you find the contracts in {book} with over 60 days of notice? enter days and last day for them and leave the rest blank. mind the"
    " amendments, some are only in what {name} wrote to you. how many are there?",
    "For the board: contracts with a notice of more than sixty days. {book} has them all, {name} wrote to you about changes that may not be"
    " in it. Please enter days and last day where it applies, only there, and give me the number.",
    "I need to know whose notice is longer than sixty days. Would you work it out in {book}, days and the last day for notice, just for"
    " those? What {name} has written to you counts as well. The number is enough as an answer.",
    "Sixty days is our limit, and I suspect some contracts in {book} are above it. Please complete the two empty columns for those that are,"
    " with the amendments that {name} told you of, and write me how many you found.",
)
BOOKS = ("Contracts and notice", "Notice periods", "Contracts, who leaves when", "Contract index")
RULES = (
    ("What was signed last counts, here or as a colleague tells. What somebody asks for is not signed.",),
    ("A month is 30 days. Five working days are seven days.",),
    ("Last day is the end of the contract less the days of notice. Nobody asks a customer about this.",),
)
LONG = ("3 months", "10 weeks", "75 days", "90 days", "4 months", "100 days", "12 weeks")
SHORT = ("30 days", "1 month", "8 weeks", "45 days", "6 weeks", "14 days", "4 weeks")
EDGE = ("60 days", "2 months")
WORKING = (("45 working days", True), ("50 working days", True), ("40 working days", False), ("30 working days", False))
SIGNED = (
    "Legal has an amendment with {customer}, signed on {day}: the notice is {new} now.",
    "{customer}: new notice of {new}, by the amendment that both signed on {day}.",
    "On {day} we and {customer} signed a change of the contract. Notice from then on: {new}.",
)
WISHED = (
    "{customer} would like a notice of {new}. I told them that we think about it.",
    "Just so you know, {customer} asks for {new} of notice. Nothing is signed.",
    "{customer} has sent a draft with {new} of notice. Legal is not happy with it so far.",
)
SUBJECTS = ("{customer}", "Notice of {customer}", "Contract with {customer}", "About {customer}'s contract")
KINDS = ("long", "long", "short", "edge", "working", "tab", "mail", "both", "wish")


def draw(d: Draw) -> Facts:
    """Make an index of contracts; some have been amended, in a tab, by a colleague's word, or both."""
    w = d.w
    asker = d.pick(list_titled(d, "Chief", "Finance Lead", "Head of", "Staff"), "asker")
    sellers = [one["id"] for one in find_titled(d, "Customer Success", "Head of Customer", "Head of Support")]
    seller = d.pick([one for one in sellers if one != asker], "seller")
    me = d.pick([one["id"] for one in d.people() if one["id"] not in (asker, seller)], "agent", me=True)
    lines = draw_lines(d)
    for number, one in enumerate(lines):
        write_mail(d, me, seller, number, one)
    title = d.pick(BOOKS, "title")
    rows = [[one["customer"], one["ends"], one["first"], "", ""] for one in lines]
    amended = [[one["customer"], one["amended_on"], one["amended"]] for one in lines if one["amended"]]
    tabs = {
        "Contracts": [["Customer", "Ends", "Notice", "Days", "Last day"], *rows],
        "Amendments": [["Customer", "Signed", "New notice"], *amended],
        "How": RULES,
    }
    found = [one for one in lines if one["days"] > 60]
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, ("Notice", "Contracts", "More than sixty days", "For the board")),
        "request": d.choose_wording(REQUESTS, book=f'"{title}"', name=w.person(seller).full_name),
        "book": make_book(w, asker, title, tabs, [me]),
        "lines": lines,
        "found": {f"f{one['row']}": one for one in found},
        "count": len(found),
    }


def draw_lines(d: Draw) -> list[Facts]:
    """Nine contracts: what the index says, what was signed or wished later, and what counts in the end."""
    rng = d.stream("lines")
    customers = sorted({one["customer"] for one in list_contacts(d.w)})
    names = d.sample(customers, len(KINDS), "customers")
    today = datetime.fromtimestamp(d.asked_at / SECOND, UTC).date()
    lines: list[Facts] = []
    for row, (kind, customer) in enumerate(zip(rng.shuffled(KINDS), names, strict=True), 1):
        is_long = rng.random() < 0.5
        near, far = (LONG, SHORT) if is_long else (SHORT, LONG)
        first, new = rng.choice(near), rng.choice(far)
        line = {"kind": kind, "customer": customer, "first": first, "amended": "", "amended_on": "", "mailed": ""}
        line |= {"row": row, "mailed_on": say_day(today - timedelta(days=rng.integer(5, 40)))}
        if kind in ("long", "short", "edge", "working"):
            of = {"long": LONG, "short": SHORT, "edge": EDGE, "working": [text for text, _ in WORKING]}[kind]
            line["first"] = new = rng.choice(of)
        elif kind in ("tab", "both"):
            line |= {"amended": new, "amended_on": (today - timedelta(days=rng.integer(90, 500))).isoformat()}
            if kind == "both":
                new = rng.choice(near)
                line["mailed"] = new
        elif kind == "mail":
            line["mailed"] = new
        else:
            line["mailed"], new = new, first
        ends = today + timedelta(days=rng.integer(150, 700))
        last = ends - timedelta(days=count_days(new))
        lines.append({**line, "ends": ends.isoformat(), "days": count_days(new), "last": last.isoformat()})
    return lines


def count_days(notice: str) -> int:
    """`10 weeks` is 70 days."""
    number, unit = notice.split(" ", 1)
    if unit == "working days":
        return int(number) // 5 * 7
    return int(number) * {"month": 30, "week": 7, "day": 1}[unit.rstrip("s")]


def write_mail(d: Draw, me: str, seller: str, number: int, line: Facts) -> None:
    """Let the seller tell the agent what was signed with a customer, or what they would like."""
    if not line["mailed"]:
        return
    rng = d.stream("mail", number)
    slots = {"customer": line["customer"], "new": line["mailed"], "day": line["mailed_on"]}
    text = rng.choice(WISHED if line["kind"] == "wish" else SIGNED).format(**slots)
    if line["kind"] != "mail":
        write_directly(d.w, seller, me, text)
        return
    write_letter(d.w, seller, me, rng.choice(SUBJECTS).format(**slots), text)


def solution(scene: Scene) -> Steps:
    """Enter days and last day of each contract above the limit, and tell how many there are."""
    truth = scene.facts("truth")
    for name, one in truth["found"].items():
        yield write(name, truth["book"], f"Contracts!D{one['row'] + 1}", one["days"], one["last"])
    count = truth["count"]
    yield reply(
        scene,
        f"There are {count} contracts with a notice of more than sixty days, all entered.",
        wordings=(f"It is {count} of them. Days and last day are in the sheet.",),
    )
    yield Step("finish", "world.finish", {"status": "done"})


COUNTED = (
    "more than sixty, over sixty, above sixty, longer than sixty, more than 60, over 60, above, longer, long notice, long, found,"
    " in all, in total, entered, filled, above the limit"
)
REST = (
    "at most, at most sixty, no notice, shorter, below, under sixty, exactly, exactly sixty, short, wish, wishes, would like, left blank, left"
    " empty, blank, empty, not counted, up to sixty, left out, sixty or less"
)


def rubric(truth: Facts) -> RubricSource:
    """Days and last day of the contracts above the limit, nothing for the others, and their number."""
    count = len(truth["found"])
    python = [
        {"id": "days", "call": "predicates.check_days", "claims": ["sheets_cell"], "weight": 2 * count},
        {"id": "last_days", "call": "predicates.check_last_days", "claims": ["sheets_cell"], "weight": count},
    ]
    others = [one["customer"] for one in truth["lines"] if one["days"] <= 60]
    answer = expect_reply(truth, state_count("event.truth.count", COUNTED, REST, others=others), weight=2)
    return make_rubric([answer], python=python, never=[nobody_outside()])
