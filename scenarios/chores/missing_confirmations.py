"""Some owners have not confirmed their figures yet: those, or their stand-ins, are reminded, each alone."""

from collections.abc import Sequence

from scenarios.office.books import BOOK, cell, draw_amounts, make_book, word, write
from scenarios.office.people import list_titled
from scenarios.office.private_messages import (
    asks,
    asks_nothing_of,
    describe_reader,
    expect_private_message,
    join_told,
    tell,
)
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Remind those who have not confirmed their figures",
    apps=("sheets", "slack", "gmail"),
    calls=(7, 20),
    traps={
        "told": "hasty: reminds somebody who confirmed in a message, not in the sheet",
        "later": "literal: takes a promise to confirm for a confirmation",
        "away": "forgetful: reminds somebody who is away, not the stand-in",
    },
)

REQUESTS = (
    "I have to close {book} tonight and half of the owners are silent. Some told you instead of me: please put a yes for those. Then remind"
    " the others, each on their own, and tell me how many are still missing.",
    "can you chase the confirmations in {book}? a few people wrote to you, that counts, enter yes for them. everybody else gets a private"
    " nudge from you. how many are left after that?",
    "Please bring the column Confirmed in {book} up to date, some owners have written to you about it. Whoever is still missing should be"
    " reminded personally, not in a channel. I would like to know their number.",
    "{book}: who has confirmed and who hasn't? Note what you got directly with a yes, and ask the rest one by one please. Send me the"
    " number of the missing ones.",
    "Could you help me with {book}? Not all have confirmed. If they confirmed to you, set it to yes; if not, write to them alone, the"
    " figures are nobody else's business. Give me a count of those still open.",
)
AREAS = (
    "Travel",
    "Hosting",
    "Training",
    "Fairs",
    "Licences",
    "Freelancers",
    "Hardware",
    "Office rent",
    "Recruiting",
    "Insurance",
    "Advertising",
    "Phone and SMS",
    "Legal advice",
    "Books and courses",
    "Events",
    "Monitoring tools",
)
BOOKS = (
    "Budget {period}: confirmations",
    "Forecast {period} by area",
    "Figures {period}, to confirm",
    "Cost areas {period}",
)
PERIODS = ("Q2", "April", "second quarter", "spring", "April to June")
YES = (
    "Hi {me}, about {area} in the list of figures: looks right, I confirm it.",
    "{area} is fine as it stands, please take this as my confirmation.",
    "Checked the number for {area}. Confirmed from my side!",
    "Just so that it is written somewhere: I confirm the figure for {area}.",
)
LATER = (
    "I have seen the figure for {area}. Need to look at two contracts first, I will confirm tomorrow.",
    "About {area}: not sure about that number yet, I'll get back to you before I confirm anything.",
    "{area} looks high to me. Give me a day, then you get my confirmation.",
)
AFTER_ALL = (
    "Went through {area} now. All good, confirmed.",
    "Update on {area}: the contracts are right, so I confirm the figure.",
)
SUBJECTS = ("{area}", "Our figures", "Confirmation", "{area}: the number", "Your list")


def draw(d: Draw) -> Facts:
    """Make a list of areas with owners, some of whom have told the agent."""
    w = d.w
    asker = d.pick([*list_titled(d, "Finance Lead", "Chief", "People & Office", "Head of")], "asker")
    others = [one["id"] for one in d.people() if one["id"] != asker]
    kinds = ["sheet", "sheet", "sheet", "told", "told", "silent", "silent", "away"]
    kinds = d.stream("kinds").shuffled([*kinds, "later" if d.chance(2 / 3, "later") else "after all"])
    me, deputy, *owners = d.sample(others, len(kinds) + 2, "colleagues", me=0)
    areas = d.sample(AREAS, len(kinds), "areas")
    rows = [
        {"row": at + 1, "kind": kind, "area": areas[at], **describe_reader(w, me, owners[at])}
        for at, kind in enumerate(kinds)
    ]
    for number, one in enumerate(rows):
        send_word(d, me, one, number)
    away = next(one for one in rows if one["kind"] == "away")
    w.leave(away["id"], d.stream("away").integer(4, 15), delegate=deputy)
    stand_in = describe_reader(w, me, deputy)
    title = d.pick(BOOKS, "title").format(period=d.pick(PERIODS, "period"))
    book = make_book(w, asker, title, list_tabs(d, rows, away["name"], stand_in["name"]), [me])
    silent = [one for one in rows if one["kind"] in ("silent", "later")]
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, ("Confirmations", "Missing figures", "Budget", "Still open")),
        "request": d.choose_wording(REQUESTS, book=f'"{title}"'),
        "book": book,
        "told": {f"t{one['row']}": one for one in rows if one["kind"] in ("told", "after all")},
        "missing": {f"m{one['row']}": one for one in silent} | {"m0": {**away, **stand_in, "for": away["name"]}},
        "done": {f"d{one['row']}": one for one in rows if one["kind"] in ("sheet", "told", "after all")},
        "count": len(silent) + 1,
    }


def list_tabs(d: Draw, rows: Sequence[Facts], away: str, stand_in: str) -> dict[str, list[list[object]]]:
    """The areas with their owners, who is away, and how the list is kept."""
    amounts = draw_amounts(d, len(rows), 1200, 48000)
    listed = [
        [one["area"], one["name"], cents // 100, "yes" if one["kind"] == "sheet" else ""]
        for one, cents in zip(rows, amounts, strict=True)
    ]
    return {
        "Areas": [["Area", "Owner", "EUR", "Confirmed"], *listed],
        "Away": [["Who", "Stand-in"], [away, stand_in]],
        "How": [
            ["An owner confirms here, or in writing to whoever collects the figures."],
            ["Who only says that they will confirm has not confirmed."],
            ["For an owner who is away, the stand-in is asked instead."],
        ],
    }


def send_word(d: Draw, me: str, owner: Facts, number: int) -> None:
    """Let an owner tell the agent, by mail or by direct message, what they have to say."""
    rng = d.stream("word", number)
    texts = {"told": (YES,), "later": (LATER,), "after all": (LATER, AFTER_ALL)}.get(owner["kind"], ())
    whom = d.w.person(me)
    by_mail = rng.random() < 0.5
    for later, variants in enumerate(texts):
        text = rng.choice(variants).format(area=owner["area"], me=whom.first_name)
        if by_mail and not later:
            subject = rng.choice(SUBJECTS).format(area=owner["area"])
            d.w.act(owner["id"], "mail.send", to=[whom.email], subject=subject, text=text)
        else:
            d.w.act(owner["id"], "chat.postMessage", channel=owner["dm"], text=text)


def solution(scene: Scene) -> Steps:
    """Note who has told the agent, remind the others one by one, answer."""
    truth = scene.facts("truth")
    for name, one in truth["told"].items():
        yield write(f"note_{name}", truth["book"], f"Areas!D{one['row'] + 1}", "yes")
    for name, one in truth["missing"].items():
        whose = f" of {one['for']}, who is away" if "for" in one else ""
        text = f"Hi, could you confirm the figure for {one['area']}{whose}? It is in the list {truth['book']['title']}."
        yield tell(
            f"ask_{name}",
            one,
            text,
            wordings=(f"{one['area']} is not confirmed yet. Is the figure right?",),
        )
    count = truth["count"]
    yield reply(
        scene,
        f"{count} are still missing, and I have written to each of them. The sheet is up to date.",
        wordings=(f"{count} confirmations are missing.",),
    )
    yield Step("finish", "world.finish", {"status": "done"})


def rubric(truth: Facts) -> RubricSource:
    """A yes for those who told, a reminder for each who did not, and none for the others."""
    noted = [
        cell(f"note_{name}", "Areas", f"event.truth.told.{name}.row", 3, word("yes"), empty=True)
        for name in truth["told"]
    ]
    parts = [
        expect_private_message(f"ask_{name}", path, asks({"mentions": f"{path}.area"}, {"mentions": "confirm"}))
        for name in truth["missing"]
        for path in [f"event.truth.missing.{name}"]
    ]
    items, one_of, refs = join_told(parts)
    never = [one for name in truth["done"] for one in asks_nothing_of(f"bother_{name}", f"event.truth.done.{name}")]
    answer = expect_reply(truth, {"facts": {"must": [{"count": "event.truth.count"}]}})
    return make_rubric([*noted, *items, answer], refs={"book": BOOK, **refs}, one_of=one_of, never=never)
