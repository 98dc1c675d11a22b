"""Workbooks and tables become spreadsheets of the company."""

import io
import zipfile
from pathlib import Path

import openpyxl
import pytest

from tests.seeds.imports.archives import slack_files, write_archive
from tests.seeds.imports.conftest import Ask, Import
from world.run.imports import ImportRefused


def write_workbook(path: Path) -> Path:
    """A workbook with a formula, a merge and a second sheet."""
    book = openpyxl.Workbook()
    book.active.title = "Budget"  # type: ignore[union-attr]
    for row in (["item", "EUR"], ["desks", 1200], ["lamps", 300], ["sum", "=SUM(B2:B3)"]):
        book.active.append(row)  # type: ignore[union-attr]
    book.active.merge_cells("A6:B6")  # type: ignore[union-attr]
    book.create_sheet("Notes")["A1"] = "by Anna"
    book.save(path)
    return path


def test_workbooks_and_tables_become_spreadsheets(import_archives: Import, ask: Ask, tmp_path: Path) -> None:
    table = tmp_path / "prices.csv"
    table.write_text("name,price\ndesk,12.5\n=HYPERLINK(1),007\n")
    slack = write_archive(tmp_path / "acme.zip", slack_files())
    made = import_archives(slack, write_workbook(tmp_path / "plan.xlsx"), table)
    names = "SELECT f.name, s.title FROM drive_file f JOIN sheets_sheet s ON s.file_id = f.id ORDER BY 1, s.position"
    assert ask(made.image, names) == [("plan", "Budget"), ("plan", "Notes"), ("prices", "prices")]
    cells = (
        "SELECT kind, input FROM sheets_cell c JOIN sheets_sheet s ON s.id = c.sheet_id WHERE title = '{}' AND row > 1"
    )
    assert ("formula", "=SUM(B2:B3)") in ask(made.image, cells.format("Budget"))
    assert ask(made.image, cells.format("prices")) == [("text", "=HYPERLINK(1)"), ("text", "007")]
    assert ask(made.image, "SELECT kind, top FROM sheets_object") == [("merge", 5)]
    owner = "SELECT handle FROM drive_file f JOIN person p ON p.id = f.owner_id"
    assert set(ask(made.image, owner)) == {("anna.berg",)}


def test_a_workbook_with_entities_is_refused(import_archives: Import, tmp_path: Path) -> None:
    whole = zipfile.ZipFile(io.BytesIO(write_workbook(tmp_path / "plan.xlsx").read_bytes()))
    path = tmp_path / "bad.xlsx"
    with zipfile.ZipFile(path, "w") as opened:
        for name in whole.namelist():
            data = whole.read(name)
            if name == "xl/workbook.xml":
                data = b'<!DOCTYPE x [<!ENTITY a "aaaa">]><workbook>&a;</workbook>'
            opened.writestr(name, data)
    with pytest.raises(ImportRefused, match=r"bad\.xlsx: no sound workbook"):
        import_archives(path)
