"""On which page each operation is done: where the form of a write stands, where a read is shown; braces name arguments.

A key `operation+argument` is the page to use when that argument is given. What a dialog asks in other words than the
operation does is done on `/more`.
"""

_MORE = (
    "spreadsheets.batchUpdate",
    "spreadsheets.create",
    "spreadsheets.sheets.copyTo",
    "spreadsheets.values.append",
    "spreadsheets.values.batchClear",
    "spreadsheets.values.batchClearByDataFilter",
    "spreadsheets.values.batchUpdate",
    "spreadsheets.values.batchUpdateByDataFilter",
    "spreadsheets.values.clear",
    "spreadsheets.values.update",
    "web.change",
    "web.copySheet",
    "web.create",
    "web.enter",
    "web.fill",
    "web.import",
    "web.nameVersion",
    "web.paste",
    "web.redo",
    "web.restoreVersion",
    "web.undo",
)
PLACES: dict[str, str] = {
    **{operation: f"/more/{operation}" for operation in _MORE},
    "spreadsheets.get": "/d/{spreadsheetId}/edit",
    "spreadsheets.values.get": "/d/{spreadsheetId}/edit",
    "web.download": "/d/{spreadsheetId}/export",
    "web.download+format": "/d/{spreadsheetId}/export?format={format}",
    "web.open": "/d/{spreadsheetId}/edit",
    "web.version": "/d/{spreadsheetId}/history",
    "web.version+revisionId": "/d/{spreadsheetId}/history?version={revisionId}",
    "web.versions": "/d/{spreadsheetId}/history",
}
