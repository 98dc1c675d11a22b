"""Amounts, percentages, durations, numbers with units and counts: numbers and what stands around them."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from world.grading.facts.fact import FactReading, Kind
from world.grading.facts.fractions import ARTICLES, is_edge, word_before
from world.grading.facts.neighbours import join_ranges, join_ratios, merge_durations
from world.grading.facts.numerals import (
    HALVES,
    NUMERAL,
    OFTEN,
    STARTS,
    Worth,
    read_number_words,
    read_numeral,
)
from world.grading.facts.piece import ExtractionState, FactCandidate
from world.grading.facts.units import CURRENCY_AFTER, CURRENCY_BEFORE, NEVER_GLUED, SCALES, UNITS, currency_of

_SCALE = re.compile(
    r"(?:(?P<glued>k|m|bn|mn|mio|mrd|t|cr)\.?(?![a-z0-9])| (?P<apart>[a-z]+)\.?(?![a-z0-9])| (?P<short>t|k)(?=[€$£]))"
)
_BEFORE = re.compile(r"(?:^|[^a-z0-9])([a-z]{1,4}\.?|[a-z]{0,2}\$|[$€£¥₹₩₴₪])$")
_CLOSING = re.compile(r"[.,]-{1,2}(?![0-9])")
_ADJECTIVES = (
    "business|working|calendar|full|whole|solid|consecutive|more|further|additional|extra|long|volle|vollen|weitere|"
    "weiteren|ganze|gute|good|simulated|story|percentage"
)
_UNIT = re.compile(
    rf"(?P<gap> ?-? ?)(?:(?:{_ADJECTIVES}) )?"
    r"(?P<word>per cent|v\. ?h|°c|[a-z]{1,2}\$|[$€£¥₹₩₴₪%‰]|[a-zµμ]+(?:/[a-z]+)?)"
)
_LONELY = frozenset("x m w g an mil pt point".split())
_RUNNING = frozenset("dhms")
_ENDS = ("%", "€", "$", "£", ")", "-")
_LIST_MARK = re.compile(r"[.)](?:[ \t]|$)")
_LIST_LINE = re.compile(r"^[ \t*-]*\d{1,2}[.)](?:[ \t]|$)", re.M)
_YEARLY = frozenset(
    "in since of from until by year fy end early late mid seit im bis for ende anfang jahr before after during".split()
)
_VERSIONS = frozenset("release version build releases versions v".split())
_LASTING = frozenset(
    "in for within than of about after by last lasted lasts took takes over fur nach innerhalb binnen around exactly under"
    " another every per".split()
)


def find_quantities(c: ExtractionState) -> None:
    """Add every number that stands free."""
    digits = list(_numerals(c))
    found = sorted([*digits, *_words(c)], key=lambda piece: piece.start)
    for piece in join_ratios(merge_durations(join_ranges(found, c), c), c):
        if not piece.weak:
            c.add(piece)


# digits


def _numerals(c: ExtractionState) -> Iterator[FactCandidate]:
    low, taken, reach = c.low, c.taken, 0
    for match in NUMERAL.finditer(low):
        start, end = match.span()
        if taken[start] or taken[end - 1]:
            continue
        worth = read_numeral(match.group())
        if not worth:
            if match.group().count(".") > 1 and "," not in match.group() and len(match.group()) <= 40:
                yield FactCandidate("key", match.group(), start, end)
            continue
        if low[end : end + 1] in (".", ")") and _is_list_mark(low, start, end):
            continue
        for piece in _numeral(c, start, end, worth, reach):
            reach = piece.end
            taken[piece.start : reach] = b"\1" * (reach - piece.start)
            yield piece


def _is_list_mark(low: str, start: int, end: int) -> bool:
    """Whether a number counts the items of a list; `4. It works now.` alone states a number."""
    line = low.rfind("\n", 0, start) + 1
    marks = end - start <= 2 and not low[line:start].strip(" \t*-") and _LIST_MARK.match(low, end) is not None
    return marks and (low[start:end] == "1" or len(_LIST_LINE.findall(low)) > 1)


def _numeral(c: ExtractionState, start: int, end: int, worth: Sequence[Worth], reach: int) -> Iterator[FactCandidate]:
    low = c.low
    begin, currency, negative = (start, None, False) if reach == start else _look_back(low, start)
    if 0 <= begin < reach:  # the text before belongs to another number
        begin, currency = start, None
    if begin < 0:
        if low[start - 1 : start] == "v" and is_edge(low, start - 1):
            yield FactCandidate("key", low[start:end], start - 1, end, others=(FactReading("count", worth[0][0]),))
        return
    closing = _CLOSING.match(low, end)
    end = closing.end() if closing else end
    piece = _with_unit(c, begin, end, [(-value if negative else value, habit) for value, habit in worth], currency)
    if piece is not None:
        yield piece


def _look_back(low: str, start: int) -> tuple[int, str | None, bool]:
    """Return where a number really begins, the currency before it, and whether it is negative.

    The start is -1 when the number is glued to what stands before it.
    """
    sign = low[start - 1] if start and low[start - 1] in "+-" else ""
    begin = start - len(sign)
    found = _code_before(low, begin)
    if found is not None:
        begin, currency = found
        outer = begin > 0 and low[begin - 1] == "-" and not low[begin - 2 : begin - 1].isalnum()
        return begin - outer, currency, sign == "-" or outer
    before = low[begin - 1 : begin]
    if sign and not before.isalnum() and before not in _ENDS:
        return begin, None, sign == "-"
    if sign and (before.isdigit() or before in _ENDS):
        return start, None, False
    return (-1 if _is_glued(low, begin, before) else begin), None, False


def _is_glued(low: str, begin: int, before: str) -> bool:
    """Whether letters, or marks that join, stand right before a number."""
    if not before or before == " ":
        return False
    if before.isalnum() or before in "_#@\\^":
        return True
    behind = low[begin - 2 : begin - 1] if begin > 1 else ""
    return (before in "/." and behind.isalnum()) or (before == ":" and behind.isdigit())


def _code_before(low: str, start: int) -> tuple[int, str] | None:
    at = start - 1 if low[start - 1 : start] == " " else start
    head = low[at - 1 : at]
    if not head or not (head in "$€£¥₹₩₴₪." or head.isalpha()):
        return None
    match = _BEFORE.search(low, max(0, at - 6), at)
    code = currency_of(match[1], CURRENCY_BEFORE) if match else None
    return (match.start(1), code) if match and code else None


def _with_unit(
    c: ExtractionState, start: int, end: int, worth: Sequence[Worth], currency: str | None
) -> FactCandidate | None:
    scaled, end = _scale(c, end, worth, currency)
    match = _UNIT.match(c.low, end)
    word = match["word"] if match else ""
    if match and c.taken[match.start("word")]:
        match, word = None, ""
    code = currency or (currency_of(word, CURRENCY_AFTER) if match and not _is_part_of_word(c.low, match) else None)
    if code is not None:
        own = match is not None and currency_of(word, CURRENCY_AFTER) is not None and not _is_part_of_word(c.low, match)
        return _piece("amount", code, Decimal(1), scaled, start, match.end() if own and match else end)
    unit = UNITS.get(word) if match and not _is_part_of_word(c.low, match) else None
    if (
        unit is not None
        and match
        and (match["gap"] or word not in NEVER_GLUED)
        and not (
            match["gap"] == " "
            and word in ("x", "m", "d", "s", "w", "g", "an", "mil", "pt", "point")
            and not _alone(c.low, match)
        )
    ):
        piece = _piece(unit.kind, unit.name, unit.factor, scaled, start, match.end())
        piece.step = unit.factor
        return piece
    if match and not match["gap"] and word[0].isalpha() and scaled is worth:
        return None
    return _count(c, start, end, scaled)


def _alone(low: str, match: re.Match[str]) -> bool:
    """Whether a unit of one letter, set apart, ends its phrase: `5 m away` is no five minutes."""
    return not low[match.end() : match.end() + 2].strip(" -")[:1].isalnum()


def _is_part_of_word(low: str, match: re.Match[str]) -> bool:
    after, last = low[match.end() : match.end() + 1], low[match.end() - 1]
    return (after.isalnum() and last.isalnum()) and not (after.isdigit() and match["word"] in _RUNNING)


def _scale(c: ExtractionState, end: int, worth: Sequence[Worth], currency: str | None) -> tuple[Sequence[Worth], int]:
    match = _SCALE.match(c.low, end)
    if not match:
        return worth, end
    word = match["glued"] or match["apart"] or match["short"]
    size = SCALES.get(word)
    following = _UNIT.match(c.low, match.end())
    money = currency or (following and currency_of(following["word"], CURRENCY_AFTER))
    lone = word in ("m", "t", "cr", "mil") and not money and not (word == "m" and c.plain[match.start()] == "M")
    if size is None or lone or (word == "t" and match["apart"] and not money):
        return worth, end
    return [(value * size, habit) for value, habit in worth], match.end()


def _piece(kind: Kind, unit: str, factor: Decimal, worth: Sequence[Worth], start: int, end: int) -> FactCandidate:
    if kind == "amount" and len(worth) == 2:
        worth = sorted(worth, key=lambda one: one[0] == one[0].to_integral_value(), reverse=True)
    (value, habit), *rest = worth
    others = tuple(FactReading(kind, one * factor, unit, other, one) for one, other in rest)
    return FactCandidate(kind, value * factor, start, end, unit, habit, value, others)


def _count(c: ExtractionState, start: int, end: int, worth: Sequence[Worth]) -> FactCandidate | None:
    after = c.low[end : end + 2]
    if (after[:1] in ("/", ":", "@") and after[1:].isalnum()) or after[:1] in ("_", "°"):
        return None
    piece = _piece("count", "", Decimal(1), worth, start, end)
    value = worth[0][0]
    digits = c.low[start:end]
    word, _ = word_before(c.low, start)
    if len(digits) == 4 and digits.isdigit() and 1990 <= value < 2100:
        year = FactReading("date", digits)
        if word in _YEARLY or word in ("q1", "q2", "q3", "q4"):
            return FactCandidate("date", digits, start, end, others=(FactReading("count", value, "", "", value),))
        piece.others = (year,)
    elif word == "number" and digits.isdigit():
        piece.others = (*piece.others, FactReading("key", f"#{digits}"))
    elif word in _VERSIONS:
        return FactCandidate("key", digits, start, end, others=(FactReading("count", value, "", "", value),))
    return piece


# words


def _words(c: ExtractionState) -> Iterator[FactCandidate]:
    reach = 0
    for at, word, start, end in c.free():
        if start < reach:
            continue
        piece = None
        if word in STARTS or word in HALVES:
            piece = _number_word(c, at, start)
        elif word in OFTEN:
            piece = FactCandidate("count", Decimal(OFTEN[word]), start, end, written=Decimal(OFTEN[word]))
        elif word in ARTICLES:
            piece = _article(c, at, start)
        if piece is not None:
            reach = piece.end
            yield piece


def _number_word(c: ExtractionState, at: int, start: int) -> FactCandidate | None:
    found = read_number_words(c.tokens, at, c.low)
    if found is None or (start and c.low[start - 1] in "-_./@#"):
        return None
    value, following = found
    end = c.tokens[following - 1][2]
    piece = _with_unit(c, start, end, [(value, "")], None)
    if piece is None or c.low[end : end + 1] in ("_", "@"):
        return None
    piece.weak = piece.kind == "count" and piece.value == 1
    return piece


def _article(c: ExtractionState, at: int, start: int) -> FactCandidate | None:
    """`an hour`, `an hour and a half`; `a day` only after words such as `within`."""
    word, _, end = c.tokens[at + 1] if at + 1 < len(c.tokens) else ("", 0, 0)
    if word in ("hundred", "thousand", "million", "dozen"):
        return _number_word(c, at + 1, c.tokens[at + 1][1])
    unit = UNITS.get(word)
    if unit is None or unit.kind != "duration" or len(word) < 3 or c.low[c.tokens[at][2] : c.tokens[at + 1][1]] != " ":
        return None
    if word not in ("hour", "stunde", "heure", "hora") and word_before(c.low, start)[0] not in _LASTING:
        return None
    value = unit.factor
    if [token[0] for token in c.tokens[at + 2 : at + 5]] == ["and", "a", "half"]:
        value, end = value * 3 / 2, c.tokens[at + 4][2]
    return FactCandidate("duration", value, start, end, unit.name, written=value / unit.factor, step=unit.factor)
