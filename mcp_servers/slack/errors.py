"""Refusals as the Web API words them."""

import orjson

from apps.slack.refusals import body_of
from world.core.errors import OperationError


def refusal(error: OperationError, operation: str) -> str:
    """`{"ok": false, "error": code, ...}`."""
    return orjson.dumps(body_of(error, operation)).decode()
