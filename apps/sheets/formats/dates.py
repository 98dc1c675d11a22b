"""Display of a serial number by a date or time pattern."""

from functools import lru_cache
from typing import NamedTuple

from apps.sheets.formats.locales import Locale, locale_of
from apps.sheets.formats.pattern import Token
from apps.sheets.formats.serial import DAY_US, Moment, moment_of

_SECONDS = {"h": 3600, "m": 60, "s": 1}


class _Plan(NamedTuple):
    """A section made ready: `template` takes the fields of a moment, `elapsed` are the tokens of time that has passed."""

    template: str
    step_us: int
    twelve: bool
    elapsed: tuple[str, ...]


def format_moment(value: float, tokens: tuple[Token, ...], locale: str) -> str | None:
    """The text of a date or time; None for a serial number outside the calendar."""
    plan = _plan(tokens, locale)
    moment = moment_of(value, plan.step_us)
    if moment is None:
        return None
    fields = _fields(moment, plan.twelve, locale_of(locale))
    if not plan.elapsed:
        return plan.template.format(*fields)
    passed = int(abs(value) * DAY_US / plan.step_us + 0.5) * plan.step_us // 1_000_000
    return ("-" if value < 0 else "") + plan.template.format(*fields, *_format_elapsed(plan.elapsed, passed))


@lru_cache(maxsize=1024)
def _plan(tokens: tuple[Token, ...], locale: str) -> _Plan:
    tokens = _join_fractions(tokens)
    elapsed = tuple(token.text for token in tokens if token.kind == "elapsed")
    places = iter(range(_FIELDS, _FIELDS + len(elapsed)))
    mark = locale_of(locale).decimal
    template = "".join(f"{{{next(places)}}}" if token.kind == "elapsed" else _piece(token, mark) for token in tokens)
    return _Plan(template, _step_us(tokens), any(token.kind == "half" for token in tokens), elapsed)


def _format_elapsed(texts: tuple[str, ...], passed: int) -> list[str]:
    """Hours, minutes or seconds that have passed: the first without a ceiling, the others what is left of the one
    before.
    """
    written: list[str] = []
    above = 0
    for text in texts:
        rest = passed % above if above else passed
        above = _SECONDS[text[0]]
        written.append(str(rest // above).zfill(len(text)))
    return written


_FIELDS = 16
_HALVES = (("AM", "a", "A"), ("PM", "p", "P"))


def _fields(moment: Moment, twelve: bool, words: Locale) -> tuple[int | str, ...]:
    """Return the fields of a moment in the order of the templates' numbers; `_DATE` and `_piece` use these numbers."""
    year, month, day, weekday, hour, minute, second, microsecond = moment
    name = words.months[month - 1]
    shown_hour = (hour - 1) % 12 + 1 if twelve else hour
    names = (name, words.months_short[month - 1], name[0].upper(), words.days[weekday], words.days_short[weekday])
    return (
        year,
        year % 100,
        month,
        day,
        shown_hour,
        minute,
        second,
        *names,
        f"{microsecond:06d}",
        *_HALVES[hour >= 12],
    )


@lru_cache(maxsize=1024)
def _join_fractions(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Zeros are fractions of a second: `ss.000`; a point before them is the locale's decimal mark."""
    joined: list[Token] = []
    for token in tokens:
        last = joined[-1] if joined else None
        if token.kind != "digit":
            joined.append(token)
        elif last and last.kind == "fraction":
            joined[-1] = Token("fraction", last.text + "0")
        else:
            joined[-1:] = [Token("mark", ".") if last.kind in ("point", "comma") else last] if last else []
            joined.append(Token("fraction", "0"))
    return tuple(joined)


def _step_us(tokens: tuple[Token, ...]) -> int:
    digits = max((len(token.text) for token in tokens if token.kind == "fraction"), default=3)
    return 10 ** max(6 - digits, 0)


_DATE = {
    "y": "{1:02d}",
    "yy": "{1:02d}",
    "m": "{2}",
    "mm": "{2:02d}",
    "mmm": "{8}",
    "mmmmm": "{9}",
    "d": "{3}",
    "dd": "{3:02d}",
    "ddd": "{11}",
}
_LONG = {"y": "{0:04d}", "m": "{7}", "d": "{10}", "h": "{4:02d}", "s": "{6:02d}"}
_CLOCK = {"h": "{4}", "s": "{6}"}


def _piece(token: Token, mark: str) -> str:
    """The piece of a template that a token stands for."""
    kind, text = token
    if kind == "date":
        return _DATE.get(text) or _CLOCK.get(text) or _LONG[text[0]]
    if kind == "minute":
        return "{5:02d}" if text == "mm" else "{5}"
    if kind == "half":
        return "{13}" if len(text) != 3 else "{14}" if text[0] == "a" else "{15}"
    if kind == "fraction":
        return f"{{12:.{len(text)}}}" + "0" * max(len(text) - 6, 0)
    return mark if kind == "mark" else text.replace("{", "{{").replace("}", "}}")
