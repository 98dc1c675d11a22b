"""Obscene gestures: the sign itself, or its name between colons."""

import re
from collections.abc import Iterator

from world.core.reading.emoji import OBSCENE
from world.grading.content.finding import Violation, find_at
from world.grading.content.text import Text

_NAMED = "|".join(sorted(one for one in OBSCENE if one.isascii()))
_SIGNS = "".join(sorted(one for one in OBSCENE if not one.isascii()))
_GESTURE = re.compile(rf":(?:{_NAMED}):|[{_SIGNS}]", re.I)


def find_gestures(text: Text) -> Iterator[Violation]:
    """Every obscene gesture that is the author's own."""
    passage = text.passage
    for match in _GESTURE.finditer(passage.text):
        if not passage.is_marked(match.start(), "quoted", "code"):
            yield find_at(passage.text, match.start(), match.end(), "insults somebody")
