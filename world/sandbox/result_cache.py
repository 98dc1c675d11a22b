"""Cache of sandbox results on this host, by a digest of all that went in.

Worlds that ask for the same get the same bytes, once run.
"""

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from world.core.json_types import is_object

MOST_FILES = 4_000
MOST_BYTES = 256 << 20


class ResultCache:
    """A folder of JSON files by key, bounded: the oldest go first. Losing any of it costs time and nothing else."""

    def __init__(self, folder: Path, most_files: int = MOST_FILES, most_bytes: int = MOST_BYTES) -> None:
        self.folder, self.most_files, self.most_bytes = folder, most_files, most_bytes

    def recall(self, key: str, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return the result kept under a key, else that of `ask`, which is kept from now on.

        Both are the same, to the order of keys.
        """
        found = self._read(key)
        if found is None:
            data = orjson.dumps(ask(), option=orjson.OPT_SORT_KEYS)
            with suppress(OSError):
                self._keep(key, data)
            found = orjson.loads(data)
        return found

    def _path(self, key: str) -> Path:
        if not key.isalnum():
            raise ValueError(f"no key: {key!r}")
        return self.folder / f"{key}.json"

    def _read(self, key: str) -> dict[str, Any] | None:
        path = self._path(key)
        try:
            value = orjson.loads(path.read_bytes())
        except (OSError, orjson.JSONDecodeError):
            return None
        with suppress(OSError):
            os.utime(path)
        return dict(value) if is_object(value) else None

    def _keep(self, key: str, data: bytes) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._make_room(len(data))
        descriptor, name = tempfile.mkstemp(dir=self.folder, suffix=".part")
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.replace(name, self._path(key))

    def _make_room(self, size: int) -> None:
        kept = sorted((file.stat().st_mtime_ns, file.name, file.stat().st_size) for file in self.folder.iterdir())
        left, total = len(kept) + 1, sum(one[2] for one in kept) + size
        for _, name, freed in kept:
            if left <= self.most_files and total <= self.most_bytes:
                break
            with suppress(FileNotFoundError):
                (self.folder / name).unlink()
            left, total = left - 1, total - freed
