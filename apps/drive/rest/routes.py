"""Route table: method and path to operation, and the conventions for authors of operations.

- An operation has the id of its method with the prefix `drive.` and takes everything the method's page lists as flat
arguments under the vendor's names: those of the path, of the query, and the fields of the body. If body and path
differ, the path counts. Only the browser client calls `web.…`.
- The door parses names and types by the published schema: no null (a field that is null is absent), int64 as text.
- For uploads, an operation gets `content` (base64url) and `contentType` beside the metadata. A download
(`drive.files.export`, `drive.files.get` and `drive.revisions.get` with `alt="media"`) returns `{"content": base64url,
"mimeType": ...}`, and the door sends the bytes.
- An operation returns everything; the door applies `fields`, or the default fields without it. None is 204.
- A method without an operation answers 404 "Method not found." and is recorded as missed.
"""

from apps.drive.rest import drive_v3
from apps.google.method_table import parse_lines, parse_objects

LINES, OBJECTS = parse_lines(drive_v3.METHODS), parse_objects(drive_v3.OBJECTS)

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
