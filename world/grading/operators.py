"""Predicates on a cell: every operator of `where` and `set`, typed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, TypeVar

from world.core.clock import DAY, duration, to_datetime
from world.core.json_types import is_array, is_object
from world.core.yaml_document import Place, describe_unknown
from world.grading.cells import Cell, address, loose, members, same
from world.grading.compiler import Column, Compiler
from world.grading.dates import parse_at
from world.grading.errors import EventNotFired
from world.grading.pattern import PatternError, compile_pattern
from world.grading.reasons.clause import How, Phrase, say
from world.grading.scope import Literal, Operand, PersonRef, Scope
from world.grading.values import decimal, duration_us, money, quantity

T = TypeVar("T")

_EPOCH_DAY = to_datetime(0).toordinal()


@dataclass(frozen=True, slots=True)
class Predicate:
    """A test of a cell and how it is said in an explanation; of combined ones, the parts. `place`: in the rubric."""

    test: Callable[[Cell, Scope], bool]
    phrase: Phrase
    how: How = ""
    parts: tuple["Predicate", ...] = ()
    place: Place = ()

    @property
    def text(self) -> str:
        """The predicate in the rubric's own words."""
        return self.phrase(say)


Builder = Callable[[Any, Place, Column, Compiler], Predicate]


def compile_predicate(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
    """The predicate a cell of the rubric asks for; a plain value means equality."""
    if not is_object(raw) or "ref" in raw:
        return replace(_eq(raw, place, column, c), place=place)
    if not raw:
        raise c.error(place, "an empty predicate says nothing; name an operator or a value")
    for key in raw:
        if key not in OPERATORS and key not in MODIFIERS:
            raise c.error((*place, key), describe_unknown("operator", key, [*OPERATORS, *MODIFIERS]))
    modifiers = {key: raw[key] for key in raw if key in MODIFIERS}
    _check_modifiers(raw, modifiers, place, c)
    parts = [
        replace(
            OPERATORS[key](
                {"value": value, **modifiers} if modifiers and key in MODIFIED else value, (*place, key), column, c
            ),
            place=(*place, key),
        )
        for key, value in raw.items()
        if key in OPERATORS
    ]
    return parts[0] if len(parts) == 1 else all_of(parts)


def all_of(parts: Sequence[Predicate]) -> Predicate:
    """True where every part is."""
    return Predicate(
        lambda cell, s: all(p.test(cell, s) for p in parts),
        lambda tell: " and ".join(part.phrase(tell) for part in parts),
        "all_of",
        tuple(parts),
    )


def _check_modifiers(raw: Mapping[str, Any], modifiers: Mapping[str, Any], place: Place, c: Compiler) -> None:
    if modifiers and not any(key in MODIFIED for key in raw):
        name = next(iter(modifiers))
        raise c.error((*place, name), f"{name} belongs beside one of {', '.join(MODIFIED)}")


# equality


def _eq(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
    if is_object(raw) and "value" in raw:
        return _near(raw, place, column, c)
    if is_array(raw):
        return _set_eq(raw, place, column, c)
    operand = c.operand(raw, place, column)
    _check_time(operand, column, place, c)
    if isinstance(operand, Literal):
        return Predicate(lambda cell, s: same(cell, operand.value, s), lambda tell: f"is {tell(raw)}")
    return Predicate(
        lambda cell, s: any(same(cell, wanted, s) for wanted in s.values(operand)), lambda tell: f"is {tell(raw)}"
    )


def _check_time(operand: Operand, column: Column, place: Place, c: Compiler) -> None:
    if column.kind != "time" or not isinstance(operand, Literal) or not isinstance(operand.value, str):
        return
    if parse_at(operand.value) is None:
        raise c.error(place, f"{operand.value!r} is not a time (write 2025-10-20T06:48Z, event.x.start or a ref)")


def _near(raw: Mapping[str, Any], place: Place, column: Column, c: Compiler) -> Predicate:
    operand = c.operand(raw["value"], place, column)
    leeway = _tolerance(raw.get("tol", 0), column, place, c)
    unit = str(raw.get("unit", ""))

    def test(cell: Cell, s: Scope) -> bool:
        own = quantity(cell.value)
        return own is not None and any(
            (w := _rank(v, s)) is not None and own.within(w, unit, leeway) for v in s.values(operand)
        )

    return Predicate(test, lambda tell: f"is {tell(raw['value'])} within {raw.get('tol', 0)}")


def _tolerance(raw: Any, column: Column, place: Place, c: Compiler) -> Decimal:
    number = decimal(raw)
    if column.kind == "time":
        return Decimal(_duration(raw, place, c))
    if number is None or number < 0:
        raise c.error(place, f"{raw!r} is not a tolerance (write a number, or a duration for a time)")
    return number


def _duration(raw: Any, place: Place, c: Compiler) -> int:
    try:
        return duration(raw)
    except (ValueError, AttributeError):
        raise c.error(place, f"{raw!r} is not a duration (write 90s, 20m, 1h30m or 2d)") from None


def _rank(value: Any, s: Scope) -> Decimal | None:
    if isinstance(value, str):
        at = next((a for a in (parse_at(value, zone) for zone in s.zones) if a is not None), None)
        return Decimal(at) if at is not None else decimal(value)
    return decimal(value)


def _ne(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
    inner = _eq(raw, place, column, c)
    return Predicate(lambda cell, s: not inner.test(cell, s), lambda tell: f"is not {tell(raw)}")


def _null(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
    if not isinstance(raw, bool):
        raise c.error(place, "null takes true or false")
    return Predicate(lambda cell, s: (cell.value is None) is raw, lambda _: "is empty" if raw else "is not empty")


# choice and order


def _choices(raw: Any, place: Place, column: Column, c: Compiler) -> list[Predicate]:
    if is_object(raw):
        return [_eq(raw, place, column, c)]
    if not is_array(raw) or not raw:
        raise c.error(place, "takes a list of at least one value")
    return [_eq(item, (*place, index), column, c) for index, item in enumerate(raw)]


def _in(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
    parts = _choices(raw, place, column, c)
    return Predicate(lambda cell, s: any(p.test(cell, s) for p in parts), lambda tell: f"is one of {tell(raw)}")


def _not_in(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
    parts = _choices(raw, place, column, c)
    return Predicate(lambda cell, s: not any(p.test(cell, s) for p in parts), lambda tell: f"is none of {tell(raw)}")


_ORDER: dict[str, tuple[Callable[[Any, Any], bool], str]] = {
    "lt": (lambda a, b: a < b, "is below"),
    "le": (lambda a, b: a <= b, "is at most"),
    "gt": (lambda a, b: a > b, "is above"),
    "ge": (lambda a, b: a >= b, "is at least"),
}


def _build_comparison(name: str) -> Builder:
    compare, words = _ORDER[name]

    def build(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
        operand = c.operand(raw, place, column)
        _check_time(operand, column, place, c)
        return Predicate(
            lambda cell, s: _compare(cell, s.value(operand), s, compare), lambda tell: f"{words} {tell(raw)}"
        )

    return build


def _compare(cell: Cell, wanted: Any, s: Scope, compare: Callable[[Any, Any], bool]) -> bool:
    one, other = _rank(cell.value, s), _rank(wanted, s)
    if one is not None and other is not None:
        return compare(one, other)
    both = isinstance(cell.value, str) and isinstance(wanted, str)
    return both and one is None and other is None and compare(cell.value, wanted)


def _between(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
    if not is_array(raw) or len(raw) != 2:
        raise c.error(place, "between takes [low, high]")
    low = _build_comparison("ge")(raw[0], (*place, 0), column, c)
    high = _build_comparison("le")(raw[1], (*place, 1), column, c)
    return Predicate(lambda cell, s: low.test(cell, s) and high.test(cell, s), lambda tell: f"lies in {tell(raw)}")


# lists


def _compile_operands(raw: Any, place: Place, column: Column, c: Compiler) -> list[Operand]:
    items = raw if is_array(raw) else [raw]
    return [c.operand(item, (*place, index), column) for index, item in enumerate(items)]


def _flat(operands: Sequence[Operand], s: Scope) -> list[Any]:
    return [value for operand in operands for value in s.values(operand)]


def _covers(cells: Sequence[Cell], wanted: Sequence[Any], s: Scope) -> bool:
    return all(any(same(cell, value, s) for cell in cells) for value in wanted)


def _within(cells: Sequence[Cell], wanted: Sequence[Any], s: Scope) -> bool:
    return all(any(same(cell, value, s) for value in wanted) for cell in cells)


def _set_eq(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
    ordered = is_object(raw) and raw.get("ordered") is True
    listed = raw["value"] if is_object(raw) and "value" in raw else raw
    operands = _compile_operands(listed, place, column, c)

    def test(cell: Cell, s: Scope) -> bool:
        cells, wanted = members(cell), _flat(operands, s)
        if ordered:
            return len(cells) == len(wanted) and all(
                same(one, value, s) for one, value in zip(cells, wanted, strict=True)
            )
        return _covers(cells, wanted, s) and _within(cells, wanted, s)

    return Predicate(test, lambda tell: f"is {'the list' if ordered else 'the set'} {tell(listed)}")


def _superset(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
    operands = _compile_operands(raw, place, column, c)
    return Predicate(
        lambda cell, s: _covers(members(cell), _flat(operands, s), s), lambda tell: f"holds all of {tell(raw)}"
    )


def _subset(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
    operands = _compile_operands(raw, place, column, c)
    return Predicate(
        lambda cell, s: _within(members(cell), _flat(operands, s), s), lambda tell: f"holds nothing but {tell(raw)}"
    )


_EACH: Mapping[str, How] = {"any": "any_of", "all": "all_of", "none": "none_of"}


def _each(how: str) -> Builder:
    among = combine_tests(_EACH[how])

    def build(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
        inner = compile_predicate(
            raw, place, Column(column.table, column.name, "element", column.real, column.app, column.target), c
        )
        return Predicate(
            lambda cell, s: among(inner.test(one, s) for one in members(cell)),
            lambda tell: f"{how} of it {inner.phrase(tell)}",
        )

    return build


def _any_domain_not(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
    operands = _compile_operands(raw, place, column, c)

    def test(cell: Cell, s: Scope) -> bool:
        allowed = {str(value).lower().lstrip("@") for value in _flat(operands, s)}
        return any(_domain(one, s) not in allowed for one in members(cell))

    return Predicate(test, lambda tell: f"has an address outside {tell(raw)}")


def _domain(cell: Cell, s: Scope) -> str:
    text = address(str(cell.value))
    if "@" not in text:
        person = s.directory.identify(cell.value, cell.column.app)
        text = s.person(person).email.lower() if person else text
    return text.rpartition("@")[2]


# types and texts


def _matches(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
    try:
        has_form = compile_pattern(str(raw))
    except PatternError as error:
        raise c.error(place, f"{raw!r}: {error}") from None
    return Predicate(
        lambda cell, s: isinstance(cell.value, (str, int, float)) and has_form(str(cell.value)),
        lambda _: f"has the form {raw}",
    )


def _story(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
    if not isinstance(raw, str):
        raise c.error(place, "story takes a handle like payroll or payroll.first_ticket")
    if c.stories is not None and raw not in c.stories:
        raise c.error(place, describe_unknown("story", raw, c.stories))

    def test(cell: Cell, s: Scope) -> bool:
        owned = s.evidence.stories.get(raw, ())
        target = cell.column.target or (cell.column.table if cell.column.is_key else "")
        return any(loose(cell.raw, pk[0]) for table, pk in owned if pk and target in ("", table))

    return Predicate(test, lambda _: f"belongs to the story {raw}")


def _person(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
    operand = c.operand(raw, place, column)

    def test(cell: Cell, s: Scope) -> bool:
        return any(isinstance(wanted, PersonRef) and same(cell, wanted, s) for wanted in s.values(operand))

    return Predicate(test, lambda tell: f"is {tell(raw)}")


def _number(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
    spec = expand_short_form(raw, ("value", "tol", "unit"), place, c)
    operand, tol, unit = c.operand(spec["value"], place), decimal(spec.get("tol", 0)), str(spec.get("unit", ""))

    def test(cell: Cell, s: Scope) -> bool:
        own, wanted = quantity(cell.value), decimal(s.value(operand))
        return own is not None and wanted is not None and own.within(wanted, unit, tol or Decimal(0))

    return Predicate(test, lambda tell: f"is the number {tell(raw)}")


def _money(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
    spec = expand_short_form(raw, ("value", "tol", "currency"), place, c)
    operand, tol, currency = (
        c.operand(spec["value"], place),
        decimal(spec.get("tol", 0)),
        str(spec.get("currency", "USD")),
    )

    def test(cell: Cell, s: Scope) -> bool:
        own, wanted = money(cell.value, currency), decimal(s.value(operand))
        if own is None or wanted is None or own.currency != currency.upper():
            return False
        return abs(own.value - wanted) <= (tol or 0)

    return Predicate(test, lambda tell: f"is the amount {tell(raw)}")


def _datetime(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
    spec = expand_short_form(raw, ("value", "tol"), place, c)
    operand, leeway = c.operand(spec["value"], place), _duration(spec.get("tol", 0), place, c)

    def test(cell: Cell, s: Scope) -> bool:
        own, wanted = _rank(cell.value, s), _rank(s.value(operand), s)
        return own is not None and wanted is not None and abs(own - wanted) <= leeway

    return Predicate(test, lambda tell: f"is the time {tell(raw)}")


def _date(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
    spec = expand_short_form(raw, ("value", "tol"), place, c)
    operand, leeway = c.operand(spec["value"], place), _duration(spec.get("tol", 0), place, c) // DAY

    def test(cell: Cell, s: Scope) -> bool:
        return any(abs(a - b) <= leeway for a in _days(cell.value, s) for b in _days(s.value(operand), s))

    return Predicate(test, lambda tell: f"is the day {tell(raw)}")


def _days(value: Any, s: Scope) -> set[int]:
    """Day numbers a value can mean: a written date is one day, a time is a day in each zone a reader may assume."""
    if isinstance(value, str):
        at = parse_at(value)
        return set() if at is None else {at // DAY}
    if decimal(value) is None:
        return set()
    return {to_datetime(int(value), zone).toordinal() - _EPOCH_DAY for zone in s.zones}


def _length(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
    spec = expand_short_form(raw, ("value", "tol"), place, c)
    wanted, leeway = _duration(spec["value"], place, c), _duration(spec.get("tol", 0), place, c)

    def test(cell: Cell, s: Scope) -> bool:
        own = duration_us(cell.value)
        return own is not None and abs(own - wanted) <= leeway

    return Predicate(test, lambda tell: f"lasts {tell(raw)}")


def expand_short_form(raw: Any, keys: Sequence[str], place: Place, c: Compiler) -> Mapping[str, Any]:
    """A typed value written short (`number: 5`) or long (`number: {value: 5, tol: 1}`)."""
    if not is_object(raw) or "ref" in raw:
        return {"value": raw}
    for key in raw:
        if key not in keys:
            raise c.error((*place, key), describe_unknown("key", key, keys))
    if "value" not in raw:
        raise c.error(place, "needs a value")
    return raw


def _build_combination(how: How) -> Builder:
    def build(raw: Any, place: Place, column: Column, c: Compiler) -> Predicate:
        if not is_array(raw) or not raw:
            raise c.error(place, f"{how} takes a list of at least one predicate")
        parts = [compile_predicate(item, (*place, index), column, c) for index, item in enumerate(raw)]
        return combine(how, parts)

    return build


def combine(how: How, parts: Sequence[Predicate]) -> Predicate:
    """all_of, any_of or none_of predicates of one cell."""
    return Predicate(
        lambda cell, s: decide(how, parts, lambda part: part.test(cell, s)),
        lambda tell: join_phrases(how, [part.phrase(tell) for part in parts]),
        how,
        tuple(parts),
    )


def join_phrases(how: How, said: Sequence[str]) -> str:
    """The words of combined clauses."""
    text = {"all_of": " and ", "any_of": " or ", "none_of": " nor "}[how or "all_of"].join(said)
    return f"neither {text}" if how == "none_of" else text


def combine_tests(how: How) -> Callable[[Iterable[bool]], bool]:
    """Return the function that combines the results of several predicates."""
    return _COMBINE[how]


def decide(how: How, parts: Iterable[T], holds: Callable[[T], bool]) -> bool:
    """Combine what holds of several parts. In any_of, a part that waits for an event that has not happened does not hold.

    Raises EventNotFired, in any_of if no part holds.
    """
    if how != "any_of":
        return _COMBINE[how]([holds(part) for part in parts])
    waits: EventNotFired | None = None
    for part in parts:
        try:
            if holds(part):
                return True
        except EventNotFired as wait:
            waits = waits or wait
    if waits is not None:
        raise waits
    return False


def _none(results: Iterable[bool]) -> bool:
    return not any(results)


_COMBINE: Mapping[How, Callable[[Iterable[bool]], bool]] = {"all_of": all, "any_of": any, "none_of": _none}


MODIFIERS = ("tol", "ordered", "unit")
MODIFIED = ("eq", "set_eq")
OPERATORS: dict[str, Builder] = {
    "eq": _eq,
    "ne": _ne,
    "in": _in,
    "not_in": _not_in,
    "between": _between,
    "null": _null,
    **{name: _build_comparison(name) for name in _ORDER},
    "set_eq": _set_eq,
    "superset": _superset,
    "subset": _subset,
    **{name: _each(name) for name in ("any", "all", "none")},
    "matches": _matches,
    "any_domain_not": _any_domain_not,
    "story": _story,
    "person": _person,
    "number": _number,
    "money": _money,
    "datetime": _datetime,
    "date": _date,
    "duration": _length,
    **{name: _build_combination(name) for name in _COMBINE},
}
