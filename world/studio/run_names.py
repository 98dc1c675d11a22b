"""Names that only the world of a run knows: of people, programs and events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from world.store.queries import rows
from world.studio.run_world import RunWorld

PEOPLE = "SELECT id, full_name, kind FROM person"


@dataclass(frozen=True, slots=True)
class Names:
    """Names of people by id, of events by number, and the ids of the people that are programs."""

    events: Sequence[str] = ()
    machines: frozenset[str] = frozenset()
    people: Mapping[str, str] = field(default_factory=dict[str, str])

    def event(self, operation: str) -> str:
        """The name of the event behind `event:3`; empty for any other call, and for events of apps."""
        number = operation.removeprefix("event:")
        known = number != operation and number.isdecimal() and int(number) < len(self.events)
        return self.events[int(number)] if known else ""

    def actor(self, actor: str) -> str:
        """The name of a person; the id itself for anybody else."""
        return self.people.get(actor, actor)


UNNAMED = Names()


def read_names(world: RunWorld) -> Names:
    """All names of a run's world."""
    timeline, people = world.run.actor.timeline, list(rows(world.run.actor.bound, PEOPLE))
    events = [one.name for one in timeline.events] if timeline is not None else []
    machines = frozenset(str(id) for id, _, kind in people if kind == "bot")
    return Names(events, machines, {str(id): str(name) for id, name, _ in people})
