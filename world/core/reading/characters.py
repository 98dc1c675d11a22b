"""Letters that deceive: characters nobody sees, and letters of one script that pass for those of another."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

# Fillers and joiners; zero-width characters, bidirectional marks, invisible operators; tag characters.
_FILLERS = "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u3164\ufeff\uffa0"
INVISIBLE = re.compile(f"[{_FILLERS}\u200b-\u200f\u202a-\u202e\u2060-\u206f\U000e0000-\U000e007f]")
_OVERRIDE = re.compile("[\u202d\u202e]")
_HARMLESS = frozenset("\u00ad\ufeff")  # a soft hyphen is a place to break a word, the other a byte order mark
_WORD = re.compile(r"[^\W\d_]{2,}")
_ASCII = re.compile(r"[\x00-\x7f]*\Z")
_MIXED = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")


def remove_invisible(text: str) -> tuple[str, list[int]]:
    """Text without what nobody sees, and where in the result something was removed."""
    if _ASCII.match(text) or not INVISIBLE.search(text):
        return text, []
    kept: list[str] = []
    places: list[int] = []
    length = at = 0
    for match in INVISIBLE.finditer(text):
        kept.append(text[at : match.start()])
        length += match.start() - at
        at = match.end()
        if _is_told(text, match.start()) and (not places or places[-1] != length):
            places.append(length)
    kept.append(text[at:])
    return "".join(kept), places


def _is_told(text: str, at: int) -> bool:
    """Whether an invisible character does more than break lines, join a picture of several or turn a script around."""
    if text[at] in _HARMLESS:
        return False
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if _OVERRIDE.match(text[at]) or text[at] >= "\U000e0000":
        return not (text[at] >= "\U000e0000" and _is_flag(text, at))
    return _joins(before) and _joins(after)


def _is_flag(text: str, at: int) -> bool:
    """Whether tag characters spell the region of a flag: 🏴 stands before them."""
    while at and text[at] >= "\U000e0000":
        at -= 1
    return text[at] == "\U0001f3f4"


def _joins(letter: str) -> bool:
    """Whether a letter is of a script that writes words without joiners."""
    return letter.isdigit() or (letter.isalpha() and _script(letter) in _MIXED)


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def find_lookalikes(text: str) -> Iterator[str]:
    """The words that mix letters of scripts that look alike: `pаyments` with a Cyrillic letter."""
    if _ASCII.match(text):
        return
    for match in _WORD.finditer(text):
        word = match.group()
        if word.isascii():
            continue
        if len({_script(letter) for letter in word if _script(letter) in _MIXED and not _is_sign(letter)}) > 1:
            yield word


def _is_sign(letter: str) -> bool:
    """Whether a letter stands for a measure: µs, Ω."""
    return letter in "µμΩΔ"
