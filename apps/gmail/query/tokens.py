"""Words: tokens of mails and queries, split the same way for both.

A token is a run of letters and digits, without case and accents; a Chinese or Japanese character is a token of its own.
So `amy@x.example` is amy, x, example; a word of a query matches whole consecutive tokens, never a part of one.
`indexed` writes tokens so that an FTS5 table with `tokenize = 'ascii'` has exactly these and no others.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator

SEPARATOR = "\ue000"  # between two entries of a field: a token no text has, so no phrase crosses it
_ALONE = "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(rf"[{_ALONE}]|[^\W_{_ALONE}]+")
_LABEL_GAP = re.compile(r'[\s/()|{}"&-]+')


def fold_text(text: str) -> str:
    """Return a text without case and accents."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(char for char in plain if unicodedata.category(char) != "Mn")


def tokens(text: str) -> tuple[str, ...]:
    """The words of a text, folded, in order."""
    return tuple(_TOKEN.findall(fold_text(text)))


def join_index_entries(entries: Iterable[str]) -> str:
    """The entries of a field as the text to index."""
    return f" {SEPARATOR} ".join(" ".join(tokens(entry)) for entry in entries)


def holds_phrase(words: tuple[str, ...], sought: tuple[str, ...]) -> bool:
    """Whether the sought words are consecutive in a text."""
    return next(iter_places(words, sought), None) is not None


def iter_places(words: tuple[str, ...], sought: tuple[str, ...]) -> Iterator[int]:
    """Yield the positions where the sought words begin."""
    size = len(sought)
    return (at for at in range(len(words) - size + 1) if words[at : at + size] == sought)


def are_near(
    words: tuple[str, ...], left: tuple[str, ...], right: tuple[str, ...], distance: int, ordered: bool
) -> bool:
    """Whether two runs of words have at most `distance` words between them; `ordered`: the left one first."""
    lefts, rights = list(iter_places(words, left)), list(iter_places(words, right))
    return _follows_within(lefts, len(left), rights, distance) or (
        not ordered and _follows_within(rights, len(right), lefts, distance)
    )


def _follows_within(firsts: list[int], size: int, seconds: list[int], distance: int) -> bool:
    for first in firsts:
        at = bisect_left(seconds, first + size)
        if at < len(seconds) and seconds[at] - first - size <= distance:
            return True
    return False


def message_key(text: str) -> str:
    """A Message-ID without angle brackets and spaces around it."""
    return text.strip("".join({char for char in text if char in "<>" or char.isspace()}))


def label_key(name: str) -> str:
    """A label as a query writes it: `My Label`, `my-label` and `MY/LABEL` are one; spaces, slashes and brackets become
    -.
    """
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name.strip()).casefold())
    return _LABEL_GAP.sub("-", text)
