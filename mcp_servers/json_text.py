"""Results as JSON text."""

from base64 import b64encode

import orjson
from pydantic import BaseModel


def as_json(value: object) -> str:
    """A result as the vendor's JSON; a file that is text as it is, another in base64."""
    if isinstance(value, bytes):
        return _file(value)
    return orjson.dumps(value, default=_plain).decode()


def _file(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return orjson.dumps({"base64": b64encode(data).decode()}).decode()


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    raise TypeError(f"a result holds {type(value).__name__}")
