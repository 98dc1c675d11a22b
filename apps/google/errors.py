"""Google's errors: code, status, reason and sentence, and those that the front of every API gives.

cloud.google.com/apis/design/errors (statuses); developers.google.com/drive/api/guides/handle-errors (reasons).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from world.core.errors import EpisodeEnded, InvalidArguments, OperationError
from world.core.json_types import JsonObject
from world.core.wrong_values import word

BAD, FAILED, ABSENT, DENIED = "INVALID_ARGUMENT", "FAILED_PRECONDITION", "NOT_FOUND", "PERMISSION_DENIED"
NO_LOGIN = (
    "Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid"
    " authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project."
)
BAD_LOGIN = (
    "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid"
    " authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project."
)
# what the services say of a value they cannot take
_AT = "Invalid value at '{field}'"
WRONG = {
    "missing": "Required parameter is missing: {field}",
    "text": _AT + " (TYPE_STRING), {given}",
    "integer": _AT + " (TYPE_INT32), {given}",
    "number": _AT + " (TYPE_DOUBLE), {given}",
    "boolean": _AT + " (TYPE_BOOL), {given}",
    "list": _AT + ", {given} is not repeated",
    "object": _AT + ", {given} is not a message",
    "choice": _AT + ", {given}. Permitted values: [{choices}]",
    "least": _AT + ", {given}. Values must be within the range: [{bound}, )",
    "most": _AT + ", {given}. Values must be within the range: ( , {bound}]",
    "short_text": _AT + ", fewer than {bound} characters",
    "long_text": _AT + ", more than {bound} characters",
    "short_list": _AT + ", fewer than {bound} entries",
    "long_list": _AT + ", more than {bound} entries",
    "unknown": 'Unknown name "{field}": Cannot find field.',
    "own": _AT + ", {own}",
    "wrong": _AT + ", {given}",
}
PROJECT = "204817730165"  # of the client that hands out tokens
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
Sentences = Mapping[
    str, tuple[int, str, str, str]
]  # code -> HTTP status, Google's status, reason, sentence with {words} of the detail


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
    details: list[JsonObject] = field(default_factory=list)

    def json(self, *, first: bool = True) -> dict[str, Any]:
        """`{"error": {...}}`; `first`: with the list of the first form, which newer APIs have not."""
        inner: dict[str, Any] = {"message": self.said or self.message, "domain": self.domain, "reason": self.reason}
        if self.location is not None:
            inner |= {"location": self.location[0], "locationType": self.location[1]}
        body: dict[str, Any] = {"code": self.code, "message": self.message} | ({"errors": [inner]} if first else {})
        if self.status:
            body["status"] = self.status
        return {"error": body | ({"details": self.details} if self.details else {})}


def invalid_error(message: str, field_name: str = "", reason: str = "invalid") -> ErrorBody:
    """400 as the front of Google's services words it: what cannot be read never reaches the method."""
    violation = {"field": field_name, "description": message} if field_name else {"description": message}
    return ErrorBody(
        400,
        BAD,
        reason,
        message,
        details=[{"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [violation]}],
    )


def build_unauthenticated_error(given: bool, service: str) -> ErrorBody:
    """No token, or none that counts here."""
    where = ("Authorization", "header")
    if given:
        return ErrorBody(401, "UNAUTHENTICATED", "authError", BAD_LOGIN, said="Invalid Credentials", location=where)
    return ErrorBody(
        401,
        "UNAUTHENTICATED",
        "required",
        NO_LOGIN,
        said="Login Required.",
        location=where,
        details=[cause_to_json("CREDENTIALS_MISSING", service)],
    )


def cause_to_json(reason: str, service: str, **facts: str) -> dict[str, Any]:
    """The detail that names a reason for programs."""
    info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "googleapis.com"}
    return info | {"metadata": {"service": service, **facts}}


def scope_error(service: str) -> ErrorBody:
    """A token that opens other methods."""
    return ErrorBody(
        403,
        DENIED,
        "insufficientPermissions",
        "Request had insufficient authentication scopes.",
        said="Insufficient Permission",
        details=[cause_to_json("ACCESS_TOKEN_SCOPE_INSUFFICIENT", service)],
    )


NO_METHOD = ErrorBody(404, ABSENT, "notFound", "Method not found.")
# APIs of the vendor that the company's project has not enabled, by the first label of their host
NOT_ENABLED = {
    "people": "People API",
    "calendar": "Google Calendar API",
    "calendar-json": "Google Calendar API",
    "docs": "Google Docs API",
    "slides": "Google Slides API",
    "chat": "Google Chat API",
    "tasks": "Google Tasks API",
    "forms": "Google Forms API",
    "admin": "Admin SDK API",
    "keep": "Google Keep API",
    "meet": "Google Meet API",
    "script": "Apps Script API",
    "driveactivity": "Drive Activity API",
    "drivelabels": "Drive Labels API",
    "cloudidentity": "Cloud Identity API",
    "groupssettings": "Groups Settings API",
    "pubsub": "Cloud Pub/Sub API",
    "storage": "Cloud Storage API",
    "bigquery": "BigQuery API",
    "logging": "Cloud Logging API",
    "iamcredentials": "IAM Service Account Credentials API",
    "cloudresourcemanager": "Cloud Resource Manager API",
}
# APIs that the host of many APIs has too, by the first part of the path
SHARED_PATHS = {"calendar": "calendar", "tasks": "tasks", "admin": "admin", "groups": "groupssettings"}
TOO_LARGE = ErrorBody(413, "", "uploadTooLarge", "Request Entity Too Large")


class _Blank(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return ""


def render_error(error: OperationError, sentences: Sentences, service: str) -> ErrorBody:
    """The vendor's error for a refusal."""
    if isinstance(error, InvalidArguments):
        name, why = error.problems[0] if error.problems else ("", "Request contains an invalid argument.")
        return invalid_error(word(WRONG, to_snake_case(name), why), to_snake_case(name), "invalidArgument")
    if error.code == "missing_scope":
        return scope_error(service)
    code, status, reason, sentence = sentences.get(
        error.code, (400, FAILED, "failedPrecondition", "Precondition check failed.")
    )
    known = _Blank({name: str(value) for name, value in error.detail.items()})
    said = "Invalid Credentials" if code == 401 else ""
    message = error.sentence if isinstance(error, EpisodeEnded) else sentence.format_map(known).rstrip()
    return ErrorBody(
        code,
        status,
        reason,
        message,
        said=said,
        location=("Authorization", "header") if said else None,
    )


def to_snake_case(name: str) -> str:
    """`message.threadId` -> `message.thread_id`, as the vendor names fields in its errors."""
    return _CAPITAL.sub("_", name).lower()


def not_enabled_error(name: str) -> ErrorBody:
    """403 of an API that the caller's project does not use; cloud.google.com/apis/docs/getting-started."""
    service = f"{name}.googleapis.com"
    address = f"https://console.developers.google.com/apis/api/{service}/overview?project={PROJECT}"
    sentence = (
        f"{NOT_ENABLED.get(name, service)} has not been used in project {PROJECT} before or it is disabled. Enable it by visiting"
        f" {address} then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our"
        " systems and retry."
    )
    cause = cause_to_json("SERVICE_DISABLED", service, consumer=f"projects/{PROJECT}")
    return ErrorBody(403, DENIED, "accessNotConfigured", sentence, "usageLimits", details=[cause])
