"""The app object of the status pages."""

from world.core.app import App
from world.core.theme import Theme

app = App("status", "Status")
app.fault_codes = {
    "error": "unavailable",
    "write_then_error": "unavailable",
    "partial": "unavailable",
    "timeout": "unavailable",
    "transport": "unavailable",
    "readonly": "unavailable",
    "corrupt_payload": "unavailable",
    "auth_expired": "token_revoked",
    "ratelimit": "too_many_requests",
}
app.theme = Theme(
    "Status",
    "U",
    "#ffffff",
    "#20262e",
    "#eef1f4",
    "#ffffff",
    "#20262e",
    "#e9eef4",
    "#20262e",
    "#2a6f97",
    symbol="activity",
)
