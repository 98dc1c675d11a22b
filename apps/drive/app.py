"""The app object of the drive; operations register themselves on it."""

import apps.drive.models  # noqa: F401  # its tables belong to the app
from apps.drive.limits import pool_of
from apps.google.faults import list_fault_codes
from world.core.app import App
from world.core.theme import Theme

SHARED = (
    "drive/v3",
    "upload/drive/v3",
    "resumable/upload/drive/v3",
    "batch/drive/v3",
)  # below these paths the host of many APIs is Drive's
HOSTS = ("drive.googleapis.com", "drive.google.com", *(f"www.googleapis.com/{one}" for one in SHARED))

app = App(
    "drive",
    "Drive",
    pools=pool_of,
    hosts=HOSTS,
    suite="google-drive",
    vendor="google",
    site="https://drive.google.com",
    api_hosts=HOSTS[:1],
)
# developers.google.com/workspace/drive/api/guides/handle-errors, cloud.google.com/apis/design/errors
app.fault_codes.update(list_fault_codes("internal", "quota_exceeded"))
app.token_forms.update(user="ya29.{}")
app.theme = Theme(
    "Drive",
    "D",
    "#f7f9fc",
    "#22282a",
    "#e7edf5",
    "#f7f9fc",
    "#22282a",
    "#d8e7fb",
    "#0d2f5c",
    "#1a63c4",
    accent_soft="#e4eefc",
    trouble="Trying to reconnect",
    symbol="hard-drive",
)
