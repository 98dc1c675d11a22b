"""base64url, the alphabet in which the API carries bytes.

Source: developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages (`raw`) and
users.messages.attachments (`data`).
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode

_WRITTEN = re.compile(r"[A-Za-z0-9_-]*(={0,2})\Z")


def to_base64url(data: bytes) -> str:
    """Bytes as the vendor writes them: padded."""
    return urlsafe_b64encode(data).decode("ascii")


def from_base64url(text: str) -> bytes:
    """The bytes of a base64url string, with or without padding; ValueError says what is wrong with any other."""
    found = _WRITTEN.match(text)
    if found is None:
        raise ValueError("not base64url: only A-Z, a-z, 0-9, - and _ may occur, then at most two =")
    body = text[: found.start(1)]
    missing = -len(body) % 4
    if missing == 3 or len(found[1]) not in (0, missing):
        raise ValueError("not base64url: the length or the padding is wrong")
    data = urlsafe_b64decode(body + "=" * missing)
    if to_base64url(data).rstrip("=") != body:
        raise ValueError("not base64url: the last character carries bits of no byte")
    return data
