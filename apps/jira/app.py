"""The app object of the issue tracker; operations register themselves on it."""

from apps.jira.limits import BURST, WINDOW_S
from apps.jira.models import DDL
from world.core.app import App
from world.core.theme import Theme

DATA_CENTER = "jira.firm.test"  # a server that the company runs itself: the same world in that server's dialect
FOLDER = "/server"  # of the app: the same below an address


def data_center_site(base: str) -> str:
    """The server that a program asked at an address, whose pages are linked; empty for the vendor's cloud."""
    host = base.partition("://")[2]
    return base if host.partition(":")[0] == DATA_CENTER else ""


app = App(
    "jira",
    "Jira",
    limit=BURST,
    window_s=WINDOW_S,
    hosts=("*.atlassian.net", "api.atlassian.com", DATA_CENTER),
    api_hosts=("api.atlassian.com",),
    site="https://{jira_site}.atlassian.net",
    site_at=data_center_site,
)
app.ddl.extend(DDL)
app.fault_codes.update(
    error="internal_error",
    write_then_error="internal_error",
    partial="unavailable",
    timeout="timed_out",
    transport="unavailable",
    readonly="read_only",
    ratelimit="ratelimited",
    auth_expired="token_revoked",
    corrupt_payload="internal_error",
)
app.token_forms.update(user="ATATT3xFfGF0{}")  # the form of an API token; support.atlassian.com on API tokens
app.theme = Theme(
    "Jira",
    "J",
    "#ffffff",
    "#1d2940",
    "#f1f3f6",
    "#f7f8fa",
    "#344156",
    "#e4edfd",
    "#114fb8",
    "#155fd6",
    accent_soft="#e7effd",
    symbol="square-kanban",
)
