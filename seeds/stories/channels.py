"""The history of channels: created, joined, renamed, archived; and the direct conversations people keep."""

from seeds.company import Staff
from seeds.content_packs import PackEntry
from seeds.conversation_timing import Room, StoryWriter
from seeds.events import Archived, ChannelMade, Event, Joined, Posted, Renamed
from seeds.role_selectors import fits
from world.core.clock import DAY, HOUR, MINUTE, SECOND

STORY = "channels"


def tell_channels(teller: StoryWriter, plain: PackEntry) -> None:
    """Every channel of channels.yaml with its members, and the bots that post in it."""
    bots = {key: [seat for seat, rooms in plain["bots"].items() if key in rooms] for key in _keys(plain)}
    for one in plain["channels"]:
        _tell_channel(teller, one, bots[one["key"]])


def _keys(plain: PackEntry) -> list[str]:
    return [one["key"] for one in plain["channels"]]


def _tell_channel(teller: StoryWriter, one: PackEntry, bots: list[str]) -> None:
    company, spec = teller.company, teller.spec
    creator = company.staff.get(one["creator"]) or company.staff["cto"]
    back = one["days_old"] if "days_old" in one else int(one["age"] * 365.25)
    draw = spec.stream("channel", one["key"])
    born = max(spec.start - back * DAY, creator.joined_at + 3 * DAY)
    born = teller.hours.next_working(creator, born, draw) + draw.integer(0, SECOND - 1)
    room = open_room(
        teller, STORY, one["key"], one["name"], one.get("kind", "public"), creator, born, one["topic"], one["purpose"]
    )
    if "archived" in one:
        room.archived_at = teller.hours.next_working(creator, spec.start - one["archived"] * DAY, draw)
    for person in company.staff.values():
        if person is not creator and any(fits(company, person, selector) for selector in one["members"]):
            join(teller, STORY, room, person, born)
    for seat in bots:
        add_bot(teller, STORY, room, seat, born + draw.integer(2, 30) * HOUR)
        teller.log.add(
            STORY, born + SECOND, company.bots[seat].id, Joined(room.key, company.staff[creator.seat].id), part=room.key
        )
    if "renamed" in one:
        at = teller.hours.next_working(creator, spec.start - one["renamed"]["days"] * DAY, draw)
        teller.log.add(STORY, at, creator.id, Renamed(room.key, one["renamed"]["from"], room.name), part=room.key)
    if room.archived_at is not None:
        teller.log.add(STORY, room.archived_at, creator.id, Archived(room.key), part=room.key)


def open_room(
    teller: StoryWriter,
    story: str,
    key: str,
    name: str,
    kind: str,
    creator: Staff,
    at: int,
    topic: str = "",
    purpose: str = "",
    part: str = "",
) -> Room:
    """A new channel with its creator in it."""
    teller.log.add(story, at, creator.id, ChannelMade(key, name, kind, topic, purpose), part=part or key)
    room = teller.rooms[key] = Room(key, name, kind, at)
    room.joined[creator.seat] = at
    teller.log.add(story, at + 1000, creator.id, Joined(key), part=part or key)
    return room


def add_bot(teller: StoryWriter, story: str, room: Room, seat: str, at: int) -> None:
    """Add a bot to a channel, in the name of the person who opened the channel."""
    event = teller.log.add(story, at, teller.company.bots[seat].id, Joined(room.key), part=room.key)
    room.joined[seat] = event.at


def join(
    teller: StoryWriter, story: str, room: Room, person: Staff, after: int, *, inviter: str = "", soon: bool = False
) -> None:
    """The person joins some while after the room opened and after their own first morning."""
    draw = teller.spec.stream("join", room.key, person.seat)
    later = int(draw.lognormal(5 * 60, 1.0)) * SECOND if soon else int(draw.lognormal(20, 1.6)) * HOUR
    first = 8 if room.key in ("general", "nyc") else 150
    wait = int(draw.lognormal(first, 0.6)) * MINUTE if person.joined_at > after else later
    at = max(after, person.joined_at) + wait
    at = at if soon else teller.hours.next_working(person, at, draw)
    limit = min(teller.spec.start - HOUR, room.archived_at or teller.spec.start, person.left_at or teller.spec.start)
    if at < limit:
        at += draw.integer(0, SECOND - 1)
        event = teller.log.add(story, at, person.id, Joined(room.key, inviter), part=room.key)
        room.joined[person.seat] = event.at


def direct_room(teller: StoryWriter, people: list[Staff], at: int) -> Room:
    """The direct conversation of these people, used from `at` at the latest."""
    seats = sorted(one.seat for one in people)
    key = "dm:" + "+".join(seats)
    room = teller.rooms.setdefault(key, Room(key, "", "im" if len(people) == 2 else "mpim", at))
    room.born_at = min(room.born_at, at)
    room.joined = {seat: room.born_at for seat in seats}
    return room


def tell_directs(teller: StoryWriter) -> None:
    """Create direct conversations at their first use; told last, when their first message is known."""
    first: dict[str, Event] = {}
    for event in teller.log.list_events():
        if isinstance(event.facts, Posted) and event.facts.channel.startswith("dm:"):
            first.setdefault(event.facts.channel, event)
    for key, event in sorted(first.items()):
        room = teller.rooms[key]
        members = tuple(sorted(teller.company.who(seat).id for seat in room.joined))
        teller.log.add(
            "directs",
            room.born_at,
            event.actor,
            ChannelMade(key, _group_name(teller, room), room.kind, "", "", members),
            part=key,
        )


def _group_name(teller: StoryWriter, room: Room) -> str:
    """Return Slack's name of a group conversation: mpdm-ann--bob--cho-1. It is empty for two people."""
    handles = sorted(teller.company.who(seat).handle for seat in room.joined)
    return f"mpdm-{'--'.join(handles)}-1" if room.kind == "mpim" else ""
