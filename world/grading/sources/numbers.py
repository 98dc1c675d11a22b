"""The numbers of a text, quickly: every numeral with all it can be worth."""

import re
from collections.abc import Iterator
from functools import lru_cache

from world.grading.facts.numerals import read_numeral

_NUMERAL = re.compile(
    r"(?<![A-Za-z0-9_.,])[0-9]{1,3}(?:[ \u00a0\u202f][0-9]{3})+(?:[.,][0-9]+)?(?![0-9])|(?<![A-Za-z0-9_])[0-9]+(?:[.,'’][0-9]+)*"
)
_BLANKS = str.maketrans("\u00a0\u202f’", "  '")
MAX_DIGITS = 15


def list_numerals(text: str) -> Iterator[re.Match[str]]:
    """Iterate over the numerals of a text."""
    return _NUMERAL.finditer(text)


def list_values(text: str) -> set[float]:
    """Return the possible values of the numerals of a text."""
    found: set[float] = set()
    for numeral in set(_NUMERAL.findall(text)):
        found.update(worth(numeral))
    return found


@lru_cache(maxsize=65_536)
def worth(numeral: str) -> tuple[float, ...]:
    """Return the values that a numeral can have; none for a long one, which is an id."""
    if len(numeral) > MAX_DIGITS:
        return ()
    if numeral.isdigit():
        return (float(numeral),)
    return tuple(float(value) for value, _ in read_numeral(numeral.translate(_BLANKS)))
