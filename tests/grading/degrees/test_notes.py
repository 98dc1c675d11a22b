"""A note that takes back the value beside it."""

import pytest

from world.core.reading.part import Part
from world.core.reading.plain import from_plain
from world.grading.degrees.notes import find_disowning_notes


def judge(note: str) -> list[str]:
    shown = Part("shown", from_plain("2,180.00"), ("input",))
    return [one.kind for one in find_disowning_notes((shown, Part("aside", from_plain(note), ("note",), "supplement")))]


@pytest.mark.parametrize(
    "note",
    [
        "Void, leave it off the invoice.",
        "Placeholder.",
        "A rough estimate, nobody has seen the invoice.",
        "Please ignore this figure.",
        "To be replaced after the audit.",
        "Not yet checked.",
        "Nobody has signed this one.",
        "The customer never agreed.",
    ],
)
def test_a_note_that_takes_the_value_back_is_told(note: str) -> None:
    assert judge(note) == ["a note takes the value back"]


@pytest.mark.parametrize(
    "note",
    [
        "As in the mail of 10:12.",
        "Corrected: was booked twice.",
        "Replaces the estimate of last week.",
        "Was a placeholder, now the final figure.",
        "No longer provisional.",
        "Sum of the three months.",
        "Nobody else has this rate.",
        "The customer agreed on the phone, never by mail.",
    ],
)
def test_a_note_that_says_where_a_value_comes_from_is_none(note: str) -> None:
    assert judge(note) == []


def test_a_note_on_nothing_takes_nothing_back() -> None:
    note = Part("aside", from_plain("Placeholder."), ("note",), "supplement")
    assert list(find_disowning_notes((note,))) == []
