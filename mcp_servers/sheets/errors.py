"""Refusals as the two APIs word them: those of the drive name a reason."""

import orjson

from apps.google.responses import outage_reply
from apps.sheets.app import app
from apps.sheets.refusals import refusal as of_sheets
from apps.sheets.rest.api import DRIVE, SHEETS, render_file
from world.core.errors import OperationError, Outage

OF_FILES = ("drive.", "web.share", "web.setAccess")


def refusal(error: OperationError, operation: str) -> str:
    """`{"error": {"code": 404, "message": sentence, ...}}`."""
    return orjson.dumps(render_file(error).json() if operation.startswith(OF_FILES) else of_sheets(error)[1]).decode()


def outage(error: Outage, operation: str) -> str:
    """The body of a service that fails, or of a quota that is used up: of reading or of writing. Empty of a connection
    that breaks.
    """
    api = DRIVE if operation.startswith(OF_FILES) else SHEETS
    if error.kind == "ratelimit":
        return orjson.dumps(api.limited(error, app.operations.get(operation)).json(first=api.first_form)).decode()
    return bytes(outage_reply(api, error).response().body).decode()
