"""Short ways to ask for changes of Ada's budget and to see what is there then."""

from collections.abc import Callable
from typing import Any

import orjson

from apps.sheets.operations.requests import KINDS
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.grid_ranges import bounds
from tests.apps.sheets.conftest import BUDGET, Say
from world.core.errors import OperationError


def lines(axis: str, start: int, end: int, sheet: int = 0) -> dict[str, Any]:
    """A DimensionRange."""
    return {"sheetId": sheet, "dimension": axis, "startIndex": start, "endIndex": end}


def grid(top: int, left: int, bottom: int, right: int, sheet: int = 0) -> dict[str, Any]:
    """A GridRange."""
    return {
        "sheetId": sheet,
        "startRowIndex": top,
        "startColumnIndex": left,
        "endRowIndex": bottom,
        "endColumnIndex": right,
    }


def place(row: int, column: int, sheet: int = 0) -> dict[str, Any]:
    """A GridCoordinate."""
    return {"sheetId": sheet, "rowIndex": row, "columnIndex": column}


TABLE = grid(0, 0, 5, 4)


def spec(column: int, **criterion: Any) -> dict[str, Any]:
    """A FilterSpec."""
    return {"columnIndex": column, "filterCriteria": criterion}


def data(*area: int) -> dict[str, Any]:
    """A ChartData."""
    return {"sourceRange": {"sources": [grid(*area)]}}


BARS = {
    "title": "Spend",
    "basicChart": {
        "chartType": "COLUMN",
        "domains": [{"domain": data(0, 0, 3, 1)}],
        "series": [{"series": data(0, 1, 3, 2)}],
    },
}
SPOT = {"overlayPosition": {"anchorCell": place(6, 1), "offsetXPixels": 4}}


def metadata(where: dict[str, Any], key: str = "owner", **more: Any) -> dict[str, Any]:
    """A DeveloperMetadata to create."""
    return {"metadataKey": key, "metadataValue": "ada", "visibility": "DOCUMENT", "location": where, **more}


class Asking:
    """One spreadsheet, asked by people of the small company."""

    def __init__(self, say: Say, key: str = BUDGET) -> None:
        self.say, self.key = say, key

    def batch(self, *requests: dict[str, Any], who: str = "ada") -> list[Any]:
        """The replies of a batch."""
        return self.say("spreadsheets.batchUpdate", who, spreadsheetId=self.key, requests=list(requests))["replies"]

    def one(self, kind: str, who: str = "ada", **given: Any) -> Any:
        """The reply of one request; None for one that has none."""
        return self.batch({kind: given}, who=who)[0].get(kind)

    def refused(self, kind: str, who: str = "ada", **given: Any) -> tuple[str, str]:
        """Code and sentence of a refusal; nothing may have changed by it."""
        before = self.everything()
        try:
            self.one(kind, who, **given)
        except OperationError as error:
            assert self.everything() == before
            return error.code, str(error.detail.get("problem", ""))
        raise AssertionError(f"{kind} was not refused")

    def values(self, text: str = "Sheet1", **how: Any) -> list[list[Any]]:
        """What a range shows."""
        return self.say("spreadsheets.values.get", spreadsheetId=self.key, range=text, **how).get("values", [])

    def typed(self, text: str = "Sheet1") -> list[list[Any]]:
        """What was typed into a range."""
        return self.values(text, valueRenderOption="FORMULA")

    def put(self, text: str, values: list[list[Any]]) -> None:
        """Type into a range."""
        self.say(
            "spreadsheets.values.update",
            spreadsheetId=self.key,
            range=text,
            valueInputOption="USER_ENTERED",
            values=values,
        )

    def sheet(self, number: int = 0, **how: Any) -> dict[str, Any]:
        """A sheet as described."""
        sheets = self.say("spreadsheets.get", spreadsheetId=self.key, **how)["sheets"]
        return next(one for one in sheets if one["properties"]["sheetId"] == number)

    def within(self, deed: Callable[[Spreadsheet], Any]) -> None:
        """Do something with the spreadsheet in a call of Ada's."""

        def done(book: Spreadsheet, _: object) -> None:
            deed(book)

        KINDS["deed"] = done
        try:
            self.batch({"deed": {}})
        finally:
            del KINDS["deed"]

    def lay(self, kind: str, where: dict[str, Any] | None, spec: dict[str, Any] | None = None, name: str = "") -> None:
        """Put something on a range of the first sheet, as the requests about it do."""
        area = None if where is None else bounds(where)
        self.within(lambda book: book.add_object(kind, book.tabs[0], area, spec or {}, name=name))

    def laid(self, kind: str) -> Any:
        """The description of the first thing of a kind; None where there is none."""
        found: list[Any] = []
        sql = "SELECT spec FROM sheets_object WHERE kind = :kind ORDER BY id"
        self.within(lambda book: found.extend(orjson.loads(row[0]) for row in book.call.all(sql, {"kind": kind})))
        return found[0] if found else None

    def everything(self) -> Any:
        """The spreadsheet with all cells."""
        return self.say("spreadsheets.get", spreadsheetId=self.key, includeGridData=True, ranges=["A1:J40"]), [
            self.say("spreadsheets.get", spreadsheetId=self.key)
        ]
