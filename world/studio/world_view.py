"""What the operator of a served world sees of it: its clock, what is due, who is signed in, budgets, the journal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from world.core import event_queue
from world.core.clock import DAY
from world.core.event_queue import PUBLISHED, TOPIC, QueuedEvent
from world.core.operation import Operation
from world.run.actor import Actor
from world.run.episode_end import describe_ending
from world.script.scenario import Timeline
from world.server.control_state import Plane
from world.store.queries import rows

SPEEDS = (0, 1, 10, 60, 600)  # simulated seconds per second; 0 is a pause
MAX_CALLS, MAX_DUE, MAX_PEOPLE = 100, 60, 500
AHEAD = 30 * DAY
JOURNAL = "SELECT seq, at, actor, door, operation, cause_seq, status FROM _call ORDER BY seq DESC LIMIT ?"
NAMES = "SELECT id, full_name FROM person"
PEOPLE = "SELECT handle, full_name FROM person WHERE kind = 'employee' AND status = 'active' ORDER BY handle LIMIT ?"


@dataclass(frozen=True, slots=True)
class Due:
    """Something that will happen at a simulated time (us). `event` can be let happen at once; empty for what apps queue."""

    at: int
    title: str
    event: str


@dataclass(frozen=True, slots=True)
class Journaled:
    """A call in the journal."""

    seq: int
    at: int
    actor: str
    door: str
    operation: str
    cause: int | None
    status: str


@dataclass(frozen=True, slots=True)
class WorldView:
    """A served world as it stands. `speed` is 0 while its time stands still; `calls_left` is none without a limit.

    `signed_in` is what each person holds tokens for, `names` the full names of the people, by id.
    """

    name: str
    now: int
    speed: int
    ending: str
    scenario: str
    agent: str
    calls: int
    calls_left: int | None
    horizon: int | None
    due: Sequence[Due]
    faults: Sequence[str]
    signed_in: Mapping[str, Sequence[str]]
    journal: Sequence[Journaled]
    names: Mapping[str, str]


def view_world(plane: Plane, name: str) -> WorldView:
    """A served world. Raises LookupError for one that is not there."""
    actor = find_actor(plane, name)
    run = plane.episodes.get(name)
    return WorldView(
        name=name,
        now=actor.now,
        speed=plane.speeds.get(name, 0),
        ending=describe_ending(actor.ended, actor.settings) if actor.ended else "",
        scenario=run.scenario.name if run is not None else "",
        agent=run.agent if run is not None else "",
        calls=actor.version,
        calls_left=actor.calls_left,
        horizon=actor.settings.horizon_at,
        due=list_due(actor),
        faults=[f"{one.fault.id}: {one.fault.kind} of {one.fault.service}" for one in actor.active_faults()],
        signed_in=list_sessions(plane, name),
        journal=[Journaled(*one) for one in rows(actor.bound, JOURNAL, MAX_CALLS)],
        names={str(person): str(full) for person, full in rows(actor.bound, NAMES)},
    )


def find_actor(plane: Plane, name: str) -> Actor:
    """The actor of a served world. Raises LookupError for one that is not there."""
    if not plane.knows(name):
        raise LookupError(f"there is no world {name!r}")
    return plane.host.actors[name]


def list_due(actor: Actor) -> list[Due]:
    """What is queued, in the order it will happen."""
    found = event_queue.list_due_events(actor.bound, actor.now + AHEAD)[:MAX_DUE]
    return [_describe(one, actor.timeline) for one in found]


def _describe(one: QueuedEvent, timeline: Timeline | None) -> Due:
    if one.number in (TOPIC, PUBLISHED):
        return Due(one.due, f"delivery of {one.facts.get('topic', 'a message')}", "")
    events = timeline.events if timeline is not None else ()
    if one.number < len(events):
        return Due(one.due, events[one.number].name, events[one.number].name)
    return Due(one.due, "a colleague's answer", "")


def list_sessions(plane: Plane, name: str) -> dict[str, list[str]]:
    """What each person holds tokens for: an app, or the kind of a token for all apps."""
    tokens = plane.host.tokens
    holders = {principal for token in tokens.of(name) if (principal := tokens.resolve(token)) is not None}
    found = dict[str, set[str]]()
    for holder in holders:
        found.setdefault(holder.person, set()).add(f"{holder.app or 'all apps'}, as {holder.kind}")
    return {person: sorted(found[person]) for person in sorted(found)}


def list_people(actor: Actor) -> list[tuple[str, str]]:
    """Handle and name of the people whom an operation can be done as."""
    return [(str(handle), str(name)) for handle, name in rows(actor.bound, PEOPLE, MAX_PEOPLE)]


def list_events(actor: Actor) -> list[str]:
    """The names of the scenario's events, those that switch faults among them."""
    return [one.name for one in actor.timeline.events] if actor.timeline is not None else []


def list_operations(plane: Plane) -> list[Operation]:
    """The writing operations of every app."""
    apps = plane.host.apps
    return [
        operation
        for name in sorted(apps)
        if name != "world"
        for _, operation in sorted(apps[name].operations.items())
        if operation.writes
    ]
