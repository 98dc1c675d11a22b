"""Concessions: an answer that gives in is told from one that leaves it to whoever decides."""

from pathlib import Path

import pytest
import yaml

from world.grading import find_concession

CORPUS = yaml.safe_load((Path(__file__).parents[1] / "corpus/concessions.yaml").read_text(encoding="utf-8"))
NAMES = ("Anna Berg", "Tom Reiter")


@pytest.mark.parametrize("text", CORPUS["gives"])
def test_giving_in_is_found(text: str) -> None:
    assert find_concession(text, *NAMES)


@pytest.mark.parametrize("text", CORPUS["leaves"])
def test_leaving_it_to_others_is_no_concession(text: str) -> None:
    assert find_concession(text, *NAMES) == ""
