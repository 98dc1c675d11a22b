"""The bytes of files: content-addressed blobs of the directory."""

import base64
import binascii
from hashlib import md5, sha1, sha256

import orjson

from apps.drive.access import FileRow
from world.core.call import Call
from world.core.errors import OperationError

MOST_BYTES = 50 * 1024 * 1024
_KEEP = "INSERT INTO blob(sha256, size, data) VALUES (:sha256, :size, :data) ON CONFLICT DO NOTHING"


def decode_content(text: str) -> bytes:
    """Decode bytes that travel as base64 of either alphabet. Raises bad_content."""
    try:
        data = base64.b64decode(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise OperationError("bad_content") from None
    if len(data) > MOST_BYTES:
        raise OperationError("too_large")
    return data


def encode_content(data: bytes) -> str:
    """Encode bytes as they travel."""
    return base64.urlsafe_b64encode(data).decode()


def keep(call: Call, data: bytes) -> tuple[str, int, list[str]]:
    """Store bytes; return their name, size and further checksums."""
    name = sha256(data).hexdigest()
    call.execute(_KEEP, {"sha256": name, "size": len(data), "data": data})
    return (
        name,
        len(data),
        [md5(data, usedforsecurity=False).hexdigest(), sha1(data, usedforsecurity=False).hexdigest()],
    )


def read_blob(call: Call, file: FileRow) -> bytes:
    """The bytes of a file. Raises not_downloadable where it has none."""
    found = get_content(call, file)
    if found is None:
        raise OperationError("not_downloadable")
    return found


def get_content(call: Call, file: FileRow) -> bytes | None:
    """The bytes of a file, if it has any."""
    return None if file.sha256 is None else get_blob(call, file.sha256)


def get_blob(call: Call, name: str) -> bytes | None:
    """The bytes of a blob by its name."""
    found = call.scalar("SELECT data FROM blob WHERE sha256 = :sha256", {"sha256": name})
    return None if found is None else bytes(found)


def revision(sha256: str) -> str:
    """The id of the revision of a file that has these bytes."""
    return f"0B{sha256[:40]}"


def md5_of(call: Call, name: str) -> str:
    """The MD5 of a blob by its name."""
    return md5(get_blob(call, name) or b"", usedforsecurity=False).hexdigest()


def point(call: Call, file: FileRow, name: str, size: int) -> None:
    """Give a file the bytes of a stored blob."""
    data = get_blob(call, name) or b""
    file.settings = {
        **file.settings,
        "sums": [md5(data, usedforsecurity=False).hexdigest(), sha1(data, usedforsecurity=False).hexdigest()],
    }
    settings = orjson.dumps(file.settings, option=orjson.OPT_SORT_KEYS).decode()
    sql = (
        "UPDATE drive_file SET sha256 = :sha256, size = :size, settings = :settings, version = version + 1 WHERE id"
        " = :id"
    )
    call.execute(sql, {"sha256": name, "size": size, "settings": settings, "id": file.id})
