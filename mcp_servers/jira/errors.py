"""Refusals as the REST API words them."""

from apps.jira.rest import responses
from world.core.errors import OperationError


def refusal(error: OperationError, operation: str) -> str:
    """`{"errorMessages": [...], "errors": {...}}`."""
    return bytes(responses.refusal_response(error, {}).body).decode()
