"""Every writing of the corpus yields exactly the facts beside it."""

from pathlib import Path

import pytest

from world.core.reading.passage import Passage
from world.grading.facts import Vocabulary, extract

FRAMES = ("{}", "So: {} (as agreed)", "Hello all,\n{}\nregards")


def _writings() -> list[tuple[str, str]]:
    lines = (Path(__file__).parent / "writings.tsv").read_text(encoding="utf-8").splitlines()
    return [(one, two) for line in lines if "\t" in line for one, _, two in [line.partition("\t")]]


WRITINGS = _writings()


def _facts(text: str, vocabulary: Vocabulary) -> list[str]:
    found = extract(Passage(text), vocabulary)
    return sorted(
        f"{fact.kind} {fact.value:f} {fact.unit}".strip()
        if not isinstance(fact.value, str)
        else f"{fact.kind} {fact.value} {fact.unit}".strip()
        for fact in found
    )


@pytest.mark.parametrize("frame", FRAMES, ids=["alone", "in a sentence", "on a line"])
def test_a_writing_yields_its_facts_and_no_other(frame: str, vocabulary: Vocabulary) -> None:
    wrong = []
    for text, expected in WRITINGS:
        wanted = sorted(_canonical(one) for one in expected.split(";")) if expected != "-" else []
        found = _facts(frame.format(text), vocabulary)
        if found != wanted:
            wrong.append((text, wanted, found))
    assert wrong == []


def _canonical(expected: str) -> str:
    kind, value, *unit = expected.split(" ", 2)
    if kind in ("amount", "percentage", "duration", "count", "number") and "." in value:
        value = value.rstrip("0").rstrip(".")
    return " ".join((kind, value, *unit))


def test_the_corpus_is_large_enough() -> None:
    assert len(WRITINGS) >= 300
