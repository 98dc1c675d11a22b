"""Text with look-alike letters, invisible characters and accents folded away, and where each letter came from."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

_FOREIGN = re.compile(r"[^\x00-\x7f]")
_DRESS = str.maketrans(
    {**dict.fromkeys("‘’‚‛ʼ´`", "'"), **dict.fromkeys("“”„‟«»", '"'), **dict.fromkeys("‐‑‒–—―−", "-")}
)
# Letters of other scripts that look like a Latin one: the confusables of Unicode TR 39 within these scripts.
_ALIKE: Mapping[str, str] = dict(
    zip(
        "аеорсухіјѕԁһԛԝкмтвгьАВЕКМНОРСТУХІЈЅԌΑΒΕΖΗΙΚΜΝΟΡΤΥΧαονρικτυχγηωɑɡօսհոցɩʏᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀᴛᴜᴠᴡᴢᎪᎬᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃᏟᎠ",
        "aeopcyxijsdhqwkmtbrbABEKMHOPCTYXIJSGABEZHIKMNOPTYXaovpiktuxynwagouhngiyabcdeghijklmnoprtuvwzAEHJKLMPRSTVWZCD",
        strict=True,
    )
)
_PLAIN: Mapping[str, str] = {
    "ß": "ss",
    "æ": "ae",
    "Æ": "AE",
    "ø": "o",
    "Ø": "O",
    "ł": "l",
    "Ł": "L",
    "đ": "d",
    "Đ": "D",
    "œ": "oe",
    "Œ": "OE",
    "ı": "i",
    "İ": "I",
    "þ": "th",
    "ð": "d",
}
_FRACTIONS: Mapping[str, str] = {"½": ".5", "¼": ".25", "¾": ".75"}


@dataclass(frozen=True, slots=True)
class FoldedText:
    """`plain` has Latin letters without accents; `low` is the same in lower case, letter for letter."""

    plain: str
    low: str
    offsets: tuple[int, ...] | None = None  # of every letter of `plain`, and of the end, in the text it came from
    disguised: tuple[int, ...] = ()  # letters of `plain` that were written in disguise

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return the place in the text of a stretch of the folded text."""
        if self.offsets is None:
            return start, end
        return self.offsets[start], self.offsets[end - 1] + 1 if end > start else self.offsets[start]

    def is_disguised(self, start: int, end: int) -> bool:
        """Whether a letter of a stretch was written in disguise."""
        return any(start <= at < end for at in self.disguised)


def fold(text: str) -> FoldedText:
    """A text as a reader's eye takes it."""
    if text.isascii():
        return FoldedText(text, text.lower())
    text = text.translate(_DRESS)
    parts: list[str] = []
    offsets: list[int] = []
    disguised: list[int] = []
    length = at = 0
    for match in _FOREIGN.finditer(text):
        here = match.start()
        letters, hides = _fold_letter(match.group())
        if letters[:1] == "." and not text[here - 1 : here].isdigit():
            letters = "0" + letters
        parts += (text[at:here], letters)
        offsets += range(at, here)
        offsets += [here] * len(letters)
        length += here - at
        if hides and (letters or _within_word(text, here)):
            disguised += range(length, length + max(1, len(letters)))
        length += len(letters)
        at = here + 1
    plain = "".join((*parts, text[at:]))
    offsets += range(at, len(text) + 1)
    straight = len(plain) == len(text)
    return FoldedText(plain, _lower(plain), None if straight else tuple(offsets), tuple(disguised))


def _lower(text: str) -> str:
    low = text.lower()
    return low if len(low) == len(text) else "".join(one if len(one := c.lower()) == 1 else c for c in text)


def _within_word(text: str, at: int) -> bool:
    return text[at - 1 : at].isalnum() and text[at + 1 : at + 2].isalnum()


@lru_cache(maxsize=4096)
def _fold_letter(letter: str) -> tuple[str, bool]:
    """Return the letter that a letter is read as, and whether writing it so disguises it."""
    if letter in _ALIKE:
        return _ALIKE[letter], True
    known = _PLAIN.get(letter) or _FRACTIONS.get(letter)
    if known is not None:
        return known, False
    category = unicodedata.category(letter)
    if category in ("Cf", "Mn", "Me"):
        return "", category != "Mn"
    if category == "Zs":
        return " ", False
    bare = "".join(c for c in unicodedata.normalize("NFKD", letter) if unicodedata.category(c) != "Mn")
    bare = "".join(_ALIKE.get(c, c) for c in bare)
    if not bare or bare == letter:
        return letter, False
    disguise = unicodedata.normalize("NFKC", letter) != letter and bare.isascii() and bare.isalnum()
    return (bare, disguise) if bare.isascii() else (letter, False)
