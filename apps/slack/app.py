"""The app object of the chat service; operations register themselves on it."""

from dataclasses import replace

from apps.slack import models_apps  # noqa: F401  its table joins an image with the app
from apps.slack.models import DDL
from world.core.access import Issuer
from world.core.app import App
from world.core.json_types import JsonObject
from world.core.principal import Principal
from world.core.rng import digest
from world.core.theme import Theme

app = App("slack", "Slack", hosts=("slack.com", "*.slack.com"), site="https://{slack_domain}.slack.com")
app.ddl.extend(DDL)
app.outgoing = (
    "SELECT 1 FROM slack_app WHERE manifest ->> '$.settings.event_subscriptions.request_url' <> '' OR manifest ->>"
    " '$.settings.interactivity.request_url' <> '' LIMIT 1"
)
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


def issue_app_token(issuer: Issuer, principal: Principal, subjects: list[Principal], url: str) -> JsonObject:
    """The app-level token of a bot's app, which opens its Socket Mode connections."""
    only = replace(principal, app=app.name, kind="bot", scopes=frozenset({"connections:write"}))
    token = issuer.tokens.issue(only, "xapp-1-{}")
    return {"token": token, "url": f"{url}/api/", "signing_secret": _derive_signing_secret(token)}


def find_signing_secret(issuer: Issuer, principal: Principal) -> str:
    """What the requests to the app of a bot are signed with; known to whoever holds its app-level token."""
    return str(issue_app_token(issuer, principal, [], "")["signing_secret"])


def _derive_signing_secret(token: str) -> str:
    return digest("slack signing secret", token).hex()[:32]


app.credentials.update(app_token=issue_app_token)
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
