"""Values of a rubric in words, as they are in a run: amounts, names and times, not refs and facts."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from world.core.clock import iso
from world.core.json_types import is_array, is_object
from world.grading.compiler import FACT, Column
from world.grading.effects import row_name
from world.grading.errors import EventNotFired
from world.grading.mentions import row_labels
from world.grading.reasons.clause import Phrase, Teller, say, tell_wanted
from world.grading.reasons.excerpt import shorten
from world.grading.scope import Fact, PersonRef, RefUse, RowRef, Scope
from world.grading.values import decimal

LONG_AGO = 10**14  # a number at least this large is a time in us
LISTED = 8  # values of a list that are told
_MEASURES = ("amount", "money", "number", "count", "percentage", "duration", "time", "date", "datetime", "person")
_TITLES = ("name", "title", "summary", "subject")
SHORT = 60  # characters of a title
_SIGNS = {"percentage": " %"}


def tell_in(s: Scope) -> Teller:
    """Puts values into words as a run has them."""
    return lambda raw: _tell(raw, s)


def tell_both(part: object, name: str, phrase: Phrase, wanted: bool, s: Scope) -> tuple[str, str]:
    """A clause on something of a name, in the rubric's own words and with the run's values; told once, as one clause
    may fail for many rows.
    """
    key = (id(part), name, wanted)
    if key not in s.told:
        s.told[key] = tell_wanted(phrase(say), name, wanted), tell_wanted(phrase(tell_in(s)), name, wanted)
    return s.told[key]


def _tell(raw: object, s: Scope) -> str:
    if is_object(raw):
        return _tell_mapping(raw, s)
    if is_array(raw):
        return _join_values([_tell(one, s) for one in raw])
    values = _values(raw, s)
    if values is not None or not isinstance(raw, str):
        return _join_values([tell_value(one, s) for one in values or (raw,)])
    return f"{raw} (has not happened)" if FACT.fullmatch(raw) else repr(raw)


def _tell_mapping(raw: Mapping[str, Any], s: Scope) -> str:
    if "ref" in raw:
        values = _values(raw, s)
        return str(raw["ref"]) if values is None else _join_values([tell_value(one, s) for one in values])
    kind = next((name for name in _MEASURES if name in raw), "value" if "value" in raw else "")
    if not kind:
        return ", ".join(f"{key} {_tell(value, s)}" for key, value in raw.items())
    inner = raw[kind]
    if is_object(inner) and "ref" not in inner:
        return _tell_mapping({**inner, **{key: value for key, value in raw.items() if key != kind}}, s)
    return _phrase_measure(inner, raw, kind, s)


def _phrase_measure(value: object, about: Mapping[str, Any], kind: str, s: Scope) -> str:
    found = _values(value, s)
    one = found[0] if found and len(found) == 1 else value
    number, tol = decimal(one), about.get("tol")
    leeway = f" ± {tol}" if tol else ""
    if number is None or abs(number) >= LONG_AGO:
        return f"{_tell(value, s)}{leeway}"
    if "currency" in about or kind in ("amount", "money"):
        return f"{tell_amount(number, str(about.get('currency', 'USD')))}{leeway}"
    unit = f" {about['unit']}" if "unit" in about else _SIGNS.get(kind, "")
    return f"{number}{unit}{leeway}"


def tell_amount(number: Decimal, currency: str) -> str:
    """`EUR 1,234.50`."""
    exact = number == round(number, 2)
    return f"{currency.upper()} {number:,.2f}" if exact else f"{currency.upper()} {number:,}"


def _values(raw: object, s: Scope) -> tuple[Any, ...] | None:
    """Return the values of a ref or fact; None for a plain value, or for an event that has not happened."""
    try:
        if is_object(raw) and "ref" in raw:
            return s.values(RefUse(str(raw["ref"]), raw.get("field")))
        if isinstance(raw, str) and FACT.fullmatch(raw):
            return s.values(Fact(raw))
    except EventNotFired:
        return None
    return None


def _join_values(texts: list[str]) -> str:
    return ", ".join(texts[:LISTED]) + (f" and {len(texts) - LISTED} more" if len(texts) > LISTED else "")


def tell_value(value: object, s: Scope, column: Column | None = None) -> str:
    """Word a value of the run: a person by name, a row by its label, a time as a time."""
    if isinstance(value, PersonRef):
        return s.person(value.id).full_name or value.id
    if isinstance(value, RowRef):
        return tell_row(value, s)
    if value is None:
        return "empty"
    if is_array(value):
        return _join_values([tell_value(one, s, column) for one in value]) or "nothing"
    if isinstance(value, int) and not isinstance(value, bool) and value >= LONG_AGO:
        return iso(value)
    if column is not None and column.target:
        return _phrase_key(value, s, column)
    return _describe_name(value, s, column) if isinstance(value, str) else str(value)


def tell_row(row: RowRef, s: Scope) -> str:
    """Return the name of a row, with its title where it has one; else its key."""
    labels = row_labels(row, s.table(row.table))
    label = labels[-1] if labels else row_name(row.table, row.pk)
    title = next((str(row.row[name]) for name in _TITLES if row.row.get(name)), label)
    return label if title == label else f"{label} “{shorten(title, SHORT)}”"


def _phrase_key(value: object, s: Scope, column: Column) -> str:
    """Word a key by the label of the row it points to."""
    if column.target == "person" or column.name != column.real:
        return _describe_name(str(value), s, column)
    row = s.changes.final.row(column.target, (value,)) if len(s.table(column.target).key) == 1 else None
    return str(value) if row is None else tell_row(RowRef(column.target, (value,), row), s)


def _describe_name(value: str, s: Scope, column: Column | None) -> str:
    person = s.directory.identify(value, column.app if column else "") if column is not None else None
    name = s.person(person).full_name if person else ""
    return f"{name} ({value})" if name and name != value else repr(shorten(value))
