"""The group that one person joins and another leaves: its channel, its files, its roles, and who must agree."""

from datetime import UTC, datetime, timedelta

from scenarios.office.books import make_book, share_file
from scenarios.office.cast import describe_member, draw_cast
from scenarios.office.people import account
from scenarios.office.private_messages import describe_reader
from scenarios.office.tickets import pin
from world.core.clock import SECOND
from world.script.stage import Facts, Stage

from .texts import FILES, GROUPS, REQUESTS, ROLES, RULES

PARTS = {
    "boss": ("People", "Chief", "Head of"),
    "manager": ("Engineering Manager", "Head of", "Chief", "Product Manager"),
    "me": ("Site Reliability", "Staff Engineer", "Senior Software", "Software Engineer"),
    "owner": ("Senior", "Finance", "Staff", "Head of", "Product", "Software", "Support"),
    "joiner": ("",),
    "leaver": ("",),
}
"""Who plays which part: the beginnings of their titles."""
BOOKS = ("Who gets what", "Access by role", "Roles and rights")
RIGHTS = {"writer": "edit", "commenter": "comment", "reader": "view"}
HEAD = ("Role", "What", "Right", "Needs the word of")


def plant(w: Stage, minutes: dict[str, int], *, word: str, extended: bool) -> None:
    """Draw parts and group, create channel, files and lists, and leave everything as facts."""
    draws, cast = w.rng("plant"), draw_cast(w, PARTS)
    group, (role, other), book = draws.choice(GROUPS), draws.choice(ROLES), draws.choice(BOOKS)
    people = {part: describe_member(w, one) for part, one in cast.items()}
    people |= {part: describe_reader(w, cast["me"], cast[part]) for part in ("boss", "owner")}
    people["owner"] = {**people["owner"], "says": word}
    names = {part: one["name"] for part, one in people.items()}
    users = {part: account(w, cast[part], "slack") for part in ("joiner", "leaver")}
    room, files = open_room(w, cast, group), create_files(w, cast)
    pin(w, cast["boss"], "general", draws.choice(RULES).format(group=group, book=book, boss=names["boss"]))
    known = {"group": group, "role": role, "book": book, "joiner": names["joiner"], "leaver": names["leaver"]}
    clocks = {name: tell_time(w, minutes[name]) for name in ("start", "moved_to", "end", "extended_to")}
    facts: Facts = dict(
        me=cast["me"],
        asker=cast["boss"],
        boss_name=names["boss"],
        boss_title=w.person(cast["boss"]).title,
        place=draws.choice(("dm", "mail")),
        subject=draws.choice((f"Access of the {group}", "A joiner and a leaver", "Two changes")),
        request=draws.choice(REQUESTS).format(start=clocks["start"], end=clocks["end"], **known),
        cast=cast,
        people=people,
        users=users,
        room=room,
        files=files,
        book=write_book(w, cast, book, list_lines(role, other, room["name"], files, names["owner"]), files),
        group=group,
        role=role,
        clocks=clocks,
        word=word,
        extended=extended,
        gets=["f1", "f2", *(["f3"] if word == "yes" else [])],
        minutes={**minutes},
    )
    w.note(**facts)


def tell_time(w: Stage, minute: int) -> str:
    """`14:30`: a minute after the start, UTC."""
    return f"{datetime.fromtimestamp(w.now // SECOND, UTC) + timedelta(minutes=minute):%H:%M}"


def open_room(w: Stage, cast: dict[str, str], group: str) -> dict[str, str]:
    """The private channel of the group, with everybody in it but the one who joins."""
    name = f"{group.replace(' ', '-')}-{w.rng('room').integer(2, 9)}"
    made = w.act(cast["owner"], "conversations.create", name=name, is_private=True)["channel"]["id"]
    guests = ",".join(account(w, cast[part], "slack") for part in ("me", "boss", "leaver"))
    w.act(cast["owner"], "conversations.invite", channel=made, users=guests)
    return {"id": made, "name": name}


def create_files(w: Stage, cast: dict[str, str]) -> dict[str, Facts]:
    """Five files: two of the role, one that needs a word, one that is on hold, and one of the other role."""
    draws, found = w.rng("files"), dict[str, Facts]()
    for at, title in enumerate(draws.shuffled(FILES)[:5]):
        name, right = f"f{at + 1}", draws.choice(sorted(RIGHTS))
        made = make_book(w, cast["owner"], title, {"List": [("What", "Who"), (title, "see below")]}, [cast["me"]])
        if name != "f5":
            share_file(w, cast["owner"], made["key"], cast["leaver"], role=right)
        share_file(w, cast["owner"], made["key"], cast["boss"], role="reader")
        found[name] = {**made, "right": right}
    return found


def list_lines(role: str, other: str, room: str, files: dict[str, Facts], owner: str) -> list[tuple[str, ...]]:
    """What belongs to the roles; the held file belongs to the role as well."""

    def line(whose: str, name: str, word: str = "") -> tuple[str, ...]:
        return whose, files[name]["title"], RIGHTS[files[name]["right"]], word

    return [
        (role, f"#{room}", "member", ""),
        line(role, "f1"),
        line(role, "f2"),
        line(role, "f3", owner),
        line(role, "f4"),
        (other, files["f1"]["title"], "view", ""),
        line(other, "f5"),
    ]


def write_book(
    w: Stage, cast: dict[str, str], title: str, lines: list[tuple[str, ...]], files: dict[str, Facts]
) -> dict[str, str]:
    """The roles and the files on hold, which the agent may read."""
    draws = w.rng("lists")
    held = [("File", "Since"), (files["f4"]["title"], "February"), ("Minutes of 2024", "last year")]
    tabs = {"Roles": [HEAD, *draws.shuffled(lines)], "Hold": held}
    return make_book(w, cast["owner"], title, tabs, [cast["me"], cast["boss"]], role="reader")
