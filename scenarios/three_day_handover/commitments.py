"""What somebody who leaves has promised: tickets with what was said on them, a list from memory, and who may take what."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta

from scenarios.office.books import make_book
from scenarios.office.cast import describe_member, draw_cast
from scenarios.office.mail import list_contacts
from scenarios.office.people import account
from scenarios.office.private_messages import describe_reader, describe_stranger
from scenarios.office.tickets import comment, move_ticket, open_ticket, pin
from world.core.clock import MINUTE, SECOND
from world.script.stage import Facts, Stage

from .owners import OWNERS
from .texts import AGREED, BOOKS, MOVED, REQUESTS, RULES, WISHED, WORK

TAKING = ("Senior", "Software Engineer", "Product", "Support Engineer", "Customer Success", "Site Reliability", "Staff")
PARTS = {
    "leaver": ("Customer Success Manager", "Product Manager", "Senior Support"),
    "boss": ("Head of", "Chief"),
    "superior": ("Head of", "Chief", "Engineering Manager"),
    "me": ("Support Engineer", "Customer Success", "Product", "People", "Software Engineer"),
    **dict.fromkeys(OWNERS, TAKING),
}
"""Who plays which part: the beginnings of their titles."""
HEAD = ("No", "Ticket", "Promise", "Due", "Area", "Owner", "State")
KINDS = ("plain", "moved", "done", "second", "nobody", "back", "claimed")
"""What is on the list at first, by what is particular about it; plain ones are added."""
LATER = ("added", "true")
MORE = {"easy": 0, "medium": 2, "hard": 5}
"""How many plain commitments there are beside, at least."""


def list_names(difficulty: str, more: int) -> tuple[str, ...]:
    """The commitments of a difficulty, by name: those of the list with so many more, and those that turn up."""
    return (*KINDS, *(f"plain_{at}" for at in range(MORE[difficulty] + more)), *LATER)


def plant_handover(w: Stage, minutes: dict[str, int], names: tuple[str, ...], *, hard: bool, kept: bool) -> None:
    """Draw parts and commitments, open tickets, write the list and the rules, and leave everything as facts."""
    draws, cast = w.rng("plant"), draw_cast(w, PARTS, days=3)
    called = {part: w.person(one).full_name for part, one in cast.items()}
    drawn = draw_items(w, names, hard=hard)
    items = {name: {**one, "key": write_ticket(w, cast, one)} for name, one in drawn.items()}
    book = draws.choice(BOOKS)
    rules = draws.choice(RULES).format(leaver=called["leaver"], book=book, boss=called["boss"])
    pin(w, cast["boss"], "general", rules)
    clocks = {name: tell_time(w, minutes[name]) for name in ("listed", "last")}
    claimed = items["claimed"]
    facts: Facts = dict(
        me=cast["me"],
        asker=cast["boss"],
        boss_name=called["boss"],
        boss_title=w.person(cast["boss"]).title,
        place=draws.choice(("dm", "mail")),
        subject=draws.choice((f"{called['leaver']}'s last day", "A handover", "Promises to customers")),
        request=draws.choice(REQUESTS).format(
            leaver=called["leaver"],
            first=called["leaver"].split()[0],
            book=book,
            clock=clocks["listed"],
            last=clocks["last"],
        ),
        cast=cast,
        people=describe_people(w, cast),
        book=write_book(w, cast, book, items),
        items={name: {**one} for name, one in items.items()},
        claim={
            "customer": claimed["customer"],
            "key": claimed["key"],
            "recorded": claimed["due"],
            "claimed": claimed["wished"],
            "settled": claimed["wished"] if kept else claimed["due"],
        },
        kept=kept,
        placed=sum(one["owner"] in OWNERS for one in items.values()),
        minutes={**minutes},
    )
    w.note(**facts)


def describe_people(w: Stage, cast: dict[str, str]) -> Facts:
    """Facts about those whom the agent may write to."""
    readers = {part: describe_stranger(w, cast[part]) for part in OWNERS}
    readers["boss"] = describe_reader(w, cast["me"], cast["boss"])
    known = {part: describe_member(w, cast[part]) for part in ("leaver", "superior")}
    accounts = {part: {app: account(w, one["id"], app) for app in ("jira", "slack")} for part, one in readers.items()}
    return {**known, **{part: {**one, **accounts[part]} for part, one in readers.items()}}


def tell_time(w: Stage, minute: int) -> str:
    """`14:30`: a minute after the start, UTC."""
    return f"{datetime.fromtimestamp((w.now + minute * MINUTE) // SECOND, UTC):%H:%M}"


def say_day(day: str) -> str:
    """`2 April`: a day as people write it."""
    read = date.fromisoformat(day)
    return f"{read.day} {read:%B}"


def draw_items(w: Stage, names: tuple[str, ...], *, hard: bool) -> dict[str, Facts]:
    """The commitments: customer, work, area, days, who is asked and what they say; `owner` is whose it is in the end."""
    draws = w.rng("items")
    works = {area: draws.shuffled(found) for area, found in WORK.items()}
    areas = draws.shuffled([*WORK] * 4)[: len(names)]
    contacts = draw_contacts(w, names)
    days = draw_days(w, len(names))
    order = draws.shuffled([one for one in names if one not in LATER])
    found: dict[str, Facts] = {}
    for name, area, (due, other) in zip(names, areas, days, strict=True):
        contact = contacts[name]
        found[name] = {
            "name": name,
            "number": f"C{order.index(name) + 1}" if name in order else "",
            "row": order.index(name) + 1 if name in order else 0,
            "customer": contact["customer"],
            "contact": contact["email"],
            "contact_name": contact["full_name"],
            "work": works[area].pop(),
            "area": area,
            "due": due,
            "listed": other if name == "moved" or (hard and name == "second") else due,
            "on_ticket": other if name in ("moved", "true") else due,
            "wished": other if name == "claimed" or (hard and name == "plain") else "",
            **say_who(name, area),
        }
    return found


def draw_days(w: Stage, count: int) -> list[tuple[str, str]]:
    """A day for each commitment, and an earlier one that somebody might name; all differ."""
    draws = w.rng("days")
    today = datetime.fromtimestamp(w.now // SECOND, UTC).date()
    first = [today + timedelta(days=9 + at) for at in range(count)]
    later = [today + timedelta(days=12 + count + at) for at in range(count)]
    pairs = zip(draws.shuffled(later), draws.shuffled(first), strict=True)
    return [(due.isoformat(), other.isoformat()) for due, other in pairs]


def say_who(name: str, area: str) -> Facts:
    """Who is asked first and second for a commitment, what they say, and whose it is in the end."""
    first, second = ask_for(area)
    owner = {"done": "", "nobody": "", "second": second, "back": second}.get(name, first)
    return {
        "first": first,
        "second": second,
        "first_says": "no" if name in ("second", "nobody") else "yes",
        "second_says": "no" if name == "nobody" else "yes",
        "gives_back": name == "back",
        "owner": owner,
        "state": {"done": "closed", "nobody": "open"}.get(name, "placed"),
    }


def draw_contacts(w: Stage, names: tuple[str, ...]) -> dict[str, Facts]:
    """A contact for each commitment; the two who write themselves are of customers that have no other."""
    found = w.rng("contacts").shuffled(list_contacts(w))
    claimed, true, *rest = {one["customer"]: one for one in found}.values()
    others = [one for one in names if one not in ("claimed", "true")]
    return {"claimed": claimed, "true": true, **dict(zip(others, rest * 3, strict=False))}


def write_ticket(w: Stage, cast: dict[str, str], one: Facts) -> str:
    """Open the ticket of a commitment, with what was said on it; returns its key."""
    draws, leaver = w.rng("ticket", one["name"]), cast["leaver"]
    key = open_ticket(
        w,
        leaver,
        f"{one['customer']}: {one['work']}",
        f"Area: {one['area']}. Contact: {one['contact_name']}.",
        kind="Task",
        assignee={"accountId": account(w, leaver, "jira")},
        duedate=one["on_ticket"],
    )
    if one["name"] == "done":
        move_ticket(w, leaver, key, "Done")
    known = {"day": say_day(one["due"]), "contact": one["contact_name"]}
    if one["due"] != one["on_ticket"] or one["name"] == "claimed":
        comment(w, leaver, key, draws.choice(AGREED if one["name"] in ("claimed", "true") else MOVED).format(**known))
    if one["wished"]:
        comment(w, cast["superior"], key, draws.choice(WISHED).format(day=say_day(one["wished"])))
    return key


def write_book(w: Stage, cast: dict[str, str], title: str, items: Mapping[str, Facts]) -> dict[str, str]:
    """The list from memory and who is asked for each area; the agent may write it."""
    listed = sorted((one for one in items.values() if one["row"]), key=lambda one: one["row"])
    rows = [
        (one["number"], one["key"], f"{one['customer']}: {one['work']}", one["listed"], one["area"]) for one in listed
    ]
    who = [(area, *(w.person(cast[part]).full_name for part in ask_for(area))) for area in sorted(WORK)]
    tabs = {"Commitments": [HEAD, *rows], "Who": [("Area", "First", "Second"), *who]}
    return make_book(w, cast["leaver"], title, tabs, [cast["me"], cast["boss"]])


def ask_for(area: str) -> tuple[str, str]:
    """Who is asked first and second for an area."""
    at = sorted(WORK).index(area)
    return OWNERS[at], OWNERS[(at + 1) % len(OWNERS)]
