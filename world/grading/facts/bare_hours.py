"""Hours without a clock's marks: `Wed 1 April at 9`, `at 16 h`, `1 April, 16.00`, `from four to half past four`."""

import re
from collections.abc import Iterator

from world.grading.facts.fact import FactReading
from world.grading.facts.piece import ExtractionState, FactCandidate

_AT = re.compile(r"(?:^|[\s(])(?:at|from|around|about|um) $")
_BESIDE = re.compile(r"[\s,;:()–-]*(?:(?:at|from|around|about|um) )?")
_HOUR = re.compile(r"(?P<hour>[0-9]{1,2})(?:[.:](?P<minute>[0-5][0-9]))?(?: ?h(?:rs|ours)?)?")
_TO = re.compile(r" ?(?:to|until|till|-|–) ?")
_ON = re.compile(r",? (?:on )?(?:the )?")
_WORDS = {
    word: at for at, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)
}
_DAYS = frozenset({"date", "weekday"})


def read_bare_hours(c: ExtractionState) -> None:
    """Give numbers where a clock time may stand, beside a day or before a time, the reading of that time as well."""
    pieces = sorted(c.pieces, key=lambda piece: piece.start)
    days = [one for one in pieces if one.kind in _DAYS]
    times = [one.start for one in pieces if one.kind == "time"]
    begun = [one.end for one in pieces if one.kind == "time"]
    for piece in pieces:
        goes_on = any(_TO.fullmatch(c.low, end, piece.start) for end in begun if end <= piece.start)
        if piece.kind in ("count", "duration") and (goes_on or _stands_for_time(c, piece, days, times)):
            times_meant = tuple(_list_times(c.low[piece.start : piece.end]))
            if times_meant and not piece.others:
                piece.habit, piece.others = "hours", times_meant
                begun.append(piece.end)


def _stands_for_time(c: ExtractionState, piece: FactCandidate, days: list[FactCandidate], times: list[int]) -> bool:
    spelled = c.low[piece.start : piece.end]
    beside = any(_BESIDE.fullmatch(c.low, one.end, piece.start) for one in days if one.end <= piece.start)
    led = _AT.search(c.low, max(0, piece.start - 8), piece.start) is not None
    if beside and (led or not spelled.isdigit()):
        return True
    after = any(_TO.fullmatch(c.low, piece.end, start) for start in times if start >= piece.end)
    return led and (after or any(_ON.fullmatch(c.low, piece.end, one.start) for one in days if one.start >= piece.end))


def _list_times(spelled: str) -> Iterator[FactReading]:
    match = _HOUR.fullmatch(spelled)
    hour = int(match["hour"]) if match else _WORDS.get(spelled, 99)
    minute = int(match["minute"] or 0) if match else 0
    if hour > 23:
        return
    if 0 < hour < 12:
        yield FactReading("time", f"{hour + 12:02}:{minute:02}", "", "afternoon")
    yield FactReading("time", f"{hour:02}:{minute:02}", "", "clock")
