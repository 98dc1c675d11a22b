"""Code to the vendor's sentence and status. Source:
docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api.
"""

from typing import Any

from world.core.errors import EpisodeEnded, InvalidArguments, OperationError
from world.core.json_types import JsonObject

DOCS = "https://docs.github.com/rest"
# code -> (status, message); {names} are filled from the refusal's detail
SENTENCES: dict[str, tuple[int, str]] = {
    "not_found": (404, "Not Found"),
    "bad_credentials": (401, "Bad credentials"),
    "requires_authentication": (401, "Requires authentication"),
    "account_inactive": (
        403,
        "Sorry. Your account was suspended",
    ),  # observed: sourcegraph/sourcegraph-public-snapshot#16638
    "invalid_auth": (401, "Bad credentials"),
    "token_revoked": (401, "Bad credentials"),
    "forbidden": (403, "Must have admin rights to Repository."),
    "no_push": (403, "Resource not accessible by personal access token"),
    "archived": (403, "Repository was archived so is read-only."),
    "locked": (403, "Unable to create comment because issue is locked."),
    "issues_disabled": (410, "Issues are disabled for this repo"),
    "validation_failed": (422, "Validation Failed"),
    "unprocessable": (422, "{why}"),
    "review_refused": (422, "Unprocessable Entity"),
    "not_mergeable": (405, "{why}"),
    "conflict": (409, "{why}"),
    "branch_not_found": (404, "Branch not found"),
    "empty_repository": (409, "Git Repository is empty."),
    "protected_branch": (422, "{why}"),
    "no_such": (404, "{why}"),
    "too_large": (
        403,
        "This API returns blobs up to 100 MB in size. The requested blob is too large to fetch via the API.",
    ),
    "refused": (403, "{why}"),
    "not_our_ref": (422, "{why}"),
    "unpack_failed": (422, "{why}"),
    "push_declined": (422, "{why}"),
    "invalid_arguments": (422, "Invalid request.\n\n{why}"),
    "read_only": (503, "GitHub is in read-only mode for maintenance."),
    "server_error": (502, "Server Error"),
    "unavailable": (503, "Service unavailable"),
    "timed_out": (
        504,
        "We couldn't respond to your request in time. Sorry about that. Please try resubmitting your request.",
    ),
    "secondary_rate_limit": (
        403,
        "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
    ),
    "rate_limit": (403, "API rate limit exceeded."),
}
TROUBLES = {"missing": "does not exist", "missing_field": "can't be blank", "already_exists": "has already been taken"}


def invalid(resource: str, field: str, code: str, message: str | None = None, value: object = None) -> OperationError:
    """A 422 about one field: `code` is missing, missing_field, invalid, already_exists, unprocessable or custom (with a
    message).
    """
    error: JsonObject = {"resource": resource, "field": field, "code": code}
    if message is not None:
        error["message"] = message
    if value is not None:
        error["value"] = value
    return OperationError("validation_failed", errors=[error], said=message or _describe_field(field, code))


def _describe_field(field: str, code: str) -> str:
    """What is wrong with a field, as a page says it."""
    words = field.rpartition(".")[2].replace("_", " ").capitalize()
    return f"{words} {TROUBLES.get(code, 'is invalid')}."


def unprocessable(why: str) -> OperationError:
    """A 422 that is one sentence."""
    return OperationError("unprocessable", why=why)


def conflict(why: str) -> OperationError:
    """A 409 that is one sentence."""
    return OperationError("conflict", why=why)


def review_refused(why: str) -> OperationError:
    """A 422 about a review, whose reason stands among the errors."""
    return OperationError("review_refused", errors=[why], said=why)


def not_mergeable(why: str) -> OperationError:
    """A 405: why a pull request cannot be merged."""
    return OperationError("not_mergeable", why=why)


def render(refused: OperationError) -> tuple[int, dict[str, Any]]:
    """Status and body of a refusal."""
    status, sentence = SENTENCES[refused.code]
    if isinstance(refused, InvalidArguments):
        return status, {**_body(status, "Invalid request.\n\n" + _wrong(refused)), "documentation_url": DOCS}
    body = _body(status, sentence.format_map(_Detail(refused.detail)))
    if isinstance(refused, EpisodeEnded):
        body["message"] = f"{sentence}; {refused.sentence}"
    if "errors" in refused.detail:
        body["errors"] = refused.detail["errors"]
    return status, body


def _body(status: int, message: str) -> JsonObject:
    return {"message": message, "documentation_url": DOCS, "status": str(status)}


def _wrong(refused: InvalidArguments) -> str:
    return "\n".join(_problem(name, message) for name, message in refused.problems)


def _problem(name: str, message: str) -> str:
    if message == "Field required":
        return f'"{name}" wasn\'t supplied.'
    return f"For 'properties/{name.replace('.', '/')}', {message}."


class _Detail(dict[str, object]):
    def __missing__(self, key: str) -> str:
        return ""
