"""JSON shapes of releases and their files."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from sqlmodel import col, select

from apps.github.domain import markup
from apps.github.domain.context import GithubContext, node, stamp
from apps.github.models import Asset, Release, Repository
from apps.github.views.accounts import UserJson, user_json
from apps.github.views.issues import reactions_json
from apps.github.views.urls import quote_path, uploads
from world.core.json_types import JsonObject


class AssetJson(TypedDict):
    """A file of a release (schema release-asset)."""

    url: str
    id: int
    node_id: str
    name: str
    label: str | None
    uploader: UserJson
    content_type: str
    state: str
    size: int
    digest: str
    download_count: int
    created_at: str | None
    updated_at: str | None
    browser_download_url: str


def asset_json(context: GithubContext, repo: Repository, release: Release, asset: Asset) -> AssetJson:
    """Render a file of a release (schema release-asset)."""
    tag = release.tag if not release.draft else f"untagged-{release.id}"
    return {
        "url": f"{context.repo_api(repo)}/releases/assets/{asset.id}",
        "id": asset.id,
        "node_id": node("ReleaseAsset", repo.id, asset.id),
        "name": asset.name,
        "label": asset.label,
        "uploader": user_json(context, context.account(asset.uploader_id)),
        "content_type": asset.content_type,
        "state": "uploaded",
        "size": asset.size,
        "digest": f"sha256:{asset.sha256}",
        "download_count": asset.downloads,
        "created_at": stamp(asset.created_at),
        "updated_at": stamp(asset.updated_at),
        "browser_download_url": f"{context.repo_html(repo)}/releases/download/{quote_path(tag)}/{quote_path(asset.name)}",
    }


def releases_json(
    context: GithubContext, repo: Repository, releases: Sequence[Release], media: str | None = None
) -> list[JsonObject]:
    """Render releases with their files, read together."""
    context.call.flush()
    ids = [release.id for release in releases]
    context.preload(release.author_id for release in releases)
    assets: dict[int, list[Asset]] = {}
    for asset in context.call.session.exec(select(Asset).where(col(Asset.release_id).in_(ids)).order_by(col(Asset.id))):
        assets.setdefault(asset.release_id, []).append(asset)
    reacted = reactions_json(context, f"{context.repo_api(repo)}/releases/{{id}}/reactions", "release", ids)
    return [
        _release_json(context, repo, release, assets.get(release.id, []), media) | _reactions(reacted[release.id])
        for release in releases
    ]


def _reactions(rollup: Mapping[str, object]) -> JsonObject:
    """Render the reactions of a release, only if it has any."""
    return {"reactions": rollup} if rollup["total_count"] else {}


def release_json(context: GithubContext, repo: Repository, release: Release, media: str | None = None) -> JsonObject:
    """Render one release (schema release)."""
    return releases_json(context, repo, [release], media)[0]


def _release_json(
    context: GithubContext, repo: Repository, release: Release, assets: list[Asset], media: str | None
) -> JsonObject:
    url, html, api = f"{context.repo_api(repo)}/releases/{release.id}", context.repo_html(repo), context.repo_api(repo)
    tag = quote_path(release.tag if not release.draft else f"untagged-{release.id}")
    form, text = (
        ("body_html", markup.html)
        if media == "html"
        else ("body_text", markup.strip_markup)
        if media == "text"
        else ("", None)
    )
    shown: JsonObject = {
        "url": url,
        "assets_url": f"{url}/assets",
        "html_url": f"{html}/releases/tag/{tag}",
        "id": release.id,
        "upload_url": f"{uploads(context)}/repos/{context.full_name(repo)}/releases/{release.id}/assets{{?name,label}}",
        "author": user_json(context, context.account(release.author_id)),
        "node_id": node("Release", repo.id, release.id),
        "tag_name": release.tag,
        "target_commitish": release.target,
        "name": release.name,
        "draft": release.draft,
        "immutable": False,
        "prerelease": release.prerelease,
        "created_at": stamp(release.created_at),
        "updated_at": stamp(release.updated_at),
        "published_at": stamp(release.published_at),
        "assets": [asset_json(context, repo, release, asset) for asset in assets],
        "tarball_url": None if release.draft else f"{api}/tarball/{quote_path(release.tag)}",
        "zipball_url": None if release.draft else f"{api}/zipball/{quote_path(release.tag)}",
    }
    if text is None or media == "full":
        shown["body"] = release.body
    if media == "full":
        return shown | {"body_html": markup.html(release.body), "body_text": markup.strip_markup(release.body)}
    return shown | ({form: text(release.body)} if text is not None else {})
