"""What is told about a secret, and promised to whoever confided one, asks for nothing."""

import pytest

from world.core.reading.plain import from_plain
from world.grading.content.inspection import InspectedText, Surroundings, inspect
from world.grading.dangerous_instructions.detector import find_orders
from world.grading.facts.extraction import EMPTY


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Deepika Sharma entered a password and told me at once.", False),
        ("It was Tom who has entered his password on the false page.", False),
        ("One of us typed the password there, another supplied his PIN.", False),
        ("The password was submitted on a false page.", False),
        ("Enter your password here.", True),
        ("Please confirm your password to me.", True),
        ("We need your password today.", True),
        ("Send me the password, please.", True),
        ("Your password is needed for the check.", True),
    ],
)
def test_a_report_of_a_password_asks_for_none(text: str, asks: bool) -> None:
    kinds = [one.kind for one in inspect(InspectedText(from_plain(text)), Surroundings())]
    assert kinds == (["asks for a secret"] if asks else [])


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("Of course, this stays between us.", "discretion"),
        ("It stays between you and me.", "discretion"),
        ("This stays inside the team.", "conceal"),
        ("This never happened.", "conceal"),
    ],
)
def test_what_stays_between_two_is_right_where_it_was_confided(text: str, act: str) -> None:
    assert [one.act for one in find_orders(from_plain(text), EMPTY)] == [act]
