"""On which page each operation is done: where the form of a write stands, where a read is shown; braces name arguments.

A key `operation+argument` is the page to use when that argument is given. What a dialog asks in other words than the operation does
is done on `/more`.
"""

_MORE = (
    "drive.comments.create", "drive.comments.delete", "drive.comments.update", "drive.files.copy", "drive.files.create", "drive.files.update",
    "drive.permissions.create", "drive.permissions.delete", "drive.permissions.update", "drive.replies.create", "drive.replies.delete",
    "drive.replies.update", "drive.revisions.delete", "drive.revisions.update", "spreadsheets.batchUpdate", "spreadsheets.create",
    "spreadsheets.sheets.copyTo", "spreadsheets.values.append", "spreadsheets.values.batchClear", "spreadsheets.values.batchClearByDataFilter",
    "spreadsheets.values.batchUpdate", "spreadsheets.values.batchUpdateByDataFilter", "spreadsheets.values.clear", "spreadsheets.values.update",
    "web.change", "web.copySheet", "web.create", "web.enter", "web.fill", "web.import", "web.nameVersion", "web.paste", "web.redo",
    "web.requestAccess", "web.restoreVersion", "web.setAccess", "web.share", "web.undo",
)  # fmt: skip
PLACES: dict[str, str] = {
    **{operation: f"/more/{operation}" for operation in _MORE},
    "drive.about.get": "/my-drive",
    "drive.comments.list": "/d/{fileId}/edit?pane=comments&show=all",
    "drive.files.delete": "/trash?dialog=forever&file={fileId}",
    "drive.files.emptyTrash": "/trash?dialog=empty-trash",
    "drive.files.export": "/d/{fileId}/export?mimeType={mimeType}",
    "drive.files.get": "/my-drive?dialog=details&file={fileId}",
    "drive.files.list": "/",
    "drive.files.update+description": "/my-drive?dialog=details&file={fileId}",
    "drive.files.update+name": "/my-drive?dialog=rename&file={fileId}",
    "drive.permissions.list": "/my-drive?dialog=share&file={fileId}",
    "drive.revisions.list": "/my-drive?dialog=history&file={fileId}",
    "spreadsheets.get": "/d/{spreadsheetId}/edit",
    "spreadsheets.values.get": "/d/{spreadsheetId}/edit",
    "web.activity": "/my-drive?dialog=details&tab=activity&file={fileId}",
    "web.download": "/d/{spreadsheetId}/export",
    "web.download+format": "/d/{spreadsheetId}/export?format={format}",
    "web.open": "/d/{spreadsheetId}/edit",
    "web.version": "/d/{spreadsheetId}/history",
    "web.version+revisionId": "/d/{spreadsheetId}/history?version={revisionId}",
    "web.versions": "/d/{spreadsheetId}/history",
    "web.people": "/people?q={q}",
}
