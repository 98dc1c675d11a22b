"""Questions to sheets and the drive while they take no more: `python google_sheets_patience.py KEY`; the library asks
again by itself.

FIRM_URL is the address of the spreadsheet service, FIRM_TOKEN a bare token. Prints one line: what a patient and a hasty
caller got.
"""

import json
import os
import sys
from typing import Any

from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

URL = os.environ["FIRM_URL"]


def asked(request: Any, retries: int) -> Any:
    """The answer to the last attempt: what it was, or status, reason and wait of the library's own exception."""
    request._sleep = lambda seconds: None  # the library's own door for tests; the wait is the world's
    try:
        return request.execute(num_retries=retries)
    except HttpError as error:
        return [error.resp.status, error.reason, error.resp["retry-after"]]


given = Credentials(token=os.environ["FIRM_TOKEN"])
sheets = build(
    "sheets", "v4", credentials=given, static_discovery=True, client_options={"api_endpoint": URL}
).spreadsheets()
files = build(
    "drive", "v3", credentials=given, static_discovery=True, client_options={"api_endpoint": f"{URL}/drive/v3/"}
).files()
key = sys.argv[1]
told = {
    "hasty": [
        asked(sheets.get(spreadsheetId=key, fields="spreadsheetId"), 0),
        asked(files.get(fileId=key, fields="id"), 0),
    ],
    "patient": [
        asked(sheets.values().get(spreadsheetId=key, range="A1", fields="range"), 2),
        asked(files.list(pageSize=1, fields="kind"), 2),
    ],
}
print(json.dumps(told))
