"""Refusal codes with the vendor's sentences and HTTP statuses.

Source: docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api.
"""

from typing import Any

from world.core.errors import EpisodeEnded, InvalidArguments, OperationError
from world.core.json_types import JsonObject
from world.core.wrong_values import word

DOCS = "https://docs.github.com/rest"
# code -> (status, message); {names} are filled from the refusal's detail
SENTENCES: dict[str, tuple[int, str]] = {
    "not_found": (404, "Not Found"),
    "moved": (301, "Moved Permanently"),
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
# what 422 says of a body or query that does not fit the description of a method, as its JSON schema check words it
_FOR = "For 'properties/{field}', "
WRONG = {
    "missing": '"{field}" wasn\'t supplied.',
    "text": _FOR + "{given} is not a string.",
    "integer": _FOR + "{given} is not an integer.",
    "number": _FOR + "{given} is not a number.",
    "boolean": _FOR + "{given} is not a boolean.",
    "list": _FOR + "{given} is not an array.",
    "object": _FOR + "{given} is not an object.",
    "choice": _FOR + "{given} is not a member of [{choices}].",
    "least": _FOR + "{given} is less than the minimum of {bound}.",
    "most": _FOR + "{given} is more than the maximum of {bound}.",
    "short_text": _FOR + "only {bound} or more characters are allowed.",
    "long_text": _FOR + "only {bound} characters are allowed.",
    "short_list": _FOR + "{bound} or more items are required.",
    "long_list": _FOR + "no more than {bound} items are allowed; more were supplied.",
    "form": _FOR + "{given} does not match the pattern.",
    "unknown": '"{field}" is not a permitted key.',
    "own": _FOR + "{own}.",
    "wrong": _FOR + "{given} is not valid.",
}
TROUBLES = {"missing": "does not exist", "missing_field": "can't be blank", "already_exists": "has already been taken"}


def invalid(resource: str, field: str, code: str, message: str | None = None, value: object = None) -> OperationError:
    """Return a 422 about one field.

    `code`: missing, missing_field, invalid, already_exists, unprocessable or custom (with a message).
    """
    error: JsonObject = {"resource": resource, "field": field, "code": code}
    if message is not None:
        error["message"] = message
    if value is not None:
        error["value"] = value
    return OperationError("validation_failed", errors=[error], said=message or _describe_field(field, code))


def _describe_field(field: str, code: str) -> str:
    """Describe an invalid field for a page."""
    words = field.rpartition(".")[2].replace("_", " ").capitalize()
    return f"{words} {TROUBLES.get(code, 'is invalid')}."


def unprocessable(why: str) -> OperationError:
    """Return a 422 with one sentence."""
    return OperationError("unprocessable", why=why)


def conflict(why: str) -> OperationError:
    """Return a 409 with one sentence."""
    return OperationError("conflict", why=why)


def review_refused(why: str) -> OperationError:
    """Return a 422 about a review, with the reason among its errors."""
    return OperationError("review_refused", errors=[why], said=why)


def not_mergeable(why: str) -> OperationError:
    """Return a 405 with the reason why a pull request cannot be merged."""
    return OperationError("not_mergeable", why=why)


def render(refused: OperationError) -> tuple[int, dict[str, Any]]:
    """Return status and body of a refusal."""
    status, sentence = SENTENCES[refused.code]
    if isinstance(refused, InvalidArguments):
        return status, {**_body(status, "Invalid request.\n\n" + _wrong(refused)), "documentation_url": DOCS}
    body = _body(status, sentence.format_map(_Detail(refused.detail)))
    if isinstance(refused, EpisodeEnded):
        body["message"] = f"{sentence}; {refused.sentence}"
    if "errors" in refused.detail:
        body["errors"] = refused.detail["errors"]
    if refused.code == "moved":
        body = {**body, "url": refused.detail["url"]}
    return status, body


def _body(status: int, message: str) -> JsonObject:
    return {"message": message, "documentation_url": DOCS, "status": str(status)}


def _wrong(refused: InvalidArguments) -> str:
    return "\n".join(word(WRONG, name.replace(".", "/"), why) for name, why in refused.problems)


class _Detail(dict[str, object]):
    def __missing__(self, key: str) -> str:
        return ""
