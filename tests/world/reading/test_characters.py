"""Characters that nobody sees and letters that look alike: which are told, and where."""

import pytest

from world.core.reading.characters import find_lookalikes, remove_invisible
from world.core.reading.composition import Composition
from world.core.reading.emoji import bare_emoji
from world.core.reading.passage import Mark, Passage
from world.core.reading.plain import from_plain


@pytest.mark.parametrize(
    ("text", "clean", "places"),
    [
        ("plain", "plain", []),
        ("größe", "größe", []),
        # Between letters of scripts that have no joiners, or digits
        ("a\u200bb", "ab", [1]),
        ("é\u200cж", "éж", [1]),
        ("1\u20602", "12", [1]),
        ("a\u200b\u200bb", "ab", []),
        ("a\u200bb\u200bc", "abc", [1, 2]),
        ("\u200ba", "a", []),
        ("a\u200b", "a", []),
        ("a\u200b b", "a b", []),
        ("a \u200bb", "a b", []),
        ("می\u200cخواهم", "میخواهم", []),
        ("क\u200dष", "कष", []),
        ("👩\u200d💻", "👩💻", []),
        # Places to break a word, and a byte order mark
        ("a\u00adb", "ab", []),
        ("a\ufeffb", "ab", []),
        # What turns the direction of writing round, wherever it stands
        ("\u202eabc", "abc", [0]),
        ("abc \u202d", "abc ", [4]),
        ("\u202e\u202eabc", "abc", [0]),
        ("x\u202ay", "xy", [1]),
        (" \u202a ", "  ", []),
        # Tags spell a flag's region behind a black flag, and secrets elsewhere
        ("\U0001f3f4\U000e0067\U000e0062\U000e007f!", "\U0001f3f4!", []),
        ("a\U000e0067\U000e0062 b", "a b", [1]),
        ("\U000e0067", "", [0]),
    ],
)
def test_what_nobody_sees_is_left_out_and_told_where_it_deceives(text: str, clean: str, places: list[int]) -> None:
    assert remove_invisible(text) == (clean, places)
    assert from_plain(text) == Passage(clean, tuple(Mark(at, at, "hidden") for at in places))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("payments", []),
        ("p\u0430yments due", ["p\u0430yments"]),
        ("p\u0430y m\u03bfre", ["p\u0430y", "m\u03bfre"]),
        ("Привет Größe Łódź", []),
        ("12 \u00b5s \u03bcs k\u03a9 \u0394t", []),
        ("a\u0430", ["a\u0430"]),
        ("a \u0430", []),
        ("x1\u0430", []),
        ("caf\u00e9\u8336", []),
        ("\u0561a", ["\u0561a"]),
        ("\u13a0b", ["\u13a0b"]),
    ],
)
def test_words_of_several_scripts_that_look_alike_are_found(text: str, words: list[str]) -> None:
    assert list(find_lookalikes(text)) == words


def test_a_composition_joins_marks_that_go_on_and_closes_those_that_end() -> None:
    made = Composition()
    made.add("a", ("struck",))
    made.add("b", ("struck", "code"))
    made.add("", ("hidden",))
    made.add("c\u200bd", ("code",))
    made.add("e")
    assert (made.length, made.pieces, made.text_since(2)) == (5, 4, "cde")
    made.mark(1, "link")
    made.mark(5, "quoted")
    assert made.passage() == Passage(
        "abcde",
        (Mark(0, 2, "struck"), Mark(1, 4, "code"), Mark(1, 5, "link"), Mark(3, 3, "hidden")),
    )


def test_a_mark_is_open_to_the_end_of_the_text() -> None:
    made = Composition()
    made.add("ab", ("quoted",))
    made.add("\u202e", ("quoted",))
    assert made.passage() == Passage("ab", (Mark(0, 2, "quoted"), Mark(2, 2, "hidden")))


@pytest.mark.parametrize(
    ("written", "bare"),
    [
        (":wave:", "wave"),
        (" :Wave::skin-tone-3: ", "wave"),
        ("wave::skin-tone-3", "wave"),
        ("\U0001f44b\U0001f3fd", "\U0001f44b"),
        ("\u2764\ufe0f", "\u2764"),
        ("", ""),
    ],
)
def test_an_emoji_has_one_name_whatever_its_dress(written: str, bare: str) -> None:
    assert bare_emoji(written) == bare
