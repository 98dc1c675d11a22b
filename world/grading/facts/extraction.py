"""All facts of a passage."""

import re
from decimal import Decimal

from world.core.reading.passage import Passage
from world.grading.date_patterns import FULL_MONTHS, MONTH, SHORT_DAYS, WEEKDAY
from world.grading.dates import Moment, find_moments
from world.grading.facts.bare_hours import read_bare_hours
from world.grading.facts.fact import Fact, FactReading
from world.grading.facts.fractions import find_fractions
from world.grading.facts.identifiers import find_identifiers
from world.grading.facts.names import find_names
from world.grading.facts.piece import ExtractionState, FactCandidate
from world.grading.facts.quantities import find_quantities
from world.grading.facts.vocabulary import EMPTY, Vocabulary
from world.grading.folding import FoldedText, fold
from world.grading.text_cache import keep_short

_WORD = re.compile(r"[^\W_]+")
_QUARTER = re.compile(r"q([1-4])(?:[ /'-]*(?:of )?(20[0-9]{2}))?(?![a-z0-9])")
_YEAR = re.compile(r",? (20[0-9]{2})(?![0-9])")
_DAY_OF_MONTH = re.compile(
    r"\bthe ([1-9]|[12][0-9]|3[01])(?:st|nd|rd|th)"
    r"(?=\s*(?:[.,;:!?)\n]|$)| (?:now|then|instead|with|and|as|because|since|but|too|works|suits|of this month)\b)"
)
_WORDS = frozenset({"may", "march", "mars", "august"})  # months that are other words too
_AT = re.compile(r"(?:\b(?:at|by|until|till|um|ab|bis|from|since|before|after|a|vers|gegen|around) )$")
_MONTH_LEADS = frozenset(
    "in of for since until by this last next the to from through im fur seit bis our your their".split()
)
MAX_CHARS = 100_000


@keep_short
def extract(passage: Passage, vocabulary: Vocabulary = EMPTY) -> tuple[Fact, ...]:
    """Every fact a text states, in the order of the text; beyond 100,000 characters nothing is read."""
    folded = fold(passage.text[:MAX_CHARS])
    tokens = [(folded.low[m.start() : m.end()], m.start(), m.end()) for m in _WORD.finditer(folded.low)]
    canvas = ExtractionState(folded.plain, folded.low, tokens, folded.low[::-1], bytearray(len(folded.plain) + 1))
    find_identifiers(canvas, vocabulary)
    _find_moments(canvas)
    find_names(canvas, vocabulary)
    _find_days(canvas)
    find_fractions(canvas)
    find_quantities(canvas)
    read_bare_hours(canvas)
    pieces = sorted(canvas.pieces, key=lambda piece: (piece.start, piece.end))
    return tuple(_fact(piece, folded, passage) for piece in pieces)


def _fact(piece: FactCandidate, folded: FoldedText, passage: Passage) -> Fact:
    start, end = folded.place(piece.start, piece.end)
    value = piece.value if isinstance(piece.value, str) else Decimal(f"{piece.value.normalize():f}")
    marks = passage.marks
    return Fact(
        piece.kind,
        value,
        piece.unit,
        start,
        end,
        piece.habit,
        piece.written,
        piece.others,
        piece.moment,
        bool(folded.disguised) and folded.is_disguised(piece.start, piece.end),
        bool(marks) and passage.is_marked(start, "quoted"),
        bool(marks) and passage.is_marked(start, "struck"),
        bool(marks) and passage.is_marked(start, "hidden"),
    )


def _find_moments(c: ExtractionState) -> None:
    for moment in find_moments(c.low):
        if c.taken[moment.start] or c.taken[moment.end - 1]:
            continue
        if moment.days:
            c.add(_date(moment))
        if moment.clock is not None:
            _add_time(c, moment)


def _date(moment: Moment) -> FactCandidate:
    values = [
        f"{year:04}-{month:02}-{day:02}" if year else f"--{month:02}-{day:02}" for year, month, day in moment.days
    ]
    habits = ("month first", "day first") if len(values) > 1 else ("",)
    others = tuple(FactReading("date", value, "", habit) for value, habit in zip(values[1:], habits[1:], strict=True))
    return FactCandidate("date", values[0], moment.start, moment.end, habit=habits[0], others=others, moment=moment)


def _add_time(c: ExtractionState, moment: Moment) -> None:
    hour, minute, second = moment.clock or (0, 0, None)
    seconds = f":{second:02}" if second else ""
    zone = moment.zone or ("" if moment.offset is None else _offset(moment.offset))
    value = f"{hour:02}:{minute:02}{seconds}"
    others: tuple[FactReading, ...] = ()
    if moment.halves:
        others = (FactReading("time", f"{(hour + 12) % 24:02}:{minute:02}", zone, "afternoon"),)
    if moment.loose:
        return _add_loose(c, moment, value, zone)
    c.add(FactCandidate("time", value, moment.start, moment.end, zone, others=others, moment=moment))


def _add_loose(c: ExtractionState, moment: Moment, value: str, zone: str) -> None:
    """`15h00` after `at` is a time, `1h30` and `15h` are durations first."""
    hour, minute, _ = moment.clock or (0, 0, None)
    length = (hour * 60 + minute) * 60_000_000
    text = c.low[moment.start : moment.end]
    timed = _AT.search(c.low, max(0, moment.start - 8), moment.start) or (len(text) >= 5 and not text.startswith("0"))
    if not timed and text.rstrip("h").isdigit():
        return
    duration = FactReading("duration", Decimal(length), "us", "hours", None)
    time = FactReading("time", value, zone, "clock")
    first, second = (time, duration) if timed else (duration, time)
    c.add(
        FactCandidate(
            first.kind, first.value, moment.start, moment.end, first.unit, first.habit, None, (second,), moment
        )
    )


def _offset(minutes: int) -> str:
    if not minutes:
        return "UTC"
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def _find_days(c: ExtractionState) -> None:
    """Add weekdays, months and quarters of a year, and days of a month that is not named."""
    for match in _DAY_OF_MONTH.finditer(c.low) if "the " in c.low else ():
        if not c.taken[match.start()] and not c.taken[match.end() - 1]:
            months = range(1, 13)
            moment = Moment(match.start(), match.end(), tuple((None, month, int(match[1])) for month in months))
            c.add(FactCandidate("date", f"---{int(match[1]):02}", match.start(), match.end(), moment=moment))
    for at, word, start, end in c.free():
        if word in WEEKDAY:
            if _is_day(c, word, start):
                c.add(FactCandidate("weekday", WEEKDAY[word], start, end))
        elif word in FULL_MONTHS:
            _add_month(c, at, word)
        elif word[0] == "q" and (match := _QUARTER.match(c.low, start)):
            c.add(FactCandidate("date", f"{match[2] or '-'}-Q{match[1]}", start, match.end()))


def _add_month(c: ExtractionState, at: int, word: str) -> None:
    _, start, end = c.tokens[at]
    before = c.tokens[at - 1][0] if at else ""
    if not c.plain[start].isupper() or (word in _WORDS and before not in _MONTH_LEADS):
        return
    year = _YEAR.match(c.low, end)
    c.add(FactCandidate("date", f"{year[1] if year else '-'}-{MONTH[word]:02}", start, year.end() if year else end))


def _is_day(c: ExtractionState, word: str, start: int) -> bool:
    if word not in SHORT_DAYS:
        return True
    return c.plain[start].isupper() and not c.plain[start : start + len(word)].isupper()
