"""Conversations that belong to no larger story: each authored item is told at most once per company."""

from collections import Counter
from collections.abc import Mapping, Sequence

from seeds.company import Staff
from seeds.content_packs import Chat
from seeds.conversation_timing import Room, StoryWriter
from seeds.events import Event, Posted
from seeds.role_selectors import RoleNotFilled, cast
from seeds.slots import Slots, draw_value
from seeds.stories.channels import direct_room
from world.core.clock import DAY, MINUTE
from world.core.rng import Stream

EVERYWHERE = 2  # conversations of each place, before others are told
SOCIAL = ("general", "random", "berlin-office", "nyc")


def tell_chats(teller: StoryWriter, chats: Sequence[Chat], wanted: int, issues: Mapping[str, Event]) -> int:
    """Tell items in random order until `wanted` human messages are posted; returns how many items were told.

    `issues` maps handles to creations: an item about an issue follows from it, or is not told at all without it.
    """
    used = 0
    for chat in _order(teller, chats):
        if teller.spoken >= wanted:
            break
        if set(chat.about) <= set(issues):
            made = [issues[handle] for handle in chat.about]
            used += _tell(teller, chat, max(made, key=lambda one: one.at, default=None))
    return used


def _order(teller: StoryWriter, chats: Sequence[Chat]) -> list[Chat]:
    """Random order by weight, but some of every place come first, and those that name a spreadsheet."""
    draw = teller.spec.stream("chats", "order")
    keyed = [(draw.random() ** (1 / chat.weight), chat.id, chat) for chat in chats]
    drawn = [chat for _, _, chat in sorted(keyed, key=lambda one: (-one[0], one[1]))]
    places = Counter[str]()
    first: list[Chat] = []
    for chat in drawn:
        places[chat.place] += 1
        if places[chat.place] <= EVERYWHERE or any("{sheet." in turn.say for turn in chat.turns):
            first.append(chat)
    return first + [chat for chat in drawn if chat not in first]


def _tell(teller: StoryWriter, chat: Chat, about: Event | None) -> bool:
    draw = teller.spec.stream("chat", chat.id)
    room = teller.rooms.get(chat.place)
    if room is None and chat.place not in ("dm", "group"):
        return False
    for _ in range(4):
        at = teller.spec.window_start + draw.integer(1, 29) * DAY
        at = teller.spec.start - DAY if "today" in chat.at.split() else at
        at = teller.ancient(chat.at) or at
        try:
            roles = cast(teller.company, chat.roles, draw, at, among=room.seats(at) if room else None)
        except RoleNotFilled:
            continue
        if _tell_chat(teller, chat, room, roles, about):
            return True
    return False


def _tell_chat(
    teller: StoryWriter, chat: Chat, room: Room | None, roles: dict[str, Staff], about: Event | None
) -> bool:
    draw = teller.spec.stream("chat", chat.id, "when", *(one.seat for one in roles.values()))
    place = room or _build_unopened_room(roles)
    times = teller.start_of(chat.at, place, chat.turns, roles, draw, after=about.at if about else 0)
    if times is None:
        return False
    if room is None:
        place = direct_room(teller, list(roles.values()), times[0] - MINUTE)
    slots = Slots(teller.company, roles)
    for name, kind in chat.needs.items():
        slots.values[name] = draw_value(kind, draw, teller.company, slots.values)
    story, causes = (about.story, [about.id]) if about else (f"chat.{chat.id}", [])
    teller.tell(story, place.key, chat.turns, slots, times, causes=causes, part=chat.id, bursts=True)
    return True


def tell_acks(teller: StoryWriter, plain: Mapping[str, Sequence[str]], share: float) -> None:
    """Thank or nod after a share of the conversations, in the name of the person who began each."""
    events = [event for event in teller.log.list_events() if isinstance(event.facts, Posted)]
    talks: dict[tuple[str, str], list[Event]] = {}
    for event in events:
        talks.setdefault((event.story, event.part), []).append(event)
    for (story, part), said in sorted(talks.items()):
        if story.startswith("chat.") and len(said) > 1:
            _ack(teller, said, plain, share, teller.spec.stream("ack", story, part))


def _ack(
    teller: StoryWriter, said: Sequence[Event], plain: Mapping[str, Sequence[str]], share: float, draw: Stream
) -> None:
    asker, last = teller.people[said[0].actor], said[-1]
    facts = last.facts
    if not isinstance(facts, Posted) or last.actor == asker.id or draw.random() >= share or facts.channel in SOCIAL:
        return
    room, at = teller.rooms[facts.channel], last.at + teller.hours.gap("short", asker, draw)
    if at < teller.spec.start - MINUTE and teller.hours.is_working(asker, at) and room.open(at):
        asked = isinstance(said[0].facts, Posted) and "?" in said[0].facts.text
        text = draw.choice(plain["thanks" if asked else "agree"])
        teller.post(
            last.story, asker, room.key, text, at, thread=facts.thread, causes=[last.id], part=last.part, ack=True
        )


def _build_unopened_room(roles: dict[str, Staff]) -> Room:
    room = Room("", "", "im", 0)
    room.joined = {one.seat: one.joined_at for one in roles.values()}
    return room
