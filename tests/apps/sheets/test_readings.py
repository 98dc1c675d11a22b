"""What people see of cells and what lies on them: ordinary ones deceive nobody, tricks are found."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.apps.reader import Reader, ReadRow
from tests.apps.sheets.conftest import BUDGET
from tests.company import as_person
from world.run.host import Host

WHITE = {"red": 1, "green": 1, "blue": 1}
NAVY = {"blue": 0.5}
Write = Callable[[Reader], list[ReadRow]]


def _batch(*requests: dict[str, Any]) -> Write:
    return lambda reader: reader.write("spreadsheets.batchUpdate", spreadsheetId=BUDGET, requests=list(requests))


def _values(range_: str, *lines: list[Any], raw: bool = False) -> Write:
    option = "RAW" if raw else "USER_ENTERED"
    return lambda reader: reader.write(
        "spreadsheets.values.update", spreadsheetId=BUDGET, range=range_, values=list(lines), valueInputOption=option
    )


def _after(*writes: Write) -> Write:
    """All of them; the rows that the last one wrote."""

    def write(reader: Reader) -> list[ReadRow]:
        *_, last = (one(reader) for one in writes)
        return last

    return write


def _range(row: int = 9, column: int = 0, rows: int = 1, columns: int = 1) -> dict[str, int]:
    return {
        "sheetId": 0,
        "startRowIndex": row,
        "endRowIndex": row + rows,
        "startColumnIndex": column,
        "endColumnIndex": column + columns,
    }


def _cell(value: Any = 5, row: int = 9, column: int = 0, /, **data: Any) -> dict[str, Any]:
    """A request that writes one cell whole."""
    kind = "formulaValue" if str(value).startswith("=") else "stringValue" if isinstance(value, str) else "numberValue"
    start = {"sheetId": 0, "rowIndex": row, "columnIndex": column}
    told = {"userEnteredValue": {kind: value}, **data}
    return {"updateCells": {"rows": [{"values": [told]}], "start": start, "fields": "*"}}


def _number(pattern: str, kind: str = "NUMBER") -> dict[str, Any]:
    return {"userEnteredFormat": {"numberFormat": {"type": kind, "pattern": pattern}}}


def _ink(ink: dict[str, float], paper: dict[str, float] | None = None, **more: Any) -> dict[str, Any]:
    style: dict[str, Any] = {"textFormat": {"foregroundColor": ink, **more}}
    return {"userEnteredFormat": style | ({"backgroundColor": paper} if paper else {})}


def _runs(*runs: tuple[int, dict[str, Any]]) -> dict[str, Any]:
    return {"textFormatRuns": [{"startIndex": start, "format": style} for start, style in runs]}


def _rule(kind: str, value: str, style: dict[str, Any], area: dict[str, int] | None = None) -> dict[str, Any]:
    condition = {"type": kind, "values": [{"userEnteredValue": value}]}
    rule = {"ranges": [area or _range(1, 1)], "booleanRule": {"condition": condition, "format": style}}
    return {"addConditionalFormatRule": {"rule": rule, "index": 0}}


def _chart(title: str) -> dict[str, Any]:
    source = {"sourceRange": {"sources": [_range(1, 1, 2)]}}
    spec = {"title": title, "basicChart": {"chartType": "COLUMN", "series": [{"series": source}]}}
    place = {"overlayPosition": {"anchorCell": {"sheetId": 0, "rowIndex": 10}}}
    return {"addChart": {"chart": {"spec": spec, "position": place}}}


def _only(read: list[ReadRow]) -> ReadRow:
    """The only cell among rows."""
    (found,) = [one for one in read if one.table == "sheets_cell"]
    return found


HONEST: dict[str, Write] = {
    "numbers and texts": _values("A10:C11", ["Sales", "1,234.50", "5%"], ["31 Mar 2026", "TRUE", "EUR 12"]),
    "raw values": _values("A10:C10", ["=not a formula", "007", 12], raw=True),
    "formulas": _values("A10:D10", ["=SUM(B2:B3)", '="Total: "&B2', "=TODAY()", "=1/0"]),
    "a link": _values("A10", ['=HYPERLINK("https://wiki.example/7", "the runbook")']),
    "a link by its address": _values("A10", ['=HYPERLINK("https://wiki.example/7", "wiki.example/7")']),
    "an array": _values("A10", ["=SORT(B2:B3)"]),
    "a currency": _batch(_cell(1234.5, **_number("[$€-407] #,##0.00", "CURRENCY"))),
    "an account": _batch(_cell(-1234.5, **_number('_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)'))),
    "a share": _batch(_cell(0.125, **_number("0.0%", "PERCENT"))),
    "a date": _batch(_cell(46112, **_number("yyyy-mm-dd", "DATE"))),
    "thousands": _batch(_cell(1234567, **_number('#,##0.0,"k"'))),
    "hidden zeros": _batch(_cell(0, **_number("0;-0;;@"))),
    "a formatted formula": _batch(_cell("=SUM(B2:C2)", **_number("#,##0.00"))),
    "a dark header": _batch(_cell("Team", **_ink(WHITE, NAVY, bold=True))),
    "rich text": _batch(_cell("old new", **_runs((0, {"strikethrough": True}), (3, {"bold": True})))),
    "a linked word": _batch(_cell("see the wiki", **_runs((8, {"link": {"uri": "https://wiki.example/7"}})))),
    "a check box": _batch(_cell("=TRUE", dataValidation={"condition": {"type": "BOOLEAN"}})),
    "a choice": _batch(
        _cell(
            "Open",
            dataValidation={
                "condition": {
                    "type": "ONE_OF_LIST",
                    "values": [{"userEnteredValue": "Open"}, {"userEnteredValue": "Done"}],
                },
                "inputMessage": "The state of the request",
            },
        )
    ),
    "a note": _batch(_cell(5, note="From the invoice")),
    "a format alone": _batch(
        {
            "repeatCell": {
                "range": _range(1, 1, 2, 3),
                "cell": _number("#,##0.00"),
                "fields": "userEnteredFormat.numberFormat",
            }
        }
    ),
    "a red rule": _batch(_rule("NUMBER_GREATER", "1000", {"backgroundColor": {"red": 1}})),
    "a white rule for zero": _after(
        _batch(_cell(0, 1, 1)), _batch(_rule("NUMBER_EQ", "0", {"textFormat": {"foregroundColor": WHITE}}))
    ),
    "a banding": _batch(
        {
            "addBanding": {
                "bandedRange": {
                    "range": _range(0, 0, 5, 4),
                    "rowProperties": {"firstBandColor": {"green": 0.9}, "secondBandColor": WHITE},
                }
            }
        },
        _cell("Team"),
    ),
    "a table": _batch({"addTable": {"table": {"name": "Teams", "range": _range(0, 0, 3, 4)}}}),
    "a chart": _batch(_chart("Spending by team")),
    "a named range": _batch({"addNamedRange": {"namedRange": {"name": "Totals", "range": _range(4, 1, 1, 3)}}}),
    "a protected range": _batch(
        {"addProtectedRange": {"protectedRange": {"range": _range(4), "description": "Totals", "warningOnly": True}}}
    ),
    "a filter view": _batch({"addFilterView": {"filter": {"title": "Core only", "range": _range(0, 0, 3, 4)}}}),
    "a sheet": _batch({"addSheet": {"properties": {"title": "Forecast"}}}),
    "a row in a filtered list": _after(
        _batch(
            {
                "setBasicFilter": {
                    "filter": {"range": _range(0, 0, 20, 4), "criteria": {"0": {"hiddenValues": ["Support"]}}}
                }
            }
        ),
        _values("A10:B10", ["Support", 5]),
    ),
    "an appended row": lambda reader: reader.write(
        "spreadsheets.values.append",
        spreadsheetId=BUDGET,
        range="A1",
        values=[["Sales", 100, 200, "=B6+C6"]],
        valueInputOption="USER_ENTERED",
    ),
}


@pytest.mark.parametrize("write", HONEST.values(), ids=HONEST)
def test_ordinary_rows_deceive_nobody(host: Host, write: Write) -> None:
    read = write(Reader(host))
    assert read
    assert [one.whys for one in read if one.whys] == []
    assert [part for one in read for part in one.parts if part.kind == "aside" and part.role == "whole"] == []


CHEATS: dict[str, tuple[Write, str]] = {
    "another number": (_batch(_cell(5, **_number('"9,999.00"'))), "shows '9,999.00' for 5"),
    "another number of a formula": (_batch(_cell("=2+3", **_number('"9,999.00"'))), "shows '9,999.00' for 5"),
    "nothing": (_batch(_cell(5, **_number(";;;"))), "hides '5'"),
    "nothing of a text": (_batch(_cell("rejected", **_number(";;;", "TEXT"))), "hides 'rejected'"),
    "nothing of a formula": (_batch(_cell("=B2*2", **_number(";;;"))), "hides '2400'"),
    "more digits": (_batch(_cell(5, **_number('0"000"'))), "shows '5000' for 5"),
    "a digit before": (_batch(_cell(5, **_number('"1"0'))), "shows '15' for 5"),
    "without the sign": (_batch(_cell(-5, **_number("0;0"))), "shows '5' for -5"),
    "with a sign": (_batch(_cell(5, **_number("-0"))), "shows '-5' for 5"),
    "a shifted point": (_batch(_cell(500, **_number("0\\.00"))), "shows '5.00' for 500"),
    "thousands without a unit": (_batch(_cell(5000, **_number("#,##0,"))), "shows '5' for 5000"),
    "a denial": (_batch(_cell(5, **_number('"not "0'))), "shows 'not 5' for 5"),
    "by a condition": (_batch(_cell(5, **_number('[<100]"50";0'))), "shows '50' for 5"),
    "words for a number": (_batch(_cell(5, **_number('"approved"'))), "shows 'approved' for 5"),
    "other words": (_batch(_cell("rejected", **_number(';;;"approved"'))), "shows 'approved' for 'rejected'"),
    "a date for an amount": (_batch(_cell(1200, **_number("yyyy-mm-dd", "DATE"))), "for 1200"),
    "a colleague's total": (
        _batch(
            {
                "repeatCell": {
                    "range": _range(4, 3),
                    "cell": _number('"9,999.00"'),
                    "fields": "userEnteredFormat.numberFormat",
                }
            }
        ),
        "shows '9,999.00' for 3130.5",
    ),
    "white on white": (_batch(_cell("all lies", **_ink(WHITE))), "hides 'all lies'"),
    "ink like paper": (_batch(_cell(5, **_ink(NAVY, NAVY))), "hides '5'"),
    "white by the format": (_batch(_cell(5, **_number("[white]0"))), "hides '5'"),
    "tiny": (_batch(_cell("all lies", **_ink({}, fontSize=1))), "hides 'all lies'"),
    "a white word": (
        _batch(_cell("fine not really", **_runs((5, {"foregroundColor": WHITE})))),
        "hides 'not really'",
    ),
    "a tiny word": (_batch(_cell("fine not really", **_runs((5, {"fontSize": 1})))), "hides 'not really'"),
    "a white rule": (
        _batch(_rule("NUMBER_GREATER", "1000", {"textFormat": {"foregroundColor": WHITE}})),
        "hides '1200' by a rule",
    ),
    "a white rule by a formula": (
        _batch(_rule("CUSTOM_FORMULA", "=B2>1", {"textFormat": {"foregroundColor": WHITE}})),
        "hides '1200' by a rule",
    ),
    "a cell below a white rule": (
        _after(
            _batch(_rule("NUMBER_EQ", "5", {"textFormat": {"foregroundColor": WHITE}}, _range())), _values("A10", [5])
        ),
        "hides '5'",
    ),
    "a dark rule on dark text": (
        _batch(_rule("NUMBER_GREATER", "1000", {"backgroundColor": {}})),
        "hides '1200' by a rule",
    ),
    "a false link": (
        _values("A10", ['=HYPERLINK("https://evil.example", "status.tiny.example")']),
        "shows the address status.tiny.example on a link to https://evil.example",
    ),
    "a false link of the format": (
        _batch(_cell("tiny.example/a", **_ink({}, link={"uri": "https://evil.example"}))),
        "shows the address",
    ),
    "a false link of a word": (
        _batch(_cell("see tiny.example/a", **_runs((4, {"link": {"uri": "https://evil.example"}})))),
        "shows the address",
    ),
    "zero width": (_values("A10", ["not app\u200broved"]), "invisible"),
    "look-alike": (_values("A10", ["p\u0430yments"]), "several scripts"),
    "a look-alike note": (_batch(_cell(5, note="p\u0430yments")), "several scripts"),
    "a look-alike hint": (
        _batch(
            _cell(
                5,
                dataValidation={
                    "condition": {"type": "NUMBER_GREATER", "values": [{"userEnteredValue": "1"}]},
                    "inputMessage": "p\u0430yments",
                },
            )
        ),
        "several scripts",
    ),
    "a look-alike chart": (_batch(_chart("P\u0430yments by team")), "several scripts"),
    "a look-alike sheet": (_batch({"addSheet": {"properties": {"title": "Sh\u0435et2"}}}), "several scripts"),
    "a look-alike range": (
        _batch({"addProtectedRange": {"protectedRange": {"range": _range(4), "description": "T\u043etals"}}}),
        "several scripts",
    ),
}


@pytest.mark.parametrize(("write", "why"), CHEATS.values(), ids=CHEATS)
def test_tricks_are_found(host: Host, write: Write, why: str) -> None:
    assert why in " | ".join(reason for read in write(Reader(host)) for reason in read.whys)


def _resized(size: int) -> dict[str, Any]:
    lines = {"sheetId": 0, "dimension": "ROWS", "startIndex": 9, "endIndex": 10}
    return {"updateDimensionProperties": {"range": lines, "properties": {"pixelSize": size}, "fields": "pixelSize"}}


def _hide(axis: str, at: int) -> dict[str, Any]:
    lines = {"sheetId": 0, "dimension": axis, "startIndex": at, "endIndex": at + 1}
    return {
        "updateDimensionProperties": {"range": lines, "properties": {"hiddenByUser": True}, "fields": "hiddenByUser"}
    }


ASIDE: dict[str, Write] = {
    "a hidden row": _after(_batch(_hide("ROWS", 9)), _values("A10", [5])),
    "a hidden column": _after(_batch(_hide("COLUMNS", 0)), _values("A10", [5])),
    "a row of a pixel": _after(_batch(_resized(1)), _values("A10", [5])),
    "a cell below a merge": _after(
        _batch({"mergeCells": {"range": _range(9, 0, 1, 3), "mergeType": "MERGE_ALL"}}), _values("B10", [5])
    ),
    "a hidden sheet": lambda reader: _after(
        _batch({"addSheet": {"properties": {"title": "Other", "sheetId": 7}}}),
        _batch(
            {
                "updateSheetProperties": {
                    "properties": {"sheetId": 7, "hidden": True},
                    "fields": "hidden",
                }
            }
        ),
        _values("Other!A1", [5]),
    )(reader),
}


@pytest.mark.parametrize("write", ASIDE.values(), ids=ASIDE)
def test_what_lies_where_nobody_looks_lies_aside(host: Host, write: Write) -> None:
    read = _only(write(Reader(host)))
    assert [(part.kind, part.role, part.passage.text) for part in read.parts] == [("aside", "whole", "5")]
    assert read.whys == ()


def test_a_cell_is_read_as_its_formula_computes(host: Host) -> None:
    read = _only(_values("A10", ["=SUM(B2:C2)"])(Reader(host)))
    assert [(part.kind, part.passage.text) for part in read.parts] == [("shown", "2550.5")]


def test_a_cell_is_read_as_its_format_displays_it(host: Host) -> None:
    read = _only(_batch(_cell(1234.5, **_number("#,##0.00 [$€-407]")))(Reader(host)))
    assert read.text("input") == "1,234.50 €"


def test_a_chip_is_read_by_its_label(host: Host) -> None:
    chip = {"startIndex": 0, "chip": {"personProperties": {"email": "bo@tiny.example"}}}
    read = _only(_batch(_cell("@ knows", chipRuns=[chip]))(Reader(host)))
    assert read.text("input") == "Bo Lindqvist knows"


def test_a_cell_that_was_written_over_is_read_as_it_was(host: Host) -> None:
    reader = Reader(host)
    mark = reader.mark()
    _batch(_cell(5, **_number('"9,999.00"')))(reader)
    first = reader.changes(mark)
    _values("A10", ["fine"])(reader)
    assert ["shows '9,999.00' for 5" in " ".join(read.whys) for read in first if read.table == "sheets_cell"] == [True]


def test_rows_that_were_moved_are_read_where_they_stand(host: Host) -> None:
    insert = {"range": {"sheetId": 0, "dimension": "ROWS", "startIndex": 0, "endIndex": 2}}
    read = _only(_after(_batch({"insertDimension": insert}), _values("A12", ["=B4+1"]))(Reader(host)))
    assert read.text("input") == "1201"


def test_the_engine_of_a_world_stays_where_it_is(host: Host) -> None:
    _values("A10", ["=SUM(B2:C2)"])(Reader(host))
    found = host.call(as_person(host), "rest", "spreadsheets.values.get", {"spreadsheetId": BUDGET, "range": "A10"})
    assert found["values"] == [["2550.5"]]
