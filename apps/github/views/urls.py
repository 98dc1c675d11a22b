"""Addresses outside the API: files as they are, archives, uploads. They differ between github.com and an Enterprise
host.
"""

from urllib.parse import quote

from apps.github.domain.context import Hub
from apps.github.models import Repository

PUBLIC = "github.com"


def quoted(path: str) -> str:
    """A path or ref inside an address; slashes stay."""
    return quote(path, safe="/", errors="surrogateescape")


def _host(hub: Hub, name: str, path: str) -> str:
    """The address of one of the service's other hosts, or the folder that stands for it on an Enterprise host."""
    scheme, _, host = hub.html.partition("://")
    bare, _, port = host.partition(":")
    if bare != PUBLIC:
        return f"{hub.html}/{path}"
    return f"{scheme}://{name}{':' if port else ''}{port}"


def download_url(hub: Hub, repo: Repository, ref: str, path: str) -> str:
    """Where a file can be had as it is."""
    return f"{_host(hub, 'raw.githubusercontent.com', 'raw')}/{hub.full_name(repo)}/{quoted(ref)}/{quoted(path)}"


def archive_url(hub: Hub, repo: Repository, form: str, ref: str) -> str:
    """Where an archive of a revision can be had; `form` is tar.gz or zip."""
    return f"{_host(hub, 'codeload.github.com', 'codeload')}/{hub.full_name(repo)}/legacy.{form}/{quoted(ref)}"


def uploads(hub: Hub) -> str:
    """The root of the uploads API; below a folder it stands within the API, as PyGithub leaves the address it was given
    for no other.
    """
    below = "/" in hub.html.partition("://")[2]
    return _host(hub, "uploads.github.com", "api/v3/uploads" if below else "api/uploads")
