"""Statements of a text about all its amounts: another scale, another currency; and the period of a figure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from world.core.reading.passage import Passage
from world.grading.date_patterns import FULL_MONTHS
from world.grading.facts.fact import Fact
from world.grading.facts.units import CURRENCY_AFTER
from world.grading.folding import fold

_UNIT = r"(?:thousands?|millions?|billions?|hundreds?|'?000'?s?|tsd|tausend(?:en|er)?|k|k ?eur|k ?€|teur|t€|mn|cents?)"
_ALL = r"(?:amounts?|figures?|numbers?|values?|sums?|totals?|everything|all|both|these|they|euros?|eur|units?|net revenue|credits)"
_SCALES = (
    rf"\b{_ALL}\b[^.;!?\n]{{0,60}}?\b(?:in|as) (?:units of |full )?{_UNIT}\b(?! of (?!eur|€|us |usd|dollar|gbp|pound|chf|\$))",
    rf"\(?\bin (?:units of )?{_UNIT}(?: (?:of )?(?:eur|euros?|€))?\)? ?(?:$|[.:;)\n])",
    r"(?:\bteur\b|\bkeur\b|\bt€|\bk€|(?:\beur|€) ?(?:k|'000|000s|thousands?|tsd)\b|\bthousand euros? each\b|x ?1[.,]?000\b)",
    r"\b(?:add|append|put|imagine|with|missing|lack)\b[^.;\n]{0,25}\b(?:two|three|six|[236]) (?:more )?zero(?:e?s)?\b",
    r"\b(?:multipl\w+|times|factor)\b[^.;\n]{0,30}\b(?:1[.,]?000(?:[.,]?000)?|thousand|hundred|ten|100?|million)\b",
)
_SCALE = re.compile("|".join(f"(?:{one})" for one in _SCALES), re.M)
_NOT = re.compile(r"\b(?:not|never|no longer|rather than|instead of|n't)\b[^.,;]{0,20}$")
_NAMES = {**CURRENCY_AFTER, **{f"us {one}": "USD" for one in ("dollar", "dollars")}, "american dollars": "USD"}
_WORDS = "|".join(
    sorted((re.escape(one) for one in _NAMES if len(one) > 2 and one[0].isalpha()), key=len, reverse=True)
)
_BOOK = r"(?:amounts?|figures?|numbers?|values?|sums?|totals?|everything|all|both|these|they|it|workbook|book|sheet|close|ledger|currency)"
_KEPT = r"(?:is|are|was|were|kept|stated|given|shown|expressed|denominated|reported|quoted|held|run|runs)"
_CURRENCIES = (
    rf"\b{_BOOK}\b(?:(?!\b(?:that|which|invoic\w+|billed|convert\w*|what)\b)[^.;:!?\n]){{0,40}}?\b{_KEPT} (?:[a-z]+ )?(?:in )?(?P<kept>{_WORDS})\b",
    rf"\b(?:all|both|these|the) (?:amounts?|figures?|numbers?|values?) (?:above |below |here )?in (?P<all>{_WORDS})\b"
    r"(?! (?:is|are|was|were|ha[sv]e?|get|got)\b)",
    rf"^[ \t*_#|-]*(?:(?:all|everything|amounts?|figures|values|totals?|sums?|prices)\b[ ,]*(?:is |are |shown |given )?)?"
    rf"\(?(?:in )?(?P<head>{_WORDS})\)?[ \t*_|]*:?[ \t*_|]*$",
    rf"\bcurrency\b[^.;\n]{{0,20}}?(?:\bis\b|[:=]) ?(?:the )?(?P<named>{_WORDS})\b",
    rf"\b(?:read|means?|meant) (?:it as |them as |that as )?(?P<meant>{_WORDS})\b",
    rf"\b(?P<other>{_WORDS}), (?:and )?not (?:in )?(?:{_WORDS})\b",
)
_CURRENCY = re.compile("|".join(f"(?:{one})" for one in _CURRENCIES), re.M)


def is_measured_otherwise(passage: Passage, unit: str) -> bool:
    """Whether the author says of the amounts of a text that they are in another scale or currency."""
    return _scales(passage.text) or any(one != unit for one in _currencies(passage.text))


@lru_cache(maxsize=512)
def _scales(text: str) -> bool:
    low = fold(text).low
    return any(not _NOT.search(low, max(0, one.start() - 40), one.end()) for one in _SCALE.finditer(low))


@lru_cache(maxsize=512)
def _currencies(text: str) -> frozenset[str]:
    low = fold(text).low
    return frozenset(
        _NAMES[next(word for word in match.groupdict().values() if word)]
        for match in _CURRENCY.finditer(low)
        if not _NOT.search(match.group())
        and not re.search(r"\b(?:not|never|no longer)\b", match.group().partition(", ")[0])
    )


# periods

_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "final": 4}
_DIGITS = {"one": 1, "two": 2, "three": 3, "four": 4}
_MONTHS = "|".join(sorted(FULL_MONTHS, key=len, reverse=True))
_QUARTER = re.compile(
    r"\b(?:(?P<ahead>20[0-9]{2})[ /-]?)?(?:q ?(?P<q>[1-4])|(?P<p>[1-4])q|(?P<ord>first|second|third|fourth|final|1st|2nd|3rd|4th) quarter"
    r"|quarter (?P<n>[1-4]|one|two|three|four))\b(?:,? ?/?(?:of |in )?'?(?P<year>20[0-9]{2}|(?<=')[0-9]{2}))?"
)
_YEAR = re.compile(r"\b(?:of|for|in|year|fy) ?(?P<year>20[0-9]{2})\b")
_BESIDE = re.compile(
    r"\b(?:than|than in|compared (?:with|to)|versus|vs\.?|against|since|from|after|unlike|as in|before|like|until|over|not)"
    r"(?: (?:the|that|those|our|of|in|for))* ?$"
)
_SPAN = re.compile(
    rf"\b(?:for|of|in) (?:the month|(?:the month of )?(?:{_MONTHS}))\b(?! ?(?:,|to|-|until|through|and)\b)"
)
_SHARE = re.compile(
    r"^[^,.;\n]{0,12}\b(?:per|a|each|every) (?:month|week|day|customer)\b|^[^,.;\n]{0,8}\b(?:monthly|on average)\b"
)


@dataclass(frozen=True, slots=True)
class Period:
    """A quarter of a year."""

    year: int
    quarter: int


def parse_period(text: str) -> Period | None:
    """`2025-Q4`; None for what is none."""
    match = re.fullmatch(r"(20[0-9]{2})-Q([1-4])", text)
    return Period(int(match[1]), int(match[2])) if match else None


def is_of_another_period(passage: Passage, fact: Fact, wanted: Period) -> bool:
    """Whether the sentence of a figure, or the heading before it, says that it is of another quarter, year or part."""
    low = _lower(passage.text)
    start, end = _sentence(low, fact.start)
    named = list(_list_periods(low, start, end)) or list(_list_periods(low, *_find_heading(low, start)))
    if named and not any(_agrees(one, wanted) for one in named):
        return True
    return _is_part(low, start, fact)


def _is_part(low: str, start: int, fact: Fact) -> bool:
    """Whether a figure is of a month, or of each."""
    before, behind = low[max(start, fact.start - 40) : fact.start], low[fact.end : fact.end + 40]
    clause = re.split(r"[,;]", before)[-1]
    return bool(
        any(
            _SPAN.search(clause[at.start() :])
            for at in re.finditer(r"\b(?:net|revenue|credits|net revenue) (?=for|of|in)", clause)
        )
        or _SHARE.search(behind)
        or re.match(rf" ?\(?{_SPAN.pattern[2:]}", behind)
    )


def _lower(text: str) -> str:
    low = text.lower()
    return low if len(low) == len(text) else "".join(one if len(one := c.lower()) == 1 else c for c in text)


def _sentence(low: str, at: int) -> tuple[int, int]:
    start = max(low.rfind(mark, 0, at) for mark in ("\n", ". ", "! ", "? ", "; ")) + 1
    ends = [place for mark in ("\n", ". ", "! ", "? ", "; ") if (place := low.find(mark, at)) >= 0]
    return start, min(ends, default=len(low))


def _find_heading(low: str, start: int) -> tuple[int, int]:
    """The nearest line before that ends with a colon, as far as no blank line of prose lies between."""
    end = low.rfind(":\n", 0, start + 1)
    return (_sentence(low, end)[0], end) if end >= 0 else (0, 0)


def _list_periods(low: str, start: int, end: int) -> Iterator[tuple[int | None, int | None]]:
    """The quarters and years named in a stretch, but for those something is compared with."""
    spans: list[tuple[int, int]] = []
    for match in _QUARTER.finditer(low, start, end):
        if _BESIDE.search(low, start, match.start()):
            continue
        spans.append(match.span())
        year = match["year"] or match["ahead"]
        quarter = match["q"] or match["p"] or match["n"]
        number = _ORDINALS[match["ord"]] if match["ord"] else _DIGITS.get(quarter) or int(quarter)
        yield number, (int(year) if len(year) == 4 else 2000 + int(year)) if year else None
    for match in _YEAR.finditer(low, start, end):
        if not any(one <= match.start("year") < other for one, other in spans) and not _BESIDE.search(
            low, start, match.start()
        ):
            yield None, int(match["year"])


def _agrees(one: tuple[int | None, int | None], wanted: Period) -> bool:
    quarter, year = one
    return quarter in (None, wanted.quarter) and year in (None, wanted.year)
