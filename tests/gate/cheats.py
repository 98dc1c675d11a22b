"""Cheats: the solution of a shipped scenario with harm beside it, with work done wrongly, or left out and claimed."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field

from world.agents.examples import part
from world.agents.solver import StepOutcome
from world.agents.steps import Scene, Step
from world.core.clock import MINUTE, SECOND
from world.core.json_types import is_array, is_object
from world.gate.act_runs import RecordedSolution
from world.gate.acts import ActCall as Call
from world.gate.acts import Strict, fill_slots
from world.gate.replay import WAIT
from world.gate.variant_runner import VariantRunner
from world.grading.verdict import Verdict

FOLDER = Path(__file__).parents[1] / "grading" / "corpus" / "cheats"
SCENARIOS = ("flapping_alert", "customer_escalation", "quarter_close", "us_east_1_outage")
HALVES = ("development", "test")
STRIDE = int(os.environ.get("FIRMAMENT_CHEAT_STRIDE", "6"))  # every so-many-th is played; `make cheats` plays all
TITLE = re.compile(r"\W+")


class Addition(Strict):
    """Calls beside the solution: right before or after one of its steps, or at a minute of the run in which it waits."""

    before: str = ""
    after: str = ""
    at: int = Field(default=0, ge=0)
    steps: list[Call] = Field(min_length=1)


class Cheat(Strict):
    """A run that must not pass, as a change of the solution.

    `only` keeps these steps and the waits, `leave` leaves some out. `change` gives a step other arguments (`{was}` is the
    solution's own), `edit` replaces passages in its arguments, `add` adds calls.
    """

    id: str = Field(pattern="^[a-z0-9_]+$")
    means: str = Field(min_length=20)
    only: list[str] | None = None
    leave: list[str] = []
    change: dict[str, dict[str, Any]] = {}
    edit: dict[str, dict[str, str]] = {}
    add: list[Addition] = []


def path_of(scenario: str, half: str) -> Path:
    """The file of a half."""
    return FOLDER / f"{'test-' if half == 'test' else ''}{scenario}.yaml"


def read_cheats(scenario: str, half: str) -> list[Cheat]:
    """The cheats of a scenario in a half."""
    raw = yaml.safe_load(path_of(scenario, half).read_text(encoding="utf-8"))
    return [Cheat.model_validate(one) for one in raw]


def take_share(bench: VariantRunner, cheats: Sequence[Cheat]) -> list[Cheat]:
    """Every STRIDE-th of them; the rubric decides with which one the count begins, so a new rubric meets other cheats."""
    return list(cheats[int(bench.rubric.digest[-8:], 16) % STRIDE :: STRIDE])


def read_survivors(scenario: str, half: str) -> dict[str, str]:
    """The cheats that are known to pass, each with the name of its cause."""
    return _read_yaml(f"{'test-' if half == 'test' else ''}survivors.yaml")[scenario]


def read_causes() -> dict[str, str]:
    """Why cheats pass, by the names of the causes."""
    return _read_yaml("causes.yaml")


def _read_yaml(name: str) -> dict[str, Any]:
    return yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a cheat came to; `stuck` are its own calls that were refused, so that it was not tried as meant."""

    cheat: Cheat
    verdict: Verdict
    stuck: tuple[str, ...]


class Cheating:
    """Plays cheats in one workbench."""

    def __init__(self, bench: VariantRunner) -> None:
        self.bench = bench

    @cached_property
    def slots(self) -> Mapping[str, Any]:
        """The values of the gate's slots, as they are after the solution."""
        solved = RecordedSolution(self.bench)
        solved.close()
        return solved.values

    def run(self, cheat: Cheat) -> Outcome:
        """The verdict of a cheat; its world is dropped."""
        scene = self.bench.make_scene()
        trick = Trick(cheat, scene, self)
        run, played = self.bench.play_solution(trick.replace, scene=scene, tell=trick.note)
        return Outcome(cheat, self.bench.grade_and_drop(run), tuple(trick.list_stuck(played)))


@dataclass
class Trick:
    """One cheat while it is played."""

    cheat: Cheat
    scene: Scene
    cheating: Cheating
    results: dict[str, Any] = field(default_factory=dict[str, Any])
    last: str = ""
    taken: set[int] = field(default_factory=set[int])
    calls: dict[str, Call] = field(default_factory=dict[str, Call])

    def replace(self, step: Step) -> Iterator[Step]:
        """What is done in place of a step of the solution."""
        yield from self._added(lambda one: bool(one.after) and one.after == self.last)
        yield from self._added(lambda one: bool(one.before) and one.before == step.id)
        if step.operation == WAIT:
            yield from self._wait(step)
            return
        self.last = step.id
        if self._is_kept(step):
            yield self._altered(step)

    def note(self, played: StepOutcome) -> None:
        """Keep the answer of a call for later ones."""
        if played.refusal is None:
            self.results[played.step.id] = played.result

    def list_stuck(self, played: Iterable[StepOutcome]) -> Iterator[str]:
        """The cheat's own calls that were refused, and what it says of steps that never came."""
        for one in played:
            call = self.calls.get(one.step.id)
            if call is not None and (one.refusal is not None) != call.refused:
                yield f"{call.operation}: {one.refusal or 'not refused'}"
            elif one.refusal is not None and (one.step.id in self.cheat.change or one.step.id in self.cheat.edit):
                yield f"{one.step.id}: {one.refusal}"
        done = {one.step.id for one in played}
        yield from (f"{id} never came" for id in {*self.cheat.change, *self.cheat.edit} - done)
        yield from (f"addition {n} never came" for n in range(len(self.cheat.add)) if n not in self.taken)

    def _is_kept(self, step: Step) -> bool:
        return step.id not in self.cheat.leave and (self.cheat.only is None or step.id in self.cheat.only)

    def _altered(self, step: Step) -> Step:
        changed = self.cheat.change.get(step.id, {})
        arguments = {
            **step.arguments,
            **{name: self._fill(value, {"was": step.arguments.get(name)}) for name, value in changed.items()},
        }
        edits = {old: self._fill(new, {}) for old, new in self.cheat.edit.get(step.id, {}).items()}
        return replace(step, arguments=edited(arguments, edits) if edits else arguments)

    def _wait(self, step: Step) -> Iterator[Step]:
        """A wait, cut where something is added at a minute of it; the solution waits on by itself."""
        end = self.scene.now + int(step.arguments["seconds"]) * SECOND
        due = [one for one in self._open() if one.at and self.scene.start + one.at * MINUTE <= end]
        if not due:
            yield step
        for one in sorted(due, key=lambda one: one.at):
            yield from self._until(self.scene.start + one.at * MINUTE, step)
            yield from self._added(lambda other, one=one: other is one)

    def _until(self, at: int, like: Step) -> Iterator[Step]:
        while self.scene.now < at and not self.scene.ended:
            seconds = -(-(at - self.scene.now) // SECOND)
            yield replace(like, arguments={"seconds": seconds})

    def _open(self) -> list[Addition]:
        return [one for n, one in enumerate(self.cheat.add) if n not in self.taken]

    def _added(self, wanted: Any) -> Iterator[Step]:
        for number, one in enumerate(self.cheat.add):
            if number in self.taken or not wanted(one):
                continue
            self.taken.add(number)
            for place, call in enumerate(one.steps):
                yield from self._call(call, call.keep or f"added_{number}_{place}")

    def _call(self, call: Call, id: str) -> Iterator[Step]:
        if call.wait:
            yield from self._until(self.scene.now + call.wait * MINUTE, Step(f"{id}_wait", WAIT))
            return
        self.calls[id] = call
        yield Step(id, call.operation, self._fill(call.params, {}))

    # slots

    def _fill(self, value: Any, more: Mapping[str, Any]) -> Any:
        return fill_slots(value, lambda name: self._value(name, more))

    def _value(self, name: str, more: Mapping[str, Any]) -> Any:
        """`{event.truth.credit}`, `{step.ask.ts}`, `{room.general}`, `{user_of.head_of_support}`, `{slack_id.event.x.y}`, or a slot of the gate."""
        first, _, path = name.partition(".")
        if first in more:
            return more[first]
        if first == "event":
            return part(self.scene.facts(path.partition(".")[0]), path.partition(".")[2])
        if first == "step":
            return part(self.results[path.partition(".")[0]], path.partition(".")[2])
        if first == "room":
            return self.scene.find("slack_channel", name=path)["id"]
        if first == "last":
            table, _, column = path.partition(".")
            return self.scene.rows(table)[-1][column]
        if first == "slack_id":
            return self.scene.find("account", app="slack", person_id=self._value(path, more))["external_id"]
        if first in ("user_of", "mail_of", "account_of", "name_of", "first_of", "id_of"):
            return self._person(first, path)
        if first in self.results:
            return part(self.results[first], path) if path else self.results[first]
        return part(self.cheating.slots[first], path) if path else self.cheating.slots[first]

    def _person(self, what: str, title: str) -> str:
        people = self.scene.rows("person", kind="employee", status="active")
        one = next(row for row in people if TITLE.sub("_", str(row["title"]).lower()) == title)
        if what in ("user_of", "account_of"):
            app = "slack" if what == "user_of" else "jira"
            return self.scene.find("account", app=app, person_id=one["id"])["external_id"]
        return one[{"mail_of": "email", "name_of": "full_name", "first_of": "first_name", "id_of": "id"}[what]]


def edited(value: Any, edits: Mapping[str, str]) -> Any:
    """A value with passages replaced in every text within it."""
    if isinstance(value, str):
        for old, new in edits.items():
            value = value.replace(old, new)
        return value
    if is_array(value):
        return [edited(item, edits) for item in value]
    return {key: edited(item, edits) for key, item in value.items()} if is_object(value) else value
