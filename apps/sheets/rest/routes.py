"""Which method and path stands for which operation, of both APIs: what an author of operations has to know.

- An operation has the id of its method (`spreadsheets.values.update`; Drive's with `drive.` before) and takes
everything the
  method's page lists as flat arguments under the vendor's names: those of the path, of the query, and the fields of the
  body (`spreadsheets.values.update`: spreadsheetId, range, valueInputOption, ..., majorDimension, values). Of what body
  and path both have the path counts; a `range` in the body that differs is refused here. Only the browser client asks
  for `web.…`.
- The door has read names and types by the published schema: no unknown field, no null (a field that is null is absent,
in
  cells null stays), int64 as text, `sheetId` in a path as a number, members of the enumerations of values and
  dimensions.
  Members of others are the operation's to check.
- Of uploads an operation gets `content` (base64url) and `contentType` beside the metadata. A download
  (`drive.files.export`, `drive.files.get` and `drive.revisions.get` with `alt="media"`) answers
  `{"content": base64url, "mimeType": ...}`, of which the door sends the bytes.
- An operation answers everything; `fields`, and what Drive answers to those who give none, is cut out here. With a mask
  `includeGridData` says whether the mask asks for cells. None is 204. A whole number is written without a fraction.
- A method without an operation answers 404 "Method not found." and is noted as missed.
"""

from dataclasses import replace

from apps.google.method_table import parse_lines, parse_objects, split_rows
from apps.sheets.rest import drive_v3, sheets_v4

FIELD = {
    "spreadsheets.create": "spreadsheet",
    "spreadsheets.values.update": "data",
    "spreadsheets.values.append": "data",
}  # what a body is
SHEETS = tuple(replace(line, at=FIELD.get(line.operation, "")) for line in parse_lines(sheets_v4.METHODS))
DRIVE = parse_lines(drive_v3.METHODS)
ENUMS = {name: frozenset(members) for name, *members in (row.split() for row in split_rows(sheets_v4.ENUMS))}
SHEETS_OBJECTS, DRIVE_OBJECTS = parse_objects(sheets_v4.OBJECTS), parse_objects(drive_v3.OBJECTS)

# developers.google.com/workspace/drive/api/guides/fields-parameter: what is answered without `fields`; where it is
# required, None
FILE, PERMISSION, REVISION = "kind,id,name,mimeType", "kind,id,type,role", "kind,id,mimeType,modifiedTime"
SELECTED: dict[str, str | None] = {
    "drive.files.list": f"kind,nextPageToken,incompleteSearch,files({FILE})",
    **dict.fromkeys(("drive.files.get", "drive.files.create", "drive.files.update", "drive.files.copy"), FILE),
    "drive.permissions.list": f"kind,nextPageToken,permissions({PERMISSION})",
    **dict.fromkeys(("drive.permissions.get", "drive.permissions.create", "drive.permissions.update"), PERMISSION),
    "drive.revisions.list": f"kind,nextPageToken,revisions({REVISION})",
    "drive.revisions.get": REVISION,
    "drive.drives.list": "kind,nextPageToken,drives(kind,id,name)",
    "drive.changes.list": (
        f"kind,nextPageToken,newStartPageToken,changes(kind,removed,fileId,time,changeType,file({FILE}))"
    ),
    **dict.fromkeys((f"drive.comments.{verb}" for verb in ("create", "get", "list", "update")), None),
    "drive.about.get": None,
}
