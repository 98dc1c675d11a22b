"""Route table: method and path to operation, and the conventions for authors of operations.

- An operation has the id of its method (`spreadsheets.values.update`; Drive's with the prefix `drive.`) and takes
everything the method's page lists as flat arguments under the vendor's names: those of the path, of the query, and the
fields of the body (`spreadsheets.values.update`: spreadsheetId, range, valueInputOption, ..., majorDimension, values).
If body and path differ, the path counts; a `range` in the body that differs is refused here. Only the browser client
calls `web.…`.
- The door parses names and types by the published schema: no unknown field, no null (a field that is null is absent, in
cells null stays), int64 as text, `sheetId` in a path as a number, members of the enumerations of values and dimensions.
Operations check members of other enumerations.
- For uploads, an operation gets `content` (base64url) and `contentType` beside the metadata. A download
(`drive.files.export`, `drive.files.get` and `drive.revisions.get` with `alt="media"`) returns `{"content": base64url,
"mimeType": ...}`, and the door sends the bytes.
- An operation returns everything; the door applies `fields`, or Drive's default fields without it. With a mask,
`includeGridData` says whether it selects cells. None is 204. An integer is written without a fraction.
- A method without an operation answers 404 "Method not found." and is recorded as missed.
"""

from dataclasses import replace

from apps.google.method_table import parse_lines, parse_objects, split_rows
from apps.sheets.rest import sheets_v4

FIELD = {
    "spreadsheets.create": "spreadsheet",
    "spreadsheets.values.update": "data",
    "spreadsheets.values.append": "data",
}  # what a body is
SHEETS = tuple(replace(line, at=FIELD.get(line.operation, "")) for line in parse_lines(sheets_v4.METHODS))
ENUMS = {name: frozenset(members) for name, *members in (row.split() for row in split_rows(sheets_v4.ENUMS))}
SHEETS_OBJECTS = parse_objects(sheets_v4.OBJECTS)
