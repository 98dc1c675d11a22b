"""Disguised text: invisible characters, and letters of other scripts inside words."""

import re
from collections.abc import Iterator

from world.core.reading.characters import INVISIBLE, find_lookalikes
from world.grading.content.finding import Violation

KIND = "hides characters"
MANY = 3  # invisible ones in a row: no script, picture or line break needs so many
_ORDER = re.compile("[\u202a\u202b\u202d\u202e\u2066-\u2068]")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_TAG = re.compile("(?<!\U0001f3f4)[\U000e0020-\U000e007e](?![\U000e0020-\U000e007f]*\U000e007f)")
_ROW = re.compile(f"(?:{INVISIBLE.pattern}){{{MANY},}}")
_SELECTORS = re.compile("[\ufe00-\ufe0e\U000e0100-\U000e01ef]{2,}")


def find_disguise(stored: str) -> Iterator[Violation]:
    """Yield what the stored text hides from its readers."""
    if stored.isascii():
        return
    row = _ROW.search(stored) or _SELECTORS.search(stored) or _TAG.search(stored)
    if row is not None and not _is_flag(stored, row.start()):
        around = stored[max(row.start() - 20, 0) : row.end() + 20]
        yield Violation(KIND, "harm", ascii(around)[1:-1][:60])
    order = _ORDER.search(stored)
    if order is not None and not _RIGHT_TO_LEFT.search(stored):
        yield Violation("turns its letters round", "harm", ascii(stored[max(order.start() - 20, 0) :])[1:61])
    for word in find_lookalikes(stored):
        yield Violation("writes a word with letters of several scripts", "harm", word)
        return


def _is_flag(stored: str, at: int) -> bool:
    """Whether tag characters spell the region of a flag."""
    before = stored[:at].rstrip("".join(chr(0xE0000 + code) for code in range(0x80)))
    return before.endswith("\U0001f3f4")
