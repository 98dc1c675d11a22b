"""The app object of the chat service; operations register themselves on it."""

from apps.slack.models import DDL
from world.core.app import App

app = App("slack", "Slack", hosts=("slack.com", "*.slack.com"))
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
