"""Words of texts and searches, split the same way for both. A word is a run of letters and digits, case-insensitive."""

import re

_TOKEN = re.compile(r"[^\W_]+")
_APART = "\u0130\u212a"  # letters whose small form is another alphabet's: they stay as they are


def fold(text: str) -> str:
    """Return a text in lower case."""
    return text.lower() if text.isascii() else "".join(char if char in _APART else char.lower() for char in text)


def tokens(text: str | None) -> tuple[str, ...]:
    """Return the words of a text in order."""
    return tuple(_TOKEN.findall(fold(text or "")))


def holds(text: str | None, sought: tuple[str, ...]) -> bool:
    """Whether the sought words are consecutive in a text."""
    words, size = tokens(text), len(sought)
    return any(words[at : at + size] == sought for at in range(len(words) - size + 1))


def begins(text: str | None, sought: tuple[str, ...]) -> bool:
    """Like `holds`, but the last word may be a prefix: for names."""
    words, size = tokens(text), len(sought)
    spots = range(len(words) - size + 1)
    return any(words[at : at + size - 1] == sought[:-1] and words[at + size - 1].startswith(sought[-1]) for at in spots)


def hint(sought: tuple[str, ...]) -> str:
    """Return a LIKE pattern that every text with these words matches."""
    plain = [word for word in sought if word.isascii()]
    return f"%{max(plain, key=len)}%" if plain else "%"
