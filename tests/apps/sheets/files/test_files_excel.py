"""Files of another program, read; our files, read by another program (openpyxl)."""

import io
from collections.abc import Callable
from datetime import date, datetime, time
from typing import Any

import openpyxl
import orjson
import pytest
from openpyxl.comments import Comment
from openpyxl.formatting.rule import CellIsRule, ColorScaleRule, FormulaRule, Rule
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.formula import ArrayFormula

from apps.sheets.cells import Area, Entry
from apps.sheets.grid.stored_cells import Cell
from apps.sheets.json_columns import encode_object
from apps.sheets.spreadsheet import Spreadsheet
from tests.apps.drive.spreadsheet_files import calling, give_out, held, take_in, typed
from tests.apps.sheets.conftest import BUDGET
from world.run.host import Host


def saved(book: openpyxl.Workbook) -> bytes:
    """The bytes of a workbook."""
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def taken(host: Host, fill: Callable[[Any], None]) -> dict[str, list[Any]]:
    """What a sheet that another program wrote becomes."""
    book = openpyxl.Workbook()
    fill(book.active)
    return held(host, take_in(host, saved(book)))


def format_at(found: dict[str, list[Any]], row: int, column: int) -> Any:
    """The format of a cell."""
    return next(orjson.loads(cell[5]) if cell[5] else None for cell in found["cells"] if cell[1:3] == [row, column])


def shown(host: Host, key: str, row: int, column: int) -> Any:
    """The value of a cell."""
    with calling(host) as call, Spreadsheet(call, key) as book:
        return book.values(book.tabs[0], Area(row, column, row + 1, column + 1))[0][0]


def test_values_are_typed_as_they_are(host: Host) -> None:
    def fill(sheet: Any) -> None:
        sheet.append(["text", 1, 2.5, True, "=A1&B1", "=SUM(B1:C1)", 1e20, -3])
        sheet["A2"] = "=1+1"
        sheet["A2"].data_type = "s"

    found = {(row[1], row[2]): (row[3], row[4]) for row in taken(host, fill)["cells"]}
    assert found == {
        (0, 0): ("text", "text"),
        (0, 1): ("number", "1"),
        (0, 2): ("number", "2.5"),
        (0, 3): ("boolean", "TRUE"),
        (0, 4): ("formula", "=A1&B1"),
        (0, 5): ("formula", "=SUM(B1:C1)"),
        (0, 6): ("number", "1e+20"),
        (0, 7): ("number", "-3"),
        (1, 0): ("text", "=1+1"),
    }


@pytest.mark.parametrize("epoch", ["1900", "1904"])
def test_dates_mean_the_same_day_in_both_systems(host: Host, epoch: str) -> None:
    book = openpyxl.Workbook()
    if epoch == "1904":
        book.epoch = CALENDAR_MAC_1904
    book.active.append([date(2026, 3, 2), datetime(2026, 3, 2, 12), time(6), 7])
    found = held(host, take_in(host, saved(book)))
    assert [row[4] for row in found["cells"][:2]] == ["46083", "46083.5"]
    assert found["cells"][3][4] == "7"
    assert [format_at(found, 0, column)["numberFormat"]["type"] for column in range(3)] == ["DATE", "DATE_TIME", "TIME"]


def test_looks_become_the_vendors_formats(host: Host) -> None:
    def fill(sheet: Any) -> None:
        cell = sheet["A1"]
        cell.value, cell.number_format = 5, '"$"#,##0.00'
        cell.font = Font(
            name="Georgia", size=14, bold=True, italic=True, underline="single", strike=True, color="FFFF0000"
        )
        cell.fill = PatternFill("solid", fgColor="FF00FF00")
        cell.border = Border(top=Side("thick", color="FF0000FF"), left=Side("hair"))
        cell.alignment = Alignment(horizontal="right", vertical="center", wrap_text=True, text_rotation=135)

    green, red, blue = {"green": 1}, {"red": 1}, {"blue": 1}
    assert format_at(taken(host, fill), 0, 0) == {
        "numberFormat": {"type": "CURRENCY", "pattern": '"$"#,##0.00'},
        "backgroundColor": green,
        "backgroundColorStyle": {"rgbColor": green},
        "borders": {
            "top": {"style": "SOLID_THICK", "width": 3, "color": blue, "colorStyle": {"rgbColor": blue}},
            "left": {"style": "DOTTED", "width": 1, "color": {}, "colorStyle": {"rgbColor": {}}},
        },
        "textFormat": {
            "fontFamily": "Georgia",
            "fontSize": 14,
            "bold": True,
            "italic": True,
            "underline": True,
            "strikethrough": True,
            "foregroundColor": red,
            "foregroundColorStyle": {"rgbColor": red},
        },
        "horizontalAlignment": "RIGHT",
        "verticalAlignment": "MIDDLE",
        "wrapStrategy": "WRAP",
        "textRotation": {"angle": -45},
    }


def test_a_theme_colour_with_a_tint_is_the_colour_people_see(host: Host) -> None:
    def fill(sheet: Any) -> None:
        sheet["A1"] = 1
        sheet["A1"].fill = PatternFill("solid", fgColor=openpyxl.styles.colors.Color(theme=4, tint=0.3999755851924192))

    assert format_at(taken(host, fill), 0, 0)["backgroundColor"] == {
        "red": 0.5843137,
        "green": 0.7019608,
        "blue": 0.8431373,
    }


def test_the_shape_of_the_sheet_comes_along(host: Host) -> None:
    def fill(sheet: Any) -> None:
        sheet.title = "It's mine"
        sheet["A1"], sheet["B5"] = "x", 2
        sheet.merge_cells("A1:C2")
        sheet.freeze_panes = "B3"
        sheet.column_dimensions["B"].width, sheet.row_dimensions[4].height = 20, 30
        sheet.column_dimensions["D"].hidden = sheet.row_dimensions[6].hidden = True
        sheet.sheet_properties.tabColor = "FFFF0000"
        sheet.sheet_view.showGridLines = False
        sheet["B5"].comment = Comment("Look here", "somebody")
        sheet.protection.sheet = True
        sheet.auto_filter.ref = "A3:B5"
        sheet.parent.defined_names["Rate"] = DefinedName("Rate", attr_text="'It''s mine'!$B$5")
        sheet.parent.defined_names["Odd"] = DefinedName("Odd", attr_text="1+1")
        sheet.parent.create_sheet("Behind").sheet_state = "hidden"

    found = taken(host, fill)
    red = {"red": 1}
    properties = {"tabColor": red, "tabColorStyle": {"rgbColor": red}, "hideGridlines": True}
    first, second = found["sheets"]
    assert first[:-1] == ["It's mine", 0, 1000, 26, 2, 1, 0] and orjson.loads(first[-1]) == properties
    assert second[0] == "Behind" and second[6] == 1
    assert found["sizes"] == [
        [0, "COLUMNS", 1, 140, 0, 0],
        [0, "COLUMNS", 3, 91, 1, 0],
        [0, "ROWS", 3, 40, 0, 0],
        [0, "ROWS", 5, None, 1, 0],
    ]
    assert [(row[1], row[2], *row[3:7]) for row in found["objects"]] == [
        ("basic_filter", "", 2, 0, 5, 2),
        ("merge", "", 0, 0, 2, 3),
        ("named_range", "Rate", 4, 1, 5, 2),
        ("protected_range", "", 0, 0, None, None),
    ]
    assert next(row for row in found["cells"] if row[1:3] == [4, 1])[6] == "Look here"


def test_rules_become_the_vendors_conditions(host: Host) -> None:
    def fill(sheet: Any) -> None:
        for given, where in (
            (DataValidation("list", formula1='"a, b"', showErrorMessage=True), "A1:A2"),
            (DataValidation("list", formula1="$C$1:$C$9"), "B1"),
            (DataValidation("whole", operator="between", formula1="1", formula2="5"), "C1"),
            (DataValidation("date", operator="greaterThan", formula1="46083"), "D1"),
            (DataValidation("custom", formula1="LEN(E1)<5"), "E1"),
            (DataValidation("textLength", operator="lessThan", formula1="9"), "F1"),
        ):
            given.add(where)
            sheet.add_data_validation(given)
        fill = PatternFill(bgColor="FFFF0000")
        sheet.conditional_formatting.add("A1:A9", CellIsRule("greaterThan", ["5"], fill=fill))
        sheet.conditional_formatting.add("B1:B9 D1", FormulaRule(["_xlfn.IFS(B1>1,TRUE)"], font=Font(bold=True)))
        sheet.conditional_formatting.add(
            "C1:C9", ColorScaleRule("min", None, "FFFF0000", None, None, None, "max", None, "FF0000FF")
        )
        words = Rule(
            "containsText",
            operator="containsText",
            text="no",
            dxf=DifferentialStyle(fill=fill),
            formula=['NOT(ISERROR(SEARCH("no",E1)))'],
        )
        sheet.conditional_formatting.add("E1:E9", words)

    found = taken(host, fill)
    rules = {(row[1], row[2]): orjson.loads(row[7]) for row in found["cells"]}
    said = {
        at: (rule["condition"]["type"], [value["userEnteredValue"] for value in rule["condition"]["values"]])
        for at, rule in rules.items()
    }
    assert said == {
        (0, 0): ("ONE_OF_LIST", ["a", "b"]),
        (1, 0): ("ONE_OF_LIST", ["a", "b"]),
        (0, 1): ("ONE_OF_RANGE", ["=$C$1:$C$9"]),
        (0, 2): ("NUMBER_BETWEEN", ["1", "5"]),
        (0, 3): ("DATE_AFTER", ["3/2/2026"]),
        (0, 4): ("CUSTOM_FORMULA", ["=LEN(E1)<5"]),
        (0, 5): ("CUSTOM_FORMULA", ["=LEN(F1)<9"]),
    }
    assert rules[0, 0]["strict"] and "strict" not in rules[0, 1]
    marks = [row[7] for row in found["objects"]]
    assert [len(mark["ranges"]) for mark in marks] == [1, 2, 1, 1]
    assert marks[0]["booleanRule"] == {
        "condition": {"type": "NUMBER_GREATER", "values": [{"userEnteredValue": "5"}]},
        "format": {"backgroundColor": {"red": 1}, "backgroundColorStyle": {"rgbColor": {"red": 1}}},
    }
    assert marks[1]["booleanRule"]["condition"]["values"] == [{"userEnteredValue": "=IFS(B1>1,TRUE)"}]
    assert [marks[2]["gradientRule"][end]["color"] for end in ("minpoint", "maxpoint")] == [{"red": 1}, {"blue": 1}]
    assert marks[3]["booleanRule"]["condition"] == {"type": "TEXT_CONTAINS", "values": [{"userEnteredValue": "no"}]}


def test_formulas_lose_the_files_prefixes_and_array_formulas_say_so(host: Host) -> None:
    def fill(sheet: Any) -> None:
        sheet["A1"] = '=_xlfn.CONCAT("_xlfn.",_xlfn._xlws.SORT(B1:B2))'
        sheet["A2"] = "=_xlfn.SINGLE(B1:B2)+SUM(B2:B1048576)"
        sheet["C1"] = ArrayFormula("C1:C3", "=B1:B3*2")
        sheet["C2"] = 4
        sheet["A3"] = '=IFERROR(__xludf.DUMMYFUNCTION("QUERY(A1:B2,""select A"")"),"x")'

    found = {(row[1], row[2]): row[4] for row in taken(host, fill)["cells"]}
    assert found == {
        (0, 0): '=CONCAT("_xlfn.",SORT(B1:B2))',
        (1, 0): "=(B1:B2)+SUM(B2:B)",
        (0, 2): "=ARRAYFORMULA(B1:B3*2)",
        (2, 0): '=QUERY(A1:B2,"select A")',
    }


def test_a_link_is_the_formula_that_says_so(host: Host) -> None:
    def fill(sheet: Any) -> None:
        sheet["A1"], sheet["A2"], sheet["A3"] = 'say "hi"', 5, "no"
        sheet["A1"].hyperlink, sheet["A2"].hyperlink, sheet["A3"].hyperlink = (
            "https://a.example/?q=1",
            "mailto:a@b.example",
            "javascript:alert(1)",
        )

    assert [row[4] for row in taken(host, fill)["cells"]] == [
        '=HYPERLINK("https://a.example/?q=1","say ""hi""")',
        '=HYPERLINK("mailto:a@b.example",5)',
        "no",
    ]


def test_another_program_reads_what_we_write(host: Host) -> None:
    bold = encode_object(
        {
            "textFormat": {"bold": True},
            "numberFormat": {"type": "DATE", "pattern": "yyyy-mm-dd"},
            "borders": {"top": {"style": "DOUBLE"}},
        }
    )
    rule = encode_object(
        {
            "condition": {"type": "ONE_OF_LIST", "values": [{"userEnteredValue": "a"}, {"userEnteredValue": "b"}]},
            "strict": True,
        }
    )
    with calling(host) as call, Spreadsheet(call, BUDGET, "file.write") as book:
        tab = book.tabs[0]
        book.put(
            tab,
            [
                (7, 0, Cell(Entry("number", "46083"), bold, "A note")),
                (7, 1, Cell(Entry("text", "=SUM(1)"), None, None, rule)),
                (8, 0, Cell(Entry("formula", '=QUERY(A1:D3,"select A")'))),
                (8, 2, Cell(Entry("formula", "=ARRAYFORMULA(B2:B3*2)"))),
                (8, 3, Cell(Entry("formula", "=XLOOKUP(1,A:A,B:B)"))),
            ],
        )
        book.add_object("merge", tab, Area(15, 0, 17, 2), {})
        book.add_object("named_range", tab, Area(1, 1, 3, 3), {}, name="Quarters")
    sheet = openpyxl.load_workbook(io.BytesIO(give_out(host, BUDGET)))["Sheet1"]
    assert sheet["D2"].value == "=B2+C2" and sheet["A8"].value == datetime(2026, 3, 2) and sheet["A8"].font.b
    assert sheet["A8"].border.top.style == "double" and sheet["A8"].comment.text == "A note"
    assert (sheet["B8"].value, sheet["B8"].data_type) == ("=SUM(1)", "s")
    assert sheet["A9"].value == '=IFERROR(__xludf.DUMMYFUNCTION("QUERY(A1:D3,""select A"")"),"Team")'
    assert sheet["A10"].value == '=IFERROR(__xludf.DUMMYFUNCTION("""COMPUTED_VALUE"""),"Core")'
    assert (sheet["C9"].value.ref, sheet["C9"].value.text, sheet["C10"].value) == ("C9:C10", "=B2:B3*2", 600)
    assert sheet["D9"].value == "=_xlfn.XLOOKUP(1,A:A,B:B)"
    assert [str(area) for area in sheet.merged_cells.ranges] == ["A16:B17"] and sheet.data_validations.dataValidation[
        0
    ].formula1 == '"a,b"'
    assert sheet.parent.defined_names["Quarters"].attr_text == "'Sheet1'!$B$2:$C$3"
    values = openpyxl.load_workbook(io.BytesIO(give_out(host, BUDGET)), data_only=True)["Sheet1"]
    assert (values["D2"].value, values["A9"].value, values["B5"].value) == (2550.5, "Team", 1500)


def test_an_imported_spreadsheet_computes(host: Host) -> None:
    book = openpyxl.Workbook()
    book.active.append([2, 3, "=A1*B1"])
    key = take_in(host, saved(book))
    assert shown(host, key, 0, 2) == 6 and typed(host, key)[0, 2] == ("formula", "=A1*B1")


ROWS = (
    '<row r="1" spans="1:9" ht="30" customHeight="1"><c r="A1" s="0" t="s"><v>0</v></c><c r="B1"><v>5</v></c><c r="C1"'
    ' t="n"><v>-1.50</v></c><c r="D1" t="b"><v>1</v></c><c r="E1"><f>A1&amp;&quot;&lt;&quot;</f><v>1</v></c><c r="F1"'
    ' t="inlineStr"><is><t>a &amp;amp; _x0041_</t></is></c><c r="G1" t="str"><f>B1</f><v>x</v></c><c r="H1"'
    ' t="e"><v>#N/A</v></c><c r="I1" s="1"/></row><row r="3"/><row r="4" hidden="1"><c r="AB4"><v>007</v></c><c r="AC4"'
    ' t="str"><v>plain</v></c></row>'
)


@pytest.mark.parametrize("between", ["<!-- a comment -->", " ", "<c><f></f></c>"])
def test_rows_read_quickly_are_what_the_xml_parser_reads(between: str) -> None:
    from apps.sheets.files import sheet_in  # noqa: PLC0415

    def grid(rows: str) -> sheet_in.Grid:
        shared = sheet_in.strings([b"<sst><si><t>shared</t></si></sst>"])
        return sheet_in.grid(
            [f"<worksheet><sheetData>{rows}</sheetData><mergeCells/></worksheet>".encode()], shared, frozenset()
        )

    quick, slow = grid(ROWS), grid(ROWS.replace("</row>", f"{between}</row>"))
    assert quick.cells == slow.cells and quick.rows == slow.rows and len(quick.cells) == 11
    assert quick.cells[4][3] == '=A1&"<"' and quick.cells[5][3] == "a &amp; A"
    assert quick.root.children[0].find("mergeCells")
