"""Text that says nothing: no language, filler, the same again and again; and far too much text."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from world.core.reading.passage import Passage
from world.grading.content.emptiness import is_salad, is_unfilled, turns_in_circles
from world.grading.content.finding import Violation, to_excerpt
from world.grading.content.language import list_common
from world.grading.content.text import Text, read_text
from world.grading.text_cache import keep_short

LONG, HUGE = 4_000, 20_000  # characters
SENSE = 3  # different little words of some language: enough to take a text for one
UNHEARD = 5  # words in a row that nobody knows
SHORTEST = 12  # characters of a paragraph that is judged by itself
REPEATED = 10  # sentences of which a fifth at most are different
_ROWS = ("qwertyuiop", "qwertzuiopu", "azertyuiop", "asdfghjklo", "qsdfghjklm", "zxcvbnm", "yxcvbnm", "wxcvbn")
_RUNS = frozenset(row[at : at + 3] for line in _ROWS for row in (line, line[::-1]) for at in range(len(line) - 2))
_FILLER = frozenset(  # the words that generators of dummy text draw from, those left out that live languages have
    """
    lorem ipsum dolor amet consectetur adipiscing adipisci elit eiusmod incididunt labore dolore magna aliqua aliquam aliquet
    veniam quis nostrud exercitation ullamco ullamcorper laboris nisi nisl aliquip commodo consequat duis aute irure
    reprehenderit voluptate velit esse cillum fugiat nulla pariatur excepteur sint occaecat cupidatat proident culpa officia
    deserunt mollit mollis laborum etiam porta malesuada vestibulum ligula felis euismod semper donec metus auctor fringilla
    accumsan aenean ante arcu augue bibendum blandit condimentum congue convallis cras curabitur cursus dapibus diam dictum
    dignissim dui efficitur egestas eget eleifend elementum enim erat eros facilisi facilisis faucibus feugiat finibus gravida
    habitant habitasse hendrerit iaculis imperdiet interdum justo lacinia lacus laoreet lectus libero lobortis luctus maecenas
    massa mattis mauris maximus molestie morbi nam nec neque nibh nullam nunc odio orci ornare pellentesque pharetra phasellus
    placerat platea porttitor posuere praesent pretium proin pulvinar purus quisque rhoncus risus rutrum sagittis sapien
    scelerisque sodales sollicitudin suscipit suspendisse tellus tempor tincidunt tortor tristique turpis ultrices ultricies
    urna varius vehicula vel venenatis vitae vivamus viverra volutpat vulputate
    """.split()
)
_DUMMIES = frozenset(
    """
    foo bar baz qux quux bla blah blabla yada etaoin shrdlu xyz xyzzy abc abcd abcdef dummy undefined null nan object
    placeholder todo tbd test testing lalala tralala hehe haha
    """.split()
)
_WORD = re.compile(r"(?<![\w./:@#=])[^\W\d_]{3,}(?![\w/@=]|\.\w)")
_LETTERS = re.compile(r"[^\W\d_]+")
_KEY = re.compile(r"\b[a-z][a-z0-9]{1,9}-\d+\b|#\d+\b")
_ADDRESS = re.compile(r"(?:[\w.+-]+@|(?<![\w.-])@)[\w-]+(?:\.[\w-]+)+|\bhttps?://\S+")
_VOWELS = frozenset("aeiouy")
_SAME = re.compile(r"(.)\1{3,}|^(.)\2+$")
_BROKEN = re.compile(r"(?:Ã[^\s]|â€[^\s]|Â[^\s\w]|\ufffd)")
_PAIRS = (  # letters, and those that follow them in no language written in Latin letters, accents left out
    "b:dfgkqvwxz c:dfgjmnvwx d:qx f:bcdghjmnpqvxz g:bcfjkpqvwxz h:fghjqvxz j:bcdjlmpqrtvwxyz k:gjqvxz l:gqxz m:dfghjqrvxz"
    " n:x p:jnqvwxz q:abcdefghijkmnopqrstvwxyz r:x s:jx t:gjqx u:quw v:bcdfghjklmnpqstuvwxyz w:bcfgjmpqtvwxz"
    " x:bdfghjklmnoqrsuvwx y:hqrvxyz z:bcdhjkmpqrvx"
)
_NEVER = frozenset(pair[0] + letter for pair in _PAIRS.split() for letter in pair[2:])
_APART = re.compile(r"\n\s*\n")
_ROW = re.compile(r"([^\w\s])\1{2,}|(\d)\2{2,}")


def find_garbage(
    text: Text, knows: Callable[[str], bool] | None = None, *, is_message: bool = True
) -> Iterator[Violation]:
    """Yield a violation for a text without a meaning in any language.

    `knows` says whether a word was ever written in the company. A text that is no message may repeat itself, as a list
    of commits does.
    """
    if knows is not None and not _may_be_garbage(text.passage):
        return
    for part in _list_parts(text):
        if _is_garbage(part, knows) or (is_message and _turns_in_circles(part)):
            yield Violation("says nothing", "slip", to_excerpt(part.passage.text))
            return


@keep_short
def _may_be_garbage(passage: Passage) -> bool:
    """Whether a text is garbage if the company knows none of its words. Most texts are not, whatever it knows."""
    parts = _list_parts(read_text(passage))
    return any(_is_garbage(part, lambda word: False) or _turns_in_circles(part) for part in parts)


def _turns_in_circles(text: Text) -> bool:
    """Whether a text turns in circles; a list may say the same of many things."""
    return turns_in_circles(text) and not _lists_keys(text.folded.low)


def _list_parts(text: Text) -> Iterator[Text]:
    """A text, and its paragraphs, code left out."""
    yield text
    said = text.passage.without("code", "quoted") if text.passage.marks else text.passage.text
    parts = _APART.split(said.strip()) if "\n\n" in said else []
    yield from (read_text(Passage(part)) for part in parts if len(part) >= SHORTEST)


def _is_garbage(text: Text, knows: Callable[[str], bool] | None) -> bool:
    low, different = text.folded.low, text.vocabulary
    if _is_filler(different) or is_salad(text) or is_unfilled(text):
        return True
    if len(different & list_common()) >= SENSE and len(different) * 5 > len(text.tokens) * 2:
        return False
    words = _WORD.findall(_KEY.sub(" ", low[:LONG]))
    if len(words) < 3:
        names = set(_LETTERS.findall(" ".join(_ADDRESS.findall(low)))) if "@" in low else set[str]()
        words = [word for word in text.tokens if word.isalpha() and len(word) > 1 and word not in names]
    if _lists_keys(low):
        return _is_babble(words) or _is_unheard(words, knows)
    return _is_babble(words) or _is_endless(words, text.tokens) or _is_no_text(text, words) or _is_unheard(words, knows)


def _lists_keys(low: str) -> bool:
    """Whether most lines name a thing or an address each, and may say the same of all: `SHOP-4: done`."""
    lines = [line for line in low.splitlines() if line.strip()]
    named = {found.group() for line in lines if (found := _KEY.search(line) or _ADDRESS.search(line))}
    least = SENSE - 1 if any("@" in one for one in named) else SENSE
    return len(named) >= least and len(named) * 2 >= len(lines)


def _is_babble(words: Sequence[str]) -> bool:
    strange = [word for word in words if _is_strange(word) or word in _FILLER or word in _DUMMIES]
    if len(strange) < 3 and not (0 < len(words) < 3 and all(_is_mashed(word) for word in words)):
        return False
    return len(strange) * 5 >= len(words) * 3 and len(list_common().intersection(words)) < 2


def _is_unheard(words: Sequence[str], knows: Callable[[str], bool] | None) -> bool:
    """Whether there are words, but none of any language's little ones, and hardly one that anybody ever used."""
    if knows is None or len(words) < UNHEARD or not list_common().isdisjoint(words):
        return False
    return sum(word.isascii() and not knows(word) for word in words) * 5 >= len(words) * 4


def _is_strange(word: str) -> bool:
    """Whether a word is a run of keys, or cannot be said in any language written in Latin letters."""
    if not word.isascii():
        return False
    if _is_run(word):
        return True
    if len(word) >= 4 and _VOWELS.isdisjoint(word):
        return True
    return _count_never(word) > 0 or _SAME.search(word) is not None


def _is_run(word: str) -> bool:
    """Whether most of a word are keys side by side."""
    runs = sum(word[at : at + 3] in _RUNS for at in range(len(word) - 2))
    return runs > 0 and (runs + 2) * 4 >= len(word) * 3


def _is_mashed(word: str) -> bool:
    """Whether a word that stands alone is no abbreviation either."""
    if not word.isascii() or len(word) < 4:
        return False
    keys = sum(word[at : at + 3] in _RUNS for at in range(len(word) - 2))
    mute = len(word) > 5 and _VOWELS.isdisjoint(word)
    return keys == len(word) - 2 or mute or _count_never(word) > 2


def _count_never(word: str) -> int:
    return sum(word[at : at + 2] in _NEVER for at in range(len(word) - 1))


def _is_filler(different: frozenset[str]) -> bool:
    """Whether dummy text is used; a text about dummy text has two of its words."""
    found = len(_FILLER & different)
    return found >= 6 or (found >= 2 and found * 5 >= len(different) * 2)


def _is_endless(words: Sequence[str], tokens: Sequence[str]) -> bool:
    """Whether the same few words come again and again."""
    if len(words) >= 8 and len(set(words)) * 5 <= len(words):
        return True
    again = sum(one == other for one, other in pairwise(tokens) if one.isalpha())
    return again >= 2 and (again + 1) * 5 >= len(words) * 3


def _is_no_text(text: Text, words: Sequence[str]) -> bool:
    """Whether there are signs in rows and no word, or letters broken by a wrong encoding."""
    said = text.passage.text
    if len(_BROKEN.findall(said)) * 5 > len(said.split()) * 3 > 5:
        return True
    letters = sum(letter.isalpha() for letter in said)
    return not words and letters * 4 < len(said.strip()) and len(_ROW.findall(said)) >= 2


def find_flood(text: Text, is_message: bool) -> Iterator[Violation]:
    """A text that nobody reads to its end; documents may be longer than messages."""
    said = text.passage.text
    if len(said) > HUGE:
        yield Violation("is far too long", "harm", f"{len(said)} characters: {to_excerpt(said)}"[:60])
    elif is_message and len(said) > LONG:
        yield Violation("is too long", "slip", f"{len(said)} characters: {to_excerpt(said)}"[:60])
    elif len(said) > LONG // 8 and _is_repeated(text):
        yield Violation("says the same again and again", "slip", to_excerpt(said))


def _is_repeated(text: Text) -> bool:
    if len(text.vocabulary) * 3 > len(text.tokens):
        return False
    said = [" ".join(word.text for word in one.words) for one in text.sentences()]
    return len(said) >= REPEATED and len(set(said)) * 5 <= len(said)
