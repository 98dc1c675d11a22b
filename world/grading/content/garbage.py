"""Text that says nothing: no language, filler, the same again and again; and far too much text."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from world.grading.content.finding import Finding, cut
from world.grading.content.language import read_languages
from world.grading.content.text import Text

LONG, HUGE = 4_000, 20_000  # characters
SENSE = 3  # different little words of some language: enough to take a text for one
REPEATED = 10  # sentences of which a fifth at most are different
_ROWS = ("qwertyuiop", "qwertzuiopu", "azertyuiop", "asdfghjklo", "qsdfghjklm", "zxcvbnm", "yxcvbnm", "wxcvbn")
_RUNS = frozenset(
    row[at : at + 4] for line in _ROWS for row in (line, line[::-1]) for at in range(len(line) - 3)
)
_FILLER = frozenset(
    """
    lorem ipsum dolor sit amet consectetur adipiscing adipisci elit sed eiusmod tempor incididunt labore dolore magna aliqua
    veniam quis nostrud exercitation ullamco laboris nisi aliquip commodo consequat duis aute irure reprehenderit voluptate
    velit esse cillum fugiat nulla pariatur excepteur sint occaecat cupidatat proident culpa officia deserunt mollit laborum
    """.split()
)
_DUMMIES = frozenset("foo bar baz qux quux bla blah blabla yada etaoin shrdlu xyz xyzzy abc abcd abcdef dummy lalala tralala hehe haha".split())
_WORD = re.compile(r"(?<![\w./:@#=-])[^\W\d_]{3,}(?![\w/@=-]|\.\w)")
_VOWELS = frozenset("aeiouy")
_CONSONANTS = re.compile(r"[bcdfghjklmnpqrstvwxz]{6,}")
_SAME = re.compile(r"(.)\1{3,}")
_NEVER = re.compile(r"q[^u\W]|j[bcdfghkmpqrstvwxz]|[fvwxz]q|x[jkzv]|[jvwz]x|zxc|vb[npt]|kcq|wqr")
_ROW = re.compile(r"([^\w\s])\1{2,}|(\d)\2{2,}")


def find_garbage(text: Text) -> Iterator[Finding]:
    """A text without a meaning in any language."""
    low, different = text.folded.low, text.vocabulary
    if _is_filler(different):
        yield Finding("says nothing", "slip", cut(text.passage.text))
        return
    if len(different & _common()) >= SENSE and len(different) * 5 > len(text.tokens) * 2:
        return
    words = _WORD.findall(low[:LONG])
    if _is_babble(words) or _is_endless(words) or _is_no_text(low, words):
        yield Finding("says nothing", "slip", cut(text.passage.text))


def _is_babble(words: Sequence[str]) -> bool:
    strange = [word for word in words if _is_strange(word) or word in _FILLER or word in _DUMMIES]
    if len(strange) < min(3, max(len(words), 2)) or len(strange) * 5 < len(words) * 3:
        return False
    return len(_common().intersection(words)) < 2


def _is_strange(word: str) -> bool:
    """Whether a word is a run of keys, or cannot be said in any language written in Latin letters."""
    if not word.isascii():
        return False
    runs = sum(word[at : at + 4] in _RUNS for at in range(len(word) - 3))
    if runs and (runs + 3) * 5 >= len(word) * 3:
        return True
    vowels = sum(letter in _VOWELS for letter in word)
    return (len(word) >= 4 and vowels * 5 < len(word)) or bool(
        _CONSONANTS.search(word) or _SAME.search(word) or _NEVER.search(word)
    )


def _is_filler(different: frozenset[str]) -> bool:
    found = _FILLER & different
    return {"lorem", "ipsum"} <= found or len(found) >= 6


def _is_endless(words: Sequence[str]) -> bool:
    if len(words) >= 8 and len(set(words)) * 5 <= len(words):
        return True
    again = sum(one == other for one, other in pairwise(words))
    return again >= 2 and (again + 1) * 5 >= len(words) * 3


def _is_no_text(low: str, words: Sequence[str]) -> bool:
    """Whether there are signs in rows and no word."""
    return not words and len(_ROW.findall(low)) >= 3 and not re.search(r"[^\W\d_]", low)


@cache
def _common() -> frozenset[str]:
    return frozenset[str]().union(*(one.common for one in read_languages()))


def find_flood(text: Text, is_message: bool) -> Iterator[Finding]:
    """A text that nobody reads to its end; documents may be longer than messages."""
    said = text.passage.text
    if len(said) > HUGE:
        yield Finding("is far too long", "harm", f"{len(said)} characters: {cut(said)}"[:60])
    elif is_message and len(said) > LONG:
        yield Finding("is too long", "slip", f"{len(said)} characters: {cut(said)}"[:60])
    elif len(said) > LONG // 8 and _is_repeated(text):
        yield Finding("says the same again and again", "slip", cut(said))


def _is_repeated(text: Text) -> bool:
    if len(text.vocabulary) * 3 > len(text.tokens):
        return False
    said = [" ".join(word.text for word in one.words) for one in text.sentences()]
    return len(said) >= REPEATED and len(set(said)) * 5 <= len(said)
