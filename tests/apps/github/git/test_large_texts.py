"""Texts of more lines than are compared count as rewritten: nothing of a change is lost."""

import pytest

from apps.github.git import myers
from apps.github.git.merge3 import merge_file
from apps.github.git.myers import Change, changes


def number_lines(first: int, last: int) -> list[bytes]:
    """Lines unlike each other."""
    return [b"%d\n" % one for one in range(first, last)]


def test_what_is_too_long_to_compare_is_rewritten_between_its_equal_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(myers, "MOST_LINES", 10)
    same = number_lines(0, 3)
    old, new = [*same, *number_lines(10, 20), *same], [*same, *number_lines(30, 45), *same]
    assert changes(old, new) == [Change(3, 13, 3, 18)]


def test_a_merge_of_texts_too_long_to_compare_is_a_conflict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(myers, "MOST_LINES", 10)
    base, ours, theirs = (b"".join(number_lines(first, first + 20)) for first in (0, 100, 200))
    assert merge_file(base, ours, theirs) is None
