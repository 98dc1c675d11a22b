"""The app object of the chat service; operations register themselves on it."""

from apps.slack.models import DDL
from world.core.app import App
from world.core.theme import Theme

app = App("slack", "Slack", hosts=("slack.com", "*.slack.com"), site="https://{slack_domain}.slack.com")
app.ddl.extend(DDL)
# Codes any method may answer with: docs.slack.dev/reference/methods/chat.postMessage, section on errors
app.fault_codes = {
    "error": "internal_error",
    "write_then_error": "fatal_error",
    "timeout": "request_timeout",
    "ratelimit": "ratelimited",
    "readonly": "service_unavailable",
    "partial": "service_unavailable",
    "auth_expired": "token_revoked",
    "corrupt_payload": "internal_error",
    "transport": "internal_error",
}
app.token_forms = {"user": "xoxp-{}", "bot": "xoxb-{}"}  # docs.slack.dev/authentication/tokens
app.theme = Theme(
    "Slack",
    "S",
    "#3a1440",
    "#f6eef7",
    "#5a3561",
    "#451a4c",
    "#d9c6dc",
    "#f4e9f5",
    "#33103a",
    "#156f52",
    accent_soft="#e6f4ee",
    link="#1562a8",
    symbol="hash",
)
