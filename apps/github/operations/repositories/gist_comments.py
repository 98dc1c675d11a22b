"""Comments on gists."""

from typing import Annotated, TypedDict

from pydantic import Field
from sqlmodel import col, func, select

from apps.github.app import app
from apps.github.domain.context import GithubContext, node, stamp
from apps.github.domain.params import Id, ListPage, Name, PageParams
from apps.github.models import Gist, GistComment
from apps.github.operations.repositories.gists import A_GIST, GistRef, find_gist
from apps.github.views.accounts import UserJson, user_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import Text

SOURCE = "docs.github.com/rest/gists/comments"
A_COMMENT = {"gist_id": A_GIST, "comment_id": "$gists/create-comment:id"}


class GistCommentJson(TypedDict):
    """Response of `_json`."""

    id: int
    node_id: str
    url: str
    body: str
    user: UserJson
    author_association: str
    created_at: str | None
    updated_at: str | None


class GistCommentList(PageParams):
    """Page of a gist's comments."""

    gist_id: Name = Field(description="The id of the gist.")


class CommentNew(GistRef):
    """A comment to create."""

    body: Annotated[Text, Field(min_length=1, max_length=65_535)] = Field(
        description="The text, in Markdown.", examples=["Nice"]
    )


class CommentRef(GistRef):
    """One comment."""

    comment_id: Id = Field(description="The id of the comment.")


class CommentUpdate(CommentRef):
    """A comment to change."""

    body: Annotated[Text, Field(min_length=1, max_length=65_535)] = Field(
        description="The new text.", examples=["Nicer"]
    )


def _json(context: GithubContext, gist: Gist, row: GistComment) -> GistCommentJson:
    return {
        "id": row.id,
        "node_id": node("GistComment", row.id),
        "url": f"{context.api}/gists/{gist.id}/comments/{row.id}",
        "body": row.body,
        "user": user_json(context, context.account(row.author_id)),
        "author_association": "OWNER" if row.author_id == gist.owner_id else "NONE",
        "created_at": stamp(row.created_at),
        "updated_at": stamp(row.updated_at),
    }


def _find(context: GithubContext, params: CommentRef) -> tuple[Gist, GistComment]:
    gist = find_gist(context, params.gist_id)
    row = context.call.session.get(GistComment, params.comment_id)
    if row is None or row.gist_id != gist.id:
        raise OperationError("not_found")
    return gist, row


@app.operation(
    "gists/list-comments",
    units=1,
    source=f"{SOURCE}#list-gist-comments",
    examples=[{"gist_id": A_GIST}],
    raises=("not_found",),
)
def list_comments(call: Call, params: GistCommentList) -> list[GistCommentJson]:
    """List the comments on a gist, oldest first."""
    context = GithubContext(call)
    gist = find_gist(context, params.gist_id)
    query = (
        select(GistComment)
        .where(GistComment.gist_id == gist.id)
        .order_by(col(GistComment.id))
        .offset(params.start)
        .limit(params.size)
    )
    rows = call.session.exec(query).all()
    context.preload(row.author_id for row in rows)
    total = call.scalar(select(func.count()).select_from(GistComment).where(GistComment.gist_id == gist.id))
    return ListPage([_json(context, gist, row) for row in rows], total)


@app.operation(
    "gists/create-comment",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-a-gist-comment",
    examples=[{"gist_id": A_GIST, "body": "Nice"}],
    raises=("not_found",),
)
def create_comment(call: Call, params: CommentNew) -> GistCommentJson:
    """Comment on a gist."""
    context = GithubContext(call)
    gist = find_gist(context, params.gist_id)
    row = GistComment(
        id=context.next_id("github_gist_comment"),
        gist_id=gist.id,
        author_id=context.me.id,
        body=params.body,
        created_at=call.now,
        updated_at=call.now,
    )
    context.add(row)
    return _json(context, gist, row)


@app.operation(
    "gists/get-comment", units=1, source=f"{SOURCE}#get-a-gist-comment", examples=[A_COMMENT], raises=("not_found",)
)
def get_comment(call: Call, params: CommentRef) -> GistCommentJson:
    """Read a comment on a gist."""
    context = GithubContext(call)
    return _json(context, *_find(context, params))


@app.operation(
    "gists/update-comment",
    writes=True,
    units=1,
    source=f"{SOURCE}#update-a-gist-comment",
    examples=[{**A_COMMENT, "body": "Nicer"}],
    raises=("not_found",),
)
def update_comment(call: Call, params: CommentUpdate) -> GistCommentJson:
    """Change your comment on a gist."""
    context = GithubContext(call)
    gist, row = _find(context, params)
    if row.author_id != context.me.id:
        raise OperationError("not_found")
    row.body, row.updated_at = params.body, call.now
    context.add(row)
    return _json(context, gist, row)


@app.operation(
    "gists/delete-comment",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-a-gist-comment",
    examples=[A_COMMENT],
    raises=("not_found",),
)
def delete_comment(call: Call, params: CommentRef) -> None:
    """Delete your comment, or any on your gist."""
    context = GithubContext(call)
    gist, row = _find(context, params)
    if context.me.id not in (row.author_id, gist.owner_id):
        raise OperationError("not_found")
    call.session.delete(row)
