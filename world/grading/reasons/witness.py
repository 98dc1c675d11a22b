"""Origin of a change or a call: the person behind it, the step of the trajectory, and the agent's own text there."""

from collections.abc import Iterable, Sequence
from functools import cached_property

from world.core.clock import iso
from world.core.yaml_document import Place, render_place
from world.grading.degrees.ownership import Ownership
from world.grading.effects import Effect
from world.grading.grading_context import GradingContext
from world.grading.inputs import AGENT_DOORS, CallRow, Change
from world.grading.reasons.clause import Detail
from world.grading.reasons.excerpt import shorten
from world.grading.text import read_text
from world.grading.verdict import Reason, Step

CONTROL = "control"  # the door of those who steer a world; its calls are steps too
ANSWER = "world.finish"
LISTED = ("expect", "allow", "never", "python", "judge")  # sections that are lists of items
MOST = 3  # reasons that are given for one finding


class Witness:
    """Tells the reasons of one run."""

    def __init__(self, context: GradingContext) -> None:
        self._context = context
        self._ledger, self._source = context.changes.ledger, context.rubric.source
        self._ownership = Ownership(context.scope, context.changes)
        self._clauses: dict[Place, tuple[str, int | None]] = {}
        self._roots: dict[int, CallRow | None] = {}

    def of_effect(self, details: Iterable[Detail], place: Place, effect: Effect) -> list[Reason]:
        """Reasons that lie in a changed row."""
        return self.of_call(details, place, effect.history[0].call_seq, effect.history)

    def of_journal(self, details: Iterable[Detail], place: Place, journal: Sequence[int]) -> list[Reason]:
        """Reasons that lie in some journal entries."""
        history = self.changes(journal)
        return self.of_call(details, place, history[0].call_seq, history) if history else self.of_none(details, place)

    def of_call(
        self, details: Iterable[Detail], place: Place, seq: int, history: Sequence[Change] = ()
    ) -> list[Reason]:
        """Reasons that lie in a call, with the journal entries it is about."""
        origin, step = self.origin(seq), self.step(seq)
        own = self._own_text(history, seq)
        return [self._reason(detail, place, origin, step, own) for detail in list(details)[:MOST]]

    def of_none(self, details: Iterable[Detail], place: Place) -> list[Reason]:
        """Return reasons that lie in something missing."""
        return [self._reason(detail, place, "", None, "") for detail in list(details)[:MOST]]

    def of_answer(self, details: Iterable[Detail], place: Place) -> list[Reason]:
        """Reasons that lie in the submitted answer."""
        given = next((call for call in reversed(self._steps) if call.operation == ANSWER and call.status == "ok"), None)
        return self.of_none(details, place) if given is None else self.of_call(details, place, given.seq)

    def _reason(self, detail: Detail, place: Place, origin: str, step: Step | None, own: str) -> Reason:
        absolute = detail.place if detail.place[:1] == place[:1] else (*place, *detail.place)
        if absolute not in self._clauses:
            listed = absolute[0] in LISTED if absolute else False
            self._clauses[absolute] = render_place(absolute[2:] if listed else absolute), self._source.line(absolute)
        clause, line = self._clauses[absolute]
        return Reason(clause, line, detail.asks, detail.expected, detail.found, origin, step, own)

    # steps

    def changes(self, journal: Iterable[int]) -> list[Change]:
        """Journal entries by number."""
        return [self._changes[id] for id in journal]

    @cached_property
    def _changes(self) -> dict[int, Change]:
        return {change.id: change for change in self._context.evidence.changes}

    @cached_property
    def _steps(self) -> list[CallRow]:
        calls = self._ledger.calls
        return [calls[seq] for seq in sorted(calls) if calls[seq].door in AGENT_DOORS or calls[seq].door == CONTROL]

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {call.seq: number for number, call in enumerate(self._steps, 1)}

    def step(self, seq: int) -> Step | None:
        """The step of the trajectory that a call goes back to; None for the world's own."""
        call = self._behind(seq)
        if call is None:
            return None
        return Step(self._numbers[call.seq], call.seq, call.operation, call.door, iso(call.at))

    def _behind(self, seq: int) -> CallRow | None:
        """The agent's call that a call goes back to, be it through another app's rules."""
        if seq not in self._roots:
            calls = (self._ledger.call(above) for above in self._ledger.causes(seq))
            self._roots[seq] = next((call for call in calls if call.seq in self._numbers), None)
        return self._roots[seq]

    def origin(self, seq: int) -> str:
        """Return why the agent answers for a call."""
        call, behind = self._ledger.call(seq), self._behind(seq)
        if behind is None:
            return "the world's own doing"
        if behind is call:
            return "its own call" if call.door != CONTROL else "a call of the control plane"
        if self._ledger.origin(seq) == "agent":
            return "carried out in its name, as its call asked"
        known = self._context.scope.directory.by_id.get(call.actor)
        if self._ledger.origin(seq) == "reaction":
            return f"{known.full_name} reacted to its call" if known else f"{call.operation}, set off by its call"
        return f"{call.operation}, another app's rule that its call set off"

    # words

    def _own_text(self, history: Sequence[Change], seq: int) -> str:
        """Return the agent's own text: the message it sent, or the one that others reacted to."""
        mine = [change for change in history if self._ledger.origin(change.call_seq) == "agent"]
        if not mine and (behind := self._behind(seq)) is not None:
            mine = self._by_call.get(behind.seq, [])
        return next((text for change in reversed(mine) if (text := self._text(change))), "")

    def _text(self, change: Change) -> str:
        table = self._context.evidence.tables[change.table]
        if not table.conduct.place or not table.conduct.words or change.after is None:
            return ""
        if not self._ownership.is_own(table, tuple(change.pk), change.after):
            return ""  # an app wrote it because of a call, such as a request to confirm it
        return shorten(read_text(table.cell(change.after, table.conduct.words[0])).plain)

    @cached_property
    def _by_call(self) -> dict[int, list[Change]]:
        found: dict[int, list[Change]] = {}
        for change in self._context.evidence.changes:
            found.setdefault(change.call_seq, []).append(change)
        return found
