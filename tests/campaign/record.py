"""The results of the campaign: one JSON file, into which each part writes its figures as soon as it is done."""

import datetime
import json
import os
import platform
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.campaign.part import Figures, Part

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "docs" / "reliability.json"


def read(path: Path) -> dict[str, Any]:
    """What was measured so far, by part."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def describe(part: Part, scale: float, figures: Figures, cpu_s: float, loop_ms: float) -> dict[str, Any]:
    """The entry of one part: its figures, how much of the whole it was, when, where and of which state of the code."""
    return {
        "scale": scale,
        "whole": part.whole,
        "unit": part.unit,
        "never": list(part.never),
        "figures": dict(figures),
        "cpu_s": round(cpu_s, 1),
        "loop_ms": round(loop_ms, 1),
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "machine": {"cores": os.cpu_count(), "python": platform.python_version()},
        "commit": commit(),
    }


def commit() -> str:
    """The commit that was measured, with a plus when files differ from it."""
    head = subprocess.run(
        ["git", "rev-parse", "--short=12", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    changed = subprocess.run(
        [
            "git",
            "status",
            "--porcelain",
            "--untracked-files=no",
            "--",
            "world",
            "apps",
            "mcp_servers",
            "seeds",
            "tests",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return head.stdout.strip() + ("+" if changed.stdout.strip() else "")


def write(path: Path, name: str, entry: Mapping[str, Any]) -> None:
    """Put one part's entry in place of its earlier one."""
    known = {**read(path), name: entry}
    path.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", encoding="utf-8")
