"""Filters of a pivot table's source rows."""

from collections.abc import Callable, Sequence
from typing import Any

from apps.sheets import formats
from apps.sheets.cells import Fault, Value
from apps.sheets.engine.functions.texts import wild_whole
from apps.sheets.engine.pivots.groups import to_plain_text
from apps.sheets.vendor_types import NumberFormat

Spec = dict[str, Any]
Test = Callable[[Value], bool]


def filter_rows(spec: Spec, rows: list[list[Value]], locale: str) -> list[list[Value]]:
    """Return the rows that pass all filters. A condition's values are parsed already: `number` or `text`."""
    kinds = spec.get("kinds") or {}
    tests = [
        (column, _test(one.get("filterCriteria") or {}, kinds.get(str(column)), locale))
        for one in spec.get("filterSpecs") or []
        if (column := one.get("columnOffsetIndex") or 0) >= 0
    ]
    return [row for row in rows if all(test(row[column]) for column, test in tests)]


def _test(criteria: Spec, kind: NumberFormat | None, locale: str) -> Test:
    """Return the test whether a value is shown."""
    condition, visible = criteria.get("condition"), set(criteria.get("visibleValues") or [])
    listed = bool(criteria.get("visibleByDefault")) or ("visibleValues" not in criteria and condition is not None)
    holds: Test = _condition(condition) if condition else lambda _: True

    def is_shown(value: Value) -> bool:
        return (
            listed or to_plain_text(value) in visible or formats.format_value(value, kind, locale) in visible
        ) and holds(value)

    return is_shown


def _condition(condition: Spec) -> Test:
    kind, values = condition["type"], [one.get("number", one.get("text")) for one in condition.get("values") or []]
    if kind in ("BLANK", "NOT_BLANK"):
        return lambda value: (value in (None, "")) is (kind == "BLANK")
    if kind.startswith("TEXT_"):
        return lambda value: (
            not isinstance(value, Fault)
            and TEXTS[kind](to_plain_text(value).casefold(), to_plain_text(values[0]).casefold())
        )

    def holds(value: Value) -> bool:
        number = float(value // 1) if kind.startswith("DATE_") and isinstance(value, float) else value
        return (
            isinstance(number, float)
            and all(isinstance(one, float) for one in values)
            and NUMBERS[kind](number, values)
        )

    return holds


def _contains(text: str, wanted: str) -> bool:
    return wild_whole(f"*{wanted}*", text) if any(mark in wanted for mark in "*?") else wanted in text


TEXTS: dict[str, Callable[[str, str], bool]] = {
    "TEXT_CONTAINS": _contains,
    "TEXT_NOT_CONTAINS": lambda text, wanted: not _contains(text, wanted),
    "TEXT_STARTS_WITH": str.startswith,
    "TEXT_ENDS_WITH": str.endswith,
    "TEXT_EQ": str.__eq__,
    "TEXT_NOT_EQ": str.__ne__,
}
COMPARISONS: dict[str, Callable[[float, Sequence[float]], bool]] = {
    "GREATER": lambda value, told: value > told[0],
    "GREATER_THAN_EQ": lambda value, told: value >= told[0],
    "LESS": lambda value, told: value < told[0],
    "LESS_THAN_EQ": lambda value, told: value <= told[0],
    "EQ": lambda value, told: value == told[0],
    "NOT_EQ": lambda value, told: value not in told,
    "BETWEEN": lambda value, told: min(told) <= value <= max(told),
    "NOT_BETWEEN": lambda value, told: not min(told) <= value <= max(told),
}
NUMBERS = {f"NUMBER_{name}": compare for name, compare in COMPARISONS.items()} | {
    f"DATE_{name}": COMPARISONS[kind] for name, kind in (("EQ", "EQ"), ("BEFORE", "LESS"), ("AFTER", "GREATER"))
}
CONDITIONS = frozenset(("BLANK", "NOT_BLANK", *TEXTS, *NUMBERS))
