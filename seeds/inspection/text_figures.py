"""Figures of a collection of texts: repetition, variety, openings, length."""

import gzip
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

PAIRS, ZIPPED = 15_000, 100_000  # pairs of words, and bytes, that are looked at
OPENING, SHARED = 3, 4  # words


@dataclass(frozen=True, slots=True)
class Figures:
    """Shares are 0 to 1. `openers`: the ten commonest first three words; `shared`: texts that share four words in a
    row.
    """

    count: int
    duplicates: float
    distinct2: float
    gzip_ratio: float
    openers: float
    shared: float
    words_median: int


def measure_texts(documents: Sequence[str]) -> Figures:
    """The figures of a collection that is not empty."""
    words = [text.lower().split() for text in documents]
    pairs = [pair for one in words for pair in pairwise(one)][:PAIRS]
    first = Counter(" ".join(one[:OPENING]) for one in words if len(one) >= OPENING)
    joined = "\n".join(documents).encode()[:ZIPPED]
    return Figures(
        count=len(documents),
        duplicates=1 - len(set(documents)) / len(documents),
        distinct2=len(set(pairs)) / max(len(pairs), 1),
        gzip_ratio=len(joined) / len(gzip.compress(joined, mtime=0)),
        openers=sum(number for _, number in first.most_common(10)) / len(documents),
        shared=_share_words(words),
        words_median=sorted(map(len, words))[len(words) // 2],
    )


def _share_words(words: Sequence[Sequence[str]]) -> float:
    """The share of texts that have four words in a row with another one in common."""
    runs = [{tuple(one[i : i + SHARED]) for i in range(len(one) - SHARED + 1)} for one in words]
    seen = Counter(run for one in runs for run in one)
    return sum(any(seen[run] > 1 for run in one) for one in runs) / len(words)
