"""A workbook while it is written: tabs of cells with looks, what lies on them, and the mess that is registered."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

import orjson

from apps.sheets.cells import Area
from apps.sheets.formats.entry import number_text
from world.core.clock import to_datetime

FIRST_DAY = date(1899, 12, 30).toordinal()
Input = str | int | float | bool | date | None
GREY, AMBER, RED, GREEN = (
    {"red": 0.937, "green": 0.937, "blue": 0.937},
    {"red": 1, "green": 0.949, "blue": 0.8},
    {"red": 0.957, "green": 0.8, "blue": 0.8},
    {"red": 0.851, "green": 0.918, "blue": 0.827},
)


def _fill(colour: Mapping[str, float]) -> dict[str, Any]:
    return {"backgroundColor": dict(colour), "backgroundColorStyle": {"rgbColor": dict(colour)}}


def _number_format(kind: str, pattern: str) -> dict[str, Any]:
    return {"numberFormat": {"type": kind, "pattern": pattern}}


BOLD = {"textFormat": {"bold": True}}
NUMBERS = {
    "eur": _number_format("CURRENCY", "[$€]#,##0.00"),
    "eur0": _number_format("CURRENCY", "[$€]#,##0"),
    "euro": _number_format("CURRENCY", "#,##0.00\u00a0[$€]"),
    "usd": _number_format("CURRENCY", "[$$]#,##0.00"),
    "int": _number_format("NUMBER", "#,##0"),
    "one": _number_format("NUMBER", "0.0"),
    "pct": _number_format("PERCENT", "0.0%"),
    "day": _number_format("DATE", "yyyy-mm-dd"),
    "tag": _number_format("DATE", "dd.mm.yyyy"),
    "us": _number_format("DATE", "mm/dd/yyyy"),
    "month": _number_format("DATE", "mmm yyyy"),
    "time": _number_format("DATE_TIME", "yyyy-mm-dd hh:mm"),
}
# Formats of cells, by names joined with a blank: "eur sum" is an amount in a line of totals.
PARTS: dict[str, dict[str, Any]] = {
    **NUMBERS,
    "head": {**BOLD, **_fill(GREY)},
    "title": {"textFormat": {"bold": True, "fontSize": 14}},
    "mid": {**BOLD, **_fill(GREY), "horizontalAlignment": "CENTER"},
    "sum": {**BOLD, "borders": {"top": {"style": "SOLID", "width": 1, "color": {}}}},
    "bold": BOLD,
    "note": {"textFormat": {"italic": True, "foregroundColor": {"red": 0.4, "green": 0.4, "blue": 0.4}}},
    "wrap": {"wrapStrategy": "WRAP", "verticalAlignment": "TOP"},
    "amber": _fill(AMBER),
    "red": _fill(RED),
    "green": _fill(GREEN),
}
_LOOKS: dict[str, str] = {}


def to_json(value: object) -> str:
    """The canonical JSON of a value."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def look(name: str) -> str | None:
    """The format of a look as it is kept."""
    if name and name not in _LOOKS:
        _LOOKS[name] = to_json({key: value for part in name.split() for key, value in PARTS[part].items()})
    return _LOOKS.get(name)


def serial(at: int, tz: str) -> float:
    """A moment as a spreadsheet in that zone has it, on the minute."""
    local = to_datetime(at, tz)
    return to_serial(datetime(local.year, local.month, local.day, local.hour, local.minute))


def to_serial(local: datetime) -> float:
    """A date and time as a spreadsheet has it."""
    return round(local.toordinal() - FIRST_DAY + (local.hour * 60 + local.minute) / 1440, 9)


def day_of(at: int, tz: str) -> date:
    """The day of a moment in a zone."""
    return to_datetime(at, tz).date()


def letter(column: int) -> str:
    """`A` of 0, `AA` of 26."""
    return (letter(column // 26 - 1) if column >= 26 else "") + chr(65 + column % 26)


@dataclass(slots=True)
class Cell:
    kind: str = ""
    input: str = ""
    look: str = ""
    note: str | None = None
    validation: str | None = None


def encode_input(value: Input) -> tuple[str, str]:
    """Kind and text of what somebody types; a day becomes its number."""
    if value is None:
        return "", ""
    if isinstance(value, bool):
        return "boolean", "TRUE" if value else "FALSE"
    if isinstance(value, date):
        return "number", str(value.toordinal() - FIRST_DAY)
    if isinstance(value, (int, float)):
        return "number", number_text(float(value))
    return ("formula" if value.startswith("=") else "text") if value else "", value


@dataclass(slots=True)
class RangeObject:
    """Object on a range: kind, area, description and, where it has one, a name."""

    kind: str
    area: Area
    spec: dict[str, Any] = field(default_factory=dict)
    name: str = ""


@dataclass(frozen=True, slots=True)
class PlantedError:
    """Something a sheet shows wrongly: where, what kind, and the row that shows the truth (table and id)."""

    kind: str
    at: tuple[int, int]
    witness: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment on a cell: who says what, how many days before now; answers; whether it is settled."""

    at: tuple[int, int]
    by: str
    days: float
    text: str
    answers: tuple[tuple[str, float, str], ...] = ()
    resolved: bool = False


class TabBuilder:
    """One tab. Rows and columns count from 0."""

    def __init__(
        self, title: str, widths: Sequence[int] = (), *, frozen: int = 0, frozen_columns: int = 0, hidden: bool = False
    ) -> None:
        self.title, self.frozen, self.frozen_columns, self.hidden = title, frozen, frozen_columns, hidden
        self.cells: dict[tuple[int, int], Cell] = {}
        self.widths: dict[int, int] = {column: width for column, width in enumerate(widths) if width and width != 100}
        self.covered: set[int] = set()  # hidden columns
        self.things: list[RangeObject] = []
        self.blemishes: list[PlantedError] = []
        self.remarks: list[Remark] = []
        self.events: dict[int, tuple[str, str, str]] = {}  # row -> event, story, part

    @property
    def height(self) -> int:
        """Number of rows in use."""
        return max((row for row, _ in self.cells), default=-1) + 1

    @property
    def width(self) -> int:
        """Number of columns in use."""
        return max((column for _, column in self.cells), default=-1) + 1

    def put(self, row: int, column: int, value: Input, look: str = "", note: str | None = None) -> None:
        """Type one cell."""
        self.cells[row, column] = Cell(*encode_input(value), look, note)

    def line(self, values: Iterable[Input], looks: str | Sequence[str] = "", *, row: int = -1) -> int:
        """Type a row, below the last unless told; its number."""
        at = self.height if row < 0 else row
        for column, value in enumerate(values):
            style = looks if isinstance(looks, str) else looks[column] if column < len(looks) else ""
            if value is not None or style:
                self.cells[at, column] = Cell(*encode_input(value), style)
        return at

    def table(
        self, heads: Sequence[str], rows: Iterable[Sequence[Input]], looks: Sequence[str] = ()
    ) -> tuple[int, int]:
        """A header and its rows; the first and the one after the last row of data."""
        first = self.line(heads, "head") + 1
        end = first
        for row in rows:
            end = self.line(row, looks, row=end) + 1
        return first, end

    def lay(self, kind: str, area: tuple[int, int, int | None, int | None], name: str = "", **spec: object) -> None:
        """Put something on a range."""
        self.things.append(RangeObject(kind, Area(*area), spec, name))

    def merge(self, top: int, left: int, bottom: int, right: int) -> None:
        """One cell of several."""
        self.lay("merge", (top, left, bottom, right))

    def add_filter(self, top: int = 0) -> None:
        """A filter over the table that begins there."""
        self.lay("basic_filter", (top, 0, self.height, self.width))

    def flag(self, area: tuple[int, int, int, int], formula: str, colour: Mapping[str, float]) -> None:
        """Colour the cells for which a formula of the first one holds."""
        rule = {
            "condition": {"type": "CUSTOM_FORMULA", "values": [{"userEnteredValue": formula}]},
            "format": _fill(colour),
        }
        self.lay("conditional_format", area, booleanRule=rule)

    def choices(self, column: int, first: int, last: int, options: Sequence[str]) -> None:
        """Let people choose from a list."""
        values = [{"userEnteredValue": one} for one in options]
        rule = to_json({"condition": {"type": "ONE_OF_LIST", "values": values}, "showCustomUi": True, "strict": False})
        for row in range(first, last):
            self.cells.setdefault((row, column), Cell()).validation = rule


@dataclass(slots=True)
class Paper:
    """One workbook. `handle` is stable over all seeds; `shared` are (whom, role): a seat, @list, `company` or `link`."""

    handle: str
    name: str
    owner: str
    folder: str
    pages: list[TabBuilder]
    made_days: float
    touched_days: float
    touched_by: str = ""
    shared: tuple[tuple[str, str], ...] = ()
    locale: str = "en_US"
    event: str = "e.company"
    starred: tuple[str, ...] = ()
    description: str = ""

    def page(self, title: str) -> TabBuilder:
        """A tab by its title."""
        return next(one for one in self.pages if one.title == title)
