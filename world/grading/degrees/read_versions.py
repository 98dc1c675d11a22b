"""Messages that were changed after others had read them: into what, and how much of the old text still stands."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import pairwise

from world.core.clock import MINUTE
from world.grading.effects import Effect, Ledger
from world.grading.inputs import Change

SOON = 3 * MINUTE  # an edit within that mends what was just written
LEFT = 0.6  # of the words of a text: with fewer it is another text
_WORD = re.compile(r"\d[\d.,']*|\w+")


def list_read_versions(effect: Effect, ledger: Ledger) -> Iterator[tuple[Change, Change]]:
    """The entries that left a text which was changed only after people had read it, each with the one that changed it."""
    for change, following in pairwise(effect.history):
        lasted = ledger.call(following.call_seq).at - ledger.call(change.call_seq).at
        if change.after is not None and following.after is not None and lasted > SOON:
            yield change, following


def is_rewritten(before: str, after: str) -> bool:
    """Whether a text is another one: more than a mended or longer form of the first."""
    old, new = _WORD.findall(before.casefold()), _WORD.findall(after.casefold())
    kept = sum(block.size for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks())
    return kept < LEFT * len(old)
