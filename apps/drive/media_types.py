"""Media types: kinds of files, and conversions between them.

developers.google.com/workspace/drive/api/guides/mime-types,
developers.google.com/workspace/drive/api/guides/ref-export-formats
"""

import re
from mimetypes import MimeTypes

from apps.drive.access import FOLDER, SPREADSHEET

__all__ = ["EXPORTS", "FOLDER", "IMPORTS", "SHORTCUT", "SPREADSHEET", "extensions", "guess_type", "is_native"]

NATIVE = "application/vnd.google-apps."
SHORTCUT = f"{NATIVE}shortcut"
UNKNOWN = "application/octet-stream"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ODS, ZIP = "application/x-vnd.oasis.opendocument.spreadsheet", "application/zip"  # a web page of each sheet
PDF = "application/pdf"
CSV, TSV = "text/csv", "text/tab-separated-values"
IMPORTS = (XLSX, CSV, TSV)
EXPORTS = (XLSX, ODS, PDF, ZIP, CSV, TSV)
_MORE = {
    ".csv": CSV,
    ".tsv": TSV,
    ".xlsx": XLSX,
    ".md": "text/markdown",
    ".json": "application/json",
    ".log": "text/plain",
}
_EXTENSION = re.compile(r"\.([A-Za-z0-9]{1,16})")
_KNOWN = MimeTypes(filenames=())


def is_native(mime_type: str) -> bool:
    """Whether files of a type have no bytes of their own."""
    return mime_type.startswith(NATIVE)


def guess_type(name: str, told: str) -> str:
    """Guess the type of an upload: as declared, or by the name."""
    told = told.partition(";")[0].strip().lower()
    if told and told != UNKNOWN:
        return told
    ending = "." + name.rpartition(".")[2].lower() if "." in name else ""
    return _MORE.get(ending) or _KNOWN.types_map[True].get(ending) or UNKNOWN


def extensions(name: str) -> tuple[str, str]:
    """`gz` and `tar.gz` of a name."""
    found = re.search(r"(?:\.[A-Za-z0-9]{1,16}){1,2}\Z", name)
    parts = _EXTENSION.findall(found[0]) if found and found.span()[0] > 0 else []
    known = parts if len(parts) < 2 or parts[0].lower() == "tar" else parts[1:]
    return (known[-1], ".".join(known)) if known else ("", "")
