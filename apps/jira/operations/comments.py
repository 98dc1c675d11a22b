"""Comments on issues."""

from typing import Annotated, Any, Literal, TypedDict

from pydantic import Field
from sqlmodel import col, func, select

from apps.jira.app import app
from apps.jira.domain import mail_notifications
from apps.jira.domain.access import find_issue, parse_number, project_of
from apps.jira.domain.context import ROLES, JiraContext, format_timestamp
from apps.jira.domain.history import announce, announce_mentions
from apps.jira.domain.html import render_html
from apps.jira.domain.notifications import list_comment_audience
from apps.jira.domain.text import Format, Problem, document_text, list_mentions, read_body, show_body
from apps.jira.limits import EDITS
from apps.jira.models import Comment, Group, GroupMember, Issue
from apps.jira.operations.params import BodyFormat, IssueRef, JsonObjectParam, PageParams, split_commas
from apps.jira.refusals import field_errors
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params, Text

SOURCE = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-comments"
Body = JsonObjectParam | Annotated[Text, Field(max_length=100_000)]


class Visibility(Params):
    """Restriction of a comment's readers to members of a project role or of a group."""

    type: Literal["role", "group"] = Field(description="role or group.")
    value: Annotated[Text, Field(max_length=255)] | None = Field(default=None, description="Name of the role or group.")
    identifier: Annotated[Text, Field(max_length=255)] | None = Field(
        default=None, description="Id of the role or group, instead of value."
    )


class CommentPage(TypedDict):
    """A page of comments."""

    startAt: int
    maxResults: int
    total: int
    comments: list[JsonObject]


class CommentList(PageParams, BodyFormat):
    """Issue, order and page of comments."""

    issueIdOrKey: IssueRef
    orderBy: Literal["created", "-created", "+created"] | None = Field(
        default=None, description="created, or -created for newest first."
    )
    expand: Annotated[Text, Field(max_length=200)] | None = Field(
        default=None, description="renderedBody adds the text as HTML."
    )


class CommentGet(BodyFormat):
    """One comment."""

    issueIdOrKey: IssueRef
    id: Annotated[Text, Field(max_length=40)] = Field(description="Comment id.", examples=["10000"])
    expand: Annotated[Text, Field(max_length=200)] | None = Field(
        default=None, description="renderedBody adds the text as HTML."
    )


class CommentNew(BodyFormat):
    """A comment to add."""

    issueIdOrKey: IssueRef
    body: Body | None = Field(
        default=None, description="The text: an Atlassian document, or a string in `contentFormat`."
    )
    visibility: Visibility | None = Field(default=None, description="Limit who may read it.")
    public: bool | None = Field(default=None, description="false makes it internal in a service project.")
    expand: Annotated[Text, Field(max_length=200)] | None = Field(
        default=None, description="renderedBody adds the text as HTML."
    )


class CommentChange(CommentNew):
    """A new text for a comment."""

    id: Annotated[Text, Field(max_length=40)] = Field(description="Comment id.", examples=["10000"])


class CommentDelete(Params):
    """A comment to remove."""

    issueIdOrKey: IssueRef
    id: Annotated[Text, Field(max_length=40)] = Field(description="Comment id.", examples=["10000"])


def comment_to_json(context: JiraContext, row: Comment, form: Format | None, *, rendered: bool = False) -> JsonObject:
    """A comment as the API shows it."""
    out: JsonObject = {
        "self": f"{context.api}/issue/{row.issue_id}/comment/{row.id}",
        "id": str(row.id),
        "author": context.user(row.author_id),
        "body": show_body(row.body, form),
        "updateAuthor": context.user(row.update_author_id),
        "created": format_timestamp(row.created_at),
        "updated": format_timestamp(row.updated_at),
    }
    if rendered:
        out["renderedBody"] = render_html(context, row.body)
    if row.visibility_type is not None:
        out["visibility"] = {
            "type": row.visibility_type,
            "value": row.visibility_value,
            "identifier": row.visibility_value,
        }
    out["jsdPublic"] = not row.internal
    return out


def visibility_conditions(context: JiraContext, issue: Issue) -> list[Any]:
    """Conditions that keep a caller's comment list to what they may read."""
    if context.is_system:
        return [Comment.issue_id == issue.id]
    roles = sorted(context.roles(project_of(context, issue)))
    groups = (
        select(Group.name)
        .join(GroupMember, col(GroupMember.group_id) == col(Group.id))
        .where(GroupMember.person_id == context.call.person)
    )
    limited = (
        col(Comment.visibility_type).is_(None)
        | ((col(Comment.visibility_type) == "role") & col(Comment.visibility_value).in_(roles))
        | ((col(Comment.visibility_type) == "group") & col(Comment.visibility_value).in_(groups))
    )
    return [Comment.issue_id == issue.id, limited]


def list_comments(
    context: JiraContext, issue: Issue, start: int, limit: int, *, newest_first: bool = False
) -> tuple[int, list[Comment]]:
    """Return the number of comments the caller may read, and one page of them."""
    where = visibility_conditions(context, issue)
    total = context.call.scalar(select(func.count()).select_from(Comment).where(*where))
    order = (col(Comment.id).desc(),) if newest_first else (col(Comment.id),)
    rows = list(context.call.session.exec(select(Comment).where(*where).order_by(*order).offset(start).limit(limit)))
    context.preload(person for row in rows for person in (row.author_id, row.update_author_id))
    return total, rows


def find_comment(context: JiraContext, issue: Issue, id: str) -> Comment:
    """A comment of an issue that the caller may read. Raises comment_not_found."""
    wanted = parse_number(id)
    rows = (
        []
        if wanted is None
        else context.call.session.exec(
            select(Comment).where(Comment.id == wanted, *visibility_conditions(context, issue))
        ).all()
    )
    if not rows:
        raise OperationError("comment_not_found", comment=id[:40])
    return rows[0]


def check_visibility(context: JiraContext, issue: Issue, wanted: Visibility | None) -> tuple[str | None, str | None]:
    """The stored form of a visibility. Raises bad_visibility."""
    if wanted is None:
        return None, None
    name = wanted.value or wanted.identifier or ""
    if wanted.type == "role":
        roles = context.roles(project_of(context, issue))
        name = next((role for role, id in ROLES.items() if name in (role, str(id))), name)
        if name not in ROLES or (name not in roles and not context.is_system):
            raise OperationError(
                "bad_visibility", why=f"You are currently not a member of the project role: {name[:60]}."
            )
        return "role", name
    group = context.call.session.exec(select(Group).where((col(Group.name) == name) | (col(Group.id) == name))).first()
    if group is None or group.id not in context.groups:
        raise OperationError("bad_visibility", why=f"You are currently not a member of the group: {name[:60]}.")
    return "group", group.name


def read_comment(value: object, form: Format | None) -> JsonObject:
    """The document of a comment. Raises empty_comment, field_errors."""
    try:
        body = read_body(value, form)
    except Problem as problem:
        raise field_errors(comment=str(problem)) from None
    if body is None or not (document_text(body).strip() or _has_media(body)):
        raise OperationError("empty_comment")
    return body


def _has_media(body: dict[str, Any]) -> bool:
    return any(
        isinstance(node, dict) and str(node.get("type", "")).startswith("media") for node in body.get("content", ())
    )


def write_comment(
    context: JiraContext,
    issue: Issue,
    body: JsonObject,
    limit: tuple[str | None, str | None] = (None, None),
    *,
    internal: bool = False,
) -> Comment:
    """Add a comment, touch the issue, publish the event."""
    row = Comment(
        id=context.next_id("jira_comment"),
        issue_id=issue.id,
        author_id=context.call.person,
        update_author_id=context.call.person,
        body=body,
        body_text=document_text(body),
        visibility_type=limit[0],
        visibility_value=limit[1],
        internal=internal,
        created_at=context.call.now,
        updated_at=context.call.now,
    )
    context.call.session.add(row)
    issue.updated_at = context.call.now
    announce(
        context,
        "jira.commented",
        issue,
        comment_id=row.id,
        text=row.body_text,
        assignee=issue.assignee_id,
        reporter=issue.reporter_id,
    )
    announce_mentions(context, issue, list_mentions(body), text=row.body_text, comment_id=row.id)
    if row.visibility_type is None:
        people = [
            *mail_notifications.list_mentioned_people(context, list_mentions(body)),
            *list_comment_audience(context.call, issue, context.call.person),
        ]
        mail_notifications.send_issue_mail(context, issue, people, f"commented on {issue.key}", row.body_text)
    return row


@app.operation(
    "getComments",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1"}],
    raises=("issue_not_found",),
)
def get_comments(call: Call, params: CommentList) -> CommentPage:
    """List the comments of an issue, oldest first; use orderBy=-created for the newest.

    Time: created and updated are UTC with milliseconds.
    """
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey)
    limit = min(params.maxResults if params.maxResults is not None else 100, 5000)
    total, rows = list_comments(context, issue, params.startAt, limit, newest_first=params.orderBy == "-created")
    rendered = "renderedBody" in split_commas(params.expand)
    return {
        "startAt": params.startAt,
        "maxResults": limit,
        "total": total,
        "comments": [comment_to_json(context, row, params.contentFormat, rendered=rendered) for row in rows],
    }


@app.operation(
    "getComment",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1", "id": "$addComment:id"}],
    raises=("issue_not_found", "comment_not_found"),
)
def get_comment(call: Call, params: CommentGet) -> JsonObject:
    """Read one comment by its id."""
    context = JiraContext(call)
    row = find_comment(context, find_issue(context, params.issueIdOrKey), params.id)
    return comment_to_json(context, row, params.contentFormat, rendered="renderedBody" in split_commas(params.expand))


@app.operation(
    "addComment",
    writes=True,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1", "body": "Looked into this, the cause is the retry loop."}],
    raises=("issue_not_found", "cannot_comment", "empty_comment", "bad_visibility", "field_errors"),
)
def add_comment(call: Call, params: CommentNew) -> JsonObject:
    """Add a comment to an issue, as yourself. Mentioned people and watchers are notified."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey, "ADD_COMMENTS")
    body = read_comment(params.body, params.contentFormat)
    limit = check_visibility(context, issue, params.visibility)
    row = write_comment(context, issue, body, limit, internal=params.public is False)
    return comment_to_json(context, row, params.contentFormat, rendered="renderedBody" in split_commas(params.expand))


@app.operation(
    "updateComment",
    writes=True,
    limit=EDITS,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1", "id": "$addComment:id", "body": "It was the retry loop."}],
    raises=(
        "issue_not_found",
        "comment_not_found",
        "cannot_edit_comment",
        "empty_comment",
        "bad_visibility",
        "field_errors",
    ),
)
def update_comment(call: Call, params: CommentChange) -> JsonObject:
    """Replace the text of a comment; your own, or any with permission to edit all comments."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey)
    row = find_comment(context, issue, params.id)
    _check_own_comment(context, issue, row, "EDIT", "cannot_edit_comment")
    body = read_comment(params.body, params.contentFormat)
    fresh = [account for account in list_mentions(body) if account not in list_mentions(row.body)]
    if params.visibility is not None:
        row.visibility_type, row.visibility_value = check_visibility(context, issue, params.visibility)
    row.body, row.body_text = body, document_text(body)
    row.update_author_id, row.updated_at = call.person, call.now
    issue.updated_at = call.now
    announce_mentions(context, issue, fresh, text=row.body_text, comment_id=row.id)
    if row.visibility_type is None:
        mail_notifications.send_issue_mail(
            context,
            issue,
            mail_notifications.list_mentioned_people(context, fresh),
            f"mentioned you in a comment on {issue.key}",
            row.body_text,
        )
    return comment_to_json(context, row, params.contentFormat, rendered="renderedBody" in split_commas(params.expand))


@app.operation(
    "deleteComment",
    writes=True,
    limit=EDITS,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1", "id": "$addComment:id"}],
    raises=("issue_not_found", "comment_not_found", "cannot_delete_comment"),
)
def delete_comment(call: Call, params: CommentDelete) -> None:
    """Delete a comment; your own, or any with permission to delete all comments."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey)
    row = find_comment(context, issue, params.id)
    _check_own_comment(context, issue, row, "DELETE", "cannot_delete_comment")
    call.session.delete(row)
    issue.updated_at = call.now


def _check_own_comment(context: JiraContext, issue: Issue, row: Comment, verb: str, code: str) -> None:
    project = project_of(context, issue)
    own = row.author_id == context.call.person and context.may(f"{verb}_OWN_COMMENTS", project)
    if not own and not context.may(f"{verb}_ALL_COMMENTS", project):
        raise OperationError(code, comment=row.id)
