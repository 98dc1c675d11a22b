"""The corpus of whole messages is whole: its sizes, its labels, and halves without equal sentences."""

import re
from collections import Counter
from pathlib import Path
from typing import Literal

import pytest
import yaml
from pydantic import BaseModel, ConfigDict, Field

CORPUS = Path(__file__).parent / "corpus" / "messages"
HALVES = ("development", "test")
PLACES = ("chat", "mail", "review", "status", "ticket")
MAIN = ("payments_degraded", "outage_over", "cloud_region_down")

Label = Literal["asserted", "denied", "unclear", "absent"]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Proposition(Strict):
    id: str
    subject: list[str] = Field(min_length=3)
    predicate: str
    sentence: str


class Message(Strict):
    id: str
    where: str
    misleading: bool = False
    stances: dict[str, Label] = Field(min_length=3, max_length=5)
    text: str = Field(min_length=150, max_length=1500)


def read_propositions() -> list[str]:
    found = yaml.safe_load((CORPUS / "propositions.yaml").read_text(encoding="utf-8"))
    return [Proposition.model_validate(one).id for one in found]


def read_messages(half: str) -> list[Message]:
    files = [CORPUS / half / f"{place}.yaml" for place in PLACES]
    found = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in files]
    return [Message.model_validate(one) for messages in found for one in messages]


def split_sentences(text: str) -> set[str]:
    """The sentences of four words or more, without case and marks."""
    words = [re.findall(r"\w+", part.casefold()) for part in re.split(r"[.!?:\n]+", text)]
    return {" ".join(one) for one in words if len(one) >= 4}


@pytest.mark.parametrize("half", HALVES)
def test_a_half_has_enough_messages_of_every_place(half: str) -> None:
    messages = read_messages(half)
    assert len(messages) >= 120 and len({message.id for message in messages}) == len(messages)
    places = Counter(message.where for message in messages)
    assert sorted(places) == list(PLACES) and min(places.values()) >= 8
    assert sum(message.misleading for message in messages) >= 20


@pytest.mark.parametrize("half", HALVES)
def test_every_proposition_is_known_asserted_and_denied(half: str) -> None:
    labels = Counter(stance for message in read_messages(half) for stance in message.stances.items())
    known = read_propositions()
    assert {name for name, _ in labels} == set(known) and len(known) == 15
    for name in known:
        assert labels[name, "asserted"] >= 4 and labels[name, "denied"] >= 4, name
        assert labels[name, "unclear"] + labels[name, "absent"] >= 2, name
    for name in MAIN:
        asserted, denied = labels[name, "asserted"], labels[name, "denied"]
        assert asserted + denied >= 25 and max(asserted, denied) <= 2 * min(asserted, denied), name


def test_the_halves_have_no_sentence_in_common() -> None:
    halves = [{one for message in read_messages(half) for one in split_sentences(message.text)} for half in HALVES]
    assert not halves[0] & halves[1]
