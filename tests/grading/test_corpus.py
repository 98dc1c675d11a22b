"""The corpora are whole: their sizes, halves without copies, slots and labels that are known."""

import re
from collections import Counter
from pathlib import Path

import pytest
import yaml
from pydantic import BaseModel, ConfigDict, Field

from world.gate.wordings import read_customary, read_usual

CORPUS = Path(__file__).parent / "corpus"
HALVES = ("development", "test")


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Phrasings(Strict):
    proposition: list[str] = Field(min_length=12)
    opposite: list[str] = Field(min_length=12)


class Proposition(Strict):
    id: str
    subject: list[str] = Field(min_length=3)
    predicate: str
    phrasings: Phrasings


class Sentence(Strict):
    label: str = Field(pattern="^(asserted|denied|unclear)$")
    kind: str
    text: str = Field(min_length=1)


class Sentences(Strict):
    proposition: str
    sentences: list[Sentence]


def plain(text: str) -> str:
    return " ".join(re.findall(r"\w+|[^\s\w]", text.casefold()))


def read_sentences(half: str) -> dict[str, Sentences]:
    files = sorted((CORPUS / "stance" / half).glob("*.yaml"))
    return {path.stem: Sentences.model_validate(yaml.safe_load(path.read_text(encoding="utf-8"))) for path in files}


@pytest.mark.parametrize("half", HALVES)
def test_every_act_has_twenty_wordings_with_the_slots_it_needs(half: str) -> None:
    acts = read_customary(half)
    assert len(acts) == 60
    for name, act in acts.items():
        assert act.act == name and len(act.wordings) == 20, name
        for wording in act.wordings:
            slots = set(re.findall(r"\{(\w+)\}", wording.text))
            assert slots <= set(read_usual()) and slots >= set(act.must), (name, wording.text)


def test_no_wording_stands_twice() -> None:
    halves = [read_customary(half) for half in HALVES]
    for name in halves[0]:
        texts = [plain(wording.text) for half in halves for wording in half[name].wordings]
        assert len(set(texts)) == 40, name


def test_every_proposition_is_asserted_denied_and_left_unclear_in_both_halves() -> None:
    files = sorted((CORPUS / "stance" / "propositions").glob("*.yaml"))
    known = [Proposition.model_validate(yaml.safe_load(path.read_text(encoding="utf-8"))) for path in files]
    assert [one.id for one in known] == [path.stem for path in files] and len(known) == 30
    for half in HALVES:
        found = read_sentences(half)
        assert list(found) == [one.id for one in known]
        for name, one in found.items():
            labels = Counter(sentence.label for sentence in one.sentences)
            assert len(labels) == 3 and min(labels.values()) >= 9, (half, name, labels)


def test_no_sentence_stands_twice_and_there_are_enough_of_many_kinds() -> None:
    every = [sentence for half in HALVES for one in read_sentences(half).values() for sentence in one.sentences]
    assert len(every) >= 1500 and len({plain(sentence.text) for sentence in every}) == len(every)
    assert len({sentence.kind for sentence in every if sentence.label != "asserted"}) >= 40
