"""Run folders written by hand."""

import json
from pathlib import Path
from typing import Any

from world.run.home import Home
from world.run.run_folder import Contents
from world.run.trajectory import Header, Origin
from world.studio.exports.chat import ChatWriter
from world.studio.exports.selection import RunSource, Selection
from world.studio.tool_lists import LocalTools, open_local_tools

CALL: dict[str, Any] = {"actor": "p_1", "door": "mcp", "operation": "world.wait", "status": "ok", "cause": None}
CONFIG: dict[str, Any] = {
    "scenario": "tidy",
    "revision": "r1",
    "door": "mcp",
    "seed": 3,
    "image": "i" * 64,
    "size": "S",
    "settings": {"difficulty": "hard"},
}


def ask(seconds: int, seen: str = "{}", **more: Any) -> dict[str, Any]:
    """A step that waits."""
    return {
        "arguments": {"seconds": seconds},
        "request": {"surface": "world-employee", "tool": "wait", "arguments": {"seconds": seconds}},
        "response": {"is_error": False, "code": None, "content": [{"type": "text", "text": seen}]},
        **more,
    }


def visit(path: str, body: str | dict[str, str] = "", **more: Any) -> dict[str, Any]:
    """A step over HTTP."""
    return {
        "door": "rest",
        "arguments": {},
        "request": {"method": "POST", "path": path, "query": "a=1&b=", "type": "application/json", "body": "{}"},
        "response": {"status": 200, "type": "text/plain", "body": body, "cut": False},
        **more,
    }


def write_run(
    folder: Path,
    *rows: dict[str, Any],
    score: float | None = 1.0,
    origin: Origin | None = None,
    agent: str = "oracle",
    task: str = "Do it.",
) -> Path:
    """A finished run with these steps; without a score it is under way."""
    folder.mkdir(parents=True)
    contents = Contents(folder / "content")
    header = Header(scenario="tidy", seed=3, agent=agent, task=task, origin=origin, start=10**15)
    lines = [contents.encode(header.model_dump())]
    for number, row in enumerate(rows, 1):
        step = {"kind": "step", "step": number, "seq": number, "at": 10**15 + number, "ended_at": 10**15 + number + 5}
        lines.append(contents.encode({**CALL, **step, "events": [], "diff": [], **row}))
    (folder / "trajectory.jsonl").write_bytes(b"".join(lines))
    (folder / "config.json").write_text(json.dumps({**CONFIG, "agent": agent}), encoding="utf-8")
    if score is not None:
        grade = {"score": score, "raw_score": score, "pass": score == 1.0}
        (folder / "grade.json").write_text(json.dumps(grade), encoding="utf-8")
        result = {"digest": folder.name, "ended": "finished", "steps": len(rows)}
        (folder / "result.json").write_text(json.dumps(result), encoding="utf-8")
    return folder


def open_source(home: Home, *paths: Path, **selection: Any) -> tuple[RunSource, list[str]]:
    """The runs of some paths, and what is said of those left out."""
    told = list[str]()
    return RunSource(home, tuple(map(str, paths)), Selection(**selection), told.append), told


def open_writer() -> ChatWriter:
    """A writer over the installed tools."""
    lists: LocalTools = open_local_tools()
    return ChatWriter(lists)


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of an export."""
    return [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]
