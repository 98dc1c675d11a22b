"""Locales of spreadsheets: separators, currency, date order, names of months and days (Unicode CLDR)."""

import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

_ENGLISH_MONTHS = "January February March April May June July August September October November December"
_ENGLISH_DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday"
_GERMAN_MONTHS = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
_GERMAN_DAYS = "Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag"
_FRENCH_MONTHS = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
_FRENCH_DAYS = "dimanche lundi mardi mercredi jeudi vendredi samedi"


class Locale(NamedTuple):
    """Number and date formats of one locale; `order` is that of day, month and year in numeric dates."""

    decimal: str
    group: str
    order: str
    patterns: dict[str, str]
    months: tuple[str, ...]
    months_short: tuple[str, ...]
    days: tuple[str, ...]
    days_short: tuple[str, ...]
    booleans: tuple[str, str]

    @property
    def currency(self) -> str:
        """The sign of its currency."""
        found = re.search('"([^"]+)"', self.patterns["CURRENCY"])
        return found[1] if found else ""


def _patterns(currency: str, date: str, time: str) -> dict[str, str]:
    clock = time.replace(" am/pm", "").replace("h:", "H:", 1) if "am/pm" in time else time
    return {
        "NUMBER": "#,##0.00",
        "PERCENT": "0.00%",
        "CURRENCY": currency,
        "SCIENTIFIC": "0.00E+00",
        "TEXT": "@",
        "DATE": date,
        "TIME": time,
        "DATE_TIME": f"{date} {clock}",
    }


def _locale(
    marks: str,
    order: str,
    patterns: dict[str, str],
    months: str,
    days: str,
    months_short: str,
    days_short: str,
    booleans: str,
) -> Locale:
    true, false = booleans.split()
    words = [tuple(each.split()) for each in (months, months_short, days, days_short)]
    return Locale(marks[0], marks[1], order, patterns, words[0], words[1], words[2], words[3], (true, false))


def _english(order: str, currency: str, date: str, time: str) -> Locale:
    short = " ".join(word[:3] for word in _ENGLISH_MONTHS.split())
    days = " ".join(word[:3] for word in _ENGLISH_DAYS.split())
    return _locale(
        ".,", order, _patterns(currency, date, time), _ENGLISH_MONTHS, _ENGLISH_DAYS, short, days, "TRUE FALSE"
    )


def _german(date: str, currency: str, marks: str) -> Locale:
    short = "Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez."
    return _locale(
        marks,
        "dmy",
        _patterns(currency, date, "HH:mm:ss"),
        _GERMAN_MONTHS,
        _GERMAN_DAYS,
        short,
        "So Mo Di Mi Do Fr Sa",
        "WAHR FALSCH",
    )


def _french(date: str, currency: str) -> Locale:
    months = "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."
    days = "dim. lun. mar. mer. jeu. ven. sam."
    return _locale(
        ",\u202f", "dmy", _patterns(currency, date, "HH:mm:ss"), _FRENCH_MONTHS, _FRENCH_DAYS, months, days, "VRAI FAUX"
    )


_DOLLAR, _POUND, _EURO_BEFORE, _EURO_AFTER = '"$"#,##0.00', '"£"#,##0.00', '"€"#,##0.00', '#,##0.00\u00a0"€"'
LOCALES = {
    "en_US": _english("mdy", _DOLLAR, "M/d/yyyy", "h:mm:ss am/pm"),
    "en_GB": _english("dmy", _POUND, "dd/MM/yyyy", "HH:mm:ss"),
    "en_IE": _english("dmy", _EURO_BEFORE, "dd/MM/yyyy", "HH:mm:ss"),
    "en_CA": _english("ymd", _DOLLAR, "yyyy-MM-dd", "h:mm:ss am/pm"),
    "en_AU": _english("dmy", _DOLLAR, "d/MM/yyyy", "h:mm:ss am/pm"),
    "de_DE": _german("dd.MM.yyyy", _EURO_AFTER, ",."),
    "de_AT": _german("dd.MM.yyyy", '"€"\u00a0#,##0.00', ",\u00a0"),
    "de_CH": _german("dd.MM.yyyy", '"CHF"\u00a0#,##0.00', ".\u2019"),
    "fr_FR": _french("dd/MM/yyyy", _EURO_AFTER),
    "fr_BE": _french("d/MM/yyyy", _EURO_AFTER),
}


def _read_locales() -> Iterator[tuple[str, Locale]]:
    """The locales of the table beside this file."""
    told = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    for name, (marks, order, currency, date, time) in told["locales"].items():
        kin = LOCALES.get({"en": "en_US", "fr": "fr_FR"}.get(name[:2], ""))
        patterns = _patterns(currency, date, time)
        if kin:
            yield name, kin._replace(decimal=marks[0], group=marks[1], order=order, patterns=patterns)
        else:
            booleans, months, months_short, days, days_short = told["languages"][name[:2]]
            yield name, _locale(marks, order, patterns, months, days, months_short, days_short, booleans)


LOCALES |= dict(_read_locales())
_OF_A_LANGUAGE = {name[:2]: name for name in reversed(LOCALES)} | {"no": "nb_NO"}


@lru_cache(maxsize=64)
def locale_of(name: str) -> Locale:
    """Return the locale of `de_DE`, `de-DE` or `de`; American English for an unknown one."""
    name = name.replace("-", "_")
    return LOCALES.get(name) or LOCALES[_OF_A_LANGUAGE.get(name[:2].lower(), "en_US")]
