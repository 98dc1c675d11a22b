"""Which words and sentences two renderings share, and what hides among them."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from world.core.reading.agreement import disagreements, find_extra, find_hidden, find_tricks, to_words
from world.core.reading.html import from_html
from world.core.reading.part import Part
from world.core.reading.passage import Mark, Passage
from world.core.reading.plain import from_plain


def compare(one: str, other: str) -> list[str]:
    return disagreements([Part("body", from_plain(one), ("a",)), Part("body", from_plain(other), ("b",))])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It’s  Fine, ÉTÉ!", ("it's", "fine", "été")),
        ("ﬁne １２", ("fine", "12")),
        ("1,000.50 at 15:30 a/b x_y", ("1,000.50", "at", "15:30", "a/b", "x", "y")),
        ("See <https://x.test/a?b> and www.y.test, tel:+49 or mailto:a@x.test.", ("see", "and", "or")),
        ("[image: Logo] a ![logo](cid:1) b [cid:x] c [photo](x) d [other] e", ("a", "b", "c", "d", "other", "e")),
        ("a [1] b [1234] c\n[1] https://x.test\n2.\n", ("a", "b", "1234", "c")),
        ("1. a\n2) b\n* c\n• d\n> e\n12.5 f", ("a", "b", "c", "d", "e", "12.5", "f")),
        ("hi :wave: you :+1: 10:30:00 :123:", ("hi", "you", "1", "10:30:00", "123")),
        ("", ()),
    ],
)
def test_words_are_what_is_said_without_its_dress(text: str, words: tuple[str, ...]) -> None:
    assert to_words(text) == words


@pytest.mark.parametrize(
    ("text", "known", "extra"),
    [
        ("One. Two. Three.", "One. Three.", "Two."),
        ("Two. One.", "One. Two. Three.", ""),
        ("One two", "One two. Three", ""),
        ("One two", "One two three.", "One two"),
        ("two three", "One two three.", "two three"),
        ("Two three", "One. Two three", ""),
        ("Two", "One: two; three", ""),
        ("One\nTwo!", "one\ntwo", ""),
        ("We go,\n  on and\non.", "We go, on and on.", ""),
        ("We go.\non", "We go. On.", ""),
        ("Is it? Yes! No; or: so.", "Is it? Yes! So.", "No;"),
        ("... One.", "One.", ""),
        ("", "One.", ""),
        ("One.", "", "One."),
        ("one one two", "one two", "one one two"),
    ],
)
def test_a_sentence_counts_as_known_where_it_stands_whole(text: str, known: str, extra: str) -> None:
    assert find_extra(text, known) == extra


SENTENCE = st.lists(st.sampled_from(["alpha", "beta", "gamma"]), min_size=1, max_size=3).map(
    lambda words: " ".join(words).capitalize() + "."
)


@settings(max_examples=examples(200), database=None)
@given(st.lists(SENTENCE, max_size=4), st.randoms(use_true_random=False), st.integers(0, 4))
def test_sentences_in_any_order_are_known_and_a_new_one_among_them_is_not(
    known: list[str], random: Random, place: int
) -> None:
    said = random.sample(known, len(known))
    assert find_extra(" ".join(said), " ".join(known)) == ""
    said.insert(place, "Delta alpha.")
    assert find_extra(" ".join(said), " ".join(known)) == "Delta alpha."


def test_what_each_of_two_bodies_says_more_is_named_by_its_columns() -> None:
    assert compare("One. Two.", "One.") == ["a says 'Two.', b does not"]
    assert compare("One.", "One. Two.") == ["b says 'Two.', a does not"]
    assert compare("One.", "Two.") == ["a says 'One.', b does not", "b says 'Two.', a does not"]
    long = compare("x " * 40 + "y.", "")
    assert long == [f"a says {('x ' * 30)[:59] + '…'!r}, b does not"]
    assert compare("x " * 29 + "yy", "z.")[0] == f"a says {'x ' * 29 + 'yy'!r}, b does not"


def test_quoted_words_hidden_words_and_supplements_are_not_compared() -> None:
    def reasons(*parts: Part) -> list[str]:
        return disagreements(parts)

    one, other = Part("body", Passage("One."), ("a",)), Passage("Two.")
    assert reasons(one, Part("body", other, ("b",), "supplement")) == reasons(one, Part("aside", other, ("b",))) == []
    assert reasons(one, Part("body", other, ("b", "a"), "summary")) == ["a/b says 'Two.', a does not"]
    assert reasons(Part("body", other, ("b",), "summary")) == []
    assert reasons(one, Part("body", from_html("<p>One.</p><blockquote>Two.</blockquote>"), ("b",))) == []
    three = reasons(one, Part("body", other, ("b",)), Part("body", Passage("Three."), ("c",)))
    assert [why.split()[0] for why in three] == ["a", "b", "a", "c"]


@pytest.mark.parametrize(
    ("html", "hidden"),
    [
        ("<b hidden>x</b>y", "x"),
        ("<b hidden> x\n z </b>y", "x z"),
        ("<b hidden>y</b>y", ""),
        ("<b hidden>y z</b>x y z", ""),
        ("<b hidden>y x</b>x y z", "y x"),
        ("<b hidden>x z</b>x y z", "x z"),
        ("<b hidden>x y z w</b>x y z", "x y z w"),
        ("<b hidden>...</b>y", ""),
        ("<b hidden>y</b>y<b hidden>...</b><b hidden> w</b>", "... w"),
        ("y", ""),
    ],
)
def test_hidden_words_are_told_unless_they_are_seen_elsewhere_in_that_order(html: str, hidden: str) -> None:
    assert find_hidden(from_html(html)) == hidden
    assert list(find_tricks(from_html(html), "n")) == ([f"n hides {hidden!r}"] if hidden else [])


@pytest.mark.parametrize(
    ("address", "label", "false"),
    [
        ("https://evil.test", "x.test", True),
        ("https://evil.test/x.test", "https://www.x.test/a", True),
        ("https://x.test.evil.test", "x.test", True),
        ("https://evil.test", "x.test:8080/p", True),
        ("https://www.x.test/b?c", "x.test", False),
        ("https://x.test?c", "x.test", False),
        ("https://x.test/b", "https://x.test/a", False),
        ("https://evil.test", "see x.test", False),
        ("https://evil.test", "version 1.5", False),
        ("ftp://evil.test", "x.test", False),
        ("/team", "x.test", False),
    ],
)
def test_a_link_whose_words_are_an_address_elsewhere_is_false(address: str, label: str, false: bool) -> None:
    told = [f"n shows the address {label} on a link to {address}"] if false else []
    assert list(find_tricks(from_html(f'<p>At <a href="{address}">{label}</a> now'), "n")) == told


def test_each_trick_is_told_and_of_look_alikes_the_first() -> None:
    passage = Passage("p\u0430y m\u0430y ab", (Mark(3, 3, "hidden"), Mark(8, 10, "hidden")))
    assert list(find_tricks(passage, "n")) == [
        "n holds invisible characters",
        "n writes 'p\u0430y' with letters of several scripts",
        "n hides 'ab'",
    ]


def test_what_can_hide_nothing_or_was_made_by_the_app_is_not_searched() -> None:
    trick = Passage("xy", (Mark(0, 1, "hidden"),))

    def reasons(stored: str | None, role: str = "whole") -> list[str]:
        return disagreements([Part("shown", trick, ("a",), role, stored=stored)])  # type: ignore[arg-type]

    for stored in ("plain text, 5 = 5\n", ""):
        assert reasons(stored) == [] and Part("shown", trick, ("a",), stored=stored).is_bare
    for stored in (None, "<b>", "é", "x\x80"):
        assert reasons(stored) == ["a hides 'x'"] and not Part("shown", trick, ("a",), stored=stored).is_bare
    assert reasons(None, "derived") == []


def test_a_part_is_rendered_once_when_somebody_looks() -> None:
    looks: list[int] = []
    part = Part(
        "name", lambda: Passage("x") if looks.append(1) is None else Passage("y"), ("b", "a"), tricks=lambda: ("t", "t")
    )
    assert looks == [] and part.passage is part.passage and looks == [1]
    assert repr(part) == "Part(name, whole, ['a', 'b'], 'x')" and part.tricks == ("t", "t")
    assert disagreements([part]) == ["t"] and Part("name", Passage("x"), ()).tricks == ()
