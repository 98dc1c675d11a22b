"""Refusals as the REST API words them."""

import orjson

from apps.github.refusals import render
from world.core.errors import OperationError


def refusal(error: OperationError, operation: str) -> str:
    """`{"message": sentence, "documentation_url": address, "status": "404"}`."""
    return orjson.dumps(render(error)[1]).decode()
