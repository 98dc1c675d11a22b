"""The credentials of a home on disk: one line for each that was issued or revoked, read again by the next process."""

import logging
import os
from pathlib import Path
from typing import BinaryIO

import orjson

from world.core.access import Record, Tokens

log = logging.getLogger("firmament")
SPARE_LINES = 1000  # lines of what is gone that the file may hold before it is written anew


class TokenBook:
    """Keeps the changes of `tokens` in a file that only this user can read. One process at a time has it open.

    When the disk has no room, credentials work as long as the process lasts, and are written as soon as there is room.
    """

    def __init__(self, path: Path, tokens: Tokens) -> None:
        self._path, self._tokens = path, tokens
        self._read()
        self._lines = self._most_lines = 0
        self._behind = True  # whether the file lacks something
        self._write_anew()
        tokens.keep = self._append

    def _read(self) -> None:
        """Repeat the records of the file. A last line that was cut short was never acknowledged."""
        lines = self._path.read_bytes().split(b"\n")[:-1] if self._path.exists() else []
        for number, line in enumerate(lines, 1):
            try:
                self._tokens.repeat(orjson.loads(line))
            except (KeyError, TypeError, ValueError) as error:
                log.error("%s, line %d cannot be read; its credential is gone: %s", self._path, number, error)

    def _append(self, record: Record) -> None:
        if self._behind or self._lines >= self._most_lines:
            self._write_anew()
            return
        try:
            with _open_private(self._path, os.O_APPEND) as file:
                file.write(orjson.dumps(record) + b"\n")
        except OSError as error:
            self._fall_behind(error)
            return
        self._lines += 1

    def _write_anew(self) -> None:
        """Write only what lives, in place of the old file."""
        records = self._tokens.list_records()
        new = self._path.with_suffix(".new")
        try:
            with _open_private(new, os.O_TRUNC) as file:
                file.write(b"".join(orjson.dumps(one) + b"\n" for one in records))
            new.replace(self._path)
        except OSError as error:
            self._fall_behind(error)
            return
        self._behind, self._lines, self._most_lines = False, len(records), 2 * len(records) + SPARE_LINES

    def _fall_behind(self, error: OSError) -> None:
        self._behind = True
        log.error("credentials are not on disk and would not outlast this process: %s", error)


def _open_private(path: Path, how: int) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | how, 0o600), "wb")
