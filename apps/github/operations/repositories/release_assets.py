"""Files of releases: listed, uploaded, read, renamed, deleted."""

import hashlib
from typing import Annotated, Literal

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Exact, Id, Line, ListPage, PageParams, Raw, RepoRef, page_of
from apps.github.domain.revisions import decode_base64, get_writable_repository
from apps.github.models import Asset, Release, Repository
from apps.github.operations.repositories.releases import A_RELEASE, HERE, find_release
from apps.github.refusals import invalid, unprocessable
from apps.github.views.releases import AssetJson, asset_json
from world.core.call import Call
from world.core.directory import Blob
from world.core.errors import OperationError

SOURCE = "docs.github.com/rest/releases/assets"
MAX_BYTES = 25 * 1024 * 1024  # the vendor takes 2 GiB; worlds are small
AN_ASSET = {**HERE, "asset_id": "$repos/upload-release-asset:id"}


class AssetList(RepoRef, PageParams):
    """The files of a release."""

    release_id: Id = Field(description="The id of the release.")


class AssetNew(RepoRef):
    """A file to upload."""

    release_id: Id = Field(description="The id of the release.")
    name: Line = Field(description="The name of the file.", examples=["notes.txt"])
    label: Line | None = Field(default=None, description="What is shown instead of the name.")
    content: Annotated[Exact, Field(max_length=2 * MAX_BYTES)] = Field(
        description="The bytes in base64; over REST, the body.", examples=["Tm90ZXMK"]
    )
    content_type: Line = Field(
        default="application/octet-stream", description="The media type; over REST, the Content-Type header."
    )


class AssetRef(RepoRef):
    """One file of a release."""

    asset_id: Id = Field(description="The id of the file.")


class AssetGet(AssetRef):
    """A file of a release to read."""

    mediaType: Literal["octet-stream"] | None = Field(default=None, description="octet-stream answers the file itself.")


class AssetUpdate(AssetRef):
    """Request fields for updating a file of a release."""

    name: Line | None = Field(default=None, description="A new name.")
    label: Line | None = Field(default=None, description="What is shown instead of the name.")
    state: Line | None = Field(default=None, description="No longer used.")


def find_asset(context: GithubContext, repo: Repository, id: int) -> tuple[Asset, Release]:
    """Return a file by id, with its release. Raises not_found."""
    asset = context.call.session.get(Asset, id)
    if asset is None:
        raise OperationError("not_found")
    return asset, find_release(context, repo, asset.release_id)


@app.operation(
    "repos/list-release-assets",
    units=1,
    source=f"{SOURCE}#list-release-assets",
    examples=[{**HERE, "release_id": A_RELEASE}],
    raises=("not_found",),
)
def list_release_assets(call: Call, params: AssetList) -> list[AssetJson]:
    """List the files of a release."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    release = find_release(context, repo, params.release_id)
    page = page_of(
        list(call.session.exec(select(Asset).where(Asset.release_id == release.id).order_by(col(Asset.id)))), params
    )
    return ListPage([asset_json(context, repo, release, asset) for asset in page], page.total)


@app.operation(
    "repos/upload-release-asset",
    writes=True,
    units=1,
    source=f"{SOURCE}#upload-a-release-asset",
    examples=[
        {**HERE, "release_id": A_RELEASE, "name": "notes.txt", "content": "Tm90ZXMK", "content_type": "text/plain"}
    ],
    raises=("not_found", "archived", "unprocessable", "validation_failed"),
)
def upload_release_asset(call: Call, params: AssetNew) -> AssetJson:
    """Add a file to a release."""
    context = GithubContext(call)
    repo = get_writable_repository(context, params.owner, params.repo)
    release = find_release(context, repo, params.release_id)
    data = decode_base64(params.content)
    if not data:
        raise unprocessable("Bad Content-Length: 0")
    if len(data) > MAX_BYTES:
        raise invalid("ReleaseAsset", "size", "custom", "size must be less than or equal to 25 MB")
    name = _free_name(context, release, params.name)
    asset = Asset(
        id=context.next_id("github_asset"),
        release_id=release.id,
        name=name,
        label=params.label,
        content_type=params.content_type,
        size=len(data),
        sha256=_store_data(call, data),
        uploader_id=context.me.id,
        created_at=call.now,
        updated_at=call.now,
    )
    context.add(asset)
    return asset_json(context, repo, release, asset)


def _store_data(call: Call, data: bytes) -> str:
    digest = hashlib.sha256(data).hexdigest()
    if call.session.get(Blob, digest) is None:
        call.session.add(Blob(sha256=digest, size=len(data), data=data))
    return digest


def _free_name(context: GithubContext, release: Release, name: str, but: Asset | None = None) -> str:
    """Return the name of an uploaded file: blanks and slashes become dots, as the vendor does.

    Raises validation_failed.
    """
    made = ".".join(name.replace("/", " ").replace("\\", " ").split())
    if not made:
        raise invalid("ReleaseAsset", "name", "missing_field")
    there = context.call.session.exec(select(Asset).where(Asset.release_id == release.id, Asset.name == made)).first()
    if there is not None and (but is None or there.id != but.id):
        raise invalid("ReleaseAsset", "name", "already_exists")
    return made


@app.operation(
    "repos/get-release-asset",
    units=1,
    source=f"{SOURCE}#get-a-release-asset",
    examples=[AN_ASSET],
    raises=("not_found",),
)
def get_release_asset(call: Call, params: AssetGet) -> Raw | AssetJson:
    """Read the metadata of a file of a release, or with the media type octet-stream its bytes."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    asset, release = find_asset(context, repo, params.asset_id)
    return asset_bytes(call, asset) if params.mediaType else asset_json(context, repo, release, asset)


def asset_bytes(call: Call, asset: Asset) -> Raw:
    """Return the bytes of a file."""
    blob = call.session.get(Blob, asset.sha256)
    assert blob is not None
    return Raw(blob.data, "application/octet-stream", asset.name)


@app.operation(
    "repos/update-release-asset",
    writes=True,
    units=1,
    source=f"{SOURCE}#update-a-release-asset",
    examples=[{**AN_ASSET, "label": "Notes"}],
    raises=("not_found", "archived", "validation_failed"),
)
def update_release_asset(call: Call, params: AssetUpdate) -> AssetJson:
    """Rename a file of a release, or label it."""
    context = GithubContext(call)
    repo = get_writable_repository(context, params.owner, params.repo)
    asset, release = find_asset(context, repo, params.asset_id)
    asset.name = _free_name(context, release, params.name, asset) if params.name else asset.name
    asset.label = params.label if "label" in params.model_fields_set else asset.label
    asset.updated_at = call.now
    context.add(asset)
    return asset_json(context, repo, release, asset)


@app.operation(
    "repos/delete-release-asset",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-a-release-asset",
    examples=[AN_ASSET],
    raises=("not_found", "archived"),
)
def delete_release_asset(call: Call, params: AssetRef) -> None:
    """Delete a file of a release."""
    context = GithubContext(call)
    repo = get_writable_repository(context, params.owner, params.repo)
    call.session.delete(find_asset(context, repo, params.asset_id)[0])
