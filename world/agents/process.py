"""The process an agent's program runs in: `python -m world.agents.process module:callable`, its task a line on stdin."""

import json
import os
import signal
import sys
import threading

from world.agents.program import call
from world.agents.task import Task


def _first_line(descriptor: int) -> bytes:
    text = b""
    while not text.endswith(b"\n") and (chunk := os.read(descriptor, 1 << 16)):
        text += chunk
    return text


def _outlive_nobody(lifeline: int) -> None:
    """Wait until the worker is gone, then go with everything the agent has started."""
    while os.read(lifeline, 1):
        pass
    os.killpg(0, signal.SIGKILL)


def main() -> None:
    """Entry point of the agent's process: call it with its Task."""
    lifeline = os.dup(0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    task = Task(**json.loads(_first_line(lifeline)))
    threading.Thread(target=_outlive_nobody, args=(lifeline,), daemon=True).start()
    call(sys.argv[1], task)


if __name__ == "__main__":
    main()
