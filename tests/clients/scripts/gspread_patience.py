"""A spreadsheet opened and listed while the services take no more: `python gspread_patience.py KEY`; the library's own
client asks again.

FIRM_CREDENTIALS is a service account's key, FIRM_ME its person's address. Prints one line of what it got.
"""

import json
import os
import sys

import gspread
from google.oauth2.service_account import Credentials
from gspread import http_client

SCOPES = ["https://www.googleapis.com/auth/spreadsheets", "https://www.googleapis.com/auth/drive"]

http_client.time.sleep = lambda seconds: None  # the wait is the world's
given = Credentials.from_service_account_file(
    os.environ["FIRM_CREDENTIALS"], scopes=SCOPES, subject=os.environ["FIRM_ME"]
)
client = gspread.authorize(given, http_client=gspread.BackOffHTTPClient)
rows = client.open_by_key(sys.argv[1]).sheet1.get("A1:A1")
print(
    json.dumps({"rows": len(rows), "listed": any(one["id"] == sys.argv[1] for one in client.list_spreadsheet_files())})
)
