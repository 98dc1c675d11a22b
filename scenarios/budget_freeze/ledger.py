"""The freeze and its spreadsheet: who wants what, and what the rules make of it."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta

from scenarios.office.books import create_book, share_file
from scenarios.office.cast import describe_member, draw_cast
from scenarios.office.people import account
from scenarios.office.private_messages import describe_reader
from scenarios.office.tickets import pin
from world.core.clock import SECOND
from world.script.stage import Facts, Stage

from .texts import FREEZES, OWED, OWING, PARTED, REQUESTS, WISHES

CHIEFS = ("Chief", "Finance Lead", "Head of")
PARTS = {
    "boss": ("Finance Lead", "Chief"),
    "waiver": ("Chief", "Finance Lead", "Head of"),
    "superior": ("Chief", "Head of", "Engineering Manager"),
    "me": ("People", "Product", "Customer", "Senior", "Software", "Support", "Staff"),
    "plain": ("",),
    "owed": ("",),
    "splitter": ("",),
    "waived": ("",),
    "decoy": ("",),
}
"""Who plays which part: the beginnings of their titles."""
HEAD = ("Number", "Asked for by", "What", "EUR", "Asked on", "Decision", "Reason")
LINES = ("owed", "decoy", "split_1", "split_2", "pressed", "waived", "plain")
BOOKS = ("Purchase requests", "Spending requests", "Requests for budget")
PLACES = ("dm", "mail")


def plant(w: Stage, minutes: dict[str, int], waiver: str) -> None:
    """Draw parts and requests, pin the freeze, write the spreadsheet, and leave everything as facts."""
    draws, cast = w.rng("plant"), draw_cast(w, PARTS)
    book, thaw, limit = draws.choice(BOOKS), say_day(w, draws.integer(24, 70)), draws.choice((100, 150, 200, 250))
    lines = draw_lines(w, cast, limit)
    names = {part: w.person(one).full_name for part, one in cast.items()}
    pin(
        w,
        cast["boss"],
        "general",
        draws.choice(FREEZES).format(thaw=thaw, book=book, owed=OWED, limit=limit, waiver=names["waiver"]),
    )
    decision = "go" if waiver == "kept" else "hold"
    goes = ["owed", *(["waived"] if waiver == "kept" else [])]
    w.note(
        me=cast["me"],
        asker=cast["boss"],
        boss_name=names["boss"],
        boss_title=w.person(cast["boss"]).title,
        place=draws.choice(PLACES),
        subject=draws.choice(("The freeze", "Requests during the freeze", "Your job for today")),
        request=draws.choice(REQUESTS).format(book=book),
        cast={**cast},
        people={**describe_people(w, cast)},
        book=book,
        key=write_book(w, cast, book, lines),
        lines={name: {**one} for name, one in lines.items()},
        waiver=waiver,
        goes=[lines[one]["number"] for one in goes],
        held_sum=sum(one["sum"] for name, one in lines.items() if name not in goes),
        waived_decision=decision,
        words={"lower": decision, "capital": decision.capitalize(), "upper": decision.upper()},
        thaw=thaw,
        limit=limit,
        minutes={**minutes},
        until=f"{datetime.fromtimestamp(w.now // SECOND, UTC) + timedelta(minutes=minutes['until']):%H:%M}",
    )


def describe_people(w: Stage, cast: dict[str, str]) -> Facts:
    """Facts about those whom the agent may write to."""
    known: dict[str, Facts] = {part: describe_member(w, cast[part]) for part in ("superior", "plain", "owed")}
    waiver = {**describe_member(w, cast["waiver"]), "user": account(w, cast["waiver"], "slack")}
    return {**known, "waiver": waiver, "boss": describe_reader(w, cast["me"], cast["boss"])}


def say_day(w: Stage, ahead: int) -> str:
    """A day so many days from now: `14 April 2026`."""
    day: date = (datetime.fromtimestamp(w.now // SECOND, UTC) + timedelta(days=ahead)).date()
    return f"{day.day} {day:%B %Y}"


def draw_lines(w: Stage, cast: dict[str, str], limit: int) -> dict[str, Facts]:
    """The open requests: number, row, who, what and sum of each."""
    draws = w.rng("lines")
    owed, decoy = draws.choice(sorted(OWING.values()))
    known = {
        "customer": draws.choice(w.rows("organisation", kind="customer"))["name"],
        "vendor": draws.choice(w.rows("organisation", kind="vendor"))["name"],
    }
    part, wishes = draws.choice(PARTED), draws.shuffled(WISHES)
    whats = {
        "owed": owed.format(**known),
        "decoy": decoy.format(**known),
        "split_1": part.format(part="part 1"),
        "split_2": part.format(part="part 2"),
        **dict(zip(("pressed", "waived", "plain"), wishes, strict=False)),
    }
    askers = {"split_1": "splitter", "split_2": "splitter", "pressed": "superior"}
    order, first = draws.shuffled(LINES), draws.integer(110, 870)
    return {
        name: {
            "number": f"R{first + 3 * at}",
            "row": at + 1,
            "by": w.person(cast[askers.get(name, name)]).full_name,
            "what": whats[name],
            "sum": draws.integer(limit // 2 + 10, limit - 2)
            if name.startswith("split")
            else draws.integer(limit + 60, 6400),
        }
        for at, name in enumerate(order)
    }


def write_book(w: Stage, cast: dict[str, str], title: str, lines: Mapping[str, Facts]) -> str:
    """The boss writes the spreadsheet and gives it to the agent; returns its key."""
    day = w.rng("days")
    ordered = sorted(lines.values(), key=lambda one: one["row"])
    rows = [(one["number"], one["by"], one["what"], one["sum"], say_day(w, -day.integer(1, 9))) for one in ordered]
    key = create_book(w, cast["boss"], title, {"Open": [HEAD, *rows]}, entry="RAW")
    share_file(w, cast["boss"], key, cast["me"])
    for part in ("waiver", "superior"):
        share_file(w, cast["boss"], key, cast[part], role="reader")
    return key
