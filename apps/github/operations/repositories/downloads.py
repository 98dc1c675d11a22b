"""Downloads: files of a repository, archives of a revision, files of releases."""

from typing import Literal

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.archives import build_zip, tar_gz
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Path, Raw, Redirect, Ref, RepoRef
from apps.github.domain.revisions import get_started_git
from apps.github.git import Repo
from apps.github.models import Asset, Release
from apps.github.operations.repositories.contents import RepoRevision, get_entry
from apps.github.operations.repositories.release_assets import asset_bytes
from apps.github.views.urls import archive_url
from world.core.call import Call
from world.core.errors import OperationError

SOURCE = "docs.github.com/repositories/working-with-files/using-files/downloading-source-code-archives"
CONTENTS = "docs.github.com/rest/repos/contents"
HERE = {"owner": "quayline", "repo": "payments"}


class ArchiveLink(RepoRef):
    """A revision whose archive address to return."""

    ref: Ref = Field(default="", description="Branch, tag or SHA; the default branch if left out.", examples=["main"])


class ArchiveGet(RepoRef):
    """An archive to download."""

    ref: Ref = Field(description="Branch, tag or SHA.", examples=["main"])
    form: Literal["tar.gz", "zip"] = Field(default="tar.gz", description="tar.gz or zip.")


class RawGet(RepoRef):
    """A file to download."""

    path: Path = Field(description="Branch, tag or SHA, then the path: `main/README.md`.", examples=["main/README.md"])


class ReleaseFile(RepoRef):
    """A file of a release to download."""

    tag: Ref = Field(description="The tag of the release.", examples=["v1.0"])
    name: Path = Field(description="The name of the file.", examples=["notes.txt"])


def _link(call: Call, params: ArchiveLink, form: str) -> Redirect:
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    git, ref = get_started_git(context, repo), params.ref or repo.default_branch
    if git.resolve(ref) is None:
        raise OperationError("not_found")
    full = next((name for name in (f"refs/heads/{ref}", f"refs/tags/{ref}") if git.ref(name) is not None), ref)
    return Redirect(archive_url(context, repo, form, full))


@app.operation(
    "repos/download-tarball-archive",
    units=1,
    source=f"{CONTENTS}#download-a-repository-archive-tar",
    examples=[{**HERE, "ref": "main"}],
    raises=("not_found", "empty_repository"),
)
def download_tarball_archive(call: Call, params: ArchiveLink) -> Redirect:
    """Get the download address of a revision as tar.gz."""
    return _link(call, params, "tar.gz")


@app.operation(
    "repos/download-zipball-archive",
    units=1,
    source=f"{CONTENTS}#download-a-repository-archive-zip",
    examples=[{**HERE, "ref": "main"}],
    raises=("not_found", "empty_repository"),
)
def download_zipball_archive(call: Call, params: ArchiveLink) -> Redirect:
    """Get the download address of a revision as zip."""
    return _link(call, params, "zip")


@app.operation(
    "web/archive", units=1, source=SOURCE, examples=[{**HERE, "ref": "main"}], raises=("not_found", "empty_repository")
)
def archive(call: Call, params: ArchiveGet) -> Raw:
    """Download the files of a revision as one archive."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    git = get_started_git(context, repo)
    commit = git.resolve(params.ref)
    if commit is None:
        raise OperationError("not_found")
    folder = f"{context.account(repo.owner_id).login}-{repo.name}-{commit[:7]}"
    if params.form == "zip":
        return Raw(build_zip(git, commit, folder), "application/zip", f"{folder}.zip")
    return Raw(tar_gz(git, commit, folder), "application/x-gzip", f"{folder}.tar.gz")


def split_revision(git: Repo, text: str) -> tuple[str, str]:
    """Split `feature/x/src/a.py` into revision and path at the shortest revision. Raises not_found."""
    parts = text.strip("/").split("/")
    for end in range(1, len(parts) + 1):
        ref = "/".join(parts[:end])
        if git.resolve(ref) is not None:
            return ref, "/".join(parts[end:])
    raise OperationError("not_found")


@app.operation(
    "web/raw",
    units=1,
    source=CONTENTS,
    examples=[{**HERE, "path": "main/README.md"}],
    raises=("not_found", "empty_repository", "no_such"),
)
def raw(call: Call, params: RawGet) -> Raw:
    """Download a file unchanged at a revision."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    ref, path = split_revision(get_started_git(context, repo), params.path)
    place = RepoRevision(context, repo, ref)
    entry = get_entry(place, path)
    if entry.kind != "blob":
        raise OperationError("not_found")
    data = place.git.blob(entry.sha)
    return Raw(data, "application/octet-stream" if b"\0" in data[:8000] else "text/plain; charset=utf-8")


@app.operation(
    "web/release-download",
    units=1,
    source="docs.github.com/repositories/releasing-projects-on-github/linking-to-releases",
    after=["repos/upload-release-asset"],
    examples=[{**HERE, "tag": "v1.0", "name": "notes.txt"}],
    raises=("not_found",),
)
def release_download(call: Call, params: ReleaseFile) -> Raw:
    """Download a file of a release by tag and name."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    query = (
        select(Asset)
        .join(Release, col(Release.id) == col(Asset.release_id))
        .where(Release.repo_id == repo.id, Asset.name == params.name)
    )
    found = call.session.exec(query.where(Release.tag == params.tag, col(Release.draft).is_(False))).first()
    if found is None:
        raise OperationError("not_found")
    return asset_bytes(call, found)
