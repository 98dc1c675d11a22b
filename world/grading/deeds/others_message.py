"""A text of somebody else in a run, with the words and deeds it tells of."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from world.core.reading.plain import from_plain
from world.grading.deeds.extraction import list_reported_kinds, list_stems
from world.grading.deeds.lexicon import load_lexicon
from world.grading.deeds.sentences import read_wordings

_FIGURE = re.compile(r"\b[0-9]{1,3}(?:[.,' ][0-9]{3})+(?:[.,][0-9]{2})?\b|\b[0-9]+[.,][0-9]{2}\b")
KEPT = 4096  # texts whose words and deeds are kept


@dataclass(frozen=True)
class OthersMessage:
    """Text of somebody else in the run. `person` is empty for somebody outside the directory."""

    person: str
    text: str

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of its subject; figures also without the marks between their digits."""
        return _read_stems(self.text)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of deeds that it tells of."""
        return _read_kinds(self.text)


@lru_cache(maxsize=KEPT)
def _read_stems(text: str) -> frozenset[str]:
    """The stems of a text that comes again in other runs of a task."""
    return list_stems(text) | list_stems(" ".join(_join_digits(one) for one in _FIGURE.findall(text)))


@lru_cache(maxsize=KEPT)
def _read_kinds(text: str) -> frozenset[str]:
    if not load_lexicon().heads.search(text.lower()):
        return frozenset()
    return list_reported_kinds(list(read_wordings(from_plain(text), ())))


def _join_digits(figure: str) -> str:
    """`30,212.00` as `30212`."""
    return re.sub(r"[.,' ]", "", re.sub(r"[.,][0-9]{2}$", "", figure))
