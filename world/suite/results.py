"""The folder of a suite's results: manifest, one JSON line a run as they finish, and the runs left after a stop."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict

from world.suite.suite_files import SuiteError

LINES = "results.jsonl"
MANIFEST = "suite.json"


class Manifest(BaseModel):
    """Inputs that decide a suite's results; a folder goes on only with the same."""

    model_config = ConfigDict(extra="forbid")
    suite: str
    digest: str
    agent: str
    door: str
    attempts: int
    company: int
    calls: int | None
    horizon: str | None
    wall_s: float
    tasks: list[str]
    versions: dict[str, str]


class Results:
    """The results of one suite run. A line is there whole or not at all, also after a crash or on a full disk."""

    def __init__(self, folder: Path, manifest: Manifest, *, resume: bool) -> None:
        self.folder, self.manifest = folder, manifest
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        stored = folder / MANIFEST
        if stored.exists():
            if not resume:
                raise SuiteError(f"{folder} holds results already; go on with --resume, or name another folder")
            _same(read_manifest(folder), manifest, folder)
        elif any(folder.iterdir()):
            raise SuiteError(f"{folder} is not empty and holds no results")
        else:
            stored.write_text(manifest.model_dump_json(indent=1) + "\n", encoding="utf-8")
        self._path = folder / LINES
        if self._path.exists():
            os.truncate(self._path, _count_whole(self._path.read_bytes()))
        self.lines = list(_whole_lines(self._path))

    def add(self, line: Mapping[str, Any]) -> None:
        """Keep one run's line. Raises OSError when there is no room; what was there before stays whole."""
        text = orjson.dumps(line, option=orjson.OPT_SORT_KEYS) + b"\n"
        with self._path.open("ab") as file:
            before = file.tell()
            try:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                os.truncate(self._path, before)
                raise
        self.lines.append(dict(line))

    def list_finished_runs(self) -> set[tuple[str, str, int]]:
        """(task, agent, attempt) of every run that needs no repeat; a lost worker's run is made again."""
        return {(line["task"], line["agent"], line["attempt"]) for line in self.lines if line["status"] != "crashed"}

    def latest(self) -> list[dict[str, Any]]:
        """One line for each run, the last that was made of it, in a fixed order."""
        return _take_latest(self.lines, self.manifest)


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a folder of results. Raises SuiteError."""
    try:
        return Manifest.model_validate_json((folder / MANIFEST).read_bytes())
    except (OSError, ValueError) as error:
        raise SuiteError(f"{folder / MANIFEST}: {error}") from None


def read_results(folder: Path) -> tuple[Manifest, list[dict[str, Any]]]:
    """The manifest of a folder of results and the last line of each run; nothing is changed there. Raises SuiteError."""
    manifest = read_manifest(folder)
    return manifest, _take_latest(_whole_lines(folder / LINES), manifest)


def _take_latest(lines: Iterable[dict[str, Any]], manifest: Manifest) -> list[dict[str, Any]]:
    found = {(line["task"], line["agent"], line["attempt"]): line for line in lines}
    places = {task: number for number, task in enumerate(manifest.tasks)}
    return [found[key] for key in sorted(found, key=lambda key: (places.get(key[0], len(places)), key))]


def _same(stored: Manifest, wanted: Manifest, folder: Path) -> None:
    for name in Manifest.model_fields:
        before, now = getattr(stored, name), getattr(wanted, name)
        if before != now and name != "wall_s":
            raise SuiteError(
                f"{folder} was made with another {name} ({_short(before)}, now {_short(now)}); name another folder"
            )


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _count_whole(data: bytes) -> int:
    """The bytes up to the end of the last whole line."""
    return data.rfind(b"\n") + 1


def _whole_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines that were written whole; a last one that was cut off is left out."""
    if not path.exists():
        return
    data = path.read_bytes()
    for number, text in enumerate(data[: _count_whole(data)].splitlines(), 1):
        try:
            yield orjson.loads(text)
        except orjson.JSONDecodeError as error:
            raise SuiteError(f"{path}:{number}: not a line of results: {error}") from None
