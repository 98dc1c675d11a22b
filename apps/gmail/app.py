"""The app object of the mail service; operations register themselves on it."""

from apps.gmail.limits import UNITS_PER_SECOND
from apps.gmail.models import DDL
from apps.google.faults import list_fault_codes
from world.core.app import App
from world.core.theme import Theme

API_HOSTS = (
    "gmail.googleapis.com",
    "www.googleapis.com",
    "oauth2.googleapis.com",
    "accounts.google.com",
    "openidconnect.googleapis.com",
    "*.googleapis.com",  # APIs that the company has not enabled
)
HOSTS = (*API_HOSTS, "mail.google.com")

app = App(
    "gmail",
    "Gmail",
    units=UNITS_PER_SECOND,
    window_s=1,
    vendor="google",
    hosts=HOSTS,
    api_hosts=API_HOSTS,
    site="https://mail.google.com",
)
app.ddl.extend(DDL)
# developers.google.com/workspace/gmail/api/guides/handle-errors
app.fault_codes.update(list_fault_codes("backend_error", "rate_limit_exceeded"))
app.token_forms.update(user="ya29.{}")
app.theme = Theme(
    "Gmail",
    "G",
    "#f5f7fc",
    "#24272c",
    "#e7edf8",
    "#f5f7fc",
    "#24272c",
    "#d6e4fb",
    "#0f2a4d",
    "#1f62d0",
    accent_soft="#e6effc",
    trouble="Something's not right",
    symbol="mail",
)
