"""Content operations on spreadsheets for the drive, as declared by `apps.drive.contents`."""

from apps.drive.public import SPREADSHEET, Content, contents
from apps.sheets.files import conversion, file_copy
from apps.sheets.grid import cell_anchors
from apps.sheets.structure.spreadsheet_files import new_spreadsheet
from world.core.call import Call
from world.core.rng import digest

_OF_SHEETS = "SELECT id FROM sheets_sheet WHERE file_id = :file"
_DELETE = (
    f"DELETE FROM sheets_cell WHERE sheet_id IN ({_OF_SHEETS})",
    f"DELETE FROM sheets_dimension WHERE sheet_id IN ({_OF_SHEETS})",
    *(
        f"DELETE FROM {table} WHERE file_id = :file"
        for table in ("sheets_object", "sheets_undo", "sheets_sheet", "sheets_spreadsheet")
    ),
)
_TEXTS = (
    "SELECT file_id, title FROM sheets_sheet WHERE title LIKE :like ESCAPE '\\'",
    "SELECT file_id, input FROM sheets_cell WHERE kind IN ('text', 'number') AND input LIKE :like ESCAPE '\\'",
)


def create(call: Call, name: str, parent: int | None) -> str:
    """Create an empty spreadsheet; return its key."""
    return new_spreadsheet(call, name, parent=parent)


def copy(call: Call, old: int, new: int, key: str) -> None:
    """Copy the content of one spreadsheet into another, empty one."""
    file_copy.copy(call, old, new, digest("copy", key).hex())


def delete(call: Call, file: int) -> None:
    """Delete all content of a spreadsheet."""
    for sql in _DELETE:
        call.execute(sql, {"file": file})


contents.declare_content(
    Content(
        app="sheets",
        media_type=SPREADSHEET,
        table="sheets_spreadsheet",
        texts=_TEXTS,
        exports=conversion.GIVEN,
        create=create,
        import_file=conversion.import_file,
        replace=conversion.replace_content,
        export=conversion.export_file,
        copy=copy,
        delete=delete,
        find_anchor=cell_anchors.find_anchor,
        render_anchor=cell_anchors.render_anchor,
    )
)
