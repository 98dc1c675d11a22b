"""The training run of the documentation learns: from a quarter of what can be earned to all of it, on tasks not seen."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from world.run.home import Home

ROOT = Path(__file__).parents[2]


@pytest.mark.full
def test_a_table_learns_a_chore_from_rewards_alone(home: Home, company: Path) -> None:
    command = [sys.executable, str(ROOT / "docs" / "learner.py"), "--episodes", "40", "--held-out", "8"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "FIRM_HOME": str(home.path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stderr[-3000:]
    report = json.loads(done.stdout)
    assert report["held_out"] == 1.0
    assert report["first_quarter"] < report["last_quarter"]
    best = max(report["table"], key=report["table"].get)
    assert report["table"][best] == 1.0 and len(report["table"]) == 12
