"""Objects of the vendor's in JSON columns."""

from typing import Any

import orjson

from apps.sheets.vendor_types import CellFormat, ValidationRule


def decode_object(text: str | None) -> dict[str, Any]:
    """A JSON column's object; nothing is an empty one."""
    return orjson.loads(text) if text else {}


def encode_object(value: object) -> str | None:
    """Encode an object as a JSON column's text, keys sorted; an empty one is nothing."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode() if value else None


def read_format(text: str | None) -> CellFormat:
    """A cell's format; nothing is an empty one."""
    return orjson.loads(text) if text else {}


def read_rule(text: str) -> ValidationRule:
    """A cell's rule of validation."""
    return orjson.loads(text)
