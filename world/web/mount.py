"""Place of an app in one request: by path (`/APP/...`) or by host (`APP.localhost`), behind any prefix."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlencode, urlsplit

from starlette.requests import HTTPConnection

Query = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class MountPoint:
    """`mount` is the app's own prefix, `site` the prefix of login, launcher and shell files."""

    app: str
    scheme: str
    netloc: str
    mount: str
    site: str

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"{self.scheme}://{self.netloc}"

    @property
    def base_url(self) -> str:
        """Base of the absolute addresses that the app's operations build."""
        return self.origin + self.mount

    @property
    def by_host(self) -> bool:
        """Whether the app has a host of its own."""
        return bool(self.app) and not self.mount.endswith(f"/{self.app}")

    def url(self, path: str, query: Query | None = None) -> str:
        """An address inside the app; None and empty values of the query are left out."""
        return self.mount + path + query_text(query or {})

    def site_url(self, path: str) -> str:
        """An address of the site: login, launcher, shell files."""
        return self.site + path

    def app_url(self, app: str, path: str = "/") -> str:
        """An address inside another app, by host when this one is reached by host."""
        if self.by_host:
            return f"{self.scheme}://{app}.{self.netloc.split('.', 1)[1]}{path}"
        return f"{self.site}/{app}{path}"

    def shell_url(self, path: str) -> str:
        """An address of the shell's own files."""
        return self.site_url("/web" + path)

    def launch_url(self, app: str) -> str:
        """Return the address that the launcher leads to; between hosts the session has to be carried over."""
        return self.site_url(f"/switch/{app}") if self.by_host else self.app_url(app)

    def inner(self, address: str) -> str | None:
        """The app's own path and query of an address of this app; None if it is somebody else's."""
        parts = urlsplit(address)
        if parts.netloc and (parts.scheme, parts.netloc) != (self.scheme, self.netloc):
            return None
        if not parts.path.startswith(self.mount + "/"):
            return None
        path = parts.path.removeprefix(self.mount)
        return f"{path}?{parts.query}" if parts.query else path


def place_of(connection: HTTPConnection, app: str) -> MountPoint:
    """Read the place from the request's own address."""
    root = str(connection.scope.get("root_path", "")).rstrip("/")
    site = root.removesuffix(f"/{app}") if app else root
    scheme = {"ws": "http", "wss": "https"}.get(connection.url.scheme, connection.url.scheme)
    return MountPoint(app, scheme, connection.url.netloc, root, site)


def query_text(query: Query) -> str:
    """`?a=1&b=2`, or nothing; a list gives a repeated name."""
    pairs = [(name, value) for name, value in query.items() if value not in (None, "", False)]
    return "?" + urlencode(pairs, doseq=True, quote_via=quote) if pairs else ""


def local_path(address: str | None, default: str) -> str:
    """A path on this host, or the default: never another site (`//x`, `/\\x`, `https://x`)."""
    if not address or not address.startswith("/") or address[1:2] in ("/", "\\"):
        return default
    return default if any(ord(c) < 32 for c in address) else address
