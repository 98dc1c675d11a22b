"""Notes on what somebody has filled in: one that takes its value back leaves no value that anybody can use."""

import re
from collections.abc import Iterator, Sequence

from world.core.reading.part import Part
from world.core.reading.passage import Passage
from world.grading.commitment import read_commitment
from world.grading.content.finding import Violation, to_excerpt
from world.grading.customer_promises import find_withdrawals

_STOP = re.compile(r"[.!?;\n]+")
_OPEN = re.compile(
    r"(?i)\b(?:guess(?:ed|work)?|estimate[ds]?|estimation|placeholder|dummy|made up|invented|void|provisional|preliminary|tb[cd]"
    r"|(?:never|nobody|no one|nothing of it was)(?: has| have| had)?(?: ever)? (?:said|wrote|told|agreed|approved|asked|confirmed|signed"
    r"|ordered|checked|verified|counted)"
    r"|to be (?:confirmed|checked|replaced|corrected|deleted|ignored)|(?:not|never) (?:yet |been |to be |really )*"
    r"(?:final|checked|verified|confirmed|booked|counted|paid|used|real|true))\b"
)
_PAST = re.compile(
    r"(?i)\b(?:was|were|had|no longer|no more|not an?|nor|replac\w+|instead|earlier|before|old|former\w*|previous\w*|than|correct\w+|once)\b"
)


def find_disowning_notes(parts: Sequence[Part]) -> Iterator[Violation]:
    """The notes by which the values beside them are void, or none yet."""
    if not any(part.kind == "shown" for part in parts):
        return
    for part in parts:
        if part.kind == "aside" and part.role == "supplement" and _disowns(part.passage):
            yield Violation("a note takes the value back", "slip", to_excerpt(part.passage.text))


def _disowns(note: Passage) -> bool:
    if find_withdrawals(note.text) or read_commitment(Passage("value"), (note,)).voids:
        return True
    return any(_OPEN.search(one) and not _PAST.search(_OPEN.sub(" ", one)) for one in _STOP.split(note.text))
