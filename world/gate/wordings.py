"""V24: the texts of the solution in the words of people who saw no rubric; nearly all are accepted."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import Field, ValidationError

from world.agents.steps import Scene
from world.core.clock import MINUTE, SECOND
from world.core.yaml_text import load_yaml
from world.gate.act_runs import LeftOut, RecordedSolution
from world.gate.acts import CORPUS, HALVES, Strict, fill_slots, list_names, look_up
from world.gate.conduct import try_variant
from world.gate.solution_texts import Checkpoint, Replacement, SolutionText, list_prose
from world.gate.variant_runner import CheckResult, VariantRunner, expect_pass
from world.grading.verdict import Verdict
from world.script.errors import ScenarioError

FOLDER = CORPUS / "wordings"
FILE = "wordings.yaml"
WANTED = 0.98
SOON = 30 * MINUTE


class PlacedWording(Strict):
    """A wording, and where people would write so."""

    where: str = Field(pattern="^(chat|ticket|review|mail)$")
    text: str = Field(min_length=1)


class CustomaryAct(Strict):
    """Customary act of working life, in twenty wordings of a half."""

    act: str
    means: str
    must: list[str]
    wordings: list[PlacedWording]


class ItemActs(Strict):
    """The customary acts that together do what an item asks for.

    `slots` are values that the task gives them, `lead` is a first sentence that states the subject.
    """

    acts: list[str] = Field(min_length=1)
    slots: dict[str, str] = {}
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A text with its slots, and its number among the wordings of a half."""

    number: int
    text: str


@cache
def read_customary(half: str) -> Mapping[str, CustomaryAct]:
    """The customary acts in their wordings of a half, by name."""
    files = sorted((FOLDER / half).glob("*.yaml"))
    return {path.stem: CustomaryAct.model_validate(load_yaml(path.read_text(encoding="utf-8"))) for path in files}


@cache
def read_usual() -> Mapping[str, str]:
    """Read the default values of slots."""
    return load_yaml((FOLDER / "slots.yaml").read_text(encoding="utf-8"))


def read_meant(path: Path) -> Mapping[str, ItemActs]:
    """Read the customary acts that a scenario declares, by item; none without a file. Raises ScenarioError."""
    raw: dict[str, Any] = (load_yaml(path.read_text(encoding="utf-8")) if path.is_file() else None) or {}
    known, found = read_customary("development"), dict[str, ItemActs]()
    for item, one in raw.items():
        try:
            found[item] = ItemActs.model_validate(one)
        except ValidationError as error:
            raise ScenarioError(f"{path}: {item}: {error.errors()[0]['msg']}") from None
        unknown = [name for name in found[item].acts if name not in known]
        if unknown:
            raise ScenarioError(f"{path}: {item}: no customary act {unknown[0]!r}")
    return found


def reword_texts(runner: VariantRunner) -> Iterator[CheckResult]:
    """V24: the solution in other words of people is a full pass, 98 of 100 times."""
    meant, rates = read_meant(runner.scenario.beside(FILE)), dict[str, tuple[int, int]]()
    solved = runner.keep(RecordedSolution)
    found = list_prose(solved, meant)
    yield from (report_unmapped(prose) for prose in found if prose.item.id not in meant)
    for prose in (one for one in found if one.item.id in meant):
        for finding in try_wordings(solved, prose, meant[prose.item.id]):
            good, every = rates.get(finding.half, (0, 0))
            tried = not finding.left_out
            rates[finding.half] = good + (tried and finding.ok), every + tried
            yield finding
    yield from (sum_up(half, *rates[half]) for half in HALVES if rates.get(half, (0, 0))[1])


def report_unmapped(prose: SolutionText) -> CheckResult:
    """A text for which a scenario names no customary act."""
    return CheckResult("V24", prose.item.id, True, f"{FILE} names no customary act for it", left_out=True)


def sum_up(half: str, good: int, every: int) -> CheckResult:
    """Whether enough of a half was accepted."""
    why = f"{good} of {every} accepted ({good / every:.1%}), {WANTED:.0%} are wanted"
    return CheckResult("V24", f"{half} half", good >= WANTED * every, why)


def try_wordings(solved: RecordedSolution, prose: SolutionText, meant: ItemActs) -> Iterator[CheckResult]:
    """A text in all wordings of its acts."""
    with closing(Checkpoint(solved, prose)) as stage:
        values = name_values(solved, prose, meant)
        for half in HALVES:
            for draft in list_drafts(meant, half)[:: solved.runner.stride]:
                what = f"{half} {prose.item.id}: {'+'.join(meant.acts)} {draft.number}"
                found = try_variant(
                    "V24", what, partial(say, stage, draft, values), partial(expect_text_accepted, prose)
                )
                yield replace(found, half=half)


def expect_text_accepted(prose: SolutionText, check: str, what: str, verdict: Verdict) -> CheckResult:
    """A finding that holds when the verdict is a full pass; if it is not, what the item of the text misses comes first."""
    missed = next((one for one in verdict.items if one.id == prose.item.id and not one.met), None)
    return (
        CheckResult(check, what, False, f"{missed.id}: {missed.why}") if missed else expect_pass(check, what, verdict)
    )


def list_drafts(meant: ItemActs, half: str) -> list[Draft]:
    """The wordings of a half; those of several acts follow each other in one text."""
    acts = [read_customary(half)[name].wordings for name in meant.acts]
    lead = [meant.lead] if meant.lead else []
    return [
        Draft(number, "\n\n".join([*lead, *(one.text for one in said)]))
        for number, said in enumerate(zip(*acts, strict=True))
    ]


def say(stage: Checkpoint, draft: Draft, values: Mapping[str, Any]) -> Verdict | LeftOut:
    """The verdict of the solution with another wording in place of its text, the longest if there are several."""
    prose = stage.prose
    missing = sorted({name for name in list_names(draft.text) if name not in values and "." not in name})
    if missing:
        return LeftOut(f"no value for {', '.join(missing)}")
    text = str(fill_slots(draft.text, partial(look_up, values=values)))
    longest = max(prose.texts, key=len)
    return stage.say(Replacement(prose.replace_texts(*(text if one == longest else one for one in prose.texts))))


def name_values(solved: RecordedSolution, prose: SolutionText, meant: ItemActs) -> dict[str, Any]:
    """Return the values of a wording's slots in a run: the scenario's own, else values of its world."""
    world = {**solved.values, **tell_clock(solved, prose), "event": read_facts(solved)}
    found: dict[str, Any] = {"event": world["event"]}
    for slot, template in {**read_usual(), **meant.slots}.items():
        if all(is_known(name, world) for name in list_names(template)):
            found[slot] = str(fill_slots(template, partial(look_up, values=world)))
    return found


def is_known(name: str, values: Mapping[str, Any]) -> bool:
    """Whether a slot has a value."""
    try:
        look_up(name, values)
    except LookupError:
        return False
    return True


def tell_clock(solved: RecordedSolution, prose: SolutionText) -> dict[str, str]:
    """The agent's day and time of day when it speaks, and in half an hour."""
    scene = Scene(solved.before_end)
    zone, at = ZoneInfo(scene.find("person", id=scene.me)["tz"]), solved.work[prose.number].at
    now, soon = (datetime.fromtimestamp(moment // SECOND, zone) for moment in (at, at + SOON))
    return {"clock": f"{now:%H:%M}", "clock_soon": f"{soon:%H:%M}", "day": f"{now.day} {now:%B}"}


def read_facts(solved: RecordedSolution) -> dict[str, Any]:
    """Return the facts that a scenario's events left, by event."""
    timeline, scene = solved.before_end.actor.timeline, Scene(solved.before_end)
    return {event.name: scene.facts(event.name) for event in timeline.events} if timeline else {}
