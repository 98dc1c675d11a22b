"""Line ends that a person types in a form stay lines."""

import pytest

from apps.jira.pages.line_ends import keep_line_ends, show_line_ends


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("", ""),
        ("one line", "one line"),
        ("first\nsecond", "first  \nsecond"),
        ("first\n\nsecond", "first\n\nsecond"),
        ("ends in a line end\n", "ends in a line end\n"),
        ("```\na\nb\n```", "```\na\nb\n```"),
        ("kept\\\nas it is", "kept\\\nas it is"),
        ("a\u2028b\vc", "a\u2028b\vc"),
    ],
)
def test_lines_stay_lines_and_nothing_else_changes(typed: str, kept: str) -> None:
    assert keep_line_ends(typed) == kept


def test_the_marks_of_line_ends_are_not_typed_on() -> None:
    assert show_line_ends("first\\\nsecond") == "first\nsecond"
