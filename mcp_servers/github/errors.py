"""Refusals as the REST API words them."""

import orjson

from apps.github.refusals import render
from world.core.errors import OperationError
from world.core.json_types import JsonObject


def refusal(error: OperationError, operation: str) -> str:
    """`{"message": sentence, "documentation_url": address, "status": "404"}`."""
    return orjson.dumps(render(error)[1]).decode()


def follow_moved(error: OperationError) -> JsonObject | None:
    """Return where a transferred issue is now, as arguments; None for any other refusal."""
    if error.code != "moved":
        return None
    owner, repo, _, number = str(error.detail["page"]).strip("/").split("/")
    return {"owner": owner, "repo": repo, "issue_number": int(number)}
