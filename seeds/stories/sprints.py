"""Sprints of the software board: two weeks each, planned on the first morning, closed by the delivery lead."""

from dataclasses import dataclass
from datetime import timedelta

from seeds.company import Staff
from seeds.content_packs import PackEntry
from seeds.conversation_timing import StoryWriter
from seeds.events import SprintClosed, SprintMade, SprintStarted, VersionReleased
from world.core.clock import DAY, HOUR, MINUTE, from_datetime, to_datetime

ORDER = ("s-3", "s-2", "s-1", "s0", "s+1")
STORY = "sprints"


@dataclass(frozen=True, slots=True)
class Sprint:
    """`planned_at`: when its issues are put in; `closed_at` is None for the active and the future one."""

    key: str
    number: int
    goal: str
    made_at: int
    planned_at: int
    start_at: int
    end_at: int
    closed_at: int | None
    closer: Staff


def tell_sprints(teller: StoryWriter, plain: PackEntry) -> dict[str, Sprint]:
    """The sprints around the world's start, and the releases that happened before it."""
    lead = teller.company.staff.get("checkout-lead") or teller.company.staff["payments-lead"]
    now, tz = teller.spec.start, teller.company.tz
    today = to_datetime(now, tz).replace(hour=10, minute=30, second=0, microsecond=0)
    current = today - timedelta(days=(today.weekday() - 2) % 7)
    made: dict[str, Sprint] = {}
    for i, key in enumerate(ORDER):
        start = from_datetime(current + timedelta(weeks=2 * (i - 3)))
        end = from_datetime(current + timedelta(weeks=2 * (i - 2))) - DAY + 5 * HOUR + 30 * MINUTE
        draw = teller.spec.stream("sprint", key)
        closed = end + draw.integer(4, 70) * MINUTE if end < now else None
        planned = start - HOUR if start < now else now - 4 * DAY + 90 * MINUTE
        sprint = Sprint(
            key,
            plain["sprints"]["first_number"] + i,
            plain["sprints"]["goals"][key],
            min(start - 15 * DAY - 3 * HOUR, now - 5 * DAY),
            planned,
            start,
            end,
            closed,
            lead,
        )
        made[key] = sprint
        _tell(teller, sprint)
    for project, versions in plain["versions"].items():
        for one in versions:
            at = from_datetime(
                to_datetime(now, tz).replace(
                    year=one["release"].year, month=one["release"].month, day=one["release"].day, hour=14, minute=12
                )
            )
            if one["released"] and at < now:
                teller.log.add(STORY, at, lead.id, VersionReleased(project, one["name"]), part=one["name"])
    return made


def _tell(teller: StoryWriter, sprint: Sprint) -> None:
    teller.log.add(STORY, sprint.made_at, sprint.closer.id, SprintMade(sprint.key, "SHOP"), part=sprint.key)
    if sprint.start_at < teller.spec.start:
        teller.log.add(
            STORY, sprint.start_at + 3 * MINUTE, sprint.closer.id, SprintStarted(sprint.key), part=sprint.key
        )
    if sprint.closed_at is not None:
        teller.log.add(STORY, sprint.closed_at, sprint.closer.id, SprintClosed(sprint.key), part=sprint.key)
