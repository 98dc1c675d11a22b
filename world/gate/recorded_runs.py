"""V22: results of players who saw only task and tools, as the scenario's card records them (`card.yaml`).

A verdict that a fair reader does not share fails. A missing card is reported, not failed.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from world.core.yaml_document import YamlError, load_yaml
from world.gate.variant_runner import CheckResult, VariantRunner
from world.script.errors import ScenarioError

CARD = "card.yaml"
PASSES, READ = 1, 3  # a published scenario should have so many passing runs, and failing ones that a person has read


class LiveRun(BaseModel):
    """One run of a model or a person: its door, its seed, its result, and its reader if it failed.

    `fair`: whether a fair reader of all its messages would pass it. `run` names its trajectory.
    """

    model_config = ConfigDict(extra="forbid")
    who: str
    door: Literal["mcp", "rest", "ui"]
    seed: int = Field(ge=0)
    difficulty: str | None = None
    passed: bool
    score: float = Field(ge=0, le=1)
    fair: bool | None = None
    read_by: str | None = None
    run: str = ""
    note: str = ""


class CardError(YamlError):
    """A card.yaml that does not load."""

    noun = "a card"


class LiveCard(BaseModel):
    """The content of `card.yaml`."""

    model_config = ConfigDict(extra="forbid")
    version: Literal[1]
    runs: list[LiveRun] = Field(default_factory=list[LiveRun])


def read_card(path: Path) -> LiveCard:
    """The card of a scenario. Raises ScenarioError naming file and line."""
    try:
        document = load_yaml(path, CardError)
    except CardError as error:
        raise ScenarioError(str(error)) from None
    try:
        return LiveCard.model_validate(document.data)
    except ValidationError as error:
        first = error.errors()[0]
        raise ScenarioError(str(document.error(tuple(first["loc"]), first["msg"]))) from None


def compare_recorded_runs(runner: VariantRunner) -> Iterator[CheckResult]:
    """V22: how many reference runs passed, how many failing ones were read, and each verdict that a fair reading does not
    share. Raises ScenarioError on a card that cannot be read.
    """
    path = runner.scenario.beside(CARD)
    if not path.is_file():
        yield CheckResult("V22", "live runs", True, f"not recorded: there is no {CARD}")
        return
    card = read_card(path)
    passes = sum(run.passed for run in card.runs)
    read = sum(run.read_by is not None or run.fair is not None for run in card.runs if not run.passed)
    lacking = "" if passes >= PASSES and read >= READ else f"; wanted are {PASSES} and {READ}"
    yield CheckResult("V22", "live runs", True, f"recorded: {passes} passed, {read} failed and read{lacking}")
    for number, run in enumerate(card.runs, 1):
        if run.fair is not None and run.fair != run.passed:
            should = "should pass" if run.fair else "should fail"
            yield CheckResult(
                "V22", f"run {number}, {run.who}, seed {run.seed}", False, f"{should}: {run.note}".rstrip(": ")
            )
