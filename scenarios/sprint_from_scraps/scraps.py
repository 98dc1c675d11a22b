"""What is there at the start: sprint, tickets, list, rules, and what people have said in four places."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta

from scenarios.office.books import make_book, say_day
from scenarios.office.cast import describe_member, draw_cast, write_to
from scenarios.office.people import account
from scenarios.office.private_messages import describe_reader
from scenarios.office.tickets import POINTS, comment, edit_ticket, link, move_ticket, open_ticket, pin, post, rule_rooms
from world.core.clock import SECOND
from world.core.rng import Stream
from world.script.stage import Facts, Stage

from .plan import DAYS, ENGINEERS, TICKETS, Case, draw_case
from .texts import (
    AWAY,
    BLOCKERS,
    BOOKS,
    CLAIMS,
    DONE_BLOCKERS,
    ESTIMATES,
    GUESSES,
    HEARSAY,
    PROMISES,
    REQUESTS,
    RULES,
    SPRINTS,
    STALE,
    SUBJECTS,
    TITLES,
    TWINS,
)

CODERS = ("Senior Software Engineer", "Software Engineer", "Site Reliability Engineer")
PARTS = {
    "boss": ("Head of Product", "Chief Technology Officer"),
    "me": ("Engineering Manager", "Staff Engineer", "Product Designer"),
    "seller": ("Customer Success Manager", "Head of Customer"),
    "presser": ("Chief Executive", "Head of Support", "Finance Lead", "Senior Support"),
    **dict.fromkeys(ENGINEERS, CODERS),
}
"""Who plays which part: the beginnings of their titles."""
ROOM = "engineering"
AHEAD = 4  # days until the sprint's first day, if that is a working day
PRESENT = 21  # days on which everybody of the cast would be there, but for what the story says


def prepare(w: Stage, minutes: dict[str, int], *, promised: bool) -> None:
    """Draw cast and case, create sprint, tickets and list, let people talk, and leave everything as facts."""
    draws, cast = w.rng("plant"), draw_cast(w, PARTS, days=PRESENT)
    case, days = draw_case(w.rng("case"), promised=promised), list_days(w)
    sprint = create_sprint(w, cast["boss"], draws.choice(SPRINTS), days)
    tickets = create_tickets(w, cast, case)
    names = {part: w.person(one).full_name for part, one in cast.items()}
    title = draws.choice(BOOKS).format(sprint=sprint["name"])
    rules = draws.choice(rule_rooms(w, cast["me"], cast["boss"]))
    pin(w, cast["boss"], rules, draws.choice(RULES).format(book=title, days=DAYS, **names))
    customers = draws.shuffled([one["name"] for one in w.rows("organisation", kind="customer")])
    people = {part: describe_member(w, one) for part, one in cast.items()}
    people |= {part: describe_reader(w, cast["me"], cast[part]) for part in ("boss", "seller")}
    people["seller"] = {**people["seller"], "says": "yes" if promised else "no"}
    final = case.plans[-1]
    facts: Facts = dict(
        me=cast["me"],
        asker=cast["boss"],
        boss_name=names["boss"],
        boss_title=w.person(cast["boss"]).title,
        place=draws.choice(("dm", "mail")),
        subject=draws.choice(SUBJECTS),
        request=draws.choice(REQUESTS).format(
            sprint=sprint["name"],
            first_day=say_day(days[0]),
            last_day=say_day(days[-1]),
            rules=rules,
            book=title,
            room=ROOM,
            clock=tell_time(w, minutes["first"]),
        ),
        cast=cast,
        people=people,
        users={name: account(w, cast[name], "slack") for name in ENGINEERS},
        sprint=sprint,
        tickets=tickets,
        book=write_book(w, cast, title, case, tickets),
        known={"customer": customers[0], "other": customers[1], "clock": tell_time(w, minutes["starts"])},
        plans=case.plans,
        away=[{**one.away} for one in case.views],
        points=[{**one.points} for one in case.views],
        guess=case.guess,
        days=[say_day(one) for one in days],
        past=[say_day(days[0] - timedelta(days=more)) for more in (8, 7)],
        promised=promised,
        total=sum(case.views[-1].points[one] for one in final),
        left_out=next(tickets[one]["key"] for one in case.order if one not in final),
        minutes={**minutes},
    )
    w.note(**facts)


def list_days(w: Stage) -> list[date]:
    """The working days of the sprint."""
    first = datetime.fromtimestamp(w.now // SECOND, UTC).date() + timedelta(days=AHEAD)
    days = (first + timedelta(days=more) for more in range(2 * DAYS))
    return [one for one in days if one.weekday() < 5][:DAYS]


def tell_time(w: Stage, minute: int) -> str:
    """`14:30`: a minute after the start, UTC."""
    return f"{datetime.fromtimestamp(w.now // SECOND, UTC) + timedelta(minutes=minute):%H:%M}"


def create_sprint(w: Stage, boss: str, name: str, days: list[date]) -> dict[str, object]:
    """The empty sprint on the board."""
    first, last = (datetime.combine(one, time(hour), UTC) for one, hour in ((days[0], 8), (days[-1], 16)))
    board = str(w.find("jira_board", kind="scrum")["id"])
    made = w.act(
        boss, "createSprint", name=name, originBoardId=board, startDate=first.isoformat(), endDate=last.isoformat()
    )
    return {"id": made["id"], "name": name}


def create_tickets(w: Stage, cast: Mapping[str, str], case: Case) -> dict[str, Facts]:
    """The tickets that are wanted, with what they wait for; facts by name: key, title, assignee."""
    draws, points = w.rng("tickets"), case.views[0].points
    titles = dict(zip(TICKETS, draws.shuffled(TITLES), strict=False))
    titles["twin"] = draws.choice(TWINS).format(title=titles["first"])
    holders = dict(zip(TICKETS, draws.shuffled(ENGINEERS * 3), strict=False))
    found: dict[str, Facts] = {}
    for name in draws.shuffled(TICKETS):
        sized = None if name == "said" else points[name]
        key = _open(w, cast[holders[name]], titles[name], "Story", sized)
        found[name] = {"key": key, "title": titles[name], "by": cast[holders[name]]}
    for name, waiting, whats in (("blocker", "blocked", BLOCKERS), ("done", "free", DONE_BLOCKERS)):
        title, holder = draws.choice(whats), cast[draws.choice(ENGINEERS)]
        found[name] = {"key": _open(w, holder, title, "Task"), "title": title, "by": holder}
        link(w, holder, "Blocks", found[name]["key"], found[waiting]["key"])
    move_ticket(w, found["done"]["by"], found["done"]["key"], "Done")
    link(w, found["twin"]["by"], "Duplicate", found["twin"]["key"], found["first"]["key"])
    return found


def _open(w: Stage, holder: str, title: str, kind: str, points: int | None = None) -> str:
    """Engineers open their own tickets, so that Jira tells nobody about them."""
    key = open_ticket(w, holder, title, kind=kind, assignee={"accountId": account(w, holder, "jira")})
    if points is not None:
        edit_ticket(w, holder, key, **{POINTS: points})
    return key


def write_book(
    w: Stage, cast: Mapping[str, str], title: str, case: Case, tickets: Mapping[str, Facts]
) -> dict[str, str]:
    """What is wanted in its order, and the people with what they bring per day."""
    wanted = [(at + 1, tickets[one]["key"], tickets[one]["title"]) for at, one in enumerate(case.order)]
    people = [(w.person(cast[one]).full_name, case.rates[one]) for one in ENGINEERS]
    tabs = {
        "Wanted": [("Place", "Ticket", "What"), *wanted],
        "People": [("Who", "Points per day", "Away"), *people],
    }
    return make_book(w, cast["boss"], title, tabs, [cast["me"]])


def talk(w: Stage, *, gossip: bool) -> None:
    """What people have said before the request: of their days, of promises, of points."""
    truth = w.fact("truth", "cast")
    cast, tickets, days = truth, w.fact("truth", "tickets"), w.fact("truth", "days")
    draws, known = w.rng("talk"), {**w.fact("truth", "known"), **name_tickets(w)}

    def pick(texts: tuple[str, ...], **more: object) -> str:
        return draws.choice(texts).format(**known, **more)

    two = draws.integer(1, 4)
    post(w, cast["e1"], ROOM, pick(AWAY["e1"], a=days[two], b=days[two + 1]))
    write_to(w, cast["e2"], cast["me"], "One day off", pick(AWAY["e2"], day=draws.choice(days[6:9])))
    write_directly(w, cast["e3"], pick(AWAY["e3"], a=days[1], b=days[5]))
    if gossip:
        past = w.fact("truth", "past")
        post(w, cast["e5"], ROOM, pick(STALE, a=past[0], b=past[1]))
        about = w.person(cast["e4"]).full_name
        post(w, cast["e1"], ROOM, pick(HEARSAY, e4=about, a=days[1], b=days[5]))
    write_directly(w, cast["e4"], pick(AWAY["e4"], day=draws.choice(days[1:6])))
    post(w, cast["e5"], ROOM, pick(CLAIMS))
    write_to(w, cast["seller"], cast["me"], "What is promised", pick(PROMISES))
    said, guessed = tickets["said"], tickets["guessed"]
    comment(w, said["by"], said["key"], pick(ESTIMATES, points=w.fact("truth", "points")[0]["said"]))
    guesser = _find_other(draws, cast, guessed["by"])
    comment(w, guesser, guessed["key"], pick(GUESSES, points=w.fact("truth", "guess")))


def name_tickets(w: Stage) -> dict[str, str]:
    """The keys of the tickets, by name."""
    return {name: one["key"] for name, one in w.fact("truth", "tickets").items()}


def _find_other(draws: Stream, cast: Mapping[str, str], holder: str) -> str:
    return draws.choice([cast[one] for one in ENGINEERS if cast[one] != holder])


def write_directly(w: Stage, writer: str, text: str) -> None:
    """Somebody writes a direct message to the agent."""
    opened = w.act(writer, "conversations.open", users=account(w, w.fact("truth", "me"), "slack"))
    w.act(writer, "chat.postMessage", channel=opened["channel"]["id"], text=text)
