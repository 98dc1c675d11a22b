"""Runs as tables for analysis: runs, their steps, every call and every changed row."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from world.run.run_folder import Contents, line
from world.run.trajectory import CONTENT_FOLDER, HARNESS
from world.run.trajectory_reader import TrajectoryError
from world.studio.exports.chat import describe_origin
from world.studio.exports.columns import CALL
from world.studio.exports.selection import StoredRun
from world.studio.exports.turns import read_sound_steps, restore_texts
from world.studio.run_view import title_step


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of one of the tables in COLUMNS."""

    table: str
    values: Mapping[str, Any]


def list_rows(run: StoredRun) -> Iterator[TableRow]:
    """All rows of a run. JSON stands in texts; moments are simulated, in us. Raises TrajectoryError."""
    yield TableRow("runs", describe_summary(run))
    contents, moments = Contents(run.folder / CONTENT_FOLDER), _Moments(run)
    for step in read_sound_steps(run.folder):
        row = restore_texts(run.folder, contents, step.row)
        try:
            yield from _list_step_rows(run.name, row, moments.find(row["step"]))
        except (KeyError, TypeError, AttributeError) as error:
            raise TrajectoryError(f"{run.folder}: step {row['step']} is broken: {error!r}") from None


def describe_summary(run: StoredRun) -> dict[str, Any]:
    """The row of a run."""
    return {
        "run": run.name,
        "scenario": run.config.scenario,
        "revision": run.config.revision,
        "seed": run.config.seed,
        "agent": run.config.agent,
        "door": run.config.door,
        "image": run.config.image,
        "settings": render_json(run.config.settings),
        "origin": describe_origin(run),
        "task": run.header.task,
        "score": run.summary.score,
        "raw_score": run.raw_score,
        "passed": run.summary.passed,
        "ended": run.summary.ended,
        "digest": run.digest,
    }


def _list_step_rows(run: str, row: Mapping[str, Any], moment: float | None) -> Iterator[TableRow]:
    step = row["step"]
    own = {"run": run, **pick_call(row, step)}
    yield TableRow(
        "steps",
        {
            **own,
            "title": title_step(row),
            "arguments": render_json(row["arguments"]),
            "request": render_json(row.get("request")),
            "response": render_json(row.get("response", row.get("result"))),
            "within": row.get("within"),
            "changed_rows": len(row["diff"]),
            "real_at_s": moment,
        },
    )
    for call in row["events"]:
        yield TableRow("calls", {"run": run, **pick_call(call, step), "by_agent": False})
    yield TableRow("calls", {**own, "by_agent": True})
    for change in row["diff"]:
        texts = {name: render_json(change[name]) for name in ("pk", "before", "after")}
        kept = {name: change[name] for name in ("call_seq", "table", "op")}
        yield TableRow("changes", {"run": run, "step": step, **kept, **texts})


def pick_call(call: Mapping[str, Any], step: int) -> dict[str, Any]:
    """The columns of a call."""
    return {"step": step, **{name: call[name] for name in CALL if name != "step"}}


def render_json(value: object) -> str | None:
    """A value as JSON in a text; None for none."""
    return None if value is None else line(value)[:-1].decode("utf-8", "replace")


class _Moments:
    """Real seconds of steps since the recording began, read alongside the steps."""

    def __init__(self, run: StoredRun) -> None:
        self._lines = self._read(run)
        self._next = next(self._lines, None)

    def _read(self, run: StoredRun) -> Iterator[tuple[int, float]]:
        path = run.folder / HARNESS
        if not path.exists():
            return
        with path.open("rb") as file:
            for text in file:
                try:
                    row = orjson.loads(text)
                    if row.get("kind") == "time":
                        yield int(row["step"]), float(row["at_s"])
                except (ValueError, KeyError, TypeError, AttributeError) as error:
                    raise TrajectoryError(f"{path} holds a line that is none: {error}") from None

    def find(self, step: int) -> float | None:
        """The moment of a step; steps are asked for in order."""
        while self._next is not None and self._next[0] < step:
            self._next = next(self._lines, None)
        return self._next[1] if self._next is not None and self._next[0] == step else None
