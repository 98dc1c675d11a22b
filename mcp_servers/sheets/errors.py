"""Refusals as the two APIs word them: those of the drive name a reason."""

import orjson

from apps.drive import refusals as of_drive
from apps.drive.app import app as drive
from apps.google.responses import outage_reply
from apps.sheets.app import app as sheets
from apps.sheets.refusals import refusal as of_sheets
from apps.sheets.rest.api import DRIVE, SHEETS
from world.core.errors import OperationError, Outage


def refusal(error: OperationError, operation: str) -> str:
    """`{"error": {"code": 404, "message": sentence, ...}}`."""
    return orjson.dumps(of_drive.refusal(error)[1] if operation in drive.operations else of_sheets(error)[1]).decode()


def outage(error: Outage, operation: str) -> str:
    """The body of a service that fails, or of a quota that is used up: of reading or of writing. Empty of a connection
    that breaks.
    """
    api = DRIVE if operation in drive.operations else SHEETS
    if error.kind == "ratelimit":
        asked = drive.operations.get(operation) or sheets.operations.get(operation)
        return orjson.dumps(api.limited(error, asked).json(first=api.first_form)).decode()
    return bytes(outage_reply(api, error).response().body).decode()
