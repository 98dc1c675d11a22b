"""Refused operations as GraphQL errors."""

from collections.abc import Mapping

from apps.github.refusals import render
from world.core.errors import InvalidArguments, OperationError

NOT_THERE = frozenset({"not_found", "no_such", "branch_not_found"})
NOT_ALLOWED = frozenset({"forbidden", "no_push", "refused"})
WORDS = {
    "missing_field": "can't be blank",
    "missing": "does not exist",
    "invalid": "is invalid",
    "already_exists": "has already been taken",
}


class Problem(Exception):
    """Error in place of one value; `refused` is the refusal that caused it."""

    def __init__(self, message: str, kind: str | None = None, refused: OperationError | None = None) -> None:
        super().__init__(message)
        self.message, self.kind, self.refused = message, kind, refused


def problem_of(refused: OperationError) -> Problem:
    """Convert a refusal to an error."""
    if refused.code in NOT_THERE:
        kind = "NOT_FOUND"
    else:
        kind = "FORBIDDEN" if refused.code in NOT_ALLOWED else "UNPROCESSABLE"
    return Problem(sentence(refused), kind, refused)


def sentence(refused: OperationError) -> str:
    """Describe a refusal in one sentence."""
    if isinstance(refused, InvalidArguments):
        return "; ".join(f"{name} {message}" for name, message in refused.problems)
    listed = refused.detail.get("errors")
    if isinstance(listed, list) and listed:
        return ", ".join(_describe_error(one) for one in listed)
    if refused.code in NOT_ALLOWED and refused.code != "refused":
        return "You do not have permission to perform this action."
    return str(render(refused)[1]["message"])


def _describe_error(error: str | Mapping[str, object]) -> str:
    if isinstance(error, str):
        return error
    if "message" in error:
        return str(error["message"])
    return f"{str(error.get('field', '')).replace('_', ' ').capitalize()} {WORDS.get(str(error.get('code')), 'is invalid')}"


def not_found(what: str, said: str) -> Problem:
    """Return the vendor's sentence for something missing or invisible to the caller."""
    return Problem(f"Could not resolve to {what} with {said}.", "NOT_FOUND")
