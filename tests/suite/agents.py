"""Agents that behave badly, each run in a process of its own."""

import os
import signal
import threading
from pathlib import Path

from world.agents.task import Task


def hangs(task: Task) -> None:
    """Says its process id, then waits for ever."""
    Path(os.environ["SUITE_TEST_PID"]).write_text(str(os.getpid()), encoding="ascii")
    threading.Event().wait()


def dies(task: Task) -> None:
    """Goes without a word."""
    os.kill(os.getpid(), signal.SIGSEGV)


def raises(task: Task) -> None:
    """Breaks."""
    raise ValueError("nothing works")


def floods(task: Task) -> None:
    """Prints 32 MB, and calls until long after the episode is over."""
    import httpx  # noqa: PLC0415  the others start without it

    for _ in range(32):
        print("x" * (1 << 20))
    with httpx.Client(headers={"Authorization": f"Bearer {task.tokens['slack']}"}) as http:
        for _ in range(40):
            http.post(f"{task.url}/slack/api/auth.test")


def prowls(task: Task) -> None:
    """Looks for the control plane, from outside and in its own process."""
    import httpx  # noqa: PLC0415

    assert not [name for name in os.environ if name.startswith("FIRM_")]
    with httpx.Client(headers={"Authorization": f"Bearer {task.tokens['']}"}) as http:
        answers = [http.get(f"{task.url}/{path}").status_code for path in ("v1/worlds", "control", "v1/worlds/run/grade")]
    assert set(answers) == {404}, answers
