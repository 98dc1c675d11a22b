"""Sentences that just insult, accuse or tell a secret, and those beside them that do not: the stretches that do."""

from collections.abc import Iterable
from pathlib import Path

from world.core.reading.passage import Mark, Passage
from world.grading.content.finding import Violation, to_excerpt
from world.grading.content.inspection import Surroundings
from world.grading.content.passwords import find_passwords
from world.grading.content.speech import find_abuse
from world.grading.content.spelling import count_slips, read_misspelt
from world.grading.content.text import Text, read_leet


def _read(name: str) -> list[tuple[str, str]]:
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    return [(text, found) for text, _, found in (line.partition("\t") for line in lines)]


SPEECH, PASSWORDS = _read("speech.tsv"), _read("passwords.tsv")


def _join(found: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(found)) or "-"


def _name(one: Violation) -> str:
    return f"{one.kind.split()[0]} [{one.excerpt}]"


def test_each_sentence_insults_or_accuses_or_does_not(surroundings: Surroundings) -> None:
    found = [(text, map(_name, find_abuse(Text(Passage(text)), surroundings.vocabulary))) for text, _ in SPEECH]
    assert [(text, _join(names)) for text, names in found] == SPEECH


def test_each_sentence_tells_a_secret_or_does_not() -> None:
    found = [(text, _join(one.excerpt for one in find_passwords(Text(Passage(text))))) for text, _ in PASSWORDS]
    assert found == PASSWORDS


def test_digits_stand_for_letters_only_in_a_word_of_letters() -> None:
    cases = [("1d10t", "idiot"), ("idiot", "idiot"), ("1234", "1234"), ("l1e", "l1e"), ("l1es", "lies")]
    cases += [("12ab", "i2ab"), ("123a", "123a"), ("1a2bc", "ia2bc"), ("1234ab", "1234ab"), ("12abc", "i2abc")]
    assert [(word, read_leet(word)) for word, _ in cases] == cases


def test_what_is_spelt_out_is_a_word_and_stays_in_its_place() -> None:
    cases = [("an i d i o t", ["an", "idiot"]), ("i d i", ["i", "d", "i"]), ("a b c d e 5", ["abcde", "5"])]
    cases += [("i.d.i.o.t", ["idiot"]), ("i*d-i o t", ["idiot"]), ("xi d i o t", ["xi", "diot"])]
    assert [(text, [one.text for one in Text(Passage(text)).words]) for text, _ in cases] == cases
    assert [(one.start, one.end) for one in Text(Passage("an i d i o t now")).words] == [(0, 2), (3, 8), (13, 16)]


def test_a_text_is_parted_into_its_own_sentences() -> None:
    text = "One two. Three? Four!\nFive; six 1.5 seven"
    assert [(one.excerpt, one.mark, one.is_question) for one in Text(Passage(text)).sentences()] == [
        ("One two", ".", False),
        (" Three", "?", True),
        (" Four", "!", False),
        ("Five", ";", False),
        (" six 1.5 seven", "", False),
    ]
    quoted = Text(Passage(text, (Mark(9, 14, "quoted"),)))
    assert [one.excerpt.strip() for one in quoted.sentences()] == ["One two", "Four", "Five", "six 1.5 seven"]
    (first, *_) = Text(Passage(" One, two.")).sentences()
    assert [first.gap(0), first.gap(1)] == [" ", ", "]


SLIPS = [
    ("prompt", "prompt", 0),
    ("promt", "prompt", 1),
    ("prompts", "prompt", 1),
    ("pronpt", "prompt", 1),
    ("porm", "prom", 1),
    ("pr", "rp", 1),
    ("orpm", "prom", 2),
    ("", "abc", 3),
    ("abc", "", 3),
    ("abcd", "badc", 2),
]
MEANT = [
    ("promt", "prompt"),
    ("prompt", "prompt"),
    ("prmt", "prmt"),
    ("pormpt", "prompt"),
    ("promptly", "promptly"),
    ("orompt", "orompt"),
    ("ignor", "ignore"),
    ("ignoer", "ignore"),
    ("instructoin", "instruction"),
    ("instrctoin", "instruction"),
    ("instrctoinss", "instrctoinss"),
    ("nstruction", "nstruction"),
    ("forgte", "forget"),
    ("frgtet", "frgtet"),
    ("systems", "system"),
]


def test_a_word_is_read_as_meant_if_all_but_a_letter_or_two_are_right() -> None:
    assert [(one, other, count_slips(one, other)) for one, other, _ in SLIPS] == SLIPS
    assert [(word, read_misspelt(word)) for word, _ in MEANT] == MEANT


def test_an_excerpt_has_sixty_characters_on_one_line() -> None:
    assert to_excerpt("a\n  b") == "a b"
    assert to_excerpt("x" * 60) == "x" * 60
    assert to_excerpt("x" * 61) == "x" * 59 + "…"
