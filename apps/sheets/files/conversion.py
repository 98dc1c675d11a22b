"""Conversion between spreadsheets and the bytes of files."""

from collections.abc import Mapping

from apps.drive.public import media_types
from apps.sheets.files import import_export
from apps.sheets.spreadsheet import Spreadsheet
from world.core.call import Call
from world.core.errors import OperationError

MOST_EXPORTED = 10 * 1024 * 1024  # developers.google.com/workspace/drive/api/guides/manage-downloads#export-content
FORMATS = {
    media_types.XLSX: "xlsx",
    media_types.CSV: "csv",
    media_types.TSV: "tsv",
}  # as those who read and write files call them
GIVEN = {
    **FORMATS,
    media_types.ODS: "ods",
    media_types.ODS.replace("x-", ""): "ods",
    media_types.PDF: "pdf",
    media_types.ZIP: "html",
}


def import_file(call: Call, name: str, data: bytes, kind: str, parent: int | None) -> str:
    """Create a spreadsheet from a file's bytes; return its id.

    Raises conversion_unsupported for a file that is no table, and the errors of `import_export`.
    """
    return import_export.import_spreadsheet(call, name, data, _format(kind), parent)


def replace_content(call: Call, key: str, data: bytes, kind: str) -> None:
    """Replace the content of a spreadsheet by that of a file.

    Raises conversion_unsupported, protected, and the errors of `import_export`.
    """
    with Spreadsheet(call, key, "file.write") as book:
        import_export.into(call, book, data, _format(kind), import_export.How("replace_spreadsheet"))


def _format(kind: str, known: Mapping[str, str] = FORMATS) -> str:
    if kind not in known:
        raise OperationError("conversion_unsupported")
    return known[kind]


def export_file(call: Call, key: str, kind: str, gid: int | None = None) -> bytes:
    """Export a spreadsheet in another format. Raises conversion_unsupported, too_large_to_export."""
    with Spreadsheet(call, key) as book:
        data = import_export.export_spreadsheet(call, book, _format(kind, GIVEN), gid)
    if len(data) > MOST_EXPORTED:
        raise OperationError("too_large_to_export")
    return data
