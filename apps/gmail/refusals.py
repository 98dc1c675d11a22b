"""What each refusal code means on the wire: HTTP status, Google's status, reason and sentence.

developers.google.com/workspace/gmail/api/guides/handle-errors, developers.google.com/drive/api/guides/handle-errors (the same
reasons), cloud.google.com/apis/design/errors (statuses); sentences as callers quote them in public trackers.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from world.operation import InvalidArguments, OperationError

BAD, FAILED, ABSENT, DENIED = "INVALID_ARGUMENT", "FAILED_PRECONDITION", "NOT_FOUND", "PERMISSION_DENIED"
NO_LOGIN = (
    "Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication"
    " credential. See https://developers.google.com/identity/sign-in/web/devconsole-project."
)
BAD_LOGIN = (
    "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential."
    " See https://developers.google.com/identity/sign-in/web/devconsole-project."
)
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class ErrorBody:
    """Google's error, with its first and second form in one. `said` is the inner message where it is another one."""

    code: int
    status: str
    reason: str
    message: str
    domain: str = "global"
    said: str = ""
    location: tuple[str, str] | None = None
    details: list[dict[str, Any]] = field(default_factory=list)

    def json(self) -> dict[str, Any]:
        """`{"error": {...}}`."""
        inner: dict[str, Any] = {"message": self.said or self.message, "domain": self.domain, "reason": self.reason}
        if self.location is not None:
            inner |= {"location": self.location[0], "locationType": self.location[1]}
        body: dict[str, Any] = {"code": self.code, "message": self.message, "errors": [inner]}
        if self.status:
            body["status"] = self.status
        return {"error": body | ({"details": self.details} if self.details else {})}


def invalid(message: str, field_name: str = "", reason: str = "invalid") -> ErrorBody:
    """400 as the front of Google's services words it: what cannot be read never reaches the method."""
    violation = {"field": field_name, "description": message} if field_name else {"description": message}
    return ErrorBody(400, BAD, reason, message, details=[{"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [violation]}])


def unauthenticated(given: bool) -> ErrorBody:
    """No token, or none that counts here."""
    where = ("Authorization", "header")
    if given:
        return ErrorBody(401, "UNAUTHENTICATED", "authError", BAD_LOGIN, said="Invalid Credentials", location=where)
    return ErrorBody(401, "UNAUTHENTICATED", "required", NO_LOGIN, said="Login Required.", location=where,
                     details=[_cause("CREDENTIALS_MISSING")])  # fmt: skip


def _cause(reason: str) -> dict[str, Any]:
    info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "googleapis.com"}
    return info | {"metadata": {"service": "gmail.googleapis.com"}}


SCOPE = ErrorBody(403, DENIED, "insufficientPermissions", "Request had insufficient authentication scopes.",
                  said="Insufficient Permission", details=[_cause("ACCESS_TOKEN_SCOPE_INSUFFICIENT")])  # fmt: skip
NO_METHOD = ErrorBody(404, ABSENT, "notFound", "Method not found.")
TOO_LARGE = ErrorBody(413, "", "uploadTooLarge", "Request Entity Too Large")

# code -> HTTP status, Google's status, reason, sentence; {words} come from the refusal's detail
SENTENCES: dict[str, tuple[int, str, str, str]] = {
    "not_found": (404, ABSENT, "notFound", "Requested entity was not found."),
    "delegation_denied": (403, DENIED, "forbidden", "Delegation denied for {user}"),
    "mail_service_not_enabled": (400, FAILED, "failedPrecondition", "Mail service not enabled"),
    "account_inactive": (401, "UNAUTHENTICATED", "authError", BAD_LOGIN),
    "token_revoked": (401, "UNAUTHENTICATED", "authError", BAD_LOGIN),
    "invalid_auth": (401, "UNAUTHENTICATED", "authError", BAD_LOGIN),
    "auth_error": (401, "UNAUTHENTICATED", "authError", BAD_LOGIN),
    "invalid_page_token": (400, BAD, "invalidArgument", "Invalid pageToken"),
    "invalid_label": (400, BAD, "invalidArgument", "Invalid label: {label}"),
    "no_label_changes": (400, BAD, "invalidArgument", "No label add or removes specified"),
    "contradicting_labels": (400, BAD, "invalidArgument", "Cannot both add and remove the same label"),
    "several_places": (400, BAD, "invalidArgument", "Can only add one of: INBOX, SPAM, TRASH"),
    "no_message_ids": (400, BAD, "invalidArgument", "No message ids specified"),
    "invalid_label_name": (400, BAD, "invalidArgument", "Invalid label name"),
    "label_exists": (409, "ABORTED", "aborted", "Label name exists or conflicts"),
    "invalid_label_color": (400, BAD, "invalidArgument", "Label color {color} is not on the allowed color palette"),
    "too_many_labels": (400, FAILED, "failedPrecondition", "Too many labels: at most {most}"),
    "system_label": (400, BAD, "invalidArgument", "Invalid request for system label {label}"),
    "draft_message_missing": (400, BAD, "invalidArgument", "Missing draft message"),
    "invalid_attachment_token": (400, BAD, "invalidArgument", "Invalid attachment token"),
    "history_id_missing": (400, BAD, "invalidArgument", "Missing required parameter: startHistoryId"),
    "invalid_history_id": (400, BAD, "invalidArgument", "Invalid startHistoryId"),
    "invalid_topic_name": (400, BAD, "invalidArgument", "Invalid topicName does not match projects/*/topics/*"),
    "raw_missing": (400, BAD, "invalidArgument", "'raw' RFC822 payload message string or uploading message via /upload/* URL required"),
    "invalid_raw": (400, BAD, "invalidArgument", "Invalid value at 'raw' (TYPE_BYTES), Base64 decoding failed."),
    "malformed_mail": (400, BAD, "invalidArgument", "Malformed MIME message"),
    "too_large": (413, "", "uploadTooLarge", "Request Entity Too Large"),
    "recipient_required": (400, BAD, "invalidArgument", "Recipient address required"),
    "invalid_to_header": (400, BAD, "invalidArgument", "Invalid To header"),
    "invalid_cc_header": (400, BAD, "invalidArgument", "Invalid Cc header"),
    "invalid_bcc_header": (400, BAD, "invalidArgument", "Invalid Bcc header"),
    "metadata_scope_search": (403, DENIED, "forbidden", "Metadata scope does not support 'q' parameter"),
    "metadata_scope_format": (403, DENIED, "forbidden", "Metadata scope doesn't allow format {format}"),
    "too_many_recipients": (400, BAD, "invalidArgument", "Too many recipients"),
    "filter_criteria_missing": (400, BAD, "invalidArgument", "Invalid filter: no criteria"),
    "filter_action_missing": (400, BAD, "invalidArgument", "Invalid filter: no action"),
    "too_many_filter_labels": (400, BAD, "invalidArgument", "Too many labels in filter"),
    "filter_exists": (400, FAILED, "failedPrecondition", "Filter already exists"),
    "too_many_filters": (400, FAILED, "failedPrecondition", "Too many filters"),
    "invalid_query": (400, BAD, "invalidArgument", "Invalid query: {reason}"),
    "unrecognized_forwarding_address": (400, FAILED, "failedPrecondition", "Unrecognized forwarding address"),
    "invalid_address": (400, BAD, "invalidArgument", "Invalid email address"),
    "too_many_addresses": (400, FAILED, "failedPrecondition", "Too many addresses"),
    "already_exists": (409, "ALREADY_EXISTS", "alreadyExists", "Requested entity already exists"),
    "vacation_text_missing": (400, BAD, "invalidArgument", "Vacation response subject or body required"),
    "invalid_time_range": (400, BAD, "invalidArgument", "Invalid time range: startTime must precede endTime"),
    "invalid_language": (400, BAD, "invalidArgument", "Invalid display language"),
    "invalid_display_name": (400, BAD, "invalidArgument", "Invalid display name"),
    "invalid_delegate": (400, FAILED, "failedPrecondition", "Invalid delegate"),
    "too_many_delegates": (400, FAILED, "failedPrecondition", "Too many delegates"),
    "smtp_unreachable": (400, FAILED, "failedPrecondition", "Could not reach the SMTP server"),
    "default_required": (400, BAD, "invalidArgument", "A default send-as address is required"),
    "not_verified": (400, FAILED, "failedPrecondition", "Send-as address is not verified"),
    "already_verified": (400, FAILED, "failedPrecondition", "Send-as address is already verified"),
    "wrong_code": (400, BAD, "invalidArgument", "Wrong confirmation code"),
    "primary_address": (400, FAILED, "failedPrecondition", "The primary address cannot be deleted"),
    "too_late": (400, FAILED, "failedPrecondition", "The message has already been sent."),
    "time_in_past": (400, BAD, "invalidArgument", "The time must be in the future."),
    "time_too_far": (400, BAD, "invalidArgument", "The time is too far in the future."),
    "too_many_scheduled": (400, FAILED, "failedPrecondition", "You can have up to {most} scheduled messages."),
    "not_scheduled": (400, FAILED, "failedPrecondition", "The message is not scheduled."),
    "forbidden": (403, DENIED, "forbidden", "The caller does not have permission"),
    "sending_limit_exceeded": (429, "RESOURCE_EXHAUSTED", "rateLimitExceeded", "User-rate limit exceeded.  Retry after {retry} (Mail sending)"),
    "already_scheduled": (400, FAILED, "failedPrecondition", "The message is already scheduled."),
    "invalid_from_header": (400, BAD, "invalidArgument", "Invalid From header"),
    "invalid_subject_header": (400, BAD, "invalidArgument", "Invalid Subject header"),
    "invalid_attachment": (400, BAD, "invalidArgument", "Invalid attachment"),
    "label_not_found": (404, ABSENT, "notFound", "Label not found: {name}"),
    "rate_limit_exceeded": (429, "RESOURCE_EXHAUSTED", "rateLimitExceeded", "Rate Limit Exceeded"),
    "backend_error": (500, "INTERNAL", "backendError", "Backend Error"),
    "unavailable": (503, "UNAVAILABLE", "backendError", "The service is currently unavailable."),
    "deadline_exceeded": (504, "DEADLINE_EXCEEDED", "backendError", "Deadline exceeded"),
}


class _Blank(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return ""


def render(error: OperationError) -> ErrorBody:
    """The vendor's error for a refusal."""
    if isinstance(error, InvalidArguments):
        name, why = error.problems[0] if error.problems else ("", "Request contains an invalid argument.")
        return invalid(f"Invalid value at '{snake(name)}', {why}", snake(name), "invalidArgument")
    if error.code == "missing_scope":
        return SCOPE
    code, status, reason, sentence = SENTENCES.get(error.code, (400, FAILED, "failedPrecondition", "Precondition check failed."))
    known = _Blank({name: str(value) for name, value in error.detail.items()})
    said = "Invalid Credentials" if code == 401 else ""
    return ErrorBody(code, status, reason, sentence.format_map(known).rstrip(), said=said, location=("Authorization", "header") if said else None)


def refusal(error: OperationError) -> tuple[int, Mapping[str, Any]]:
    """Status and body of a refusal."""
    shown = render(error)
    return shown.code, shown.json()


def snake(name: str) -> str:
    """`message.threadId` -> `message.thread_id`, as the vendor names fields in its errors."""
    return _CAPITAL.sub("_", name).lower()
