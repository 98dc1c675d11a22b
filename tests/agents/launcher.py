"""Runs an agent's program as a process of its own would: `python -m tests.agents.launcher`, told how in JSON."""

import asyncio
import json
import signal
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from world.agents import confinement, external_agent
from world.agents.external_agent import AgentExit, LaunchSettings, Secrets, run_outside
from world.agents.task import Task


def launch(told: dict[str, Any]) -> AgentExit:
    """Run it as whoever we are."""
    secrets = Secrets([Path(told["home"])], Path(told["secret"]), Path(told["solution"]))
    task = Task(told["text"], "http://127.0.0.1:1", {}, "", {})
    return asyncio.run(run_outside(told["name"], task, LaunchSettings(Path(told["log"]), secrets, told["wall_s"])))


def main() -> None:
    """Entry point; `user` is whom to be."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's background job ignores
    told = json.loads(sys.argv[1])
    if told["user"] is not None:
        needs = external_agent.list_needs(Path(told["home"]))
        assert confinement.reach(needs, told["user"])
        confinement.become(told["user"])
    print(json.dumps(asdict(launch(told))))


if __name__ == "__main__":
    main()
