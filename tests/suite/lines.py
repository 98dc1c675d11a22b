"""Result lines as tests need them."""

from pathlib import Path
from typing import Any

from world.suite.results import Manifest


def line(task: str, attempt: int = 0, *, passed: bool = False, agent: str = "oracle", **more: Any) -> dict[str, Any]:
    """One run's line."""
    return {
        "task": task,
        "scenario": task.split(".")[0],
        "difficulty": "hard",
        "seed": 0,
        "split": "test",
        "agent": agent,
        "door": "mcp",
        "attempt": attempt,
        "status": "finished",
        "why": "",
        "pass": passed,
        "score": float(passed),
        "raw_score": float(passed),
        "error": None,
        "ended": None,
        "items": [],
        "unclaimed": [],
        "never": [],
        "guards": [],
        "revision": {},
        "trusted": True,
        "trust": {},
        "folder": f"{task}-{attempt}",
        "digest": "d",
        "steps": 4,
        "simulated_s": 60.0,
        "agent_s": 0.5,
        "wall_s": 1.0,
        **more,
    }


def manifest(*tasks: str, **more: Any) -> Manifest:
    """The manifest of a run over tasks."""
    return Manifest.model_validate(
        {
            "suite": "mixed",
            "digest": "d1",
            "agent": "oracle",
            "door": "mcp",
            "attempts": 1,
            "company": 7,
            "calls": None,
            "horizon": None,
            "wall_s": 60.0,
            "tasks": list(tasks),
            "versions": {"firmament": "1"},
        }
        | more
    )


def text(folder: Path, name: str) -> str:
    """A file's text."""
    return (folder / name).read_text(encoding="utf-8")
