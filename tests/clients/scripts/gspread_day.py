"""A working day through gspread: `python gspread_day.py`; it goes where it always goes, through the proxy that the
environment names.

FIRM_CREDENTIALS is a service account's key, FIRM_ME its person's address, FIRM_PEER that of a colleague. Prints one
line of what it saw.
"""

import json
import os
from typing import Any

import gspread
from google.oauth2.service_account import Credentials
from gspread.exceptions import APIError, SpreadsheetNotFound, WorksheetNotFound
from gspread.utils import ExportFormat, ValueInputOption, ValueRenderOption

ME, PEER = os.environ["FIRM_ME"], os.environ["FIRM_PEER"]
SCOPES = ["https://www.googleapis.com/auth/spreadsheets", "https://www.googleapis.com/auth/drive"]


def write_and_read(sheet: Any) -> dict[str, Any]:
    """Cells in every way the library has."""
    rows = [["Region", "Deals", "Value"], ["North", 3, 1200], ["South", 5, "=B3*400"]]
    sheet.update(rows, "A1:C3", value_input_option=ValueInputOption.user_entered)
    sheet.update_acell("D1", "Note")
    sheet.update_cell(2, 4, "ok")
    sheet.append_row(["West", 2, 90])
    sheet.append_rows([["East", 1, 10]], value_input_option=ValueInputOption.user_entered)
    sheet.insert_row(["Inserted", 0, 0], index=2)
    sheet.delete_rows(2)
    sheet.batch_update([{"range": "E1", "values": [["Mark"]]}, {"range": "E2:E3", "values": [[1], [2]]}])
    cells = sheet.range("E4:E5")
    for number, cell in enumerate(cells, 3):
        cell.value = number
    sheet.update_cells(cells)
    sheet.format("A1:E1", {"textFormat": {"bold": True}})
    sheet.sort((2, "asc"), range="A2:E5")
    sheet.freeze(rows=1)
    found = sheet.find("South")
    records = sheet.get_all_records()
    formulas = sheet.get("A2:C5", value_render_option=ValueRenderOption.formula)
    sheet.batch_clear(["D1:D2"])
    return {
        "records": records,
        "formulas": formulas,
        "found": [found.row, found.col],
        "column": sheet.col_values(5),
        "row": sheet.row_values(1),
        "cell": sheet.acell("B2").value,
        "rows": sheet.row_count,
    }


def tabs(book: Any) -> list[str]:
    """Worksheets added, copied, renamed, moved and deleted."""
    first = book.sheet1
    added = book.add_worksheet("Plan", rows=50, cols=5)
    added.update_title("Plans")
    copied = book.duplicate_sheet(first.id, new_sheet_name="Backup")
    book.reorder_worksheets([added, first, copied])
    added.resize(rows=20)
    titles = [one.title for one in book.worksheets()]
    book.del_worksheet(added)
    return titles


def refused(client: Any, book: Any) -> dict[str, str]:
    """The library's own exceptions."""
    out: dict[str, str] = {}
    for name, job in (
        ("title", lambda: client.open("No such book")),
        ("tab", lambda: book.worksheet("No such tab")),
        ("range", lambda: book.sheet1.get("Nope!A1")),
        ("grid", lambda: book.sheet1.update([[1]], "ZZ5000")),
    ):
        try:
            job()
        except (SpreadsheetNotFound, WorksheetNotFound) as error:
            out[name] = type(error).__name__
        except APIError as error:
            out[name] = error.error["message"]
    return out


def main() -> None:
    """The day."""
    client = gspread.authorize(
        Credentials.from_service_account_file(os.environ["FIRM_CREDENTIALS"], scopes=SCOPES, subject=ME)
    )
    made = client.create("Plum sales")
    book = client.open("Plum sales")
    seen = {"same": made.id == book.id, **write_and_read(book.sheet1), "tabs": tabs(book)}
    book.share(PEER, perm_type="user", role="writer", notify=True, email_message="Have a look")
    seen["shared"] = sorted((one["emailAddress"] == PEER, one["role"]) for one in book.list_permissions())
    copy = client.copy(book.id, title="Plum copy", copy_permissions=False)
    csv = client.export(book.id, ExportFormat.CSV).decode()
    client.del_spreadsheet(copy.id)
    book.update_title("Plum sales 2026")
    listed = [one["name"] for one in client.list_spreadsheet_files("Plum sales 2026")]
    seen |= {"csv": csv.splitlines()[0], "title": client.open_by_key(book.id).title, "listed": listed}
    print(json.dumps({**seen, "refused": refused(client, book)}))


if __name__ == "__main__":
    main()
