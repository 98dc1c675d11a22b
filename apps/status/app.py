"""The app object of the status pages."""

from world.core.app import App

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
