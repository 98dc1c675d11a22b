"""Refusal codes on the wire: HTTP status, Google's status, reason and sentence.

developers.google.com/workspace/gmail/api/guides/handle-errors, developers.google.com/drive/api/guides/handle-errors
(the same reasons), cloud.google.com/apis/design/errors (statuses); sentences as callers quote them in public trackers.
"""

from collections.abc import Mapping

from apps.google.errors import ABSENT, BAD, BAD_LOGIN, DENIED, FAILED, ErrorBody, render_error
from world.core.errors import OperationError

SERVICE = "gmail.googleapis.com"

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
    "raw_missing": (
        400,
        BAD,
        "invalidArgument",
        "'raw' RFC822 payload message string or uploading message via /upload/* URL required",
    ),
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
    "sending_limit_exceeded": (
        429,
        "RESOURCE_EXHAUSTED",
        "rateLimitExceeded",
        "User-rate limit exceeded.  Retry after {retry} (Mail sending)",
    ),
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


def render_refusal(error: OperationError) -> ErrorBody:
    """The vendor's error for a refusal."""
    return render_error(error, SENTENCES, SERVICE)


def refusal(error: OperationError) -> tuple[int, Mapping[str, object]]:
    """Status and body of a refusal."""
    shown = render_refusal(error)
    return shown.code, shown.json()
