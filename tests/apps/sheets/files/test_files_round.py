"""What our own export says comes back as it was, row for row."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from apps.sheets.cells import Area, Entry
from apps.sheets.grid.stored_cells import Cell
from apps.sheets.json_columns import encode_object
from apps.sheets.operations.requests import KINDS, RequestArguments
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.spreadsheet_files import new_spreadsheet
from tests.apps.drive.spreadsheet_files import calling, give_out, held, take_in, typed
from tests.apps.sheets.conftest import BUDGET
from tests.examples import examples
from world.run.host import Host

FORMULAS = [
    "=A1+1",
    "=SUM(B2:C3)",
    "=SUM(B2:B)",
    "=SUM(B2:2)",
    "=sum( a1 ,2 )",
    '=IF(A1>0,"yes ""x""",\'Other one\'!B2)',
    "=ARRAYFORMULA(A1:A3*2)",
    "=ArrayFormula( A1:A3*2)",
    '=QUERY(A1:D3,"select A")',
    "=FILTER(A1:A3,A1:A3>1)",
    "=XLOOKUP(1,A:A,B:B)",
    "=LET(x,1,x+1)",
    "=1+",
    "=#N/A",
    "={1,2;3,4}",
    "={A1,B1}",
    '=HYPERLINK("http://a.example/?a=1&b=2","a <b>")',
    "=TODAY()",
    "=A2:A1048576",
    "='Other one'!A1&Sheet_1!B1",
    '=SPLIT(A1,",")',
    '="' + "x" * 300 + '"',
    "=@A1",
    "=[1]x",
    "=_xlfn.SUM(1)",
    "=IFS(A1=1,2)",
    "=SUM(Data)",
    '=TEXTJOIN(",",TRUE,A:A)',
    "=UNIQUE(A1:A4)",
    "=TRANSPOSE(A1:B2)",
    "=-A1%",
    "=1/0",
]
NUMBERS = st.one_of(
    st.integers(-(10**14), 10**14).map(str),
    st.floats(-1e12, 1e12).map(lambda number: repr(number) if number != int(number) else str(int(number))),
)
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12),
    st.sampled_from(
        [
            "=1+1",
            "'quoted",
            "_x000D_",
            "_x0041_",
            " a ",
            "a\nb\r\nc\td",
            "&amp;",
            "+1",
            "TRUE",
            "12",
            "\ufffe\uffff",
            "x" * 50_000,
        ]
    ),
)
ENTRIES = st.one_of(
    NUMBERS.map(lambda text: Entry("number", text)),
    TEXTS.map(lambda text: Entry("text", text)),
    st.sampled_from(["TRUE", "FALSE"]).map(lambda text: Entry("boolean", text)),
    st.sampled_from(FORMULAS).map(lambda text: Entry("formula", text)),
    st.just(Entry("", "")),
)
PART = st.sampled_from([0, 0.25, 0.3, 0.8509804, 1])
COLOUR = st.fixed_dictionaries({}, optional={"red": PART, "green": PART, "blue": PART})
TEXT_FORMAT = st.fixed_dictionaries(
    {},
    optional={
        "bold": st.booleans(),
        "italic": st.booleans(),
        "strikethrough": st.booleans(),
        "underline": st.booleans(),
        "fontSize": st.sampled_from([8, 10, 12.5]),
        "fontFamily": st.sampled_from(["Arial", "Georgia", 'A "b"&']),
        "foregroundColor": COLOUR,
        "foregroundColorStyle": st.one_of(
            COLOUR.map(lambda colour: {"rgbColor": colour}), st.just({"themeColor": "ACCENT1"})
        ),
        "link": st.just({"uri": "https://a.example/?x=1&y=2"}),
    },
)
BORDER = st.fixed_dictionaries(
    {"style": st.sampled_from(["DOTTED", "DASHED", "SOLID", "SOLID_MEDIUM", "SOLID_THICK", "DOUBLE", "NONE"])},
    optional={"color": COLOUR},
)
PATTERNS = [
    "",
    "0.00",
    '"€"#,##0;(#)',
    "yyyy-mm-dd",
    "h:mm am/pm",
    "[h]:mm:ss",
    "0%",
    "@",
    "[Red]0;[Blue]-0",
    "d mmm",
    '0.0" kg"',
    "# ?/?",
    "[$€-407] 0",
]
FORMAT = st.fixed_dictionaries(
    {},
    optional={
        "numberFormat": st.fixed_dictionaries(
            {"type": st.sampled_from(["NUMBER", "DATE", "TIME", "CURRENCY", "TEXT"])},
            optional={"pattern": st.sampled_from(PATTERNS)},
        ),
        "backgroundColor": COLOUR,
        "backgroundColorStyle": COLOUR.map(lambda colour: {"rgbColor": colour}),
        "textFormat": TEXT_FORMAT,
        "borders": st.dictionaries(st.sampled_from(["top", "bottom", "left", "right"]), BORDER, max_size=4),
        "horizontalAlignment": st.sampled_from(["LEFT", "CENTER", "RIGHT"]),
        "verticalAlignment": st.sampled_from(["TOP", "MIDDLE", "BOTTOM"]),
        "wrapStrategy": st.sampled_from(["OVERFLOW_CELL", "CLIP", "WRAP"]),
        "padding": st.just({"top": 2, "left": 5}),
        "textRotation": st.one_of(
            st.integers(-90, 90).map(lambda angle: {"angle": angle}), st.just({"vertical": True})
        ),
        "textDirection": st.sampled_from(["LEFT_TO_RIGHT", "RIGHT_TO_LEFT"]),
    },
)
VALUES = st.lists(
    st.sampled_from(["1", "2.5", "a", "a,b", '"q"', "=$A$1", "=QUERY(A1:A2)", "1/31/2026", "x" * 200]).map(
        lambda text: {"userEnteredValue": text}
    ),
    min_size=1,
    max_size=3,
)
CONDITION = st.one_of(
    st.fixed_dictionaries(
        {
            "type": st.sampled_from(
                [
                    "NUMBER_GREATER",
                    "NUMBER_BETWEEN",
                    "TEXT_CONTAINS",
                    "TEXT_NOT_CONTAINS",
                    "TEXT_STARTS_WITH",
                    "TEXT_EQ",
                    "DATE_AFTER",
                    "ONE_OF_LIST",
                    "ONE_OF_RANGE",
                    "CUSTOM_FORMULA",
                    "TEXT_IS_EMAIL",
                ]
            ),
            "values": VALUES,
        }
    ),
    st.sampled_from(
        [
            {"type": "BLANK"},
            {"type": "NOT_BLANK"},
            {"type": "BOOLEAN"},
            {"type": "DATE_EQ", "values": [{"relativeDate": "TODAY"}]},
        ]
    ),
)
RULE = st.fixed_dictionaries(
    {"condition": CONDITION},
    optional={
        "strict": st.booleans(),
        "showCustomUi": st.booleans(),
        "inputMessage": st.sampled_from(["", "Say <it>"]),
    },
)
POINT = st.fixed_dictionaries(
    {"type": st.sampled_from(["MIN", "MAX", "NUMBER", "PERCENTILE"]), "color": COLOUR}, optional={"value": st.just("5")}
)
MARKS = st.one_of(
    st.fixed_dictionaries({"condition": CONDITION, "format": FORMAT}).map(lambda rule: {"booleanRule": rule}),
    st.fixed_dictionaries({"minpoint": POINT, "maxpoint": POINT}, optional={"midpoint": POINT}).map(
        lambda rule: {"gradientRule": rule}
    ),
)
AREA = st.tuples(st.integers(0, 8), st.integers(0, 5), st.integers(1, 4), st.integers(1, 4)).map(
    lambda at: Area(at[0], at[1], at[0] + at[2], at[1] + at[3])
)
RUNS = st.lists(st.tuples(st.integers(0, 12), TEXT_FORMAT), max_size=3, unique_by=lambda run: run[0]).map(
    lambda runs: [{"startIndex": start, "format": format} for start, format in sorted(runs, key=lambda run: run[0])]
)
CELL = st.tuples(
    ENTRIES, st.none() | FORMAT, st.none() | TEXTS.map(lambda text: text[:50]), st.none() | RULE, st.none() | RUNS
)
SHEET = st.fixed_dictionaries(
    {
        "cells": st.dictionaries(st.tuples(st.integers(0, 11), st.integers(0, 7)), CELL, max_size=8),
        "marks": st.lists(st.tuples(AREA, MARKS), max_size=3),
        "sizes": st.dictionaries(
            st.tuples(st.sampled_from(["ROWS", "COLUMNS"]), st.integers(0, 7)),
            st.tuples(st.none() | st.integers(1, 400), st.booleans()),
            max_size=3,
        ),
        "frozen": st.tuples(st.integers(0, 3), st.integers(0, 3)),
        "merge": st.booleans(),
        "filter": st.booleans(),
        "protected": st.booleans(),
        "size": st.sampled_from([(12, 9), (1000, 26), (40, 10)]),
        "colour": st.none() | COLOUR,
    }
)


def made(host: Host, sheets: list[dict[str, Any]]) -> str:
    """A spreadsheet of what was drawn; its key."""
    titles = ["Other one", "Sheet_1", "A title / longer: than [31] characters?"]
    with calling(host) as call:
        key = new_spreadsheet(call, "Drawn", first_sheet=False)
        with Spreadsheet(call, key, "file.write") as book:
            for drawn, title in zip(sheets, titles, strict=False):
                fill(book, title, drawn)
            book.add_object("named_range", book.tabs[0], Area(1, 1, 3, None), {}, name="Data")
    return key


def fill(book: Spreadsheet, title: str, drawn: dict[str, Any]) -> None:
    """A sheet of what was drawn."""
    grid = {
        "rowCount": drawn["size"][0],
        "columnCount": drawn["size"][1],
        "frozenRowCount": drawn["frozen"][0],
        "frozenColumnCount": drawn["frozen"][1],
    }
    given = {
        "properties": {
            "title": title,
            "gridProperties": grid,
            **({"tabColor": drawn["colour"]} if drawn["colour"] is not None else {}),
        }
    }
    KINDS["addSheet"](book, RequestArguments(given, "addSheet", 0))
    tab = book.tabs[-1]
    book.put(tab, [(*at, cell_of(*cell)) for at, cell in sorted(drawn["cells"].items())])
    for (axis, at), (size, hidden) in drawn["sizes"].items():
        if size is not None or hidden:
            book.call.execute(
                "INSERT INTO sheets_dimension(sheet_id, axis, at, size, hidden, filtered) VALUES (:s, :x, :a, :z,"
                " :h, 0)",
                {"s": tab.id, "x": axis, "a": at, "z": size, "h": hidden},
            )
    for place, (area, rule) in enumerate(drawn["marks"]):
        bounds = {
            "startRowIndex": area.top,
            "endRowIndex": area.bottom,
            "startColumnIndex": area.left,
            "endColumnIndex": area.right,
        }
        book.add_object(
            "conditional_format", tab, area, {**rule, "ranges": [{"sheetId": tab.gid, **bounds}]}, position=place
        )
    if drawn["merge"]:
        book.add_object("merge", tab, Area(9, 1, 11, 4), {})
    if drawn["filter"]:
        book.add_object("basic_filter", tab, Area(0, 0, 9, 5), {"criteria": {"2": {"hiddenValues": ["1"]}}})
    if drawn["protected"]:
        book.add_object("protected_range", tab, Area(0, 0, None, None), {"editors": {"users": [book.call.me.email]}})


def cell_of(entry: Entry, format: Any, note: str | None, rule: Any, runs: Any) -> Cell:
    """A drawn cell as a book keeps it."""
    return Cell(
        entry, encode_object(format), note, encode_object(rule), encode_object(runs) if entry.kind == "text" else None
    )


@pytest.fixture(scope="module")
def shared(sealed: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """One world for all that is drawn."""
    from apps.sheets.app import app  # noqa: PLC0415
    from world.core.access import Tokens  # noqa: PLC0415
    from world.core.settings import Settings  # noqa: PLC0415
    from world.store import Base, Store  # noqa: PLC0415

    made = Host(Store(tmp_path_factory.mktemp("round"), Base(sealed)), [app], Tokens("test secret"))
    made.create("w", Settings(limits="off"))
    yield made


@settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    phases=[Phase.generate],
)
@given(st.lists(SHEET, min_size=1, max_size=3))
def test_an_export_taken_in_again_is_the_same_spreadsheet(shared: Host, sheets: list[dict[str, Any]]) -> None:
    key = made(shared, sheets)
    out = give_out(shared, key)
    again = take_in(shared, out)
    before, after = held(shared, key), held(shared, again)
    for name, rows in before.items():
        assert after[name] == rows, name
    assert give_out(shared, key) == out


@pytest.mark.parametrize("formula", FORMULAS)
def test_every_formula_comes_back_as_it_was_typed(host: Host, formula: str) -> None:
    with calling(host) as call, Spreadsheet(call, BUDGET, "file.write") as book:
        book.put(book.tabs[0], [(6, 4, Cell(Entry("formula", formula)))])
    assert typed(host, take_in(host, give_out(host, BUDGET)))[6, 4] == ("formula", formula)


def test_what_a_filter_hides_and_what_a_person_hides_stay_apart(host: Host) -> None:
    with calling(host) as call, Spreadsheet(call, BUDGET, "file.write") as book:
        book.add_object("basic_filter", book.tabs[0], Area(0, 0, 5, 4), {"criteria": {"0": {"hiddenValues": ["Core"]}}})
        for at, hidden, filtered in ((1, 0, 1), (2, 1, 0), (3, 1, 1)):
            call.execute(
                "INSERT INTO sheets_dimension(sheet_id, axis, at, size, hidden, filtered) VALUES (1, 'ROWS', :at, NULL,"
                " :h, :f)",
                {"at": at, "h": hidden, "f": filtered},
            )
    assert held(host, take_in(host, give_out(host, BUDGET)))["sizes"] == held(host, BUDGET)["sizes"]


def test_the_locale_and_the_time_zone_come_along(host: Host) -> None:
    with calling(host) as call:
        call.execute("UPDATE sheets_spreadsheet SET locale = 'de_DE', time_zone = 'Asia/Tokyo' WHERE file_id = 1")
    key = take_in(host, give_out(host, BUDGET))
    with calling(host) as call, Spreadsheet(call, key) as book:
        assert (book.locale, book.zone) == ("de_DE", "Asia/Tokyo")


def test_what_another_program_changed_counts_more_than_what_we_kept(host: Host) -> None:
    import io  # noqa: PLC0415

    import openpyxl  # noqa: PLC0415

    with calling(host) as call, Spreadsheet(call, BUDGET, "file.write") as book:
        book.put(
            book.tabs[0],
            [(0, 5, Cell(Entry("text", "x"), encode_object({"wrapStrategy": "CLIP", "textFormat": {"bold": True}})))],
        )
    opened = openpyxl.load_workbook(io.BytesIO(give_out(host, BUDGET)))
    opened.worksheets[0]["F1"].font = openpyxl.styles.Font(name="Arial", size=10, italic=True)
    out = io.BytesIO()
    opened.save(out)
    found = next(row for row in held(host, take_in(host, out.getvalue()))["cells"] if row[1:3] == [0, 5])
    assert orjson.loads(found[5]) == {"textFormat": {"italic": True}}
