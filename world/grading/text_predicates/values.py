"""Predicates on the typed values that a text states, and on its size."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from world.core.clock import duration
from world.core.yaml_document import Place
from world.grading.compiler import Compiler
from world.grading.dates import moments, parse_at
from world.grading.mentions import entities, names_day, names_number, names_time, numbers
from world.grading.operators import expand_short_form
from world.grading.scope import Literal, Scope
from world.grading.tables import Row
from world.grading.text import Text
from world.grading.text_predicates.predicate import Test, TextPredicate, show_near
from world.grading.values import decimal, moneys


def _number(raw: object, place: Place, c: Compiler) -> TextPredicate:
    spec = expand_short_form(raw, ("value", "tol", "unit"), place, c)
    operand, tol, unit = (
        c.operand(spec["value"], place),
        decimal(spec.get("tol", 0)) or Decimal(0),
        str(spec.get("unit", "")),
    )

    def test(text: Text, _: Row, s: Scope) -> bool:
        wanted = decimal(s.value(operand))
        return wanted is not None and _holds_number(text, wanted, unit, tol)

    return TextPredicate(
        test, lambda tell: f"states the number {tell(raw)}", show=show_near(lambda text: bool(numbers(text)))
    )


def _holds_number(text: Text, wanted: Decimal, unit: str, tol: Decimal) -> bool:
    return (
        any(q.unit and q.within(wanted, unit, tol) for q in numbers(text))
        if unit
        else names_number(text, wanted, "", tol)
    )


def _money(raw: object, place: Place, c: Compiler) -> TextPredicate:
    spec = expand_short_form(raw, ("value", "tol", "currency"), place, c)
    operand, tol, currency = (
        c.operand(spec["value"], place),
        decimal(spec.get("tol", 0)) or Decimal(0),
        str(spec.get("currency", "USD")),
    )

    def test(text: Text, _: Row, s: Scope) -> bool:
        wanted = decimal(s.value(operand))
        found = moneys(text.plain)
        return wanted is not None and any(
            m.currency == currency.upper() and abs(m.value - wanted) <= tol for m in found
        )

    return TextPredicate(
        test, lambda tell: f"states the amount {tell(raw)}", show=show_near(lambda text: bool(moneys(text.plain)))
    )


def _moment(kind: str) -> Callable[[Any, Place, Compiler], TextPredicate]:
    names = names_day if kind == "date" else names_time

    def build(raw: object, place: Place, c: Compiler) -> TextPredicate:
        spec = expand_short_form(raw, ("value", "tol"), place, c)
        operand = c.operand(spec["value"], place)
        try:
            tol = duration(spec.get("tol", 0))
        except (ValueError, AttributeError):
            raise c.error((*place, "tol"), f"{spec.get('tol')!r} is not a duration") from None
        if isinstance(operand, Literal) and parse_at(str(operand.value)) is None:
            raise c.error(place, f"{operand.value!r} is not a {kind} (write 2025-10-20T06:48Z, event.x.start or a ref)")
        return TextPredicate(
            lambda text, _, s: _at(s.value(operand), s, lambda at: names(text, at, s, tol)),
            lambda tell: f"states the {kind} {tell(raw)}",
            show=show_near(lambda text: bool(moments(text.plain))),
        )

    return build


def _at(value: object, s: Scope, test: Callable[[int], bool]) -> bool:
    number = decimal(value)
    at = int(number) if number is not None else parse_at(str(value), s.zones[0])
    return at is not None and test(at)


def _build_bound(name: str) -> Callable[[Any, Place, Compiler], TextPredicate]:
    def build(raw: object, place: Place, c: Compiler) -> TextPredicate:
        if isinstance(raw, bool) or not isinstance(raw, int) or raw < 0:
            raise c.error(place, f"{name} takes a whole number")
        tests: Mapping[str, Test] = {
            "max_chars": lambda text, _, s: len(text.plain) <= raw,
            "min_chars": lambda text, _, s: len(text.plain) >= raw,
            "max_entities": lambda text, _, s: entities(text, s.directory).count <= raw,
        }
        words = {
            "max_chars": "has at most {} characters",
            "min_chars": "has at least {} characters",
            "max_entities": "names at most {} people, ids and amounts",
        }
        sizes: Mapping[str, Callable[[Text, Row, Scope], str]] = {
            "max_chars": lambda text, _, s: f"{len(text.plain)} characters",
            "min_chars": lambda text, _, s: f"{len(text.plain)} characters",
            "max_entities": lambda text, _, s: f"{entities(text, s.directory).count} people, ids and amounts",
        }
        return TextPredicate(tests[name], lambda _: words[name].format(raw), bounds=True, show=sizes[name])

    return build


Compile = Callable[[Any, Place, Compiler], TextPredicate]
TYPED: Mapping[str, Compile] = {"number": _number, "money": _money, "date": _moment("date"), "time": _moment("time")}
BOUNDS: Mapping[str, Compile] = {name: _build_bound(name) for name in ("max_chars", "min_chars", "max_entities")}
