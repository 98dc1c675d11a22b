"""Work that was called done and was not: support looks before it answers the customer, and its flag is still off."""

from collections.abc import Sequence

from seeds.content_packs import Turn
from seeds.conversation_timing import StoryWriter
from seeds.events import Commented, FieldChange, IssueChanged, bare
from seeds.stories.issues import WORDS, Life
from world.core.clock import MINUTE, SECOND

LATEST = 3 * 60 * MINUTE  # before now; the answer to the customer follows


def reopen(teller: StoryWriter, life: Life, place: str, turns: Sequence[Turn], noted: Sequence[Turn]) -> None:
    """Tell a reopening after the last word on finished work; the ticket is done again when the flag is on.

    Nothing is told of work that has no pull request, or where there is no time left.
    """
    room, closing = teller.rooms.get(place), life.closing
    if room is None or closing is None or life.made is None or life.assignee is None or not _is_merged(life):
        return
    draw, roles = teller.spec.stream("reopened", life.ticket.id), life.slots.roles
    times = teller.timeline(turns, roles, closing.at + teller.hours.gap("hours", life.reporter, draw), draw)
    there = all(
        roles[turn.by].is_employed(at) and roles[turn.by].seat in room.seats(at)
        for turn, at in zip(turns, times, strict=True)
    )
    if times[-1] > teller.spec.start - LATEST or not there:
        return
    part = f"{life.ticket.id}.reopened"
    said = teller.tell(life.story, place, turns, life.slots, times, causes=[closing.id], part=part)
    _change(teller, life, said[0].id, said[0].at + 20 * SECOND, life.reporter.id, ("Done", "In Progress"))
    for turn in noted:
        at = said[1].at + 30 * SECOND
        text = bare(life.slots.fill(turn.say, roles[turn.by], at))
        facts = Commented(life.ticket.id, text)
        teller.log.add(life.story, at, roles[turn.by].id, facts, causes=[said[1].id], part=life.ticket.id)
    _change(teller, life, said[1].id, said[1].at + 50 * SECOND, life.assignee.id, ("In Progress", "Done"))
    life.closing = said[-1]


def _is_merged(life: Life) -> bool:
    """Whether the merge of a pull request finished the work."""
    return life.finished is not None and any(cause.endswith(".merged") for cause in life.finished.causes)


def _change(teller: StoryWriter, life: Life, cause: str, at: int, actor: str, moved: tuple[str, str]) -> None:
    """Move the ticket; it has a resolution while it is done."""
    resolved = [WORDS["done"] if status == "Done" else "" for status in moved]
    changes = (FieldChange("status", *moved), FieldChange("resolution", *resolved))
    teller.log.add(life.story, at, actor, IssueChanged(life.ticket.id, changes), causes=[cause], part=life.ticket.id)
