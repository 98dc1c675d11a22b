"""Words: how texts and searches are cut, the same way for both. A word is a run of letters and digits, without regard
to case.
"""

import re

_TOKEN = re.compile(r"[^\W_]+")
_APART = "\u0130\u212a"  # letters whose small form is another alphabet's: they stay as they are


def fold(text: str) -> str:
    """A text in small letters."""
    return text.lower() if text.isascii() else "".join(char if char in _APART else char.lower() for char in text)


def tokens(text: str | None) -> tuple[str, ...]:
    """The words of a text in order."""
    return tuple(_TOKEN.findall(fold(text or "")))


def holds(text: str | None, sought: tuple[str, ...]) -> bool:
    """Whether the sought words stand in a text one after another."""
    words, size = tokens(text), len(sought)
    return any(words[at : at + size] == sought for at in range(len(words) - size + 1))


def begins(text: str | None, sought: tuple[str, ...]) -> bool:
    """Like `holds`, but the last word may be the beginning of one: for names."""
    words, size = tokens(text), len(sought)
    spots = range(len(words) - size + 1)
    return any(words[at : at + size - 1] == sought[:-1] and words[at + size - 1].startswith(sought[-1]) for at in spots)


def hint(sought: tuple[str, ...]) -> str:
    """A pattern for LIKE that every text with these words fits."""
    plain = [word for word in sought if word.isascii()]
    return f"%{max(plain, key=len)}%" if plain else "%"
