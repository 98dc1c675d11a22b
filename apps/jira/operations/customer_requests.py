"""What is said and done about a request: comments and transitions in the form of the service management API."""

from typing import Annotated

from pydantic import Field
from sqlmodel import col, select

from apps.jira.app import app
from apps.jira.domain.context import JiraContext
from apps.jira.domain.service_management_views import moment_to_json, page_to_json
from apps.jira.domain.text import show_body
from apps.jira.domain.workflow import list_available_transitions
from apps.jira.models import Comment, Issue
from apps.jira.operations.comments import find_comment, read_comment, visibility_conditions, write_comment
from apps.jira.operations.params import Id
from apps.jira.operations.service_management import PAGE, SOURCE, DeskPage, RequestRef, find_request
from apps.jira.operations.transitions import Choice, get_transition, perform_transition
from world.core.call import Call
from world.core.json_types import JsonObject
from world.core.params import Params, Text

Body = Annotated[Text, Field(max_length=32_767)]


class RequestComments(DeskPage, RequestRef):
    """A page of the comments of a request."""

    public: bool = Field(default=True, description="Whether comments that customers see are listed.")
    internal: bool = Field(default=True, description="Whether comments that only agents see are listed.")


class RequestCommentRef(RequestRef):
    """One comment of a request."""

    commentId: Id = Field(description="Comment id.")


class RequestCommentNew(RequestRef):
    """A comment on a request."""

    body: Body = Field(description="Text, in wiki markup.", examples=["We are looking into it."])
    public: bool = Field(default=True, description="Whether customers see it.")


class RequestTransitions(DeskPage, RequestRef):
    """A page of the transitions of a request."""


class AdditionalComment(Params):
    """What is said with a transition."""

    body: Body = Field(description="Text, in wiki markup.")


class RequestTransition(RequestRef):
    """A transition of a request to perform."""

    id: Id = Field(description="Transition id.", examples=["$getCustomerTransitions:values.0.id"])
    additionalComment: AdditionalComment | None = Field(default=None, description="A public comment.")


def _comment_to_json(context: JiraContext, issue: Issue, row: Comment) -> JsonObject:
    address = f"{context.call.base_url}/rest/servicedeskapi/request/{issue.id}/comment/{row.id}"
    return {
        "_expands": ["attachment", "renderedBody"],
        "id": str(row.id),
        "body": show_body(row.body, "wiki"),
        "public": not row.internal,
        "author": context.user(row.author_id),
        "created": moment_to_json(row.created_at),
        "_links": {"self": address},
    }


@app.operation(
    "getRequestComments",
    source=SOURCE + "request",
    scope="read:servicedesk-request",
    examples=[{"issueIdOrKey": "$getCustomerRequests:values.0.issueKey"}],
    raises=("request_not_found",),
)
def get_request_comments(call: Call, params: RequestComments) -> JsonObject:
    """List the comments of a request, the oldest first."""
    context = JiraContext(call)
    issue = find_request(context, params.issueIdOrKey)
    kinds = [internal for internal, wanted in ((False, params.public), (True, params.internal)) if wanted]
    where = (*visibility_conditions(context, issue), col(Comment.internal).in_(kinds))
    limit = min(params.limit, PAGE)
    query = select(Comment).where(*where).order_by(col(Comment.id)).offset(params.start).limit(limit + 1)
    shown = [_comment_to_json(context, issue, row) for row in call.session.exec(query)]
    return page_to_json(call, f"request/{issue.id}/comment", shown, params.start, limit, cut=True)


@app.operation(
    "getRequestCommentById",
    source=SOURCE + "request",
    scope="read:servicedesk-request",
    examples=[{"issueIdOrKey": "$getCustomerRequests:values.0.issueKey", "commentId": "$createRequestComment:id"}],
    raises=("request_not_found", "comment_not_found"),
)
def get_request_comment_by_id(call: Call, params: RequestCommentRef) -> JsonObject:
    """Read one comment of a request."""
    context = JiraContext(call)
    issue = find_request(context, params.issueIdOrKey)
    return _comment_to_json(context, issue, find_comment(context, issue, params.commentId))


@app.operation(
    "createRequestComment",
    writes=True,
    source=SOURCE + "request",
    scope="write:servicedesk-request",
    examples=[
        {"issueIdOrKey": "$getCustomerRequests:values.0.issueKey", "body": "We are looking into it.", "public": False}
    ],
    raises=("request_not_found", "cannot_comment", "empty_comment", "field_errors"),
)
def create_request_comment(call: Call, params: RequestCommentNew) -> JsonObject:
    """Comment on a request, for everybody or for agents only."""
    context = JiraContext(call)
    issue = find_request(context, params.issueIdOrKey, "ADD_COMMENTS")
    row = write_comment(context, issue, read_comment(params.body, "wiki"), internal=not params.public)
    return _comment_to_json(context, issue, row)


@app.operation(
    "getCustomerTransitions",
    source=SOURCE + "request",
    scope="read:servicedesk-request",
    examples=[{"issueIdOrKey": "$getCustomerRequests:values.0.issueKey"}],
    raises=("request_not_found",),
)
def get_customer_transitions(call: Call, params: RequestTransitions) -> JsonObject:
    """List the transitions you can take on a request now."""
    context = JiraContext(call)
    issue = find_request(context, params.issueIdOrKey)
    shown: list[JsonObject] = [
        {"id": str(step.id), "name": step.name} for step in list_available_transitions(context, issue)
    ]
    return page_to_json(call, f"request/{issue.id}/transition", shown, params.start, params.limit)


@app.operation(
    "performCustomerTransition",
    writes=True,
    source=SOURCE + "request",
    scope="write:servicedesk-request",
    examples=[{"issueIdOrKey": "$getCustomerRequests:values.0.issueKey", "id": "$getCustomerTransitions:values.0.id"}],
    raises=(
        "bad_visibility",
        "cannot_link",
        "issue_not_found",
        "link_to_self",
        "link_type_not_found",
        "missing_transition",
        "request_not_found",
        "cannot_transition",
        "unknown_transition",
        "bad_transition",
        "field_errors",
        "empty_comment",
    ),
)
def perform_customer_transition(call: Call, params: RequestTransition) -> None:
    """Move a request to another status, perhaps with a public comment."""
    context = JiraContext(call)
    issue = find_request(context, params.issueIdOrKey, "TRANSITION_ISSUES")
    step = get_transition(context, issue, Choice(id=params.id))
    perform_transition(context, issue, step, {}, {}, "wiki")
    if params.additionalComment is not None:
        write_comment(context, issue, read_comment(params.additionalComment.body, "wiki"))
