"""Figures of the generated company against seeds/targets.toml, over several seeds."""

import statistics
from importlib.resources import files

import pytest

from seeds.build import rows
from seeds.data_card import card
from seeds.inspection.chat_figures import list_human_messages
from seeds.inspection.company_tables import Tables
from seeds.inspection.inspection import measure_bands
from seeds.inspection.text_figures import Figures, measure_texts
from seeds.rows.row_collector import Sink
from seeds.targets import targets
from tests.seeds.conftest import Tell

SEEDS = (7, *(pytest.param(seed, marks=pytest.mark.full) for seed in (1, 4, 9, 16)))


@pytest.fixture(scope="module", params=SEEDS)
def tables(request: pytest.FixtureRequest, tell: Tell) -> Tables:
    """The rows of a seed's S company by table name."""
    sink: Sink = rows(tell("S", request.param))
    found = {str(model.__tablename__): found for model, found in sink.rows.items()}
    return {**found, "story_ref": sink.references("sheets_cell")}


def test_every_figure_lies_in_its_band(tables: Tables) -> None:
    found = measure_bands(tables)
    assert set(found) == set(targets()["band"])
    for name, value in found.items():
        low, high = targets()["band"][name]["low"], targets()["band"][name]["high"]
        assert low <= value <= high, f"{name}: {value:.3f} is not within {low} and {high}"


def test_titles_are_all_different_nobody_is_silent_and_workbooks_are_as_many_as_wanted(tables: Tables) -> None:
    titles = [row["summary"] for row in tables["jira_issue"]]
    assert len(set(titles)) == len(titles)
    assert len({row["person_id"] for row in list_human_messages(tables)}) == 26
    assert abs(len(tables["sheets_spreadsheet"]) - targets()["size"]["S"]["workbooks"]["value"]) <= 3


def test_voices_are_told_apart_by_simple_measures(tell: Tell):
    """A stand-in for authorship: capitals and full stops alone separate a writer's halves better than chance."""
    story = tell("S", 7)
    texts: dict[str, list[str]] = {}
    for event in story.events:
        if getattr(event.facts, "human", False):
            texts.setdefault(event.actor, []).append(event.facts.text)  # type: ignore[union-attr]

    def traits(lines: list[str]) -> tuple[float, float]:
        return (
            statistics.mean(line[:1].islower() for line in lines),
            statistics.mean(line.endswith(".") for line in lines),
        )

    known = {who: traits(lines[::2]) for who, lines in texts.items() if len(lines) >= 24}
    hits = 0
    for who, lines in texts.items():
        if who in known:
            asked = traits(lines[1::2])
            nearest = sorted(
                known, key=lambda other: sum((a - b) ** 2 for a, b in zip(known[other], asked, strict=True))
            )
            hits += who in nearest[: len(known) // 4]
    assert hits / len(known) >= 0.5


def test_figures_tell_a_grammar_from_people():
    grammar = measure_texts(
        [f"The {a} is {b} again today" for a in ("cart", "ledger", "edge") for b in ("slow", "down", "late")] * 30
    )
    assert grammar.duplicates > 0.9 and grammar.gzip_ratio > 5 and grammar.shared > 0.9
    assert isinstance(grammar, Figures)


def test_the_data_card_is_written_from_the_targets():
    assert files("seeds").joinpath("DATA_CARD.md").read_text(encoding="utf-8") == card()
    assert all(
        one["tag"] in "MRKC" and one["source"] and one["low"] <= one["high"] for one in targets()["band"].values()
    )
