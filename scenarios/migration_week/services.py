"""What moves: services of the company in three waves, their owners, tickets and counts, the plan and the rules."""

from collections.abc import Mapping
from datetime import timedelta
from itertools import cycle

from scenarios.office.books import local_time, make_book, say_day
from scenarios.office.cast import describe_member, draw_cast
from scenarios.office.mail import list_contacts
from scenarios.office.people import account
from scenarios.office.private_messages import describe_reader, describe_stranger
from scenarios.office.tickets import open_ticket, pin
from world.core.clock import DAY, MINUTE, to_datetime
from world.core.rows import Row
from world.script.errors import ScenarioError
from world.script.stage import Facts, Stage

from .texts import BOOKS, CLUSTERS, REQUESTS, RULES

PARTS = {
    "me": ("Staff Engineer", "Site Reliability"),
    "counter": ("Site Reliability",),
    "boss": ("Chief",),
    "finance": ("Finance",),
    "superior": ("Head of",),
    "caller": ("Support Engineer", "Senior Support", "Customer Success Manager", "Product Manager"),
}
"""Who plays which part beside the owners: the beginnings of their titles."""
OWNERS = ("lead", "voucher", "e1", "e2", "e3")
"""Who can be asked about a service; the owner of `away` is not there."""
WAVES = {"late": 1, "silent": 1, "away": 2, "lost": 2, "frozen": 2, "objects": 3, "last": 3, "reader": 3}
"""The wave of each service, by what is particular about it."""
FEWER = ("frozen", "reader")
"""What `easy` has not."""
HEAD = ("Service", "Ticket", "Owner", "Team", "Wave", "State", "Rows")
COUNTS = ("first", "second", "third")


def list_names(difficulty: str) -> dict[str, str]:
    """The services of a difficulty, by what is particular about them, each with the one that its owner waits for."""
    bound = {"reader": "objects"} if difficulty == "hard" else {}
    return {one: bound.get(one, "") for one in WAVES if difficulty != "easy" or one not in FEWER}


def plant_move(
    w: Stage, minutes: dict[str, int], windows: Mapping[str, tuple[int, int]], names: Mapping[str, str], *, sooner: bool
) -> None:
    """Draw parts and services, open tickets, write the plan and the rules, and leave everything as facts."""
    draws, cast = w.rng("plant"), draw_cast(w, PARTS, days=4)
    vendor, (old, new), book = find_vendor(w), draws.choice(CLUSTERS), draws.choice(BOOKS)
    placed = place_services(w, cast, names)
    items = {name: plant_service(w, cast, one, f"Move {one['service']} to {new}", book) for name, one in placed.items()}
    called = {part: w.person(one).full_name for part, one in cast.items()}
    spans = {wave: [w.now + at * MINUTE for at in span] for wave, span in windows.items()}
    last, clock, morning = (to_datetime(w.now + minutes[one] * MINUTE) for one in ("last", "evening", "morning"))
    today = to_datetime(w.now).date()
    known = {"old": old, "new": new, "book": book, "vendor": vendor["customer"], "clock": f"{clock:%H:%M}"}
    known["morning"] = f"{morning:%H:%M}"
    pin(w, cast["boss"], "general", draws.choice(RULES).format(**known, **called))
    w.leave(cast["away"], 6, delegate=cast["lead"])
    facts: Facts = dict(
        me=cast["me"],
        asker=cast["boss"],
        boss_name=called["boss"],
        boss_title=w.person(cast["boss"]).title,
        place=draws.choice(("dm", "mail")),
        subject=draws.choice((f"The move to {new}", "This week", f"{old} and {new}")),
        request=draws.choice(REQUESTS).format(
            **known, deadline=say_day(today + timedelta(days=9)), last=f"{last:%H:%M}", day=f"{last:%A}"
        ),
        cast=cast,
        people=describe_people(w, cast),
        book=write_book(w, cast, book, items, spans),
        items=items,
        clusters={"old": old, "new": new},
        vendor={**vendor, "day": (today + timedelta(days=3 if sooner else 4)).isoformat()},
        windows=spans,
        sooner=sooner,
        moved=sum(not is_left(one) for one in items.values()),
        held=dict(zip(("first", "second"), list_held(items) * 2, strict=False)),
        minutes={**minutes},
    )
    w.note(**facts)


def plant_service(w: Stage, cast: dict[str, str], one: Facts, summary: str, book: str) -> Facts:
    """Open the ticket of a service and draw its counts; returns all that is known of it."""
    me = {"accountId": account(w, cast["me"], "jira")}
    key = open_ticket(w, cast["boss"], summary, f"Wave {one['wave']} of `{book}`.", kind="Task", assignee=me)
    return {**one, **draw_counts(w, one["name"]), "key": key, "owner_name": w.person(cast[one["owner"]]).full_name}


def is_left(one: Facts) -> bool:
    """Whether a service is not on the new cluster in the end."""
    return one["name"] in ("silent", "lost", "objects") or bool(one["needs"])


def list_held(items: Mapping[str, Facts]) -> list[str]:
    """The services that never move: one whose owner takes the yes back, and one that must not go without it."""
    return [one["service"] for one in items.values() if one["name"] == "objects" or one["needs"]]


def place_services(w: Stage, cast: dict[str, str], names: Mapping[str, str]) -> dict[str, Facts]:
    """The service of each name with its wave and owner: the least important move first. Adds the owners to the cast."""
    draws, mine = w.rng("services"), w.find("person", id=cast["me"])["team_id"]
    found = sorted(draws.shuffled(w.rows("service"))[: len(names)], key=lambda one: one["tier"], reverse=True)
    chosen: dict[str, Row] = {}
    for wave in (1, 2, 3):
        wanted = [name for name in names if WAVES[name] == wave]
        part, found = draws.shuffled(found[: len(wanted)]), found[len(wanted) :]
        if wave == 2:  # the owner who is away has another lead than the agent
            part.sort(key=lambda one: one["team_id"] == mine)
        chosen |= dict(zip(wanted, part, strict=True))
    absent = chosen["away"]["team_id"]
    add_owners(w, cast, absent, mine)
    order = draws.shuffled([*names])
    parts = {absent: cycle(("voucher",)), mine: cycle(("e3",))}
    turns = cycle(("e1", "e2"))
    return {
        name: {
            **describe_service(w, name, service, next(parts.get(service["team_id"], turns))),
            "needs": names[name],
            "row": order.index(name) + 1,
        }
        for name, service in chosen.items()
    }


def describe_service(w: Stage, name: str, service: Row, owner: str) -> Facts:
    """Facts about a service: what it is called, whose it is, and who is asked."""
    away = name == "away"
    return {
        "name": name,
        "service": service["name"],
        "team": w.find("team", id=service["team_id"])["name"],
        "wave": WAVES[name],
        "owner": "away" if away else owner,
        "asked": "lead" if away else owner,
    }


def add_owners(w: Stage, cast: dict[str, str], absent: str, mine: str) -> None:
    """Draw the owners: two of the team whose lead is asked for one of them, two of another team, one of the agent's."""
    third = next(
        one
        for one in w.rng("teams").shuffled(sorted({row["team_id"] for row in w.rows("service")}))
        if one not in (absent, mine)
    )
    cast["lead"] = w.find("team", id=absent)["lead_id"]
    for team, parts in ((absent, ("away", "voucher")), (third, ("e1", "e2")), (mine, ("e3",))):
        free = w.rng("owners", team).shuffled(list_present(w, team, [*cast.values()]))
        if len(free) < len(parts):
            raise ScenarioError(f"nobody is left to play {parts}")
        cast |= dict(zip(parts, free, strict=False))


def list_present(w: Stage, team: str, but: list[str]) -> list[str]:
    """The ids of those in a team who are there all week and have no part yet."""
    away = {
        one["person_id"] for one in w.rows("absence") if one["start_at"] <= w.now + 4 * DAY and w.now < one["end_at"]
    }
    found = w.rows("person", kind="employee", status="active", team_id=team)
    return [one["id"] for one in found if one["id"] not in away and one["id"] not in but]


def find_vendor(w: Stage) -> Facts:
    """The contact at the vendor whose status page has the most parts: who runs the machines."""
    parts = [one["page_id"] for one in w.rows("status_component")]
    found = max(list_contacts(w, "vendor"), key=lambda one: parts.count(one["domain"].split(".")[0]))
    return {name: found[name] for name in ("customer", "email", "first_name", "full_name")}


def draw_counts(w: Stage, name: str) -> dict[str, list[int]]:
    """What each count expects and finds."""
    draws = w.rng("counts", name)
    rows, found = draws.integer(20_000, 90_000), {}
    for count, wrong in zip(COUNTS, ("late", "silent", "lost"), strict=True):
        found[count] = [rows, rows - (draws.integer(3, 60) if name == wrong else 0)]
        rows += draws.integer(100, 900)
    return found


def describe_people(w: Stage, cast: dict[str, str]) -> Facts:
    """Facts about those whom the agent may write to."""
    found = {part: describe_member(w, cast[part]) for part in cast}
    found |= {part: describe_stranger(w, cast[part]) for part in OWNERS}
    boss = describe_reader(w, cast["me"], cast["boss"])
    return {**found, "boss": {**boss, "slack": account(w, cast["boss"], "slack")}}


def write_book(
    w: Stage, cast: dict[str, str], title: str, items: Mapping[str, Facts], windows: Mapping[str, list[int]]
) -> dict[str, str]:
    """The plan: what moves, when, and the tab for the counts. The agent may write it."""
    listed = sorted(items.values(), key=lambda one: one["row"])
    rows = [(one["service"], one["key"], one["owner_name"], one["team"], one["wave"], "planned") for one in listed]
    spans = [(wave, *(local_time(at, "UTC") for at in span)) for wave, span in windows.items()]
    head = (
        "Service",
        *(f"{one} count: {what}" for one in ("First", "Second", "Third") for what in ("expected", "found")),
    )
    tabs = {
        "Services": [HEAD, *rows],
        "Waves": [("Wave", "From (UTC)", "To (UTC)"), *spans],
        "Checks": [head, *((one["service"],) for one in listed)],
    }
    return make_book(w, cast["boss"], title, tabs, [cast["me"], cast["counter"]])
