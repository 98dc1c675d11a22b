"""Addresses outside the API: raw files, archives, uploads. They differ between github.com and an Enterprise host."""

from urllib.parse import quote

from apps.github.domain.context import GithubContext
from apps.github.models import Repository

PUBLIC = "github.com"


def quote_path(path: str) -> str:
    """Quote a path or ref for an address; slashes stay."""
    return quote(path, safe="/", errors="surrogateescape")


def _host(context: GithubContext, name: str, path: str) -> str:
    """Return the address of another host of the service, or of its folder on an Enterprise host."""
    scheme, _, host = context.reached.partition("://")
    bare, _, port = host.partition(":")
    if bare != PUBLIC:
        return f"{context.reached}/{path}"
    return f"{scheme}://{name}{':' if port else ''}{port}"


def download_url(context: GithubContext, repo: Repository, ref: str, path: str) -> str:
    """Return the download address of a raw file."""
    return f"{_host(context, 'raw.githubusercontent.com', 'raw')}/{context.full_name(repo)}/{quote_path(ref)}/{quote_path(path)}"


def archive_url(context: GithubContext, repo: Repository, form: str, ref: str) -> str:
    """Return the download address of a revision's archive; `form` is tar.gz or zip."""
    return (
        f"{_host(context, 'codeload.github.com', 'codeload')}/{context.full_name(repo)}/legacy.{form}/{quote_path(ref)}"
    )


def uploads(context: GithubContext) -> str:
    """Return the root of the uploads API; below a path prefix it is inside the API, as PyGithub uses no other."""
    below = "/" in context.reached.partition("://")[2]
    return _host(context, "uploads.github.com", "api/v3/uploads" if below else "api/uploads")


def gist_url(context: GithubContext, id: str) -> str:
    """Return the page of a gist: on a host of its own, or in a folder of an Enterprise host."""
    public = context.html.replace(f"://{PUBLIC}", f"://gist.{PUBLIC}", 1)
    return f"{public}/{id}" if public != context.html else f"{context.html}/gist/{id}"
