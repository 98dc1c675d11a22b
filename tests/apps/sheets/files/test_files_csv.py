"""Separated values, in and out."""

import pytest

from apps.sheets.cells import Area, Entry
from apps.sheets.files import import_export
from apps.sheets.files.delimited_text import delimiter_of, lines_of, text_of
from apps.sheets.grid.stored_cells import Cell
from apps.sheets.json_columns import encode_object
from apps.sheets.spreadsheet import Spreadsheet
from tests.apps.drive.spreadsheet_files import calling, give_out, held, take_in, typed
from tests.apps.sheets.conftest import BUDGET, NOTES
from world.core.errors import OperationError
from world.run.host import Host


def into(host: Host, key: str, data: bytes, how: import_export.How, kind: str = "csv", who: str = "ada") -> None:
    """Import a file into a spreadsheet."""
    with calling(host, who) as call, Spreadsheet(call, key, "file.write") as book:
        import_export.into(call, book, data, kind, how)


def put(host: Host, *cells: tuple[int, int, Cell]) -> None:
    """Write cells of Ada's budget."""
    with calling(host) as call, Spreadsheet(call, BUDGET, "file.write") as book:
        book.put(book.tabs[0], cells)


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("a,b\n1,2", ","),
        ("a;b\n1,5;2,5\n3,5;4", ";"),
        ("a\tb\n1,2\t3", "\t"),
        ("a|b|c\n1|2|3", "|"),
        ('"a;b;c",d\n"e;f;g",h', ","),
        ("one\ntwo", ","),
        ("", ","),
    ],
)
def test_the_delimiter_is_the_mark_that_every_line_has(text: str, mark: str) -> None:
    assert delimiter_of(text) == mark


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_text_is_read_in_the_encoding_it_has(encoding: str) -> None:
    text = "Zoë;Größe\n1;2 €"
    assert text_of(text.encode(encoding)) == text


def test_quotes_breaks_and_ragged_lines() -> None:
    assert list(lines_of(b'a,"b ""c""","d\ne"\r\nf\r\n\r\n,,g', ",")) == [
        ["a", 'b "c"', "d\ne"],
        ["f"],
        [],
        ["", "", "g"],
    ]


def test_texts_become_what_typing_them_would_make(host: Host) -> None:
    key = take_in(host, b"name,5,$1.50,TRUE,3/2/2026,=1+1,'=x,007\n+2,-x,@y", "csv", "Some file.csv")
    assert list(typed(host, key).values()) == [
        ("text", "name"),
        ("number", "5"),
        ("number", "1.5"),
        ("boolean", "TRUE"),
        ("number", "46083"),
        ("formula", "=1+1"),
        ("text", "=x"),
        ("number", "7"),
        ("number", "2"),
        ("text", "-x"),
        ("text", "@y"),
    ]
    found = held(host, key)
    assert (
        found["sheets"][0][0] == "Some file"
        and '"CURRENCY"' in found["cells"][2][5]
        and '"DATE"' in found["cells"][4][5]
    )


def test_texts_stay_texts_when_they_are_not_to_be_converted(host: Host) -> None:
    into(host, NOTES, b"=1+1,5,+2", import_export.How(typed=False, title="Raw"), who="bo")
    with calling(host, "bo") as call, Spreadsheet(call, NOTES) as book:
        cells = book.cells(book.tabs[1], Area(0, 0, 1, 3))
    assert [cell.entry for cell in cells.values()] == [Entry("text", "=1+1"), Entry("text", "5"), Entry("text", "+2")]


def test_the_export_is_what_is_displayed_with_the_vendors_quotes(host: Host) -> None:
    percent = encode_object({"numberFormat": {"type": "PERCENT", "pattern": "0.0%"}})
    put(
        host,
        (0, 4, Cell(Entry("text", 'say "x", y'))),
        (1, 4, Cell(Entry("number", "0.125"), percent)),
        (2, 4, Cell(Entry("text", "two\nlines"))),
    )
    out = (
        b'Team,Q1,Q2,Total,"say ""x"",'
        b' y"\r\nCore,1200,1350.5,2550.5,12.5%\r\nSupport,300,280,580,"two\nlines"\r\n,,,,\r\nAll,1500,1630.5,3130.5,'
    )
    assert give_out(host, BUDGET, "csv") == out
    assert give_out(host, BUDGET, "tsv", 0).split(b"\r\n")[2] == b"Support\t300\t280\t580\ttwo lines"


def test_texts_that_look_like_formulas_are_written_as_they_are(host: Host) -> None:
    put(host, *((row, 5, Cell(Entry("text", text))) for row, text in enumerate(["=1+1", "+1", "-1", "@x"])))
    assert [line.rsplit(b",", 1)[1] for line in give_out(host, BUDGET, "csv").split(b"\r\n")[:4]] == [
        b"=1+1",
        b"+1",
        b"-1",
        b"@x",
    ]


def test_what_formulas_spill_is_written_too(host: Host) -> None:
    put(host, (0, 5, Cell(Entry("formula", "=ARRAYFORMULA(B2:B3*2)"))))
    assert [line.rsplit(b",", 1)[1] for line in give_out(host, BUDGET, "csv").split(b"\r\n")[:2]] == [b"2400", b"600"]


def test_an_empty_sheet_is_an_empty_file(host: Host) -> None:
    with calling(host, "bo") as call, Spreadsheet(call, NOTES) as book:
        assert import_export.export_spreadsheet(call, book, "csv", None) == b""


def test_a_file_put_at_the_bottom_at_a_cell_and_instead_of_a_sheet(host: Host) -> None:
    into(host, BUDGET, b"New,=B2", import_export.How("append"))
    assert typed(host, BUDGET)[5, 1] == ("formula", "=B7")
    into(host, BUDGET, b"1,2\n3", import_export.How("replace_at", row=1, column=25))
    found = typed(host, BUDGET)
    assert found[1, 26] == ("number", "2") and found[2, 25] == ("number", "3") and found[1, 0] == ("text", "Core")
    assert held(host, BUDGET)["sheets"][0][2:4] == [1000, 27]
    into(host, BUDGET, b"only", import_export.How("replace_sheet"))
    assert typed(host, BUDGET) == {(0, 0): ("text", "only")} and held(host, BUDGET)["sheets"][0][0] == "Sheet1"


def test_new_sheets_get_titles_that_are_free_and_a_whole_spreadsheet_can_be_replaced(host: Host) -> None:
    out = give_out(host, BUDGET)
    into(host, BUDGET, out, import_export.How("new_sheets"), "xlsx")
    assert [row[0] for row in held(host, BUDGET)["sheets"]] == ["Sheet1", "Sheet1 (1)"]
    into(host, BUDGET, out, import_export.How("replace_spreadsheet"), "xlsx")
    assert give_out(host, BUDGET) == out


def test_a_protected_sheet_is_not_replaced_by_others(host: Host) -> None:
    with calling(host) as call, Spreadsheet(call, BUDGET, "file.write") as book:
        book.add_object(
            "protected_range", book.tabs[0], Area(0, 0, None, None), {"editors": {"users": ["ada@tiny.example"]}}
        )
    before = held(host, BUDGET)
    for how in (
        import_export.How("replace_sheet"),
        import_export.How("append"),
        import_export.How("replace_spreadsheet"),
        import_export.How("replace_at"),
    ):
        with pytest.raises(OperationError, match="protected"):
            into(host, BUDGET, b"x", how, who="bo")
    assert held(host, BUDGET) == before


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"a,b\n" + b"x" * 50_001, "too_long"),
        (b'"' + b"x" * 9_000_000, "too_long"),
        (b"," * 20_000, "too_many_cells"),
        (b"PK\3\4\0\0\1\2\3\4\5\6\7\x08", "bad_file"),
        (b"\xff\xfea", "bad_file"),
    ],
)
def test_text_that_no_sheet_can_hold_is_refused(host: Host, data: bytes, code: str) -> None:
    with pytest.raises(OperationError) as caught:
        take_in(host, data, "csv")
    assert caught.value.code == code


def test_an_unknown_kind_of_file_is_refused(host: Host) -> None:
    with pytest.raises(OperationError, match="bad_request"):
        take_in(host, b"", "ods")
