"""Autolinks: prefixes that link to another site, managed by a repository's administrators."""

import re
from typing import TypedDict

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.context import GithubContext, stamp
from apps.github.domain.params import Id, Line, RepoRef
from apps.github.models_rules import Autolink
from apps.github.refusals import invalid
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import Text

SOURCE = "docs.github.com/rest/repos/autolinks"
HERE = {"owner": "quayline", "repo": "payments"}
ONE = {**HERE, "autolink_id": "$repos/create-autolink:id"}
TOKEN = "<num>"
PREFIX = re.compile(r"[A-Za-z0-9.\-_+=:/#]+")


class AutolinkJson(TypedDict):
    """An autolink."""

    id: int
    key_prefix: str
    url_template: str
    is_alphanumeric: bool
    updated_at: str | None


class AutolinkNew(RepoRef):
    """An autolink to add."""

    key_prefix: Line = Field(min_length=1, description="What stands before the reference.", examples=["TICKET-"])
    url_template: Text = Field(
        min_length=1,
        max_length=2048,
        description="Where it leads; `<num>` stands for the reference.",
        examples=["https://tickets.example/browse/<num>"],
    )
    is_alphanumeric: bool = Field(
        default=True, description="Whether references may hold letters and hyphens, not digits alone."
    )


class AutolinkRef(RepoRef):
    """One autolink."""

    autolink_id: Id = Field(description="The autolink's id.")


def autolink_json(row: Autolink) -> AutolinkJson:
    """Render one autolink."""
    return {
        "id": row.id,
        "key_prefix": row.key_prefix,
        "url_template": row.url_template,
        "is_alphanumeric": row.is_alphanumeric,
        "updated_at": stamp(row.created_at),
    }


def _get(context: GithubContext, params: AutolinkRef) -> Autolink:
    repo = context.repo(params.owner, params.repo)
    if not context.may(repo, "admin"):
        raise OperationError("forbidden")
    row = context.call.session.get(Autolink, params.autolink_id)
    if row is None or row.repo_id != repo.id:
        raise OperationError("not_found")
    return row


@app.operation(
    "repos/list-autolinks",
    units=1,
    source=f"{SOURCE}#get-all-autolinks-of-a-repository",
    examples=[HERE],
    after=["repos/create-autolink"],
    raises=("not_found", "forbidden"),
)
def list_autolinks(call: Call, params: RepoRef) -> list[AutolinkJson]:
    """List the autolinks of a repository; only its administrators see them."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    if not context.may(repo, "admin"):
        raise OperationError("forbidden")
    query = select(Autolink).where(Autolink.repo_id == repo.id).order_by(col(Autolink.id))
    return [autolink_json(row) for row in call.session.exec(query)]


@app.operation(
    "repos/create-autolink",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-an-autolink-reference-for-a-repository",
    examples=[{**HERE, "key_prefix": "TICKET-", "url_template": "https://tickets.example/browse/<num>"}],
    raises=("not_found", "forbidden", "archived", "validation_failed"),
)
def create_autolink(call: Call, params: AutolinkNew) -> AutolinkJson:
    """Create an autolink: references with a prefix become links to another site in the repository's texts."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "admin")
    if not PREFIX.fullmatch(params.key_prefix):
        raise invalid("KeyLink", "key_prefix", "invalid")
    if TOKEN not in params.url_template:
        raise invalid("KeyLink", "url_template", "custom", f"url_template must contain {TOKEN} token")
    if not params.url_template.startswith(("http://", "https://")):
        raise invalid("KeyLink", "url_template", "invalid")
    known = select(Autolink).where(Autolink.repo_id == repo.id, Autolink.key_prefix == params.key_prefix)
    if call.session.exec(known).first() is not None:
        raise invalid("KeyLink", "key_prefix", "already_exists")
    row = Autolink(
        id=context.next_id("github_autolink"),
        repo_id=repo.id,
        key_prefix=params.key_prefix,
        url_template=params.url_template,
        is_alphanumeric=params.is_alphanumeric,
        created_at=call.now,
    )
    context.add(row)
    return autolink_json(row)


@app.operation(
    "repos/get-autolink",
    units=1,
    source=f"{SOURCE}#get-an-autolink-reference-of-a-repository",
    examples=[ONE],
    after=["repos/create-autolink"],
    raises=("not_found", "forbidden"),
)
def get_autolink(call: Call, params: AutolinkRef) -> AutolinkJson:
    """Read one autolink of a repository."""
    return autolink_json(_get(GithubContext(call), params))


@app.operation(
    "repos/delete-autolink",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-an-autolink-reference-from-a-repository",
    examples=[ONE],
    after=["repos/create-autolink"],
    raises=("not_found", "forbidden", "archived"),
)
def delete_autolink(call: Call, params: AutolinkRef) -> None:
    """Delete an autolink; texts show its references as plain words again."""
    context = GithubContext(call)
    row = _get(context, params)
    context.need(context.repo(params.owner, params.repo), "admin")
    call.session.delete(row)
