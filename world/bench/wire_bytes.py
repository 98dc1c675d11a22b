"""A request in an app's wire shape as the bytes that a client sends."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from world.core.json_types import is_array
from world.core.request_builder import Wire

JSON, FORM = "application/json", "application/x-www-form-urlencoded"
UNQUOTED = "/%:,+@=~.!$&'()*;-_"  # what an address is made of as it stands


def encode_address(wire: Wire) -> str:
    """Path and query."""
    return quote(wire.path, safe=UNQUOTED, errors="replace") + ("?" + encode_query(wire.query) if wire.query else "")


def encode_query(query: Mapping[str, Any]) -> str:
    """A query as clients send it, lists as repeated names."""
    pairs: list[tuple[str, Any]] = []
    for name, value in query.items():
        listed: list[Any] = value if is_array(value) else [value]
        pairs += [(str(name), one) for one in listed]
    return urlencode(
        [(name, one if isinstance(one, str) else json.dumps(one)) for name, one in pairs], errors="replace"
    )


def encode_body(wire: Wire) -> tuple[bytes, str]:
    """The body of a request and its kind."""
    if wire.json is not None:
        return json.dumps(wire.json).encode("utf-8", "surrogatepass"), JSON
    if wire.form is not None:
        return encode_query(wire.form).encode(), FORM
    if wire.files is not None:
        parts = [
            f'--b\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\nContent-Type: {kind}\r\n\r\n'.encode(
                "utf-8", "replace"
            )
            + content
            + b"\r\n"
            for field, (name, content, kind) in wire.files.items()
        ]
        return b"".join(parts) + b"--b--\r\n", "multipart/form-data; boundary=b"
    return wire.content or b"", next((v for n, v in wire.headers.items() if n.lower() == "content-type"), "")
