"""References to tables inside formula text, `Sales[Amount]` or `Sales[[#ALL],[Amount]]`: resolution, and renaming.

Source: support.google.com/docs/answer/15637644 (table references).
"""

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import NamedTuple

from apps.sheets.a1 import quote_sheet_name
from apps.sheets.cells import Area
from apps.sheets.engine.tokens import column_letters

LOST = "#REF!"
_TOKEN = re.compile(
    r"""(?P<string>"(?:[^"]++|"")*+"?)|(?P<sheet>'(?:[^']++|'')*+'!?)"""
    r"|(?P<word>[^\W\d][\w.]*+)(?P<inside>\[(?:[^\[\]]++|\[[^\[\]]*+\])*+\])?(?!\s*+[(!]|[\w.])"
)
_PART = re.compile(r"\[([^\[\]]*)\]|([,:\s]+)")
ITEMS = ("#ALL", "#DATA", "#HEADERS", "#TOTALS")


class Table(NamedTuple):
    """A table as formulas see it: its sheet and that sheet's title, its closed area, its columns' names."""

    key: str
    name: str
    sheet: int
    title: str
    area: Area
    columns: tuple[str, ...]
    has_footer: bool

    @property
    def data(self) -> Area:
        """Its rows without header and footer."""
        return self.area._replace(top=self.area.top + 1, bottom=(self.area.bottom or 0) - self.has_footer)

    def rows(self, items: set[str]) -> tuple[int, int] | None:
        """First row and end of the parts asked for; None where it has none of them or they are apart."""
        top, bottom = self.area.top, self.area.bottom or 0
        spans = {
            "#ALL": (top, bottom),
            "#HEADERS": (top, top + 1),
            "#DATA": (top + 1, bottom - self.has_footer),
            "#TOTALS": (bottom - 1, bottom),
        }
        if "#TOTALS" in items and not self.has_footer:
            return None
        wanted = sorted(spans[item] for item in items or {"#DATA"})
        apart = any(one[1] < other[0] for one, other in pairwise(wanted))
        low, high = wanted[0][0], max(span[1] for span in wanted)
        return None if apart or low >= high else (low, high)

    def place(self, name: str) -> int | None:
        """The number of a column."""
        wanted = name.strip().casefold()
        return next((place for place, column in enumerate(self.columns) if column.casefold() == wanted), None)


Tables = Mapping[str, Table]  # by names, letter case aside


def expand_table_references(formula: str, tables: Tables) -> str:
    """Replace a formula's table references by their ranges."""

    def change(token: re.Match[str]) -> str | None:
        table = tables.get(token["word"].casefold())
        return table and _range(table, token["inside"] or "[]")

    return _change_words(formula, change)


def _range(table: Table, inside: str) -> str | None:
    """Return a table reference in A1; `#REF!` for an invalid one; None for any other text."""
    items, names, is_span = _parts(inside)
    if any(item not in ITEMS for item in items):
        return None
    rows, columns = table.rows(items), [table.place(name) for name in names]
    if rows is None or None in columns or len(columns) > 2 or (len(columns) == 2 and not is_span):
        return LOST
    places = [place for place in columns if place is not None] or [0, len(table.columns) - 1]
    left, right = table.area.left + min(places), table.area.left + max(places)
    return f"{quote_sheet_name(table.title)}!${column_letters(left)}${rows[0] + 1}:${column_letters(right)}${rows[1]}"


def _parts(inside: str) -> tuple[set[str], list[str], bool]:
    """The items (`#ALL`) and columns named within brackets, and whether the columns are a span."""
    text = inside[1:-1].strip()
    if not text.startswith("["):
        return ({text.upper()}, [], False) if text.startswith("#") else (set(), [text] if text else [], False)
    parts = [part[1].strip() for part in _PART.finditer(text) if part[1] is not None]
    return (
        {part.upper() for part in parts if part.startswith("#")},
        [part for part in parts if not part.startswith("#")],
        ":" in _gaps(text),
    )


def _gaps(text: str) -> str:
    return "".join(part[2] or "" for part in _PART.finditer(text))


def _change_words(formula: str, change: Callable[[re.Match[str]], str | None]) -> str:
    """A formula with its words changed; None leaves one as written."""

    def each(token: re.Match[str]) -> str:
        found = change(token) if token["word"] else None
        return token[0] if found is None else found

    return _TOKEN.sub(each, formula)


def table_renamed(formula: str, old: str, new: str) -> str:
    """After a table got another name."""
    return _change_words(
        formula, lambda token: new + (token["inside"] or "") if token["word"].casefold() == old.casefold() else None
    )


def table_lost(formula: str, name: str) -> str:
    """After a table was deleted: references to it are `#REF!`."""
    return _change_words(formula, lambda token: LOST if token["word"].casefold() == name.casefold() else None)


def column_renamed(formula: str, table: str, old: str, new: str) -> str:
    """After a column of a table got another name."""

    def change(token: re.Match[str]) -> str | None:
        inside = token["inside"]
        if inside is None or token["word"].casefold() != table.casefold():
            return None
        if not inside[1:-1].strip().startswith("["):
            return f"{token['word']}[{new}]" if _same(inside[1:-1], old) else None
        return token["word"] + re.sub(
            r"\[([^\[\]]*)\]", lambda part: f"[{new}]" if _same(part[1], old) else part[0], inside[1:-1]
        ).join("[]")

    return _change_words(formula, change)


def _same(one: str, other: str) -> bool:
    return one.strip().casefold() == other.strip().casefold()
