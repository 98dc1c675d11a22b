"""The words of a message: folded, with contractions opened and numbers in one form."""

import re
from dataclasses import dataclass
from functools import lru_cache

_TOKEN = re.compile(
    r":[a-z][a-z0-9_+-]{1,30}:"  # an emoji by its name
    r"|/s\b"
    r"|[a-z]{2,12}(?:-[a-z]{1,12})?-[a-z]?\d+\b"  # a key
    r"|#\d+\b"
    r"|[^\W\d_]+\d[^\W_]*"
    r"|\d+(?:[.,:]\d+)*"
    r"|[^\W\d_]+(?:'[^\W\d_]+)*|[^\W_]+"
    r"|\n|[^\w\s]",
    re.I,
)
_CURLY = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', " ": " "})
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,]\d{3})+(?:[.,]\d{1,2})?\Z")
_TAILS = {"'s": "'s", "'re": "are", "'ll": "will", "'ve": "have", "'d": "would", "'m": "am"}
_SHORT = {
    "cannot": "can not",
    "can't": "can not",
    "won't": "will not",
    "shan't": "shall not",
    "ain't": "is not",
    "gonna": "going to",
    "cant": "can not",
    "wont": "will not",
    **{f"{verb}nt": f"{verb} not" for verb in "do is does did are was has have could should would".split()},
}


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a sign: folded text, how it was written, where it stands."""

    text: str
    written: str
    start: int
    end: int


def _to_number(written: str) -> str:
    """A number in one form: 1,200.00 and 1.200 and 1200 are the same."""
    if ":" in written:
        return written
    if _THOUSANDS.match(written):
        whole = re.sub(r"[.,](?=\d{3}(?:\D|\Z))", "", written)
        written = whole
    number = written.replace(",", ".")
    return number.rstrip("0").rstrip(".") if number.count(".") == 1 else number


def _open_word(word: str) -> list[str]:
    """A word without its contraction."""
    if word in _SHORT:
        return _SHORT[word].split()
    if word.endswith("n't"):
        return [word[:-3], "not"]
    stem, mark, tail = word.partition("'")
    return [stem, _TAILS["'" + tail]] if mark and "'" + tail in _TAILS else [word]


@lru_cache(maxsize=16_384)
def _fold(written: str) -> tuple[str, ...]:
    if written[0].isdigit():
        return (_to_number(written),)
    if len(written) == 1 and written.isupper() and written != "I":
        return (written,)
    return tuple(_open_word(written.lower()))


def _is_hyphen(text: str, match: re.Match[str]) -> bool:
    """Whether a dash joins two words rather than parting them."""
    inside = 0 < match.start() and match.end() < len(text)
    return inside and text[match.start() - 1].isalnum() and text[match.end()].isalnum()


def tokenize(text: str) -> list[Token]:
    """The words and signs of a text, in order."""
    plain = text.translate(_CURLY)
    return [
        Token(part, match.group(), match.start(), match.end())
        for match in _TOKEN.finditer(plain)
        if match.group() not in "-‐–" or not _is_hyphen(plain, match)
        for part in _fold(match.group())
    ]


def words_of(text: str) -> tuple[str, ...]:
    """The folded words of a phrase."""
    return tuple(token.text for token in tokenize(text))
