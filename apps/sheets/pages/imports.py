"""Imports of a table, into a spreadsheet or as a new one."""

from apps.drive.pages.public import encode_upload, files_of, upload_file
from apps.sheets.pages.ui import pages
from world.core.errors import InvalidArguments
from world.core.json_types import JsonObject
from world.core.params import whole_number
from world.web import View

WHERE = ("new_spreadsheet", "new_sheets", "replace_spreadsheet", "replace_sheet", "append")


@pages.action("import")
def take_in(view: View, arguments: dict[str, object]) -> JsonObject:
    """Import a table into a spreadsheet, or as a new one."""
    where, key = str(arguments.get("where") or ""), str(arguments.get("fileId") or "")
    if where not in WHERE:
        raise InvalidArguments([("where", "is not known")])
    file = files_of(arguments.get("file"))[0]
    if where == "new_spreadsheet":
        made = upload_file(view, file, {}, converts=True)
        return {"said": "File imported.", "id": made["id"], "gid": ""}
    gid = str(arguments.get("gid") or "0")
    asked = {
        "spreadsheetId": key,
        "name": file["filename"],
        "content": encode_upload(file),
        "where": where,
        "gid": whole_number(gid),
        "typed": str(arguments.get("typed") or "") == "true",
        "delimiter": separator(str(arguments.get("separator") or "")),
    }
    told = view.submit("web.import", asked)
    return {"said": "File imported.", "id": key, "gid": told.get("gid", gid)}


def separator(word: str) -> str:
    """A separator as the form names it."""
    return {"tab": "\t", "comma": ",", "semicolon": ";"}.get(word, "")
