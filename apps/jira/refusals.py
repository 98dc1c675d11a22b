"""Refusal codes on the wire: HTTP status and the vendor's sentence."""

from dataclasses import dataclass, field

from world.core.errors import InvalidArguments, OperationError
from world.core.wrong_values import word

HIDDEN_ISSUE = "Issue does not exist or you do not have permission to see it."

# Sentences: developer.atlassian.com/cloud/jira/platform/rest/v3 examples and messages callers quote in public trackers.
SENTENCES: dict[str, tuple[int, str]] = {
    "account_inactive": (401, "Client must be authenticated to access this resource."),
    "issue_not_found": (404, HIDDEN_ISSUE),
    "project_not_found": (404, "No project could be found with key '{project}'."),
    "project_id_not_found": (404, "No project could be found with id '{project}'."),
    "project_type_not_found": (404, "The issue type does not exist or is not available in this project."),
    "comment_not_found": (404, "Can not find a comment for the id: {comment}."),
    "worklog_not_found": (404, "Cannot find worklog with id: '{worklog}'."),
    "attachment_not_found": (404, "The attachment with id '{attachment}' does not exist"),
    "user_not_found": (404, "Specified user does not exist or you do not have required permissions"),
    "link_not_found": (404, "No issue link with id '{link}' exists."),
    "link_type_not_found": (404, "No issue link type with name '{type}' found."),
    "remote_link_not_found": (404, "The issue link with id '{link}' does not exist."),
    "issue_type_not_found": (404, "The issue type was not found."),
    "priority_not_found": (404, "The priority with id '{priority}' does not exist"),
    "status_not_found": (404, "The status with id or name '{status}' does not exist"),
    "resolution_not_found": (404, "The resolution with id '{resolution}' does not exist"),
    "component_not_found": (404, "The component with id {component} does not exist."),
    "version_not_found": (404, "Could not find version for id '{version}'"),
    "filter_not_found": (
        404,
        "The selected filter is not available to you, perhaps it has been deleted or had its permissions changed.",
    ),
    "dashboard_not_found": (404, "The dashboard with id '{dashboard}' does not exist."),
    "board_not_found": (404, "Board does not exist or you do not have permission to view it."),
    "sprint_not_found": (404, "Sprint does not exist or you do not have permission to view it"),
    "epic_not_found": (
        404,
        "The requested issue is not an epic, does not exist, or you do not have permission to view it.",
    ),
    "property_not_found": (404, "The property '{key}' does not exist."),
    "group_not_found": (404, "The group named '{group}' does not exist."),
    "role_not_found": (404, "Can not retrieve a role actor for a null role."),
    "field_not_found": (404, "The custom field was not found."),
    "screen_not_found": (404, "The screen or tab with id '{screen}' was not found."),
    "project_kind_not_found": (404, "The project type with key '{kind}' does not exist."),
    "category_not_found": (404, "The project category with id '{category}' was not found."),
    "service_desk_not_found": (404, "The Service Desk you are trying to view does not exist."),
    "request_type_not_found": (404, "The request type you are trying to view does not exist."),
    "request_not_found": (404, "The request you are trying to view does not exist."),
    "queue_not_found": (404, "The queue you are trying to view does not exist."),
    "only_for_apps": (403, "Access denied. Only Connect apps and OAuth 2.0 apps can use this operation."),
    "not_site_admin": (403, "Only Jira administrators can perform this operation."),
    "not_browsable": (404, HIDDEN_ISSUE),
    "cannot_create": (403, "You do not have permission to create issues in this project."),
    "cannot_edit": (403, "You do not have permission to edit issues in this project."),
    "cannot_delete": (403, "You do not have permission to delete issues in this project."),
    "cannot_assign": (403, "You do not have permission to assign issues."),
    "cannot_comment": (403, "You do not have the permission to comment on this issue."),
    "cannot_edit_comment": (400, "You do not have permission to edit comment with id: {comment}"),
    "cannot_delete_comment": (400, "You do not have permission to delete comment with id: {comment}"),
    "cannot_log_work": (400, "You do not have permission to add worklog to this issue."),
    "cannot_edit_worklog": (400, "You do not have permission to edit worklog with id: {worklog}"),
    "cannot_transition": (400, "You do not have permission to transition this issue."),
    "cannot_link": (401, "No Link Issue Permission for issue '{issue}'"),
    "cannot_attach": (403, "You do not have permission to create attachments for this issue."),
    "cannot_delete_attachment": (403, "You do not have permission to delete attachment with id: {attachment}"),
    "cannot_watch_others": (403, "You do not have permission to manage the watcher list of this issue."),
    "cannot_be_watcher": (
        400,
        "The user '{user}' does not have permission to view this issue. This user will not be added to the watch list.",
    ),
    "no_recipients": (400, "No recipients were defined for notification."),
    "bad_recipient": (400, "{why}"),
    "cannot_vote_own": (404, "You cannot vote for an issue you have reported."),
    "cannot_vote_resolved": (404, "You cannot vote for a resolved issue."),
    "cannot_manage_sprints": (403, "You do not have permission to manage sprints on this board."),
    "cannot_administer": (403, "You must have permission to administer this project."),
    "cannot_move": (403, "You do not have permission to move issues in this project."),
    "has_subtasks": (
        400,
        (
            "The issue '{issue}' has subtasks.  You must specify the 'deleteSubtasks' parameter to delete this issue"
            " and all its subtasks."
        ),
    ),
    "bad_transition": (
        400,
        (
            "It seems that you have tried to perform a workflow operation ({name}) that is not valid for the current"
            " state of this issue ({issue}). The likely cause is that somebody has changed the issue recently, please"
            " look at the issue history for details."
        ),
    ),
    "unknown_transition": (400, "Transition id '{transition}' is not valid for this issue."),
    "missing_transition": (400, "Missing 'transition' identifier"),
    "empty_comment": (400, "Comment body can not be empty!"),
    "bad_visibility": (400, "{why}"),
    "empty_search": (400, "Unbounded JQL queries are not allowed here. Please add a search restriction to your query."),
    "bad_jql": (400, "{why}"),
    "bad_page_token": (400, "The provided next page token is invalid or expired."),
    "bad_start": (400, "The value of startAt must be 0 or greater."),
    "bad_expand": (400, "{why}"),
    "too_many_issues": (400, "The maximum number of issues that may be created or fetched in one request is {limit}."),
    "link_to_self": (400, "You cannot link an issue to itself."),
    "bad_time": (400, "{why}"),
    "bad_attachment": (400, "{why}"),
    "attachment_too_large": (413, "The attachment exceeds the maximum attachment size of {limit} bytes."),
    "sprint_state": (400, "{why}"),
    "sprint_closed": (400, "Issues cannot be added to a closed sprint."),
    "bad_rank": (400, "{why}"),
    "bad_request": (400, "{why}"),
    "unsupported_search": (
        410,
        "The requested API has been removed. Please migrate to the /rest/api/3/search/jql API.",
    ),
    "missing_scope": (403, "Unauthorized; scope does not match"),
    "ratelimited": (429, "Rate limit exceeded."),
    "internal_error": (500, "Internal server error"),
    "unavailable": (503, "Service Temporarily Unavailable"),
    "timed_out": (504, "upstream request timeout"),
    "token_revoked": (401, "Client must be authenticated to access this resource."),
    "read_only": (503, "Jira is in read-only mode. Please try again later."),
}


@dataclass(frozen=True, slots=True)
class ErrorBody:
    """Jira's error collection, and its status."""

    status: int
    messages: list[str] = field(default_factory=list)
    errors: dict[str, str] = field(default_factory=dict)

    def json(self) -> dict[str, object]:
        """`{"errorMessages": [...], "errors": {...}}`."""
        return {"errorMessages": self.messages, "errors": self.errors}


# what is said of a value that does not fit its field; "Operation value must be ..." is the service's own wording
WRONG = {
    "missing": "{field} is required.",
    "text": "Operation value must be a string",
    "integer": "Operation value must be a number",
    "number": "Operation value must be a number",
    "boolean": "Operation value must be a boolean",
    "list": "data was not an array",
    "object": "data was not an object",
    "choice": "Value is not allowed. Allowed values are: {choices}.",
    "least": "The value must not be less than {bound}.",
    "most": "The value must not be greater than {bound}.",
    "short_text": "The value must have at least {bound} characters.",
    "long_text": "The entered text is too long. It exceeds the allowed limit of {bound} characters.",
    "short_list": "At least {bound} values must be given.",
    "long_list": "No more than {bound} values can be given.",
    "form": "The value is not in the expected format.",
    "unknown": "Field '{field}' cannot be set. It is not on the appropriate screen, or unknown.",
    "own": "{own}",
    "wrong": "The value is not valid.",
}


def field_errors(**errors: str) -> OperationError:
    """A refusal that names fields: `errors` maps a field id to the vendor's sentence."""
    return OperationError("field_errors", errors=dict(sorted(errors.items())))


def render_refusal(error: OperationError) -> ErrorBody:
    """The vendor's body for a refusal."""
    if isinstance(error, InvalidArguments):
        return ErrorBody(400, [], {name: word(WRONG, name, why) for name, why in error.problems})
    if error.code == "field_errors":
        errors = error.detail["errors"]
        assert isinstance(errors, dict)
        return ErrorBody(400, [], {str(name): str(text) for name, text in errors.items()})
    status, sentence = SENTENCES.get(error.code, (400, error.code))
    messages = error.detail.get("messages")
    if isinstance(messages, list):
        return ErrorBody(status, [str(message) for message in messages])
    known = {name: str(value) for name, value in error.detail.items()}
    return ErrorBody(status, [sentence.format_map(_Blank(known))])


class _Blank(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return ""
