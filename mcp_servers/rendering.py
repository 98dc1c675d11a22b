"""Results as JSON text."""

from typing import Any

import orjson
from pydantic import BaseModel


def as_json(value: Any) -> str:
    """A result as the vendor's JSON."""
    return orjson.dumps(value, default=_plain).decode()


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    raise TypeError(f"a result holds {type(value).__name__}")
