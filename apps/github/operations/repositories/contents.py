"""Files and folders of a repository at a revision: read as JSON, raw, or rendered."""

from html import escape

from pydantic import Field

from apps.github.app import app
from apps.github.domain import markup
from apps.github.domain.context import GithubContext
from apps.github.domain.params import MediaType, Path, Raw, Ref, RepoRef
from apps.github.domain.readme import readme_of
from apps.github.domain.revisions import encode_base64, get_started_git, to_displayable
from apps.github.git import Entry, Repo
from apps.github.git.repo import LINK
from apps.github.models import Repository
from apps.github.views.git_objects import sizes
from apps.github.views.urls import download_url, quote_path
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

SOURCE = "docs.github.com/rest/repos/contents"
MAX_ENTRIES = 1000
INLINE, MOST = 1024 * 1024, 100 * 1024 * 1024  # bytes shown in JSON, and at all
MAX_LINKS = 8
README_PLACES = (".github", "", "docs")
MARKDOWN = (".md", ".markdown", ".mkd")
WHERE = [{"owner": "quayline", "repo": "payments"}]
Content = JsonObject | list[JsonObject] | Raw  # of a file or submodule, of a folder, of a file as it is


class ReadmeGet(RepoRef, MediaType):
    """A README to read."""

    ref: Ref | None = Field(default=None, description="Branch, tag or commit; the default branch if left out.")


class ReadmeBelow(ReadmeGet):
    """A README of a folder to read."""

    dir: Path = Field(description="The folder.", examples=["docs"])


class ContentGet(ReadmeGet):
    """A file or folder to read."""

    path: Path = Field(default="", description="The path; empty for the root.", examples=["README.md"])


class RepoRevision:
    """A repository at a revision, as named in addresses."""

    def __init__(self, context: GithubContext, repo: Repository, ref: str | None) -> None:
        self.context, self.repo, self.git = context, repo, get_started_git(context, repo)
        self.ref = ref or repo.default_branch
        commit = self.git.resolve(self.ref)
        if commit is None:
            raise OperationError("no_such", why=f"No commit found for the ref {self.ref}")
        self.commit, self.tree = commit, self.git.tree_of(commit)

    def entry_json(self, entry: Entry, kind: str, size: int) -> JsonObject:
        """Render the fields that every kind of entry has."""
        path, api = quote_path(entry.path), self.context.repo_api(self.repo)
        word, where = ("blobs", "blob") if entry.kind == "blob" else ("trees", "tree")
        url = f"{api}/contents/{path}?ref={quote_path(self.ref)}"
        git_url: str | None = f"{api}/git/{word}/{entry.sha}"
        html: str | None = f"{self.context.repo_html(self.repo)}/{where}/{quote_path(self.ref)}/{path}"
        raw = download_url(self.context, self.repo, self.ref, entry.path) if entry.kind == "blob" else None
        if entry.kind == "commit":
            git_url = html = None
        return {
            "name": to_displayable(entry.name),
            "path": to_displayable(entry.path),
            "sha": entry.sha,
            "size": size,
            "url": url,
            "html_url": html,
            "git_url": git_url,
            "download_url": raw,
            "type": kind,
            "_links": {"self": url, "git": git_url, "html": html},
        }

    def entry_to_json(self, entry: Entry, size: int) -> dict[str, object]:
        """Render an entry of a folder; a submodule is called a file there, as in the vendor's first version."""
        kind = "symlink" if entry.mode == LINK else "dir" if entry.kind == "tree" else "file"
        return self.entry_json(entry, kind, size)

    def folder(self, entry: Entry) -> list[JsonObject]:
        """List the entries of a folder."""
        entries = self.git.entries(entry.sha, entry.path)[:MAX_ENTRIES]
        known = sizes(self.git, entries)
        return [self.entry_to_json(one, known.get(one.sha, 0)) for one in entries]

    def file_json(self, entry: Entry) -> JsonObject:
        """Render a file with its content, if that is not too large for JSON."""
        data = self.git.blob(entry.sha)
        content = (
            {"content": encode_base64(data), "encoding": "base64"}
            if len(data) <= INLINE
            else {"content": "", "encoding": "none"}
        )
        return {**self.entry_json(entry, "file", len(data)), **content}


def get_entry(place: RepoRevision, path: str) -> Entry:
    """Return the entry at a path, following a link to a file. Raises not_found."""
    found = place.git.at(place.tree, path)
    if found is None:
        raise OperationError("not_found")
    return _follow_link(place.git, place.tree, found) or found


def _follow_link(git: Repo, tree: str, entry: Entry) -> Entry | None:
    """Return the plain file that a link leads to, under the link's own name; None for links to anything else."""
    at = entry
    for _ in range(MAX_LINKS):
        if at.mode != LINK:
            return Entry(entry.path, at.mode, at.sha) if at.kind == "blob" else None
        path = join_link(at.path, git.blob(at.sha).decode("utf-8", "surrogateescape"))
        below = git.at(tree, path) if path else None
        if below is None:
            return None
        at = below
    return None


def join_link(path: str, target: str) -> str | None:
    """Return the target path of a link; None outside of the repository."""
    parts = [] if target.startswith("/") else path.split("/")[:-1]
    if target.startswith("/"):
        return None
    for part in target.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts) or None


@app.operation(
    "repos/get-content",
    units=1,
    source=f"{SOURCE}#get-repository-content",
    examples=[{**WHERE[0], "path": "README.md"}],
    raises=("not_found", "no_such", "empty_repository", "too_large"),
)
def get_content(call: Call, params: ContentGet) -> Content:
    """Read a file (base64) or list a folder of a repository at a branch, tag or commit."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    try:
        place = RepoRevision(context, repo, params.ref)
    except OperationError as refused:
        if refused.code == "empty_repository":
            raise OperationError("no_such", why="This repository is empty.") from None
        raise
    return content_json(place, get_entry(place, params.path), params.mediaType)


def content_json(place: RepoRevision, entry: Entry, media: str | None) -> Content:
    """Render an entry in the requested form."""
    if entry.kind == "tree":
        if media != "object":
            return place.folder(entry)
        return {**place.entry_json(entry, "dir", 0), "entries": place.folder(entry)}
    if entry.kind == "commit":
        return {**place.entry_json(entry, "submodule", 0), "submodule_git_url": module_url(place, entry.path)}
    if media in ("raw", "html"):
        return _raw_file(place, entry, media)
    if entry.mode == LINK:
        target = place.git.blob(entry.sha)
        return {**place.entry_json(entry, "symlink", len(target)), "target": target.decode("utf-8", "replace")}
    if sizes(place.git, [entry]).get(entry.sha, 0) > MOST:
        raise OperationError("too_large")
    return place.file_json(entry)


def _raw_file(place: RepoRevision, entry: Entry, media: str) -> Raw:
    data = place.git.blob(entry.sha)
    if media == "raw":
        return Raw(data, "application/vnd.github.raw+json; charset=utf-8")
    return Raw(render_file(entry.name, data).encode(), "application/vnd.github.html; charset=utf-8")


def render_file(name: str, data: bytes) -> str:
    """Render a file as HTML: Markdown as a page, anything else as its text."""
    text = data.decode("utf-8", "replace")
    if name.lower().endswith(MARKDOWN):
        return (
            '<div id="file" class="md"><article class="markdown-body entry-content"'
            f' itemprop="text">{markup.html(text)}</article></div>'
        )
    return f'<div id="file" class="plain"><pre>{escape(text)}</pre></div>'


def module_url(place: RepoRevision, path: str) -> str:
    """Return the address of a submodule, from .gitmodules."""
    listed = place.git.at(place.tree, ".gitmodules")
    text = place.git.blob(listed.sha).decode("utf-8", "replace") if listed is not None and listed.kind == "blob" else ""
    for section in text.split("[submodule ")[1:]:
        values = {
            key.strip(): value.strip()
            for key, found, value in (line.partition("=") for line in section.splitlines())
            if found
        }
        if values.get("path") == path:
            return values.get("url", "")
    return ""


@app.operation(
    "repos/get-readme",
    units=1,
    source=f"{SOURCE}#get-a-repository-readme",
    examples=WHERE,
    raises=("not_found", "no_such", "empty_repository", "too_large"),
)
def get_readme(call: Call, params: ReadmeGet) -> Content:
    """Read the README shown on a repository's page."""
    return _readme(GithubContext(call), params, README_PLACES)


@app.operation(
    "repos/get-readme-in-directory",
    units=1,
    source=f"{SOURCE}#get-a-repository-readme-for-a-directory",
    after=["repos/create-or-update-file-contents"],
    examples=[{**WHERE[0], "dir": "docs/notes"}],
    raises=("not_found", "no_such", "empty_repository", "too_large"),
)
def get_readme_in_directory(call: Call, params: ReadmeBelow) -> Content:
    """Read the README of one folder."""
    return _readme(GithubContext(call), params, (params.dir.strip("/"),))


def _readme(context: GithubContext, params: ReadmeGet, folders: tuple[str, ...]) -> Content:
    repo = context.repo(params.owner, params.repo)
    place = _place_with_commits(context, repo, params.ref)
    found = readme_of(place.git, place.tree, folders)
    if found is None:
        raise OperationError("not_found")
    return content_json(place, _follow_link(place.git, place.tree, found) or found, params.mediaType)


def _place_with_commits(context: GithubContext, repo: Repository, ref: str | None) -> RepoRevision:
    try:
        return RepoRevision(context, repo, ref)
    except OperationError as refused:
        raise OperationError("not_found") if refused.code == "empty_repository" else refused from None
