"""Issues that stand alone: who wrote one down says so in the channel of those who work on it, and is answered."""

from collections.abc import Mapping, Sequence

from seeds.content_packs import Epic
from seeds.conversation_timing import Room, StoryWriter
from seeds.events import Event, token
from seeds.stories.issues import Issues, Life
from seeds.stories.requests import TEAMS
from world.core.clock import MINUTE

SHARE = 0.85  # of the issues written down while both are in the channel
CUSTOMERS = ("support-escalations", "customers")  # where support requests are handed over, the first that has both


def tell_handovers(
    teller: StoryWriter, epics: Sequence[Epic], issues: Issues, texts: Mapping[str, Sequence[str]]
) -> None:
    """Post about each issue of the window that has somebody working on it."""
    for epic in epics:
        for ticket in epic.tickets:
            team = TEAMS.get((ticket.component or ("",))[0], "checkout")
            life = issues.lives.get(ticket.id)
            room = life and _find_room(teller, life, CUSTOMERS if epic.project == "INC" else (f"team-{team}",))
            if life and room and teller.spec.stream("handover", ticket.id).random() < SHARE:
                _tell(teller, life, room, texts)


def _find_room(teller: StoryWriter, life: Life, places: Sequence[str]) -> Room | None:
    found = [teller.rooms[place] for place in places if place in teller.rooms]
    return next((room for room in found if _are_in(room, life.at["created"], life)), None)


def _tell(teller: StoryWriter, life: Life, room: Room, texts: Mapping[str, Sequence[str]]) -> None:
    one, other, made = life.reporter, life.assignee, life.made
    draw = teller.spec.stream("handover", life.ticket.id, "post")
    if made is None or other is None or other is one:
        return
    at = made.at + draw.integer(2, 25) * MINUTE
    if at < teller.spec.window_start or not _are_in(room, at, life):
        return
    text = draw.choice(texts["posts"]).format(jira=token("i", life.ticket.id), assignee=token("p", other.id))
    post = teller.say(life.story, one, room.key, text, at, causes=[made.id], part=life.ticket.id)
    _answer(teller, life, room, post, draw.choice(texts["answers"]).format(jira=token("i", life.ticket.id)))


def _answer(teller: StoryWriter, life: Life, room: Room, post: Event, text: str) -> None:
    other = life.assignee
    draw = teller.spec.stream("handover", life.ticket.id, "answer")
    assert other is not None
    at = teller.hours.next_working(other, post.at + teller.hours.gap("short", other, draw), draw)
    if at < teller.spec.start - MINUTE and _are_in(room, at, life):
        teller.say(life.story, other, room.key, text, at, causes=[post.id], part=life.ticket.id)


def _are_in(room: Room, at: int, life: Life) -> bool:
    people = [one for one in (life.reporter, life.assignee) if one]
    return room.open(at) and all(one.is_employed(at) and one.seat in room.seats(at) for one in people)
