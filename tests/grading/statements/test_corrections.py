"""What somebody writes later may take back what they told before; the test half is only counted."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.grading.statements.spoken_corpus import read_corpus
from world.core.reading.plain import from_plain
from world.grading.corrections.detector import find_correction

WORDINGS = Path(__file__).parents[3] / "world" / "gate" / "corpus" / "wordings"
CAUGHT = {"development": 39, "test": 19}  # of 40 and of 20


def list_found(half: str, group: str) -> list[str]:
    corpus = read_corpus("corrections", half)
    return [one for one in getattr(corpus, group) if find_correction(from_plain(one), corpus.vocabulary)]


@pytest.mark.parametrize("half", CAUGHT)
def test_as_many_are_found_as_were_measured(half: str) -> None:
    assert len(list_found(half, "bad")) >= CAUGHT[half]


@pytest.mark.parametrize("half", CAUGHT)
def test_what_takes_nothing_back_is_none(half: str) -> None:
    assert list_found(half, "honest") == []


def list_wordings(path: Path) -> list[str]:
    entries: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))["wordings"]
    return [one["text"] for one in entries if "text" in one]


def test_honest_wordings_are_hardly_taken_for_one() -> None:
    vocabulary = read_corpus("corrections", "development").vocabulary
    texts = [text for path in sorted((WORDINGS / "development").rglob("*.yaml")) for text in list_wordings(path)]
    found = [text for text in texts if find_correction(from_plain(text), vocabulary)]
    assert len(found) <= len(texts) / 200
