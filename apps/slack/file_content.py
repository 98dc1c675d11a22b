"""Bytes of files: names, base64, blobs of the directory."""

import base64
import binascii
import hashlib

from world.core.call import Call
from world.core.directory import Blob
from world.core.errors import OperationError

MAX_BYTES = 32 * 1024 * 1024


def encode_content(value: object) -> object:
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


def safe_name(name: str) -> str:
    return name.replace("/", "_").replace("\\", "_")


def decode_content(data: str) -> bytes:
    try:
        found = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise OperationError("invalid_arguments") from None
    if len(found) > MAX_BYTES:
        raise OperationError("file_upload_size_restricted")
    return found


def store_bytes(call: Call, data: bytes) -> str:
    digest = hashlib.sha256(data).hexdigest()
    if call.session.get(Blob, digest) is None:
        call.session.add(Blob(sha256=digest, size=len(data), data=data))
    return digest
