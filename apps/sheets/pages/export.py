"""Spreadsheets as files."""

from starlette.responses import Response

from apps.drive.pages.public import build_download, data_of
from apps.sheets.files.conversion import GIVEN
from apps.sheets.pages.ui import pages
from world.core.errors import OperationError
from world.web import View

FORMATS = {"zip": "html", **{name: name for name in GIVEN.values()}, **GIVEN}


@pages.page("/d/{key}/export", template="sheet.html")
def export(view: View, key: str) -> Response:
    """A spreadsheet, or an older revision of it, as xlsx, ods, pdf or web pages, or one of its sheets as pdf, csv or tsv."""
    wanted = FORMATS.get(view.query.get("format") or view.query.get("mimeType") or "xlsx")
    if wanted is None:
        raise OperationError("conversion_unsupported")
    gid = view.query.get("gid", "")
    asked = {"spreadsheetId": key, "format": wanted, **({"gid": int(gid)} if gid.isdecimal() and len(gid) < 11 else {})}
    asked |= {"revisionId": view.query["revision"][:100]} if view.query.get("revision") else {}
    told = view.call("web.download", **asked)
    return build_download(told["name"], told["mimeType"], data_of(told))
