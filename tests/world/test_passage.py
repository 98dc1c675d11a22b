"""Passages: text as seen, and what its marks say."""

from world.core.reading.passage import Mark, Passage

STRUCK = Passage("It is over.\nNot yet.", (Mark(0, 11, "struck"), Mark(12, 15, "code")))


def test_marked_text_is_found_by_kind() -> None:
    assert list(STRUCK.marked("struck")) == [(0, 11)]
    assert list(STRUCK.marked("struck", "code")) == [(0, 11), (12, 15)]
    assert STRUCK.is_marked(10, "struck")
    assert not STRUCK.is_marked(11, "struck")
    assert not STRUCK.is_marked(12, "hidden")


def test_text_without_a_kind_keeps_its_offsets() -> None:
    assert STRUCK.without("struck") == " " * 11 + "\nNot yet."


def test_blanks_keep_the_lines() -> None:
    assert Passage("a\nb", (Mark(0, 3, "hidden"),)).without("hidden") == " \n "
