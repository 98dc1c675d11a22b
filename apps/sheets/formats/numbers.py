"""Display of a number by a pattern of digits, and the automatic format."""

import re
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from apps.sheets.formats.locales import Locale
from apps.sheets.formats.pattern import Token, slash_of

_EXACT = Context(prec=4_000, rounding=ROUND_HALF_UP)
_MOST_EXPONENT_DIGITS, _MOST_DENOMINATOR_DIGITS = 8, 5


def automatic(value: float, locale: Locale) -> str:
    """A number without a format: whole up to 15 digits, else 10 significant digits, 6 beside an exponent."""
    size = abs(value)
    if value == int(value) and size < 1e15:
        return str(int(value))
    if not 1e-4 <= size < 1e15:
        mantissa, exponent = f"{value:.5E}".split("E")
        return f"{_trim_zeros(mantissa)}E{exponent}".replace(".", locale.decimal)
    text = (
        f"{value:.10g}"
        if size < 9_999_999_999.5
        else str(int(Decimal(repr(value)).quantize(Decimal(1), ROUND_HALF_UP, _EXACT)))
    )
    return text if locale.decimal == "." else text.replace(".", locale.decimal)


def _trim_zeros(mantissa: str) -> str:
    return mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa


class Plan(NamedTuple):
    """A number section made ready: where the digits stand, and by how many powers of ten the value is moved."""

    whole: tuple[Token, ...]
    fraction: tuple[Token, ...]
    point: bool
    grouped: bool
    shift: int
    exponent: tuple[Token, ...]
    quotient: tuple[Token, ...]


@lru_cache(maxsize=1024)
def plan_of(tokens: tuple[Token, ...]) -> Plan:
    """The plan of a section's tokens."""
    slash = slash_of(tokens)
    power = next((index for index, token in enumerate(tokens) if token.kind == "exponent"), len(tokens))
    tokens, exponent = tokens[:power], tokens[power:]
    if slash is not None:
        start = slash
        while start and tokens[start - 1].kind == "digit":
            start -= 1
        tokens, quotient = tokens[:start], tokens[start:]
    else:
        quotient = ()
    point = next((index for index, token in enumerate(tokens) if token.kind == "point"), len(tokens))
    whole, grouped, thousands = _commas(tokens[:point])
    fraction, _, more = _commas(tokens[point + 1 :])
    percents = sum(token.kind == "percent" for token in (*tokens, *exponent, *quotient))
    return Plan(
        whole, fraction, point < len(tokens), grouped, 2 * percents - 3 * (thousands + more), exponent, quotient
    )


def _commas(tokens: tuple[Token, ...]) -> tuple[tuple[Token, ...], bool, int]:
    """The tokens without their commas: whether they group, and how often they divide by a thousand."""
    places = [index for index, token in enumerate(tokens) if token.kind == "digit"]
    last = places[-1] if places else -1
    kept = [
        token
        for index, token in enumerate(tokens)
        if token.kind != "comma" or index < (places[0] if places else len(tokens))
    ]
    grouped = (
        any(token.kind == "comma" and places[0] < index < last for index, token in enumerate(tokens))
        if places
        else False
    )
    thousands = 0
    while places and last + 1 + thousands < len(tokens) and tokens[last + 1 + thousands].kind == "comma":
        thousands += 1
    return tuple(kept), grouped, thousands


def format_number(value: float, tokens: tuple[Token, ...], locale: Locale) -> str:
    """The text of a number that is not negative."""
    plan = plan_of(tokens)
    number = Decimal(repr(value)).scaleb(plan.shift, _EXACT)
    if plan.quotient:
        return _quotient(number, plan, locale)
    if plan.exponent:
        return _scientific(number, plan, locale)
    return _decimal(number, plan, locale)


class Plain(NamedTuple):
    """A pattern that the formatting of floats can follow: `#,##0.00`, `0.0%`, with text before and behind."""

    before: str
    behind: str
    places: int
    written: str
    finer: str
    shift: int
    marks: dict[int, str] | None


def plain_of(tokens: tuple[Token, ...], locale: Locale) -> Plain | None:
    """The quick way of a section; None where digits have to be set one by one."""
    plan = plan_of(tokens)
    digits = [index for index, token in enumerate(tokens) if token.kind in ("digit", "point", "comma")]
    if (
        plan.exponent
        or plan.quotient
        or not digits
        or digits[-1] - digits[0] + 1 != len(digits)
        or plan.shift not in (0, 2)
    ):
        return None
    core = "".join(token.text for token in tokens[digits[0] : digits[-1] + 1])
    if not re.fullmatch(r"(#,##0|#*0)(\.0{1,4})?", core):
        return None
    places = len(core.partition(".")[2])
    before, behind = ("".join(token.text for token in part) for part in (tokens[: digits[0]], tokens[digits[-1] + 1 :]))
    marks = (
        None if locale.decimal == "." and locale.group == "," else {ord(","): locale.group, ord("."): locale.decimal}
    )
    return Plain(
        before, behind, places, f"{',' if plan.grouped else ''}.{places}f", f".{places + 4}f", plan.shift, marks
    )


def format_plain(value: float, plain: Plain) -> str | None:
    """The text of a number that is not negative; None where floats could round otherwise than the digits on paper."""
    if plain.shift:
        value *= 100
    if value >= 1e7 or (plain.finer and "4990" < format(value, plain.finer)[-4:] < "5010"):
        return None
    text = format(value, plain.written)
    return f"{plain.before}{text if plain.marks is None else text.translate(plain.marks)}{plain.behind}"


def _decimal(number: Decimal, plan: Plan, locale: Locale) -> str:
    count = sum(token.kind == "digit" for token in plan.fraction)
    digits = format(number.quantize(Decimal(1).scaleb(-count), ROUND_HALF_UP, _EXACT), "f")
    whole, _, fraction = digits.partition(".")
    point = locale.decimal if plan.point else ""
    return (
        _whole(whole.lstrip("0"), plan.whole, locale.group if plan.grouped else "")
        + point
        + _fraction(fraction, plan.fraction)
    )


def _whole(digits: str, tokens: tuple[Token, ...], group: str) -> str:
    """Digits set from the right into their places; what is left over goes before the first one."""
    places = sum(token.kind == "digit" for token in tokens)
    rest, done = list(digits), 0
    written: list[str] = []
    for token in reversed(tokens):
        if token.kind != "digit":
            written.append(token.text)
            continue
        places -= 1
        taken = [rest.pop() if rest else _pad_digit(token.text)]
        if not places:
            taken += reversed(rest)
        for digit in taken:
            if digit and group and done and done % 3 == 0:
                written.append(group if digit != " " else " ")
            written.append(digit)
            done += bool(digit)
    return "".join(reversed(written))


def _pad_digit(place: str) -> str:
    return {"0": "0", "#": "", "?": " "}[place]


def _fraction(digits: str, tokens: tuple[Token, ...]) -> str:
    """Digits after the point; zeros at the end are dropped at a `#` and blank at a `?`."""
    kept = len(digits.rstrip("0"))
    written: list[str] = []
    at = 0
    for token in tokens:
        if token.kind == "digit":
            written.append(digits[at] if at < kept else _pad_digit(token.text))
            at += 1
        else:
            written.append(token.text)
    return "".join(written)


def _scientific(number: Decimal, plan: Plan, locale: Locale) -> str:
    places = max(sum(token.kind == "digit" for token in plan.whole), 1)
    count = sum(token.kind == "digit" for token in plan.fraction)
    power = _power(number, places)
    mantissa = number.scaleb(-power, _EXACT)
    rounded = mantissa.quantize(Decimal(1).scaleb(-count), ROUND_HALF_UP, _EXACT)
    if rounded >= Decimal(10) ** places:
        power += places
        mantissa = number.scaleb(-power, _EXACT)
    sign = "-" if power < 0 else "+" if plan.exponent[0].text[1] == "+" else ""
    width = min(sum(token.kind == "digit" and token.text == "0" for token in plan.exponent), _MOST_EXPONENT_DIGITS)
    behind = "".join(token.text for token in plan.exponent[1:] if token.kind != "digit")
    return f"{_decimal(mantissa, plan, locale)}{plan.exponent[0].text[0]}{sign}{str(abs(power)).zfill(width)}{behind}"


def _power(number: Decimal, places: int) -> int:
    """The exponent: any for one place before the point, a multiple of the places for more of them."""
    return number.adjusted() // places * places if number else 0


def _quotient(number: Decimal, plan: Plan, locale: Locale) -> str:
    """A fraction such as `0 3/13`: the best one whose denominator has as many digits as the pattern, or the one written
    there.
    """
    slash = next(index for index, token in enumerate(plan.quotient) if token.kind == "slash")
    over, under = plan.quotient[:slash], plan.quotient[slash + 1 :]
    size = next(
        (index for index, token in enumerate(under) if token.kind != "digit" and not token.text.isdigit()), len(under)
    )
    has_whole = any(token.kind == "digit" for token in plan.whole)
    whole = int(number) if has_whole else 0
    top, bottom = _nearest(Fraction(number) - whole, under[:size])
    if has_whole and top == bottom:
        whole, top = whole + 1, 0
    behind = "".join(token.text for token in under[size:])
    front = _whole(str(whole).lstrip("0"), plan.whole, locale.group if plan.grouped else "")
    if not top and has_whole:
        return (front.rstrip() or "0") + behind
    return f"{front}{_whole(str(top).lstrip('0'), over, '')}/{_under(bottom, under[:size])}{behind}"


def _nearest(part: Fraction, under: tuple[Token, ...]) -> tuple[int, int]:
    written = "".join(token.text for token in under)
    if written.isdigit() and int(written):
        bottom = int(written[:9])
        return int(part * bottom + Fraction(1, 2)), bottom
    found = part.limit_denominator(10 ** min(len(written), _MOST_DENOMINATOR_DIGITS) - 1)
    return found.numerator, found.denominator


def _under(bottom: int, under: tuple[Token, ...]) -> str:
    return str(bottom).ljust(sum(token.text == "?" for token in under))
