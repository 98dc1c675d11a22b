"""The figures of a text: amounts, percentages and plain numbers, with all that each can be worth."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from world.grading.facts.units import CODES, CURRENCY_AFTER, CURRENCY_BEFORE, SCALES
from world.grading.sources.numbers import list_numerals, worth

FigureKind = Literal["amount", "percentage", "plain"]
_CODES = "|".join(sorted(CODES))
_SIGNS = "|".join(
    re.escape(one) for one in sorted((one for one in CURRENCY_BEFORE if not one.isalpha()), key=len, reverse=True)
)
_CALLED = "|".join(sorted((one for one in CURRENCY_AFTER if one.isalpha() and len(one) > 3), key=len, reverse=True))
_BEFORE = re.compile(rf"(?:{_SIGNS}|\b(?:{_CODES}|euro|rs))[ \u00a0\u202f]?$", re.I)
_SCALE = "|".join(
    sorted(
        (one for one in SCALES if one not in ("dozen", "dutzend", "hundred", "t", "cr", "mil")), key=len, reverse=True
    )
)
_AFTER = re.compile(
    rf"[ \u00a0\u202f]?(?:(?P<scale>{_SCALE})\b\.?)?[ \u00a0\u202f-]?(?:(?P<money>{_SIGNS}|(?:{_CODES}|{_CALLED})\b)"
    r"|(?P<share>%|‰|percent\b|per cent\b|prozent\b|procent\b|pct\b|pourcent\b|por ciento\b|v\.h\.))?",
    re.I,
)
_REACH = 6


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that a text states: its place, its kind, its possible values, and the size of its last place."""

    start: int
    end: int
    kind: FigureKind
    values: tuple[float, ...]
    step: float
    digits: int  # that are significant

    @property
    def is_exact(self) -> bool:
        """Whether nobody hits upon it by chance: four digits that count, or more."""
        return self.digits >= 4


def list_figures(text: str) -> Iterator[Figure]:
    """Every numeral, with the currency or share that it is of."""
    for match in list_numerals(text):
        values = worth(match.group())
        if values:
            yield _figure(text, match, values)


def _figure(text: str, match: re.Match[str], values: tuple[float, ...]) -> Figure:
    start, end = match.span()
    after = _AFTER.match(text, end)
    assert after is not None
    scale = SCALES[after["scale"].lower()] if after["scale"] else 1
    money = after["money"] or _BEFORE.search(text, max(0, start - _REACH), start)
    kind: FigureKind = "amount" if money else "percentage" if after["share"] else "plain"
    scale = scale if money or (after["scale"] and len(after["scale"]) > 1) else 1
    numeral = match.group()
    digits = len(re.sub(r"\D", "", numeral).strip("0"))
    return Figure(
        start,
        after.end() if kind != "plain" else end,
        kind,
        tuple(value * scale for value in values),
        _last_place(numeral) * scale,
        digits,
    )


def _last_place(numeral: str) -> float:
    """The size of the last place: 0.01 of `3,576.00`, 1 of `12`."""
    mark = max(numeral.rfind("."), numeral.rfind(","))
    decimals = len(numeral) - mark - 1 if mark >= 0 else 0
    return 10.0**-decimals if mark >= 0 and decimals != 3 else 1.0
