"""Refusal codes on the wire: HTTP status, Google's status, reason and sentence.

Codes of apps that keep file contents are among them, since the drive returns them when it creates, copies or replaces
such a file. developers.google.com/drive/api/guides/handle-errors, cloud.google.com/apis/design/errors; sentences as
callers quote them in public trackers.
"""

from collections.abc import Mapping
from dataclasses import replace

from apps.google.errors import ABSENT, BAD, BAD_LOGIN, DENIED, ErrorBody, render_error
from world.core.errors import OperationError

SERVICE = "drive.googleapis.com"
PROTECTED = (
    "You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection if"
    " you need to edit."
)
ORDER_WITH_TEXT = (
    "Sorting is not supported for queries with fullText terms. Results are always in descending relevance order."
)
NOT_DOWNLOADABLE = "Only files with binary content can be downloaded. Use Export with Docs Editors files."
UNKNOWN_RECIPIENT = 'Bad Request. User message: "Sorry, the following email address was not found: {email}"'
UNDELETABLE = "Revisions of Docs Editors files, and the last remaining one of a file, can't be deleted."
NOTIFICATION_REQUIRED = (
    "The sendNotificationEmail parameter is only applicable for permissions of type 'user' or 'group',"
    " and must not be disabled for ownership transfers."
)
# where Drive's errors say the fault lies, unless a refusal names the parameter itself
LOCATIONS = {
    "not_found": "fileId",
    "no_drive": "driveId",
    "no_permission": "permissionId",
    "no_comment": "commentId",
    "no_reply": "replyId",
    "no_revision": "revisionId",
    "bad_page_token": "pageToken",
    "order_with_text": "orderBy",
    "not_exportable": "fileId",
    "not_downloadable": "alt",
    "conversion_unsupported": "convertTo",
    "bad_email": "permission.emailAddress",
    "bad_domain": "permission.domain",
    "transfer_unacknowledged": "transferOwnership",
    "notification_required": "sendNotificationEmail",
    "id_in_use": "file.id",
    "id_unusable": "file.id",
    "bad_expiration": "permission.expirationTime",
}
SENTENCES: dict[str, tuple[int, str, str, str]] = {
    "not_found": (404, ABSENT, "notFound", "Requested entity was not found."),
    "forbidden": (403, DENIED, "forbidden", "The caller does not have permission"),
    "missing_scope": (403, DENIED, "insufficientPermissions", "Request had insufficient authentication scopes."),
    "account_inactive": (401, "UNAUTHENTICATED", "authError", BAD_LOGIN),
    "token_revoked": (401, "UNAUTHENTICATED", "authError", BAD_LOGIN),
    "invalid_auth": (401, "UNAUTHENTICATED", "authError", BAD_LOGIN),
    "auth_error": (401, "UNAUTHENTICATED", "authError", BAD_LOGIN),
    "too_long": (
        400,
        BAD,
        "badRequest",
        "Your input contains more than the maximum of {most} characters in a single cell.",
    ),
    "protected": (400, BAD, "badRequest", PROTECTED),
    "no_sheet": (400, BAD, "badRequest", "No grid with id: {gid}"),
    "bad_request": (400, BAD, "badRequest", "{problem}"),
    "bad_file": (400, BAD, "badRequest", "The file could not be imported: {problem}."),
    "encrypted_file": (
        400,
        BAD,
        "badRequest",
        "The file could not be imported: it is protected by a password or has an old format.",
    ),
    "file_too_large": (400, BAD, "badRequest", "The file is too large to import."),
    "too_many_sheets": (400, BAD, "badRequest", "You cannot have more than {most} sheets."),
    "too_many_cells": (
        400,
        BAD,
        "badRequest",
        "This action would increase the number of cells in the workbook above the limit of {most} cells.",
    ),
    # the drive's; developers.google.com/workspace/drive/api/guides/handle-errors
    "invalid_value": (400, "", "invalid", "Invalid Value"),
    "required": (400, "", "required", "Required parameter: {parameter}"),
    "bad_page_token": (400, "", "invalid", "Invalid Value"),
    "order_with_text": (400, "", "badRequest", ORDER_WITH_TEXT),
    "no_drive": (404, "", "notFound", "Shared drive not found: {id}"),
    "no_permission": (404, "", "notFound", "Permission not found: {id}."),
    "no_comment": (404, "", "notFound", "Comment not found: {id}."),
    "no_reply": (404, "", "notFound", "Reply not found: {id}."),
    "no_revision": (404, "", "notFound", "Revision not found: {id}."),
    "revision_undeletable": (403, "", "cannotDeleteRevision", UNDELETABLE),
    "too_many_kept": (400, "", "badRequest", "A maximum of {most} revisions of a file can be kept forever."),
    "no_revisions": (403, "", "revisionsNotSupported", "The file does not support revisions."),
    "not_the_author": (
        403,
        "",
        "insufficientPermissions",
        "The user does not have sufficient permissions for this comment.",
    ),
    "not_writable_field": (
        403,
        "",
        "fieldNotWritable",
        "The {field} field is not directly writable in update requests.{hint}",
    ),
    "id_in_use": (409, "", "fileIdInUse", "A file already exists with the provided ID."),
    "id_unusable": (400, "", "invalid", "The provided file ID is not usable."),
    "ids_for_documents": (
        403,
        "",
        "insufficientFilePermissions",
        "Generated IDs are not supported for Docs Editors formats.",
    ),
    "shortcut_target": (403, "", "shortcutTargetInvalid", "A shortcut must point to a file, and not to a shortcut."),
    "no_operation": (404, "", "notFound", "Operation not found: {id}."),
    "type_unsupported": (400, "", "badRequest", "Invalid MIME type provided for the uploaded content."),
    "bad_content": (400, "", "badContent", "Base64 decoding failed."),
    "too_large": (413, "", "uploadTooLarge", "Request Entity Too Large"),
    "bad_property": (
        400,
        "",
        "invalid",
        "Properties are limited to {most} bytes of key and value each, and to 100 a file.",
    ),
    "cannot_add_parent": (403, "", "cannotAddParent", "Increasing the number of parents is not allowed"),
    "parent_not_folder": (403, "", "parentNotAFolder", "The specified parent is not a folder."),
    "would_be_circle": (
        400,
        "",
        "badRequest",
        "Bad Request. The folder cannot be added to itself or to a folder within it.",
    ),
    "hierarchy_too_deep": (
        403,
        "",
        "myDriveHierarchyDepthLimitExceeded",
        "Your My Drive can't contain more than 100 levels of folders.",
    ),
    "not_exportable": (403, "", "fileNotExportable", "Export only supports Docs Editors files."),
    "not_downloadable": (403, "", "fileNotDownloadable", NOT_DOWNLOADABLE),
    "cannot_download": (403, "", "cannotDownloadFile", "This file cannot be downloaded by the user."),
    "cannot_copy": (403, "", "cannotCopyFile", "This file cannot be copied by the user."),
    "conversion_unsupported": (400, "", "badRequest", "The requested conversion is not supported."),
    "too_large_to_export": (403, "", "exportSizeLimitExceeded", "This file is too large to be exported."),
    "role_not_applicable": (
        403,
        "",
        "forbidden",
        "The specified role is not applicable for the given permission type.",
    ),
    "bad_email": (
        400,
        "",
        "invalid",
        "The specified emailAddress is invalid or not applicable for the given permission type.",
    ),
    "bad_domain": (
        400,
        "",
        "invalid",
        "The specified domain is invalid or not applicable for the given permission type.",
    ),
    "unknown_recipient": (400, "", "invalidSharingRequest", UNKNOWN_RECIPIENT),
    "bad_expiration": (
        403,
        "",
        "invalid",
        "Expiration dates must be in the future, within a year, and of a user or group who is not the owner.",
    ),
    "transfer_unacknowledged": (
        403,
        "",
        "forbidden",
        "The transferOwnership parameter must be enabled when the permission role is 'owner'.",
    ),
    "transfer_outside": (
        403,
        "",
        "consentRequiredForOwnershipTransfer",
        "Consent is required to transfer ownership of a file to another user.",
    ),
    "notification_required": (403, "", "forbidden", NOTIFICATION_REQUIRED),
    "cannot_remove_owner": (403, "", "cannotRemoveOwner", "The owner of a file cannot be removed."),
    "inherited_permission": (
        403,
        "",
        "cannotModifyInheritedPermission",
        "Cannot update or delete an inherited permission.",
    ),
    "quota_exceeded": (429, "RESOURCE_EXHAUSTED", "rateLimitExceeded", "Quota exceeded."),
    "internal": (500, "INTERNAL", "backendError", "Internal error encountered."),
    "unavailable": (503, "UNAVAILABLE", "backendError", "The service is currently unavailable."),
    "deadline_exceeded": (504, "DEADLINE_EXCEEDED", "backendError", "Deadline exceeded"),
}
# Drive's own words for what other services refuse too
OF_FILES: dict[str, tuple[int, str, str, str]] = {
    "not_found": (404, "", "notFound", "File not found: {id}."),
    "forbidden": (
        403,
        "",
        "insufficientFilePermissions",
        "The user does not have sufficient permissions for this file.",
    ),
}
FILES = {**SENTENCES, **OF_FILES}


def render(error: OperationError) -> ErrorBody:
    """Render the vendor's error for a refusal, with the wrong parameter."""
    shown = render_error(error, FILES, SERVICE)
    where = str(error.detail.get("parameter") or LOCATIONS.get(error.code, ""))
    return replace(shown, location=(where, "parameter")) if where else shown


def describe(error: OperationError) -> str:
    """Return the sentence of one refusal in a list."""
    return render_error(error, SENTENCES, SERVICE).message


def refusal(error: OperationError) -> tuple[int, Mapping[str, object]]:
    """Status and body of a refusal."""
    shown = render(error)
    return shown.code, shown.json()
