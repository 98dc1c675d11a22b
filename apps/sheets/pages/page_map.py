"""Map from each operation to its page: the form of a write, or the view of a read; braces name arguments.

A key `operation+argument` is the page to use when that argument is given. Operations whose dialog has other fields than
their arguments are on `/more`.
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
