"""A forecast is rolled on to the next month: a new tab that follows from the last one, with what the owners have told."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime

from scenarios.office.books import BOOK, make_book
from scenarios.office.people import list_titled
from scenarios.office.questions import write_directly, write_letter
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps, wait_until
from world.core.clock import SECOND
from world.script.chore import Chore, Draw, RubricSource
from world.script.scenario import Script
from world.script.stage import Facts, Stage

__all__ = ["chore", "deliver", "draw", "rubric", "script", "solution"]

chore = Chore(
    title="Roll a forecast on to the next month",
    apps=("sheets", "gmail", "slack"),
    calls=(5, 20),
    traps={
        "again": "hasty: adds a figure that replaces the first one, or replaces one that comes on top",
        "closed": "literal: changes a month that is closed",
        "copied": "forgetful: leaves changes or references of the month before in the copied tab",
        "late": "forgetful: does not wait for the figure that was announced",
    },
)

REQUESTS = (
    "Could you roll {book} on to {month}? The owners have sent you their changes, only {name} is still at it and "
    "will mail you within half"
    " an hour, so wait for that. Then give me the total for {month}.",
    "time to add {month} to {book}. changes are in your mail and messages, {name}'s comes in the next half hour. "
    "please wait for it and tell"
    " me the {month} total",
    "Please set up {month} in {book}, the way it is described there, with what the owners told you. {name} promised"
    " a mail in the next"
    " thirty minutes, I want that included. What is the total for {month} then?",
    "I need {month} in {book}. You have had word from whoever changes something; {name} will write to you by mail "
    "shortly, half an hour at"
    " most. Roll it on once you have that, and let me know the {month} total, please.",
    "{book} ends too early: would you roll it on by a month, to {month}? Use what the owners wrote to you, "
    "including the mail that {name}"
    " sends in half an hour or less. The total for {month} is what I'm after.",
)
AREAS = ("Hosting", "Travel", "Training", "Licences", "Events", "Hardware", "Office", "Recruiting", "Advice", "Phones")
BOOKS = ("Rolling forecast", "Forecast of costs", "Costs by month", "Forecast, month by month", "Monthly outlook")
RULES = (
    ("Each month has a tab of its own, named like the others and made like the one before.",),
    ("Before points to the Forecast of the month before. Forecast and Total are calculated.",),
    ("Change is what the owner has told for the month, typed; 0 if there is nothing.",),
    ("A month that has a tab is closed: nothing in it changes. If somebody finds a mistake in it,",),
    ("the difference goes into the Change of the new month.",),
)
TOLD = (
    "{area} for {month}: {sign} EUR {n} against the month before.",
    "My change for {month}, {area}: {sign} EUR {n}.",
    "Please put {sign} EUR {n} into {month} for {area}.",
)
INSTEAD = (
    "About {area} again: {sign} EUR {n} instead of what I wrote first.",
    "New figure for {area}, forget the one from before: {sign} EUR {n}.",
    "I had the wrong offer in hand. For {area} it is {sign} EUR {n}, not what I told you.",
)
ON_TOP = (
    "About {area} again: there is one more thing in {month}, {sign} EUR {n} on top of what I wrote.",
    "And another {sign} EUR {n} for {area} in {month}, in addition to the first figure.",
    "{area}: besides what you have from me, {sign} EUR {n} more comes in {month}.",
)
MISTAKE = (
    "I made a mistake with {area} in {last}: the change was {was}, it should have been {right}. Nothing new in "
    "{month}.",
    "{area}, {last}: you have a change of {was} from me, right would have been {right}. For {month} itself I have "
    "nothing.",
    "Found an error of mine. The change of {area} in {last} should be {right} and not {was}. No other change for "
    "{month}.",
)
SUBJECTS = ("Forecast", "{area}", "{area} in {month}", "My figure for {month}")
KINDS = ("plain", "plain", "again", "closed", "none", "late")


def draw(d: Draw) -> Facts:
    """Make a forecast of two months, and let the owners of five areas say what changes."""
    w = d.w
    asker = d.pick(list_titled(d, "Finance Lead", "Chief", "Head of", "Engineering Manager"), "asker")
    me, *owners = d.sample([one["id"] for one in d.people() if one["id"] != asker], len(KINDS) + 1, "people", me=0)
    on_top = d.chance(1 / 3, "on top")
    months = name_months(d)
    lines = draw_lines(d, owners, on_top=on_top)
    texts = {"month": months[2], "last": months[1]}
    late = ""
    for one in lines:
        said = find_words(d, one, texts, on_top=on_top)
        if one["kind"] == "late":
            late = said[0]
            continue
        for text in said:
            write_to(w, one["id"], me, text, d.stream("subject", one["area"]).choice(SUBJECTS).format(**one, **texts))
    title = d.pick(BOOKS, "title")
    tabs = {months[0]: list_tab(d, lines, ""), months[1]: list_tab(d, lines, months[0]), "How": RULES}
    waited = next(one for one in lines if one["kind"] == "late")
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, ("Forecast", f"{months[2]}", f"Forecast for {months[2]}", "Roll on")),
        "request": d.choose_wording(
            REQUESTS, book=f'"{title}"', month=months[2], name=w.person(waited["id"]).full_name
        ),
        "book": make_book(w, asker, title, tabs, [me]),
        "months": months,
        "lines": {f"r{one['row']}": one for one in lines},
        "late": {"id": waited["id"], "text": late, "subject": f"{waited['area']} in {months[2]}"},
        "total": sum(one["base"] + one["older"] + one["old"] + one["change"] for one in lines),
    }


def name_months(d: Draw) -> list[str]:
    """The month before, this month and the next."""
    now = datetime.fromtimestamp(d.asked_at / SECOND, UTC)
    return [f"{date(2026, (now.month - 1 + more) % 12 + 1, 1):%B}" for more in (-1, 0, 1)]


def draw_lines(d: Draw, owners: Sequence[str], *, on_top: bool) -> list[Facts]:
    """Six areas with their owners, their past and their change."""
    rng = d.stream("lines")
    lines: list[Facts] = []
    for row, (kind, area, owner) in enumerate(
        zip(rng.shuffled(KINDS), d.sample(AREAS, len(KINDS), "areas"), owners, strict=True), 2
    ):
        numbers = [rng.choice((-1, 1, 1)) * rng.integer(3, 38) * 50 for _ in range(5)]
        older, old, first, more, right = numbers
        more += 25 if more == first else 0
        right += 25 if right == old else 0
        again = first + more if on_top else more
        change = {"plain": first, "late": first, "again": again, "closed": right - old}.get(kind, 0)
        base = rng.integer(60, 420) * 100
        names = {"row": row, "kind": kind, "area": area, "id": owner}
        past = {"base": base, "older": older, "old": old}
        lines.append({**names, **past, "first": first, "more": more, "right": right, "change": change})
    return lines


def find_words(d: Draw, line: Facts, texts: Mapping[str, str], *, on_top: bool) -> list[str]:
    """What the owner of an area writes: nothing, one thing or two."""
    rng = d.stream("words", line["area"])
    slots = {**texts, "area": line["area"]}

    def say(variants: Sequence[str], amount: int) -> str:
        sign = "plus" if amount > 0 else "minus"
        return rng.choice(variants).format(**slots, sign=sign, n=f"{abs(amount):,}")

    if line["kind"] == "closed":
        return [rng.choice(MISTAKE).format(**slots, was=say_euro(line["old"]), right=say_euro(line["right"]))]
    if line["kind"] == "again":
        return [say(TOLD, line["first"]), say(ON_TOP if on_top else INSTEAD, line["more"])]
    return [] if line["kind"] == "none" else [say(TOLD, line["first"])]


def say_euro(amount: int) -> str:
    """`minus EUR 1,250`."""
    return f"{'plus' if amount > 0 else 'minus'} EUR {abs(amount):,}"


def write_to(w: Stage, owner: str, me: str, text: str, subject: str) -> None:
    """Let an owner write to the agent: the first time by mail, then by message."""
    written = [one for one in w.rows("gmail_mail", sender_id=owner) if one["sent_at"] == w.now]
    if written:
        write_directly(w, owner, me, text)
    else:
        write_letter(w, owner, me, subject, text)


def list_tab(d: Draw, lines: Sequence[Facts], before: str) -> list[Sequence[object]]:
    """The tab of a month: areas, and the totals below them."""
    rows = [
        [
            one["area"],
            d.w.person(one["id"]).full_name,
            f"={before}!E{one['row']}" if before else one["base"],
            one["old"] if before else one["older"],
            f"=C{one['row']}+D{one['row']}",
        ]
        for one in lines
    ]
    last = len(lines) + 1
    sums = ["Total", "", *(f"=SUM({col}2:{col}{last})" for col in "CDE")]
    return [["Area", "Owner", "Before", "Change", "Forecast"], *rows, sums]


def script(s: Script) -> None:
    """The last owner writes while the agent is at work."""
    s.at("+16m", _send_late, name="late_mail")


def _send_late(w: Stage) -> None:
    late = w.fact("truth", "late")
    write_letter(w, late["id"], w.fact("truth", "me"), late["subject"], late["text"])


def solution(scene: Scene) -> Steps:
    """Wait for the last figure, copy the tab, set references and changes, tell the total."""
    truth = scene.facts("truth")
    yield from wait_until(scene, 25)
    _, last, month = truth["months"]
    key, lines = truth["book"]["key"], list(truth["lines"].values())
    file = scene.find("drive_file", key=key)["id"]
    gid = scene.find("sheets_sheet", file_id=file, title=last)["gid"]
    copy = {"duplicateSheet": {"sourceSheetId": gid, "newSheetName": month, "insertSheetIndex": 2}}
    yield Step("copy", "spreadsheets.batchUpdate", {"spreadsheetId": key, "requests": [copy]})
    values = [[f"={last}!E{one['row']}", one["change"]] for one in lines]
    where = {"spreadsheetId": key, "range": f"{month}!C2", "valueInputOption": "USER_ENTERED"}
    yield Step("fill", "spreadsheets.values.update", {**where, "values": values}, after=("copy",), repeatable=True)
    total = f"{truth['total']:,}"
    yield reply(
        scene,
        f"{month} is in, the total is EUR {total}.",
        wordings=(f"Rolled on. For {month} it comes to €{total} in total.",),
    )
    yield Step("finish", "world.finish", {"status": "done"})


TOTAL = ("total", "in total", "altogether", "in all", "sum", "comes to")
PART = (
    "rise by",
    "rises by",
    "rise",
    "rises",
    "increase",
    "increase of",
    "more than",
    "change of",
    "difference",
    "per area",
    "each area",
    "without",
    "instead of",
)
"""What the answer may call an amount, besides the name of a month."""


def rubric(truth: Facts) -> RubricSource:
    """A tab of the new month that follows from the last one, the change of each area, and the total."""
    python = [{"id": "tab", "call": "predicates.check_tab", "claims": ["sheets_sheet", "sheets_cell"], "weight": 3}]
    python += [
        {"id": f"change_{kind}", "call": f"predicates.check_{kind}", "claims": [], "weight": 2}
        for kind in dict.fromkeys(KINDS)
    ]
    months = dict(zip(("first", "last", "new"), truth["months"], strict=True))
    labels = {"new": [months["new"], *TOTAL], "last": [months["last"]], "first": [months["first"]], "part": list(PART)}
    total = {"amount": "event.truth.total", "currency": "EUR", "tol": 0.5, "called": "new"}
    wrong = [
        {"mentions": one}
        for one in ("without the last mail", "thousand", "not wait", "made up", "each area", "per area", "we earn")
    ]
    places = {"update": "sheets_sheet", "where": {"file_id": {"ref": "book"}}, "only": ["position"], "max": 3}
    facts = {"must": [total], "only": [{"kind": "amount", "called": "new"}], "labels": labels}
    text = {"facts": facts, "none_of": wrong}
    answer = expect_reply(truth, text, weight=2, after="event.late_mail.start")
    return make_rubric([answer], refs={"book": BOOK}, python=python, allow=[places])
