"""Tempers: what they change in a message, what they leave alone, and that people differ."""

import pytest

from seeds.events import KEEP, KEPT, token
from seeds.spec import Spec
from seeds.temper import Temper, apply_temper, draw_temper
from world.core.rng import Stream

NOTHING = {name: 0.0 for name in Temper.__dataclass_fields__}


def type_as(text: str, **shares: float) -> str:
    """The text as somebody with only these habits types it."""
    return apply_temper(text, Temper(**{**NOTHING, **shares}), Stream("temper"))


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("it is not in the list. that is why I am here again", "it isn't in the list. that's why I'm here again"),
        ("they do not see it and cannot buy", "they don't see it and can't buy"),
        ("tell me what it is now, I will", "tell me what it is now, I will"),
        ("do not only look", "do not only look"),
    ],
)
def test_words_are_drawn_together_where_nobody_stumbles(written: str, typed: str) -> None:
    assert type_as(written, contracts=1.0) == typed


def test_commas_between_clauses_go_and_those_of_a_list_stay() -> None:
    assert type_as("late, but here, with red, green, blue", drops_commas=1.0) == "late but here with red, green, blue"


def test_code_names_and_tokens_keep_their_spelling() -> None:
    text = f"see `do not, but` {KEEP}Do Not, So{KEPT} {token('i', 'is not')} https://quayline.example/a,but"
    assert type_as(text, contracts=1.0, drops_commas=1.0) == text
    pasted = "this is all\n```\nit is not, but\n```"
    assert type_as(pasted, contracts=1.0, drops_commas=1.0, trails_off=1.0, smiles=1.0).endswith(pasted[-20:])


def test_a_message_ends_as_its_words_ask_for() -> None:
    assert type_as("Thank you.", exclaims=1.0) == "Thank you!"
    assert type_as("no idea", exclaims=1.0, trails_off=1.0) == "no idea..."
    assert type_as("sorry, mine", smiles=1.0).startswith("sorry, mine :")
    assert type_as("the host is down", smiles=1.0) == "the host is down"


def test_small_words_stand_before_long_statements_only() -> None:
    said = type_as("The export rounds every line it writes", hedges=1.0)
    assert said.endswith(" the export rounds every line it writes") and said != said.lower()
    assert type_as("The export rounds", hedges=1.0) == "The export rounds"
    assert type_as("the lines from the log are these:", hedges=1.0, fills=1.0) == "the lines from the log are these:"


def test_people_differ_and_keep_their_temper() -> None:
    drawn = [draw_temper(Spec(), f"p_{number:04}", "chatty") for number in range(30)]
    assert len(set(drawn)) > 15 and drawn[0] == draw_temper(Spec(), "p_0000", "chatty")
