"""What the readers of archives share: the people found, what was left out and why, and the shift onto the world's clock."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from seeds.imports.identities import Identity, Individual
from seeds.imports.pseudonyms import Pseudonyms
from seeds.rows.row_collector import Sink
from seeds.spec import START
from world.core.clock import DAY

WEEK = 7 * DAY


@dataclass(slots=True)
class Intake:
    """What all archives of one import say together."""

    identities: list[Identity] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)  # reason -> rows
    times: list[int] = field(default_factory=list)  # earliest and latest of each archive, us

    def drop(self, reason: str, count: int = 1) -> None:
        """Count rows that are left out."""
        self.dropped[reason] += count

    def see_times(self, times: Iterable[int]) -> None:
        """Remember the earliest and the latest of the times an archive's rows have."""
        found = [at for at in times if at > 0]
        if found:
            self.times += [min(found), max(found)]


@dataclass(slots=True)
class Landing:
    """Where rows go: the collector, the shift of every time, and who the people are."""

    sink: Sink
    shift: int
    people: Mapping[tuple[str, str], str]  # (source, its id) -> person id
    individuals: Mapping[str, Individual]  # by person id
    domain: str
    name: str
    intake: Intake
    pseudonyms: Pseudonyms | None = None

    def at(self, time: int) -> int:
        """A time of an archive on the world's clock; never in its future, 0 stays 0."""
        return min(max(time + self.shift, 0), START) if time else 0

    def content(self, data: bytes) -> bytes:
        """The bytes of a file; empty in a company under pseudonyms, for nothing can be replaced in them."""
        if data and self.pseudonyms is not None:
            self.intake.drop("bytes of files, which pseudonyms cannot be put into")
        return b"" if self.pseudonyms is not None else data

    def who(self, app: str, key: str) -> str:
        """The person behind an id of a source. Raises KeyError for an id no reader reported."""
        return self.people[app, key]


def find_shift(times: Iterable[int]) -> int:
    """Whole weeks, in us, that bring the latest time into the week before the world's start.

    Whole weeks keep weekdays and times of day. Times that are there already are not moved.
    """
    found = list(times)
    return (START - max(found)) // WEEK * WEEK if found else 0
