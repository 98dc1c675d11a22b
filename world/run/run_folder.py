"""The run folder: its JSON lines, and the files beside them for what is too large for a line."""

import base64
import errno
import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import asdict, is_dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel

from world.core.errors import InvalidArguments, OperationError, Outage
from world.core.json_types import is_array, is_object, is_set

AGENT_DOORS = frozenset({"rest", "mcp", "page"})
MAX_INLINE = 16_384  # characters of a text that stands in a line; a longer one is a file of its own
CONTENT, SIZE = "$content", "size"
DIGEST = re.compile(r"[0-9a-f]{64}")


def encode_default(value: object) -> Any:
    """JSON for what orjson does not know: bytes as base64, models and refusals as objects, sets in order."""
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    if isinstance(value, InvalidArguments):
        return {"error": value.code, "problems": value.problems}
    if isinstance(value, Outage):
        return {"error": value.code, "kind": value.kind, "retry_after_s": value.retry_after_s}
    if isinstance(value, OperationError):
        return {"error": value.code, **value.detail}
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if is_set(value):
        return sorted(value)
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def line(value: object) -> bytes:
    """One canonical JSON line; what an agent sent may hold numbers and texts that only the standard library writes."""
    try:
        return (
            orjson.dumps(value, default=encode_default, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS) + b"\n"
        )
    except orjson.JSONEncodeError:
        return json.dumps(value, default=encode_default, sort_keys=True, separators=(",", ":")).encode() + b"\n"


class Contents:
    """Texts that are too long for a line, as files named by their SHA-256 in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, data: bytes) -> str:
        """Keep bytes and return their digest, by which `get` finds them."""
        digest = sha256(data).hexdigest()
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._folder / digest
        if not path.exists():
            path.touch(mode=0o600)
            path.write_bytes(data)
        return digest

    def get(self, digest: str) -> bytes:
        """The bytes of a digest. Raises FileNotFoundError, also for what is no digest, and for a file of other bytes."""
        if not DIGEST.fullmatch(digest):
            raise FileNotFoundError(f"{digest[:80]!r} is not a SHA-256")
        data = (self._folder / digest).read_bytes()
        if sha256(data).hexdigest() != digest:
            raise FileNotFoundError(f"{self._folder / digest} does not hold the bytes of its name")
        return data

    def link(self, other: "Contents") -> None:
        """Have the texts of another place here too; a file is shared, not copied."""
        for path in sorted(other._folder.iterdir()) if other._folder.is_dir() else ():
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not (self._folder / path.name).exists():
                link_or_copy(path, self._folder / path.name)

    def encode(self, value: object) -> bytes:
        """One JSON line in which references stand for long texts."""
        text = line(value)
        return text if len(text) <= MAX_INLINE else line(self.shorten(json.loads(text)))

    def shorten(self, value: Any) -> Any:
        """The same JSON value with every long text replaced by a reference."""
        if isinstance(value, str):
            return value if len(value) <= MAX_INLINE else self._refer(value.encode("utf-8", "surrogatepass"))
        if is_object(value):
            return {key: self.shorten(item) for key, item in value.items()}
        return [self.shorten(item) for item in value] if is_array(value) else value

    def _refer(self, data: bytes) -> dict[str, object]:
        return {CONTENT: self.put(data), SIZE: len(data)}

    def restore(self, value: object) -> Any:
        """The value as it was before it was written: references become texts, base64 objects bytes."""
        if is_object(value):
            if set(value) == {"base64"}:
                return base64.b64decode(self.restore(value["base64"]))
            if set(value) == {CONTENT, SIZE}:
                return self.get(str(value[CONTENT])).decode("utf-8", "surrogatepass")
            return {key: self.restore(item) for key, item in value.items()}
        return [self.restore(item) for item in value] if is_array(value) else value


def link_or_copy(path: Path, target: Path) -> None:
    """Have a file under a second name; a copy where the folders are on different disks."""
    try:
        os.link(path, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        shutil.copyfile(path, target)


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON-lines file."""
    with path.open("rb") as file:
        for text in file:
            yield json.loads(text)
