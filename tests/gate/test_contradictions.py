"""Contradictions of what a solution says: how they are made, and a rubric that takes words for statements."""

from decimal import Decimal

import pytest

from tests.gate.thanks import Build, Files, but
from world.core import discovery
from world.gate.act_runs import RecordedSolution
from world.gate.checks import CHECKS
from world.gate.contradictions import ContradictionKind, another_figure, list_figures, read_kinds, rewrite
from world.gate.solution_texts import list_prose
from world.gate.variant_runner import CheckResult


def findings(build: Build, files: Files, *, stride: int = 1) -> list[CheckResult]:
    bench = build(files)
    bench.stride = stride
    return list(CHECKS["V23"](bench))


def earning(found: list[CheckResult], item: str) -> set[str]:
    """The kinds whose contradictions of the first half earn an item."""
    return {one.what.partition(": ")[2] for one in found if one.what.startswith(f"development {item}: ") and not one.ok}


def with_figure(files: Files) -> Files:
    """The scenario with a figure that its solution states."""
    counted = but(files, "scenario.py", (", job=job)", ", job=job, count=35)"))
    return but(counted, "oracle.py", ('"text": "I take it."', '"text": "I take it, 35 are stuck."'))


@pytest.mark.full
def test_a_rubric_that_takes_any_figure_is_caught(build: Build, manual: Files) -> None:
    figures = {"figure_next_to_it 35", "figure_far_off 35"}
    assert figures <= earning(findings(build, with_figure(manual)), "answered")
    facts = ("max_chars: 300", "facts: {must: [event.question.count]}, max_chars: 300")
    assert not earning(findings(build, but(with_figure(manual), "rubric.yaml", facts)), "answered") & figures


def test_what_a_text_takes_back_earns_nothing(build: Build, manual: Files) -> None:
    earned = earning(findings(build, manual), "answered")
    assert not earned & {"not_true", "scratched", "next_scratched", "following_false", "german_or_italian", "struck"}


def test_a_rubric_that_asks_for_the_very_words_lets_no_contradiction_pass(build: Build, manual: Files) -> None:
    strict = but(manual, "rubric.yaml", ("max_chars: 300", "max_chars: 10"))
    found = earning(findings(build, strict), "answered")
    assert found <= {kind.id for kind in read_kinds() if kind.how == "next"} | {"not_after", "sarcasm"}


def test_the_texts_of_a_solution_are_found_by_item(build: Build, manual: Files) -> None:
    solved = RecordedSolution(build(manual))
    found = {one.item.id: one.texts for one in list_prose(solved)}
    assert found["answered"] == ["I take it."]
    assert [text.partition(" ")[2] for text in found["bug"]] == ["is stuck"]
    solved.close()


def test_there_are_enough_kinds_with_two_wordings_each() -> None:
    kinds = read_kinds()
    assert len(kinds) >= 60 and len({kind.id for kind in kinds}) == len(kinds)
    wordings = [(kind.how, kind.dress, kind.get_wording(half)) for kind in kinds for half in ("development", "test")]
    assert len(set(wordings)) == len(wordings)
    dresses = {name for app in discovery.apps() for one in app.probes.renderings.values() for name in one}
    assert {kind.dress for kind in kinds if kind.how == "dress"} == dresses


@pytest.mark.parametrize(
    ("how", "wording", "made"),
    [
        ("whole", "This is false: {text}", "This is false: Hi,\nIt is over. Is it?"),
        ("each", "It is not true that {lowered}", "Hi,\nIt is not true that it is over. Is it?"),
        ("verb", "{verb} not", "Hi,\nIt is not over. Is it?"),
        ("letters", "o", "Hi,\nIt is \u043ever. Is it?"),
    ],
)
def test_a_text_is_turned_against_itself(how: str, wording: str, made: str) -> None:
    kind = ContradictionKind.model_validate({"id": "x", "how": how, "development": wording, "test": wording})
    assert rewrite(kind, wording, "Hi,\nIt is over. Is it?") == made


def test_figures_of_the_story_get_another_value() -> None:
    found = list_figures("EUR 1,234.50 at 14:30 for INC-12, 35 minutes")
    assert set(found) == {Decimal("1234.5"), Decimal("14.3"), Decimal(35)}
    assert another_figure("at 14:30", Decimal("14.3"), "1 1") == "at 14:31"
    assert another_figure("1,234.50 EUR, 35 min", Decimal("1234.5"), "10 0") == "12,345.00 EUR, 35 min"
    assert another_figure("35 min", Decimal(35), "1 -1") == "34 min"
