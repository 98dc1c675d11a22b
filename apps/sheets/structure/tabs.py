"""The sheets of a spreadsheet, as they are kept."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from apps.sheets.json_columns import decode_object
from apps.sheets.structure.line_order import NATURAL, LineOrder
from apps.sheets.vendor_types import CheckedObject

ORDER = "order"  # of lines, among a sheet's properties as they are kept


@dataclass(slots=True)
class Tab:
    """A sheet of the spreadsheet."""

    id: int
    gid: int
    title: str
    position: int
    rows: int
    columns: int
    frozen_rows: int
    frozen_columns: int
    hidden: bool
    properties: CheckedObject = field(default_factory=dict)
    down: LineOrder = NATURAL
    across: LineOrder = NATURAL

    @property
    def is_grid(self) -> bool:
        """Whether it has cells: all but the sheets of charts have."""
        return self.properties.get("sheetType", "GRID") == "GRID"

    @property
    def is_natural(self) -> bool:
        """Whether rows and columns stand where their numbers in the tables say."""
        return self.down.is_natural and self.across.is_natural

    def to_stored_properties(self) -> CheckedObject:
        """Its properties as they are kept, with the order of its lines."""
        order = {"down": self.down.to_json(), "across": self.across.to_json()}
        return self.properties if self.is_natural else {**self.properties, ORDER: order}


def read_tab(row: Sequence[Any]) -> Tab:
    """A sheet of its row."""
    id, gid, title, position, height, width, frozen_rows, frozen_columns, hidden, properties = row
    kept = decode_object(properties)
    order = kept.pop(ORDER, {})
    tab = Tab(id, gid, title, position, height, width, frozen_rows, frozen_columns, bool(hidden), kept)
    tab.down, tab.across = LineOrder.read(order.get("down")), LineOrder.read(order.get("across"))
    return tab
