"""Units, currencies and scales behind and before numbers, in the words of the company's offices and customers."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from world.grading.facts.fact import Kind

SECOND_US = 1_000_000


@dataclass(frozen=True, slots=True)
class Unit:
    """Unit of a number: its kind, the factor to the canonical unit, and that unit's name."""

    kind: Kind
    factor: Decimal
    name: str


def _units(kind: Kind, name: str, table: Mapping[str, object]) -> dict[str, Unit]:
    return {
        word: Unit(kind, Decimal(str(factor)), name) for words, factor in table.items() for word in words.split("|")
    }


_DURATION: Mapping[str, object] = {
    "us|µs|μs|microsecond|microseconds|mikrosekunden": 1,
    "ms|msec|millisecond|milliseconds|millisekunden|millisekunde|millis": 1_000,
    "s|sec|secs|second|seconds|sek|sekunde|sekunden|secondes|segundos|seconden": SECOND_US,
    "m|min|mins|minute|minutes|minuten|minuto|minutos|minut|minuty|minuut": 60 * SECOND_US,
    "h|hr|hrs|hour|hours|std|stunde|stunden|heure|heures|hora|horas|uur|uren|godzin|godziny": 3600 * SECOND_US,
    "d|day|days|tag|tage|tagen|jour|jours|dia|dias|dag|dagen|dni": 86_400 * SECOND_US,
    "w|wk|wks|week|weeks|woche|wochen|semaine|semaines|semana|semanas|weken": 604_800 * SECOND_US,
}
_MONTHS: Mapping[str, object] = {
    "month|months|monat|monate|monaten|mois|mes|meses|maand|maanden": 1,
    "quarters|quartale|quartalen": 3,
    "year|years|jahr|jahre|jahren|an|ans|ano|anos|jaar|lat|yrs|yr": 12,
}
_PERCENT: Mapping[str, object] = {
    "%|percent|per cent|v. h|percents|pct|prozent|procent|percentage|pp|prozentpunkte|prozentpunkten|v.h|pourcent|porcentaje": 1,
    "‰|permille|promille": "0.1",
    "bps|bp": "0.01",
}
_BYTES: Mapping[str, object] = {
    "byte|bytes": 1,
    "kb": 1000,
    "mb": 1000**2,
    "gb": 1000**3,
    "tb": 1000**4,
    "kib": 1024,
    "mib": 1024**2,
    "gib": 1024**3,
    "tib": 1024**4,
}
_RATE: Mapping[str, object] = {
    "rps|qps|tps|req/s|requests/s|rq/s|hz": 1,
    "rpm|req/min|requests/min": "0.0166666666666666666666666667",
}
_LENGTH: Mapping[str, object] = {"km|kilometer|kilometers|kilometre|kilometres": 1000, "cm": "0.01", "mm": "0.001"}
_WEIGHT: Mapping[str, object] = {"kg|kilogram|kilograms|kilo|kilos": 1, "g|gram|grams|gramm": "0.001"}
UNITS: Mapping[str, Unit] = {
    **_units("duration", "us", _DURATION),
    **_units("duration", "month", _MONTHS),
    **_units("percentage", "", _PERCENT),
    **_units("number", "byte", _BYTES),
    **_units("number", "per second", _RATE),
    **_units("number", "metre", _LENGTH),
    **_units("number", "kilogram", _WEIGHT),
    **_units("number", "point", {"pt|pts|points|point|punkte|punkt|story points": 1}),
    **_units("number", "degree", {"°c|celsius": 1}),
    **_units("count", "", {"times|x|mal|fois|veces|keer|razy": 1}),
}
NEVER_GLUED = frozenset({"an", "mal", "lat", "point", "mes", "dia", "day"})

CODES = frozenset(
    "USD EUR GBP JPY INR PLN CHF CAD AUD NZD SEK NOK DKK CNY BRL MXN SGD HKD ZAR CZK HUF RON UAH AED KRW ILS THB".split()
)
SYMBOLS: Mapping[str, str] = {
    "$": "USD",
    "us$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₹": "INR",
    "zl": "PLN",
    "c$": "CAD",
    "ca$": "CAD",
    "a$": "AUD",
    "au$": "AUD",
    "nz$": "NZD",
    "hk$": "HKD",
    "s$": "SGD",
    "r$": "BRL",
    "rs": "INR",
    "rs.": "INR",
    "ft": "HUF",
    "kc": "CZK",
    "fr.": "CHF",
    "sfr": "CHF",
    "₩": "KRW",
    "₴": "UAH",
    "₪": "ILS",
}
_CALLED: Mapping[str, str] = {
    "euro": "EUR",
    "euros": "EUR",
    "dollar": "USD",
    "dollars": "USD",
    "bucks": "USD",
    "pound": "GBP",
    "pounds": "GBP",
    "quid": "GBP",
    "rupee": "INR",
    "rupees": "INR",
    "rupien": "INR",
    "yen": "JPY",
    "franken": "CHF",
    "francs": "CHF",
    "zloty": "PLN",
    "zlotys": "PLN",
    "zlotych": "PLN",
    "forint": "HUF",
    "dolares": "USD",
}
CURRENCY_BEFORE: Mapping[str, str] = {**SYMBOLS, **{code.lower(): code for code in CODES}, "euro": "EUR"}
CURRENCY_AFTER: Mapping[str, str] = {**CURRENCY_BEFORE, **_CALLED}

SCALES: Mapping[str, int] = {
    "k": 1_000,
    "m": 1_000_000,
    "thousand": 1_000,
    "tsd": 1_000,
    "tausend": 1_000,
    "mille": 1_000,
    "mil": 1_000,
    "million": 1_000_000,
    "millions": 1_000_000,
    "mn": 1_000_000,
    "mln": 1_000_000,
    "mio": 1_000_000,
    "millionen": 1_000_000,
    "billion": 1_000_000_000,
    "billions": 1_000_000_000,
    "bn": 1_000_000_000,
    "mrd": 1_000_000_000,
    "milliarden": 1_000_000_000,
    "milliarde": 1_000_000_000,
    "lakh": 100_000,
    "lakhs": 100_000,
    "lac": 100_000,
    "crore": 10_000_000,
    "crores": 10_000_000,
    "cr": 10_000_000,
    "dozen": 12,
    "hundred": 100,
    "dutzend": 12,
    "t": 1_000,
}


def currency_of(word: str, table: Mapping[str, str]) -> str | None:
    """The ISO code of a symbol, code or name in lower case."""
    return table.get(word) or table.get(word.rstrip("."))
