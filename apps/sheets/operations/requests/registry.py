"""The kinds of request a batchUpdate may hold, each a function of the spreadsheet and its arguments that gives the
reply.
"""

from collections.abc import Callable
from typing import Any

from apps.sheets import a1
from apps.sheets.cells import Area
from apps.sheets.operations.field_mask import FieldMask
from apps.sheets.operations.requests.shapes import is_known
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject
from world.core.errors import OperationError
from world.core.json_types import JsonObject

Handler = Callable[[Spreadsheet, "RequestArguments"], JsonObject | None]
KINDS: dict[str, Handler] = {}


class RequestArguments:
    """The arguments of one request; `kind` and `place` are for what is said of a wrong one."""

    def __init__(self, given: CheckedObject, kind: str, place: int) -> None:
        self.given, self.kind, self.place = given, kind, place

    def get(self, name: str, default: object = None) -> Any:
        """An argument, or the default."""
        found = self.given.get(name)
        return default if found is None else found

    def need(self, name: str) -> Any:
        """An argument that must be there. Raises bad_request."""
        found = self.given.get(name)
        if found is None:
            raise self.wrong(f"{name} is required.")
        return found

    def wrong(self, problem: str) -> OperationError:
        """A refusal in the vendor's form: `Invalid requests[0].addSheet: …`."""
        return OperationError("bad_request", place=self.place, kind=self.kind, problem=problem)

    def claim(self, book: Spreadsheet, area: Area) -> None:
        """Count the cells of a closed area that will be changed. Raises bad_request."""
        book.claim(((area.bottom or 0) - area.top) * ((area.right or 0) - area.left))

    def fields(self) -> FieldMask:
        """The field mask. Raises fields_missing, bad_fields."""
        found = FieldMask.parse(self.given.get("fields"))
        if not all(name == "*" or is_known(name) for name in found.names()):
            raise OperationError("bad_fields", fields=self.given["fields"])
        return found

    def grid(self, book: Spreadsheet, name: str = "range") -> tuple[Tab, Area]:
        """A GridRange on its sheet, as wide open as it is given. Raises no_sheet, bad_request, beyond_grid."""
        return self.range_of(book, self.need(name))

    def range_of(self, book: Spreadsheet, given: CheckedObject) -> tuple[Tab, Area]:
        """A GridRange object on its sheet."""
        tab = self._grid(book, given)
        top, left = given.get("startRowIndex") or 0, given.get("startColumnIndex") or 0
        area = Area(top, left, given.get("endRowIndex"), given.get("endColumnIndex"))
        if (
            top < 0
            or left < 0
            or (area.bottom is not None and area.bottom <= top)
            or (area.right is not None and area.right <= left)
        ):
            raise self.wrong("GridRange is empty or reversed.")
        if top >= tab.rows or left >= tab.columns or (area.bottom or 0) > tab.rows or (area.right or 0) > tab.columns:
            raise beyond(tab, area, place=self.place, kind=self.kind)
        return tab, area

    def _grid(self, book: Spreadsheet, given: CheckedObject) -> Tab:
        tab = book.tab(given.get("sheetId") or 0)
        if not tab.is_grid:
            raise self.wrong(f"Sheet {tab.gid} is not a grid.")
        return tab

    def cell(self, book: Spreadsheet, name: str) -> tuple[Tab, int, int]:
        """A GridCoordinate: sheet, row, column."""
        given = self.need(name)
        if not isinstance(given, dict):
            raise self.wrong(f"{name} must be a GridCoordinate.")
        return self.coordinate(book, given)

    def coordinate(self, book: Spreadsheet, given: CheckedObject) -> tuple[Tab, int, int]:
        """A GridCoordinate object."""
        tab = self._grid(book, given)
        row, column = given.get("rowIndex") or 0, given.get("columnIndex") or 0
        for word, at, size in (("row", row, tab.rows), ("column", column, tab.columns)):
            if at < 0:
                raise self.wrong(f"GridCoordinate.{word}Index[{at}] must be greater than or equal to 0.")
            if at >= size:
                raise self.wrong(f"GridCoordinate.{word}Index[{at}] is after last {word} in grid[{size - 1}]")
        return tab, row, column


class SingleRequest(RequestArguments):
    """The arguments of what is no request of a batch."""

    def wrong(self, problem: str) -> OperationError:
        """A refusal without a place."""
        return OperationError("bad_request", problem=problem)

    def range_of(self, book: Spreadsheet, given: CheckedObject) -> tuple[Tab, Area]:
        """A GridRange object on its sheet."""
        try:
            return super().range_of(book, given)
        except OperationError as error:
            error.detail = {name: value for name, value in error.detail.items() if name not in ("place", "kind")}
            raise


def beyond(tab: Tab, area: Area, **facts: object) -> OperationError:
    """The refusal of a range that does not lie on its sheet."""
    return OperationError(
        "range_beyond_sheet",
        range=a1.text(tab.title, area, tab.rows, tab.columns),
        rows=tab.rows,
        columns=tab.columns,
        **facts,
    )


def request(kind: str) -> Callable[[Handler], Handler]:
    """Declare a kind of request."""

    def declare(handler: Handler) -> Handler:
        KINDS[kind] = handler
        return handler

    return declare
