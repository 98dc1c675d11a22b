"""The vendor's own server: arguments and answers as the API has them."""

from collections.abc import Mapping
from typing import Any

from apps.google.arguments import Unreadable
from apps.google.field_mask import parse_mask
from apps.sheets.rest.api import SHEETS
from mcp_servers.sheets import argument_schemas, row_truncation
from mcp_servers.tools import Given, Look, ToolAnswer
from world.core.json_types import JsonObject


def values(answer: ToolAnswer) -> list[str]:
    """A ValueRange."""
    return row_truncation.render_truncated(answer.result, list(row_truncation.of_values(answer.result)))


def check_fields(arguments: dict[str, object], given: Given, look: Look) -> JsonObject:
    """Check `fields`, which is for the answer; the arguments. Raises InvalidArguments."""
    _read_field_mask(given.get("fields"))
    return arguments


def _read_field_mask(fields: str | None) -> Any:
    try:
        return parse_mask(SHEETS, fields or "", "Spreadsheet")
    except Unreadable:
        raise argument_schemas.wrong("fields", "must be fields of a Spreadsheet, separated by commas") from None


def spreadsheet(answer: ToolAnswer) -> list[str]:
    """A Spreadsheet, with its comments if asked for."""
    mask = _read_field_mask(answer.arguments.get("fields"))
    told = answer.result if mask is None else mask.of(answer.result)
    if answer.arguments.get("commentsIncluded"):
        told = {
            **told,
            "comments": answer.look("drive.comments.list", fileId=answer.result["spreadsheetId"], pageSize=100)[
                "comments"
            ],
        }
    return row_truncation.render_truncated(told, list(row_truncation.of_book(told)))


def formulas(value: object) -> list[list[object]]:
    """Rows of formulas. Raises ValueError."""
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        raise ValueError("must be a list of rows, each a list of formulas")
    if not all(isinstance(one, str) and one.startswith("=") for row in value for one in row):
        raise ValueError("Each formula begins with =")
    return value


def insert_dimension(arguments: dict[str, object], given: Mapping[str, object], look: Look) -> dict[str, object]:
    """The request that inserts."""
    range = {name: given[name] for name in ("sheetId", "dimension", "startIndex", "endIndex")}
    before = bool(given.get("inheritFromBefore", False))
    return {**arguments, "requests": [{"insertDimension": {"range": range, "inheritFromBefore": before}}]}
