"""Texts of a solution for the items that ask for one: their calls and arguments, and runs with other texts."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlmodel import SQLModel

from world.core.clock import MINUTE
from world.core.conduct import Conduct
from world.core.params import Arguments
from world.gate.act_runs import LeftOut, RecordedSolution, list_own_changes
from world.gate.mutants import get_leaves, replace_at
from world.gate.replay import TimedWrite, perform
from world.grading.items import Item
from world.grading.verdict import Verdict
from world.run import episode
from world.run.episode import Episode
from world.store.queries import rows

OWN_CALLS = "SELECT seq FROM _call WHERE actor = ? AND door = 'rest' ORDER BY seq"
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class SolutionText:
    """A text of the solution: the item it is for, the number of its call, and where in its arguments it stands."""

    item: Item
    number: int
    arguments: Arguments
    paths: Sequence[Path]

    @property
    def texts(self) -> list[str]:
        """Its texts, argument by argument."""
        return [str(find_leaf(self.arguments, path)) for path in self.paths]

    @property
    def is_message(self) -> bool:
        """Whether something more can be said in the same place."""
        return is_message(self.item.table.name)

    def replace_texts(self, *texts: str) -> dict[str, Any]:
        """The arguments with other texts, one for each or one for all."""
        said: dict[str, Any] = dict(self.arguments)
        for path, text in zip(self.paths, texts * (len(self.paths) if len(texts) == 1 else 1), strict=True):
            said = replace_at(said, path, text)
        return said


def is_message(table: str) -> bool:
    """Whether rows of a table are messages that stand in a place."""
    conduct = SQLModel.metadata.tables[table].info.get("conduct")
    return isinstance(conduct, Conduct) and bool(conduct.place)


def find_leaf(value: Any, path: Path) -> Any:
    """A part of arguments."""
    for part in path:
        value = value[part]
    return value


def list_prose(solved: RecordedSolution, named: Collection[str] = ()) -> list[SolutionText]:
    """The texts of the solution, by item; of items that ask for no text, those named. Items that something else meets
    have none.
    """
    usual = {one.id: one for one in solved.judge(*solved.at_end()).items}
    calls = {change.id: change for change in list_own_changes(solved.before_end)}
    numbers = {seq: number for number, seq in enumerate(list_seqs(solved))}
    found: list[SolutionText] = []
    for item in solved.runner.rubric.items:
        held = usual.get(item.id)
        changes = [calls[id] for id in held.journal if id in calls] if held is not None and held.met else []
        changes = [change for change in changes if change.table == item.table.name and change.call_seq in numbers]
        if not changes or (item.text is None and item.id not in named):
            continue
        number = numbers[changes[0].call_seq]
        row = changes[0].after or {}
        said = [str(row.get(name) or "") for name in (item.text.fields if item.text is not None else row)]
        arguments = solved.played[number].step.arguments
        paths = find_texts(arguments, said)
        if paths:
            found.append(SolutionText(item, number, arguments, paths))
    return found


def list_seqs(solved: RecordedSolution) -> list[int]:
    """The numbers of the calls of the solution's work, in its order."""
    run = solved.before_end
    return [seq for (seq,) in rows(run.actor.bound, OWN_CALLS, run.agent)]


def find_texts(arguments: Arguments, said: Sequence[str]) -> list[Path]:
    """Return the paths of the arguments whose text a row has; else of the longest text of several words."""
    prose = [(path, value) for path, value in get_leaves(arguments) if is_prose(value)]
    kept = [path for path, value in prose if any(is_within(value, text) for text in said)]
    return kept or [path for path, _ in sorted(prose, key=lambda found: -len(found[1]))[:1]]


def is_prose(value: Any) -> bool:
    """Whether an argument is a text of several words."""
    return isinstance(value, str) and " " in value.strip()


def is_within(part: str, text: str) -> bool:
    """Whether a text stands in another, blanks aside."""
    return " ".join(part.split()) in " ".join(text.split())


@dataclass(frozen=True, slots=True)
class Replacement:
    """Another text in place of one, and the text said next in the same place, if any."""

    arguments: Arguments
    follows: Mapping[str, Any] | None = None


class Checkpoint:
    """A run up to a call of the solution, from which each other wording goes on. Most items can be judged when the call
    is done (`is_short`), without the rest of the solution and the story.
    """

    def __init__(self, solved: RecordedSolution, prose: SolutionText) -> None:
        self.solved, self.prose = solved, prose
        call = solved.work[prose.number]
        self.before, self.rest = solved.after(prose.number, call.at)
        control = self._do(Replacement(prose.arguments), self.rest[:1])
        self.is_short = not isinstance(control, LeftOut) and is_item_met(
            solved.runner.grade_and_drop(control), prose.item
        )

    def close(self) -> None:
        """Let go of its world."""
        self.solved.runner.host.drop(self.before.world)

    def say(self, wording: Replacement) -> Verdict | LeftOut:
        """The verdict of the solution with another wording; of a part of it if that does not earn the item."""
        if self.is_short:
            run = self._do(wording, self.rest[:1])
            verdict = run if isinstance(run, LeftOut) else self.solved.runner.grade_and_drop(run)
            if isinstance(verdict, LeftOut) or not is_item_met(verdict, self.prose.item):
                return verdict
        run = self._do(wording, self.rest)
        if isinstance(run, LeftOut):
            return run
        episode.finish(run)
        return self.solved.runner.grade_and_drop(run)

    def _do(self, wording: Replacement, calls: Sequence[TimedWrite]) -> Episode | LeftOut:
        run = self.solved.runner.fork(self.before)
        call = replace(calls[0], step=replace(calls[0].step, arguments=wording.arguments))
        played = perform(run, [call, *list_next(call, wording), *calls[1:]])
        if played[0].refusal is None:
            return run
        self.solved.runner.host.drop(run.world)
        return LeftOut(f"{call.step.operation} refused: {played[0].refusal}")


def list_next(call: TimedWrite, wording: Replacement) -> Iterator[TimedWrite]:
    """Yield the call that says more in the same place a minute later, if the wording has one."""
    if wording.follows is not None:
        yield replace(call, step=replace(call.step, arguments=wording.follows), at=call.at + MINUTE, result=None)


def is_item_met(verdict: Verdict, item: Item) -> bool:
    """Whether an item is met."""
    return any(one.id == item.id and one.met > 0 for one in verdict.items)
