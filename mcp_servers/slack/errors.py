"""Refusals as the Web API words them."""

import orjson

from apps.slack.refusals import refusal_to_json
from world.core.errors import OperationError


def refusal(error: OperationError, operation: str) -> str:
    """`{"ok": false, "error": code, ...}`."""
    return orjson.dumps(refusal_to_json(error, operation)).decode()
