"""Versions of a spreadsheet: later changes are reverted from the world's record, to view it or to restore it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlmodel import SQLModel

from apps.drive.public import FileRow
from apps.sheets.grid import protection
from apps.sheets.history.undo_history import Changed, Row, as_kept, list_places, net, touches
from apps.sheets.spreadsheet import Spreadsheet
from world.core.call import Call
from world.core.errors import OperationError
from world.core.rng import digest

LAST = (1 << 63) - 1
_BETWEEN = (
    "SELECT table_name, pk, before, after FROM _journal WHERE id > coalesce((SELECT max(id) FROM _journal WHERE"
    " call_seq <= :after), 0) AND call_seq <= :until AND (table_name IN ('sheets_sheet', 'sheets_cell',"
    " 'sheets_object') AND json_extract(coalesce(after, before), '$.file_id') = :file OR table_name ="
    " 'sheets_dimension' OR (table_name = 'sheets_spreadsheet' AND pk = :pk)) ORDER BY id"
)
_SHEETS = "SELECT id FROM sheets_sheet WHERE file_id = :file"
_OWNER = {
    "sheets_sheet": "SELECT file_id FROM sheets_sheet WHERE id = :id",
    "sheets_object": "SELECT file_id FROM sheets_object WHERE id = :id",
}
_NUMBERED = ("sheets_sheet", "sheets_object")  # tables whose rows are numbered across all spreadsheets


def list_changes(call: Call, file: FileRow, after: int, until: int = LAST) -> Changed:
    """Each row of a spreadsheet before and after the calls in between, where it differs."""
    call.flush()
    found = net(call.all(_BETWEEN, {"after": after, "until": until, "file": file.id, "pk": f"[{file.id}]"}))
    mine = {row[0] for row in call.all(_SHEETS, {"file": file.id})} | {
        key[0] for table, key in found if table == "sheets_sheet"
    }
    return {at: pair for at, pair in found.items() if at[0] != "sheets_dimension" or at[1][0] in mine}


@contextmanager
def as_of(call: Call, file: FileRow, seq: int) -> Iterator[None]:
    """Yield the spreadsheet as it was after a call, for reads inside the block; nothing of it stays."""
    raw = call.bound.raw
    call.flush()
    raw.execute("SAVEPOINT version")
    try:
        _put_back(call, file, seq)
        yield
    finally:
        raw.execute("ROLLBACK TO version")
        raw.execute("RELEASE version")


def restore(book: Spreadsheet, seq: int) -> None:
    """Restore a spreadsheet to its state after a call. Raises protected where the caller may not change it."""
    back = list_changes(book.call, book.file, seq)
    _check(book, back)
    _put_back(book.call, book.file, seq)
    book.reshape()
    book.note("restored", seq)


def _check(book: Spreadsheet, back: Changed) -> None:
    """Refuse changes of cells protected from the caller, and changes of shape on sheets with such cells."""
    touched = touches({at: rows for at, rows in back.items() if at[0] != "sheets_spreadsheet"})
    for tab in book.tabs:
        if touched.shape and protection.list_closed(book, tab):
            raise OperationError("protected")
        protection.check(book, tab, list_places(tab, touched))


def _put_back(call: Call, file: FileRow, seq: int) -> None:
    back = list_changes(call, file, seq)
    numbers = {table: _free(call, file, table, back) for table in _NUMBERED}
    for (table, key), (before, after) in back.items():
        if after is not None:
            _drop(call, table, key)
        if before is not None:
            _insert_row(call, table, *_renumber_row(table, key, before, numbers))
    if any(numbers.values()):  # the same content under other numbers: an engine of it is no use
        state = digest("version", file.key, str(seq), repr(numbers)).hex()
        call.execute(
            "UPDATE sheets_spreadsheet SET state = :state WHERE file_id = :file", {"state": state, "file": file.id}
        )


def _free(call: Call, file: FileRow, table: str, back: Changed) -> dict[int, int]:
    """Return new numbers for restored rows whose number another spreadsheet uses by now."""
    top = int(call.scalar(f"SELECT max(id) FROM {table}") or 0)
    gone = [key[0] for (name, key), (_, after) in back.items() if name == table and after is None]
    owners = {number: call.scalar(_OWNER[table], {"id": number}) for number in gone}
    return {
        number: top + place
        for place, number in enumerate((one for one in gone if owners[one] not in (None, file.id)), 1)
    }


def _renumber_row(
    table: str, key: tuple[Any, ...], row: Row, numbers: dict[str, dict[int, int]]
) -> tuple[tuple[object, ...], Row]:
    if table in _NUMBERED:
        key = (numbers[table].get(key[0], key[0]),)
        row = (
            {**row, "sheet_id": numbers["sheets_sheet"].get(row["sheet_id"], row["sheet_id"])}
            if row.get("sheet_id")
            else row
        )
    elif table != "sheets_spreadsheet":
        key = (numbers["sheets_sheet"].get(key[0], key[0]), *key[1:])
    return key, row


def _where(table: str) -> tuple[str, list[str]]:
    keys = [column.name for column in SQLModel.metadata.tables[table].columns if column.primary_key]
    return " AND ".join(f"{name} = ?" for name in keys), keys


def _drop(call: Call, table: str, key: tuple[object, ...]) -> None:
    call.bound.raw.execute(f"DELETE FROM {table} WHERE {_where(table)[0]}", key)


def _insert_row(call: Call, table: str, key: tuple[object, ...], row: Row) -> None:
    values = {**as_kept(row), **dict(zip(_where(table)[1], key, strict=True))}
    call.bound.raw.execute(
        f"INSERT INTO {table}({', '.join(values)}) VALUES ({', '.join('?' * len(values))})", tuple(values.values())
    )
