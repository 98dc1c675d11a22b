"""Honest wordings: what a scenario maps to customary acts, their values, and a rubric that knows one wording only."""

from pathlib import Path

import pytest
import yaml

from tests.docs.pages import ROOT
from tests.gate.thanks import Build, Files, but
from world.gate.act_runs import RecordedSolution
from world.gate.checks import CHECKS
from world.gate.gate_run import TEXTUAL, run_checks
from world.gate.solution_texts import list_prose
from world.gate.variant_runner import CheckResult
from world.gate.wordings import ItemActs, list_drafts, name_values, read_customary, read_meant
from world.script.errors import ScenarioError

FAIR = (
    'text: {field: text, any_of: [{mentions: I take}, {mentions: "I\'ll take"}, {mentions: mine}],'
    " none_of: [{mentions: not}], max_chars: 300}",
    "text: {field: text, max_chars: 2000, max_entities: 20}",
)


def mapped(files: Files, text: str = "answered: {acts: [acknowledge_request]}\n") -> Files:
    """The files with a mapping."""
    return {**files, "wordings.yaml": text}


def findings(build: Build, files: Files) -> list[CheckResult]:
    bench = build(files)
    bench.stride = 3
    return list(CHECKS["V24"](bench))


def test_a_rubric_that_knows_one_wording_only_is_caught(build: Build, manual: Files) -> None:
    narrow = findings(build, mapped(manual))
    assert [one for one in narrow if one.what == "test half" and not one.ok]
    assert [one for one in narrow if one.half == "test" and not one.ok]
    fair = findings(build, mapped(but(manual, "rubric.yaml", FAIR)))
    assert [one for one in fair if one.half and not one.ok] == []
    assert {one.what for one in fair if not one.half} == {"bug", "development half", "test half"}


def test_what_is_only_about_texts_can_be_skipped(build: Build, manual: Files) -> None:
    assert list(run_checks(build(manual), only=TEXTUAL, skipped=TEXTUAL)) == []


def test_values_are_those_of_the_run(build: Build, manual: Files) -> None:
    solved = RecordedSolution(build(manual))
    meant = ItemActs(acts=["answer_figure"], slots={"count": "{event.question.job}", "time": "{clock_soon}"})
    prose = next(one for one in list_prose(solved) if one.item.id == "answered")
    values = name_values(solved, prose, meant)
    assert values["count"].startswith("retry-") and values["time"] != values["date"]
    assert values["customer"] == solved.values["customer"]
    solved.close()


def test_several_acts_stand_in_one_text() -> None:
    drafts = list_drafts(ItemActs(acts=["apologise_customer", "answer_amount"], lead="For you."), "development")
    acts = [read_customary("development")[name].wordings for name in ("apologise_customer", "answer_amount")]
    assert [one.text for one in drafts] == [
        f"For you.\n\n{first.text}\n\n{second.text}" for first, second in zip(*acts, strict=True)
    ]


def test_acts_and_keys_that_are_not_there_are_refused(build: Build, manual: Files) -> None:
    for text, why in (
        ("answered: {acts: [wave_hands]}\n", "no customary act 'wave_hands'"),
        ("answered: {act: approve}\n", "wordings.yaml: answered"),
    ):
        with pytest.raises(ScenarioError, match=why):
            findings(build, mapped(manual, text))


@pytest.mark.parametrize("folder", sorted(path.parent for path in (ROOT / "scenarios").glob("*/rubric.yaml")))
def test_every_scenario_maps_its_items(folder: Path) -> None:
    items = {one["id"] for one in yaml.safe_load((folder / "rubric.yaml").read_text(encoding="utf-8"))["expect"]}
    meant = read_meant(folder / "wordings.yaml")
    assert meant and set(meant) <= items
