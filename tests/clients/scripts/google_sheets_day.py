"""A working day with sheets and the drive through google-api-python-client: `python google_sheets_day.py
token|refresh|service`.

FIRM_URL is the address of the spreadsheet service; without it the library goes where it always goes, through the proxy
that the environment names. FIRM_CREDENTIALS is a file: a bare token, an authorised user's file or a service account's
key. FIRM_PEER is the address of a colleague, FIRM_ME one's own. Prints one line of what it saw.
"""

import io
import json
import os
import sys
from pathlib import Path
from typing import Any

from google.oauth2 import service_account
from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError
from googleapiclient.http import BatchHttpRequest, MediaIoBaseDownload, MediaIoBaseUpload

URL, ME, PEER = os.environ.get("FIRM_URL", ""), os.environ["FIRM_ME"], os.environ["FIRM_PEER"]
SCOPES = ["https://www.googleapis.com/auth/spreadsheets", "https://www.googleapis.com/auth/drive"]
SPREADSHEET = "application/vnd.google-apps.spreadsheet"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def credentials(kind: str) -> Any:
    """What the library takes for each kind of credential."""
    path = Path(os.environ["FIRM_CREDENTIALS"])
    if kind == "token":
        return Credentials(token=path.read_text())
    if kind == "refresh" and URL:  # the library's reader of such files puts its own address in place of theirs
        info = json.loads(path.read_text())
        return Credentials(
            None,
            scopes=SCOPES,
            **{name: info[name] for name in ("refresh_token", "token_uri", "client_id", "client_secret")},
        )
    if kind == "refresh":
        return Credentials.from_authorized_user_file(str(path), SCOPES)
    return service_account.Credentials.from_service_account_file(str(path), scopes=SCOPES, subject=ME)


def refused(request: Any) -> list[Any]:
    """Status and sentence of the client's own exception."""
    try:
        request.execute()
    except HttpError as error:
        return [int(error.resp.status), error.reason]
    return [0, "nothing was refused"]


def values(sheets: Any) -> tuple[str, dict[str, Any]]:
    """A budget made, filled, read in every form, added to and emptied."""
    key = sheets.create(
        body={"properties": {"title": "Quince budget"}, "sheets": [{"properties": {"title": "It's Q1"}}]}
    ).execute()["spreadsheetId"]
    cells, place = sheets.values(), "'It''s Q1'!A1:D3"
    rows = [
        ["Team", "Plan", "Spent", "Left"],
        ["Core", "$1,200.50", "=B2*10%", "=B2-C2"],
        ["Support", 800, "45%", "2026-03-02"],
    ]
    written = cells.update(
        spreadsheetId=key,
        range=place,
        valueInputOption="USER_ENTERED",
        body={"values": rows, "majorDimension": None},
        includeValuesInResponse=True,
    ).execute()
    seen = {"written": [written["updatedCells"], written["updatedData"]["values"][1]]}
    got = {
        name: cells.get(spreadsheetId=key, range=place, valueRenderOption=name).execute()["values"][1:]
        for name in ("FORMATTED_VALUE", "UNFORMATTED_VALUE", "FORMULA")
    }
    added = cells.append(
        spreadsheetId=key,
        range="'It''s Q1'!A1",
        valueInputOption="RAW",
        insertDataOption="INSERT_ROWS",
        body={"values": [["Sales", 5]]},
    ).execute()
    both = {
        "valueInputOption": "RAW",
        "data": [{"range": "'It''s Q1'!F1", "values": [["x"]]}, {"range": "'It''s Q1'!F2", "values": [[2]]}],
    }
    many = cells.batchUpdate(spreadsheetId=key, body=both).execute()
    read = cells.batchGet(
        spreadsheetId=key, ranges=["'It''s Q1'!F1:F2", "'It''s Q1'!A4:B4"], majorDimension="COLUMNS"
    ).execute()["valueRanges"]
    cells.clear(spreadsheetId=key, range="'It''s Q1'!F1").execute()
    gone = cells.batchClear(spreadsheetId=key, body={"ranges": ["'It''s Q1'!F2"]}).execute()
    seen |= {
        "got": got,
        "table": added["tableRange"],
        "added": added["updates"]["updatedRange"],
        "many": many["totalUpdatedCells"],
    }
    return key, {**seen, "read": [one["values"] for one in read], "gone": gone["clearedRanges"]}


def batch(sheets: Any, key: str) -> dict[str, Any]:
    """Changes of every daily kind in one batch, and what the spreadsheet is like then."""
    whole = {"sheetId": 0, "startRowIndex": 0, "endRowIndex": 4, "startColumnIndex": 0, "endColumnIndex": 4}
    header = {**whole, "endRowIndex": 1}
    bold = {"userEnteredFormat": {"textFormat": {"bold": True}}}
    line = {"style": "SOLID", "color": {"red": 1}}
    first = sheets.get(spreadsheetId=key, fields="sheets.properties").execute()["sheets"][0]["properties"]["sheetId"]
    for one in (whole, header):
        one["sheetId"] = first
    columns = {"sheetId": first, "dimension": "COLUMNS", "startIndex": 0, "endIndex": 1}
    rows = {"sheetId": first, "dimension": "ROWS", "startIndex": 6, "endIndex": 8}
    far = {"sheetId": first, "rowIndex": 20, "columnIndex": 0}
    rule = {
        "ranges": [whole],
        "booleanRule": {"condition": {"type": "NOT_BLANK"}, "format": {"backgroundColor": {"green": 1}}},
    }
    requests: list[dict[str, Any]] = [
        {"addSheet": {"properties": {"title": "Totals"}}},
        {"duplicateSheet": {"sourceSheetId": first, "newSheetName": "Copy"}},
        {
            "updateSheetProperties": {
                "properties": {"sheetId": first, "gridProperties": {"frozenRowCount": 1}},
                "fields": "gridProperties.frozenRowCount",
            }
        },
        {"updateSpreadsheetProperties": {"properties": {"title": "Quince budget 2026"}, "fields": "title"}},
        {
            "updateCells": {
                "start": far,
                "rows": [{"values": [{"userEnteredValue": {"stringValue": "note"}}]}],
                "fields": "userEnteredValue",
            }
        },
        {"repeatCell": {"range": header, "cell": bold, "fields": "userEnteredFormat.textFormat.bold"}},
        {
            "appendCells": {
                "sheetId": first,
                "rows": [{"values": [{"userEnteredValue": {"numberValue": 1}}]}],
                "fields": "*",
            }
        },
        {"insertDimension": {"range": rows}},
        {"deleteDimension": {"range": rows}},
        {"appendDimension": {"sheetId": first, "dimension": "ROWS", "length": 5}},
        {"findReplace": {"find": "Core", "replacement": "Kernel", "allSheets": True}},
        {
            "sortRange": {
                "range": {**whole, "startRowIndex": 1},
                "sortSpecs": [{"dimensionIndex": 0, "sortOrder": "DESCENDING"}],
            }
        },
        {
            "copyPaste": {
                "source": header,
                "destination": {**header, "startRowIndex": 30, "endRowIndex": 31},
                "pasteType": "PASTE_NORMAL",
            }
        },
        {
            "cutPaste": {
                "source": {**header, "startRowIndex": 30, "endRowIndex": 31},
                "destination": {**far, "rowIndex": 40},
                "pasteType": "PASTE_NORMAL",
            }
        },
        {"mergeCells": {"range": {**header, "startRowIndex": 50, "endRowIndex": 52}, "mergeType": "MERGE_ALL"}},
        {"unmergeCells": {"range": {**header, "startRowIndex": 50, "endRowIndex": 52}}},
        {"updateDimensionProperties": {"range": columns, "properties": {"pixelSize": 180}, "fields": "pixelSize"}},
        {"autoResizeDimensions": {"dimensions": columns}},
        {"updateBorders": {"range": header, "bottom": line}},
        {
            "setDataValidation": {
                "range": whole,
                "rule": {"condition": {"type": "ONE_OF_LIST", "values": [{"userEnteredValue": "Kernel"}]}},
            }
        },
        {"addConditionalFormatRule": {"rule": rule, "index": 0}},
        {"setBasicFilter": {"filter": {"range": whole}}},
        {"clearBasicFilter": {"sheetId": first}},
        {"addNamedRange": {"namedRange": {"name": "head_line", "range": header}}},
        {"deleteSheet": {"sheetId": None}},
    ]
    made = sheets.batchUpdate(spreadsheetId=key, body={"requests": requests[:1]}).execute()["replies"][0]["addSheet"][
        "properties"
    ]["sheetId"]
    requests[-1]["deleteSheet"]["sheetId"] = made
    replies = sheets.batchUpdate(spreadsheetId=key, body={"requests": requests[1:]}).execute()["replies"]
    shown = sheets.get(spreadsheetId=key, ranges=["'It''s Q1'!A1:D4"], includeGridData=True).execute()
    grid = shown["sheets"][0]["data"][0]["rowData"]
    return {
        "replies": len(replies),
        "replaced": replies[9]["findReplace"]["occurrencesChanged"],
        "title": shown["properties"]["title"],
        "first": [row["values"][0]["formattedValue"] for row in grid],
        "named": shown["namedRanges"][0]["name"],
        "bold": grid[0]["values"][0]["effectiveFormat"]["textFormat"]["bold"],
    }


def take_in(files: Any, workbook: bytes, key: str) -> dict[str, Any]:
    """An xlsx file made a spreadsheet; the library sends uploads to the vendor's own host alone, so elsewhere the sheet
    is copied.
    """
    if URL:
        return files.copy(fileId=key, body={"name": "Quince again"}).execute()
    media = MediaIoBaseUpload(io.BytesIO(workbook), XLSX)
    return files.create(body={"name": "Quince again", "mimeType": SPREADSHEET}, media_body=media).execute()


def drive_day(drive: Any, key: str) -> dict[str, Any]:
    """The file found by its name, shared, spoken of, copied, exported, taken in again, thrown away."""
    files = drive.files()
    found = files.list(
        q=f"mimeType='{SPREADSHEET}' and name = 'Quince budget 2026' and trashed = false", fields="files(id,name)"
    ).execute()["files"]
    about = files.get(fileId=key, fields="id,name,owners,capabilities(canEdit),webViewLink").execute()
    drive.permissions().create(
        fileId=key, body={"type": "user", "role": "writer", "emailAddress": PEER}, emailMessage="Please fill in."
    ).execute()
    grants = drive.permissions().list(fileId=key, fields="permissions(emailAddress,role)").execute()["permissions"]
    said = drive.comments().create(fileId=key, fields="id,content", body={"content": "Is Q1 final?"}).execute()
    drive.replies().create(
        fileId=key, commentId=said["id"], fields="id,action", body={"action": "resolve", "content": "Yes."}
    ).execute()
    talk = drive.comments().list(fileId=key, fields="comments(resolved,replies(content))").execute()["comments"]
    copy = files.copy(fileId=key, body={"name": "Quince copy"}).execute()
    out = io.BytesIO()
    reader = MediaIoBaseDownload(out, files.export_media(fileId=key, mimeType=XLSX))
    while not reader.next_chunk()[1]:
        pass
    text = files.export(fileId=key, mimeType="text/csv").execute().decode()
    taken = take_in(files, out.getvalue(), key)
    folder = files.create(body={"name": "Quinces", "mimeType": "application/vnd.google-apps.folder"}).execute()
    moved = files.update(
        fileId=taken["id"], addParents=folder["id"], removeParents="root", fields="parents", body={"starred": True}
    ).execute()
    files.update(fileId=copy["id"], body={"trashed": True}).execute()
    files.delete(fileId=copy["id"]).execute()
    return {
        "found": [one["name"] for one in found],
        "mine": about["owners"][0]["emailAddress"] == ME,
        "edit": about["capabilities"]["canEdit"],
        "grants": sorted((one["emailAddress"] == PEER, one["role"]) for one in grants),
        "talk": talk,
        "csv": text.splitlines()[0],
        "moved": moved["parents"] == [folder["id"]],
        "taken": taken["id"],
    }


def endpoint(path: str) -> dict[str, Any]:
    """Where an API is, if not at its own address."""
    return {"client_options": {"api_endpoint": URL + path}} if URL else {}


def main(kind: str) -> None:
    """The day."""
    given = credentials(kind)
    sheets_api = build("sheets", "v4", credentials=given, static_discovery=True, **endpoint(""))
    drive = build("drive", "v3", credentials=given, static_discovery=True, **endpoint("/drive/v3/"))
    sheets = sheets_api.spreadsheets()
    key, seen = values(sheets)
    seen["batch"] = batch(sheets, key)
    seen["drive"] = drive_day(drive, key)
    again = (
        sheets.values()
        .get(spreadsheetId=seen["drive"].pop("taken"), range="A1:D4", valueRenderOption="FORMULA")
        .execute()["values"]
    )
    seen["same"] = (
        again == sheets.values().get(spreadsheetId=key, range="A1:D4", valueRenderOption="FORMULA").execute()["values"]
    )
    seen["refused"] = {
        "range": refused(sheets.values().get(spreadsheetId=key, range="Nope!A1")),
        "unknown": refused(sheets.get(spreadsheetId="1nope")),
        "file": refused(drive.files().get(fileId="1nope")),
        "option": refused(sheets.values().update(spreadsheetId=key, range="A1", body={"values": [[1]]})),
    }
    answered: list[bool] = []
    one: BatchHttpRequest = sheets_api.new_batch_http_request(
        callback=lambda _, answer, error: answered.append(error is None)
    )
    if URL:
        one = BatchHttpRequest(
            callback=lambda _, answer, error: answered.append(error is None), batch_uri=f"{URL}/batch"
        )
    for place in ("A1", "B2", "Nope!A1"):
        one.add(sheets.values().get(spreadsheetId=key, range=place))
    one.execute()
    print(json.dumps({**seen, "answered": answered}))


if __name__ == "__main__":
    main(sys.argv[1])
