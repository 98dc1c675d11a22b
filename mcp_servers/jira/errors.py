"""Refusals as the REST API words them."""

from apps.jira.rest import shapes
from world.core.operation import OperationError


def refusal(error: OperationError, operation: str) -> str:
    """`{"errorMessages": [...], "errors": {...}}`."""
    return bytes(shapes.refusal(error, {}).body).decode()
