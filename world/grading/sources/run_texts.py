"""Values given in a run: facts of events, the task, the rubric, and rows that others wrote."""

from functools import cached_property, lru_cache
from typing import Any

from world.core.clock import to_datetime
from world.core.event_queue import TOLD
from world.core.json_types import is_array, is_object
from world.grading.effects import ChangeSet, Ledger
from world.grading.inputs import Change, Evidence
from world.grading.sources.archive import Index, Place, Scan, scan, scan_again
from world.grading.sources.documents import Source
from world.grading.sources.numbers import list_values
from world.grading.tables import Row

MOST_KEPT = 50_000  # characters of a text whose values are kept
_LONG_AGO = 10**14  # a fact at least this large is a time in us


class GivenFacts:
    """Numbers and words that count as true for every reader: facts of events, the task, the rubric."""

    def __init__(self, evidence: Evidence, rubric_text: str) -> None:
        self._evidence, self._rubric = evidence, rubric_text

    @cached_property
    def text(self) -> str:
        """All of it."""
        return f"{self.story}\n{self._rubric}"

    @cached_property
    def story(self) -> str:
        """Facts that events noted, and the task's text."""
        events = (*self._evidence.events.values(), *self._evidence.baseline_events.values())
        return "\n".join((self._evidence.task, *(_spell(event.facts) for event in events)))

    @cached_property
    def numbers(self) -> frozenset[float]:
        """Its numbers."""
        return _read_numbers(self.story) | _read_numbers(self._rubric)

    @cached_property
    def folded(self) -> str:
        """In lower case."""
        return self.text.lower()


@lru_cache(maxsize=64)
def _read_numbers(text: str) -> frozenset[float]:
    """The numbers of what the runs of a task have in common."""
    return frozenset(list_values(text))


def _spell(value: Any) -> str:
    if is_object(value):
        return "\n".join(_spell(one) for one in value.values())
    if is_array(value):
        return "\n".join(_spell(one) for one in value)
    if isinstance(value, int) and value >= _LONG_AGO:
        return f"{to_datetime(value):%Y-%m-%d %H:%M}"
    return str(value)


class RunIndex(Index):
    """Index of what a run wrote, with the time of each record: rows of others, and cells the agent filled."""

    def __init__(self, sources: dict[str, Source], evidence: Evidence, changes: ChangeSet) -> None:
        super().__init__()
        self.since: dict[Place, int] = {}
        self.texts: list[tuple[int, Place, str]] = []  # text of each entry, with its time (us)
        for change in evidence.changes:
            source = sources.get(change.table)
            if source is None or change.after is None:
                continue
            if _counts(source, change, changes):
                self._take(source, change, changes)
            elif not source.table.conduct.place:
                self.keys.update(_scan(source.text(change.after)).keys)  # an issue that the agent opened is there

    def list_numbers(self, at: int) -> list[float]:
        """The numbers written until a moment, in the order in which they came up."""
        return [value for value, places in self.numbers.items() if any(self.since[place] <= at for place in places)]

    def _take(self, source: Source, change: Change, changes: ChangeSet) -> None:
        row = change.after or {}
        place = (source.name, source.record(row))
        at, text = changes.ledger.call(change.call_seq).at, source.text(new_cells(change, changes))
        self.since.setdefault(place, at)
        self.texts.append((at, place, text))
        self.take_in(place, _scan(text))


def _scan(text: str) -> Scan:
    return scan_again(text) if len(text) <= MOST_KEPT else scan(text)


def new_cells(change: Change, changes: ChangeSet) -> Row:
    """Return the columns of a row that a journal entry wrote."""
    written = changes.columns[change.id]
    return {name: value for name, value in (change.after or {}).items() if name in written}


def _counts(source: Source, change: Change, changes: ChangeSet) -> bool:
    """Whether a row can be a source. Of the agent's rows only cells can, which are judged by themselves."""
    return bool(source.table.conduct.record) or is_by_others(change.call_seq, changes.ledger)


def is_by_others(seq: int, ledger: Ledger) -> bool:
    """Whether a call is somebody else's: not the agent's, and not an app's automatic reaction to the agent's texts."""
    if ledger.origin(seq) == "agent":
        return False
    return not ledger.goes_back(seq) or not any(
        ledger.call(one).operation.startswith(TOLD) for one in ledger.causes(seq)
    )
