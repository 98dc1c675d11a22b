"""The app object of the code host; operations register themselves on it."""

from apps.github import models  # noqa: F401  tables join an image with the app
from apps.github.limits import HOUR_S, PER_HOUR, pool_of
from world.core.app import App
from world.core.theme import Theme

ENTERPRISE = "github.firm.test"  # an Enterprise host: the API below /api/v3, GraphQL at /api/graphql
VENDOR_API = "https://api.github.com"
HOSTS = (
    "github.com",
    "www.github.com",
    "api.github.com",
    "uploads.github.com",
    "raw.githubusercontent.com",
    "codeload.github.com",
    "gist.github.com",
    ENTERPRISE,
)

API_HOSTS = ("api.github.com", "uploads.github.com", "raw.githubusercontent.com", "codeload.github.com")


def enterprise_site(base: str) -> str:
    """Return the Enterprise address of the host whose API was called: the server owns the whole host.

    Empty for the vendor's own hosts and for a server below a path; links then lead to github.com.
    """
    host = base.partition("://")[2]
    name = host.partition(":")[0]
    if not host or "/" in host or name.startswith("api.") or (name in HOSTS and name != ENTERPRISE):
        return ""
    return base


app = App(
    "github",
    "GitHub",
    units=PER_HOUR,
    window_s=HOUR_S,
    pools=pool_of,
    hosts=HOSTS,
    site="https://github.com",
    site_at=enterprise_site,
    api_hosts=API_HOSTS,
)
app.fault_codes.update(
    error="server_error",
    write_then_error="server_error",
    partial="unavailable",
    timeout="timed_out",
    transport="unavailable",
    readonly="read_only",
    ratelimit="secondary_rate_limit",
    auth_expired="bad_credentials",
    corrupt_payload="server_error",
)
app.token_forms.update(
    user="ghp_{}"
)  # github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats
app.theme = Theme(
    "GitHub",
    "H",
    "#23282f",
    "#f2f4f6",
    "#3a414a",
    "#ffffff",
    "#22272d",
    "#eceff2",
    "#14181d",
    "#1c7f3c",
    accent_soft="#e3f5e8",
    link="#0b62cf",
    symbol="git-branch",
)
