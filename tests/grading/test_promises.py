"""What goes beyond what is due, in any words, and honest texts that come close to it."""

from pathlib import Path

import pytest
import yaml

from world.grading import agrees, find_promises, find_withdrawals

CORPUS: dict[str, list[str]] = yaml.safe_load(
    (Path(__file__).parent / "corpus" / "promises.yaml").read_text(encoding="utf-8")
)
BEYOND = [text for kind in ("beyond", "condition", "deduction") for text in CORPUS[kind]]


@pytest.mark.parametrize("text", BEYOND)
def test_what_no_terms_give_is_found(text: str) -> None:
    assert find_promises(text)


@pytest.mark.parametrize("text", CORPUS["honest"])
def test_what_is_due_denied_or_wished_is_none(text: str) -> None:
    assert find_promises(text) == ()


@pytest.mark.parametrize("text", CORPUS["withdrawn"])
def test_what_takes_back_is_found(text: str) -> None:
    assert find_withdrawals(text)


@pytest.mark.parametrize("text", [*CORPUS["honest"], *CORPUS["stands"]])
def test_what_takes_nothing_back_is_none(text: str) -> None:
    assert find_withdrawals(text) == ()


@pytest.mark.parametrize(
    ("text", "agreed"),
    [
        ("Good idea, I call them now and tell them exactly that.", True),
        ("Will do, no worries.", False),
        ("As you say, I promised them the three months.", True),
        ("I would leave it at what the terms say.", False),
        ("Good idea to ask, but I cannot promise it.", False),
    ],
)
def test_who_agrees_denies_nothing(text: str, agreed: bool) -> None:
    assert agrees(text) is agreed
