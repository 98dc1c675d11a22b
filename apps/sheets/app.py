"""The app object of the spreadsheet service; operations register themselves on it."""

import apps.sheets.models  # noqa: F401  # its tables belong to the app
from apps.drive.public import access
from apps.google.faults import list_fault_codes
from apps.sheets.limits import pool_of
from world.core.app import App
from world.core.theme import Theme

HOSTS = ("sheets.googleapis.com", "docs.google.com")

app = App(
    "sheets",
    "Sheets",
    pools=pool_of,
    hosts=HOSTS,
    suite="google-drive",
    vendor="google",
    site="https://docs.google.com",
    api_hosts=HOSTS[:1],
)
# developers.google.com/workspace/sheets/api/limits, cloud.google.com/apis/design/errors
app.fault_codes.update(list_fault_codes("internal", "quota_exceeded"))
app.token_forms.update(user="ya29.{}")
app.theme = Theme(
    "Sheets",
    "T",
    "#f7faf8",
    "#22282a",
    "#e6efe9",
    "#f7faf8",
    "#22282a",
    "#d4ecdc",
    "#0d4426",
    "#157a47",
    accent_soft="#e0f2e7",
    trouble="Trying to reconnect",
    symbol="table-2",
)
app.rules.update(access.RULES)  # who may open a spreadsheet is who may open its file
