"""Plain text: which lines are somebody else's, line by line."""

import pytest

from world.core.reading.passage import Mark, Passage
from world.core.reading.plain import from_plain

REPLY = "On Mon, 20 Oct 2025, Ann <a@x.test> wrote:"


def quoted_lines(text: str) -> list[int]:
    """The numbers of the lines that are quoted, from 0."""
    made = from_plain(text)
    starts = [0]
    for line in made.text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return [n for n, line in enumerate(made.text.split("\n")) if line and made.is_marked(starts[n], "quoted")]


@pytest.mark.parametrize(
    ("lines", "quoted"),
    [
        (["a", "> b", "  > c", "d"], [1, 2]),
        # An attribution before marked lines quotes itself; before unmarked ones all that follows
        (["a", REPLY, "> b", "c"], [1, 2]),
        (["a", REPLY, "", "> b", "c"], [1, 3]),
        (["a", REPLY, "b", "", "c"], [1, 2, 4]),
        (["a", REPLY], [1]),
        (["a", "On Mon, 20 Oct 2025,", "Ann <a@x.test> wrote:", "> b", "c"], [1, 2, 3]),
        (["a", "On Mon, 20 Oct 2025,", "Ann <a@x.test> wrote:", "b"], [1]),
        (["a", "Am Mo., 20. Okt. 2025 schrieb Ann Lee <a@x.test>:", "b"], [1, 2]),
        (["a", "Le lun. 20 oct. 2025, Ann a écrit :", "b"], [1, 2]),
        (["a", "Ann wrote:", "> b", "c"], [1, 2]),
        (["a", "Ann wrote:", "b", "> c"], [3]),
        (["a", "Ann wrote: ", "", "> b"], [1, 3]),
        (["a", "Only Ann wrote:", "b"], []),
        # Marks of forwarding
        (["a", "-----Original Message-----", "b", "c"], [1, 2, 3]),
        (["a", "-- Forwarded Message --", "> b", "c"], [1, 2]),
        (["a", "- Original Message -", "b"], []),
        # Headers of the mail below: the second within three lines
        (["a", "From: Ann", "Sent: today", "b"], [1, 2, 3]),
        (["a", "From: Ann", "x", "y", "To: Bob", "b"], [1, 2, 3, 4, 5]),
        (["a", "From: Ann", "x", "y", "z", "To: Bob", "b"], []),
        (["a", "*Von:* Ann", "*Gesendet:* heute", "b"], [1, 2, 3]),
        (["a", "From: ", "To: Bob"], []),
        (["a", "From: Ann"], []),
    ],
)
def test_lines_of_others_are_quoted(lines: list[str], quoted: list[int]) -> None:
    assert quoted_lines("\n".join(lines)) == quoted


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_in_any_way(end: str) -> None:
    assert from_plain(end.join(["a", "> b", "> c", "d", ""])) == Passage("a\n> b\n> c\nd\n", (Mark(1, 9, "quoted"),))


def test_text_is_blanked_and_lines_stay_where_they_are() -> None:
    passage = Passage("ab\ncd e", (Mark(1, 5, "quoted"), Mark(6, 7, "struck"), Mark(3, 3, "hidden")))
    assert passage.without("quoted") == "a \n   e" and passage.without("quoted", "struck") == "a \n    "
    assert passage.without("code") == passage.without() == "ab\ncd e"
    assert list(passage.marked("struck", "hidden")) == [(6, 7), (3, 3)]
    assert [at for at in range(8) if passage.is_marked(at, "quoted", "struck")] == [1, 2, 3, 4, 6]
