"""Stored pivot tables: definitions on a cell, whose values fill the cells below and to the right.

For the engine a pivot table is a formula that gives an array; no person can type its function.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import orjson

from apps.sheets import a1
from apps.sheets.cells import Area, Entry
from apps.sheets.engine.registry import OURS, PIVOT
from apps.sheets.engine.tokens import decimal_comma
from apps.sheets.formats import entry as typing_
from apps.sheets.structure.grid_ranges import bounds
from apps.sheets.vendor_types import CheckedObject, NumberFormat

KIND = "pivot_table"
MOST_TEXT = 40_000  # characters of one definition
_WORD = re.compile(r"""("(?:[^"]|"")*"?)|'((?:[^']|'')*)'(?!!)|([^\W\d][\w.]*)(?!\s*[(!]|[\w.])""")
LOST = Entry("formula", "=#REF!")


class Pivot(NamedTuple):
    """A pivot table: its object's row, its sheet and cell, and the vendor's definition."""

    id: int
    sheet: int
    row: int
    column: int
    spec: CheckedObject


class Source(NamedTuple):
    """Source of a pivot table: a sheet's title, closed area, column names, and number formats of the first data row."""

    title: str
    area: Area
    heads: Sequence[str]
    kinds: Mapping[int, NumberFormat]


def source_area(spec: CheckedObject, rows: int, columns: int) -> Area:
    """The source's cells on a sheet of that size."""
    return bounds(spec["source"]).within(rows, columns)


def entry(spec: CheckedObject, source: Source, locale: str, now: int, zone: str) -> Entry:
    """Return the engine's formula for a pivot table."""
    told = {name: spec[name] for name in ("rows", "columns", "values", "valueLayout") if spec.get(name)}
    filters = [_filter(one, locale, now, zone) for one in filter_specs(spec)]
    told |= {"filterSpecs": filters, "kinds": {str(column): kind for column, kind in source.kinds.items()}}
    text = orjson.dumps(told).decode().replace('"', '""')
    separator = ";" if decimal_comma(locale) else ","
    formulas = [
        f"{separator}{_lambda(value, source.heads, separator)}"
        for value in spec.get("values") or []
        if "formula" in value
    ]
    where = a1.text(source.title, source.area, 0, 0)
    return Entry("formula", f'={PIVOT}({where}{separator}"{OURS}{text}"{"".join(formulas)})')


def filter_specs(spec: CheckedObject) -> list[CheckedObject]:
    """The filters, of which older definitions have a map by columns."""
    if "filterSpecs" in spec:
        return list(spec["filterSpecs"])
    return [
        {"columnOffsetIndex": int(column), "filterCriteria": one}
        for column, one in sorted((spec.get("criteria") or {}).items())
    ]


def to_pivot_table(spec: CheckedObject) -> CheckedObject:
    """Render a PivotTable for responses: filters in both of their forms."""
    filters = filter_specs(spec)
    criteria = {str(one.get("columnOffsetIndex") or 0): one.get("filterCriteria") or {} for one in filters}
    return {
        **spec,
        **({"filterSpecs": filters, "criteria": criteria} if filters else {}),
        "valueLayout": spec.get("valueLayout", "HORIZONTAL"),
    }


def _filter(spec: CheckedObject, locale: str, now: int, zone: str) -> CheckedObject:
    """A filter whose condition's values are read."""
    criteria = spec.get("filterCriteria") or {}
    condition = criteria.get("condition")
    if not condition:
        return spec
    values: list[CheckedObject] = []
    for one in condition.get("values") or []:
        text = str(one.get("userEnteredValue") or "")
        found = typing_.parse_entry(text, locale, now, zone).entry
        values.append({"number": float(found.input)} if found.kind == "number" else {"text": text})
    return {**spec, "filterCriteria": {**criteria, "condition": {"type": condition["type"], "values": values}}}


def _lambda(value: CheckedObject, heads: Sequence[str], separator: str) -> str:
    """Return a calculated value's formula, as a function of columns by name."""
    parameters = [f"pivot_{place}" for place in range(len(heads))]
    names = dict(zip([head.casefold() for head in heads], parameters, strict=True))

    def rename_field(token: re.Match[str]) -> str:
        word = token[2].replace("''", "'") if token[2] is not None else token[3]
        return token[0] if word is None else names.get(word.casefold(), token[0])

    written = _WORD.sub(rename_field, str(value["formula"])[1:])
    return f"LAMBDA({separator.join([*parameters, written])})"
