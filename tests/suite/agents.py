"""Agents that behave badly, each run in a process of its own."""

import os
import signal
import socket
import threading
from urllib.parse import urlsplit

from world.agents.task import Task


def hangs(task: Task) -> None:
    """Says its process id, then waits for ever."""
    print(os.getpid(), flush=True)
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
    with httpx.Client(headers={"Authorization": f"Bearer {task.token}"}) as http:
        answers = [
            http.get(f"{task.url}/{path}").status_code for path in ("v1/worlds", "control", "v1/worlds/run/grade")
        ]
    assert set(answers) == {404}, answers


def gushes(task: Task) -> None:
    """Prints a gigabyte."""
    piece = memoryview(b"x" * (1 << 20))
    for _ in range(1 << 10):
        left = piece
        while left:
            left = left[os.write(1, left) :]


def disconnects(task: Task) -> None:
    """Goes in the middle of a request, and before the answer to another."""
    parts, token = urlsplit(task.url), task.tokens["slack"]
    request = (
        f"POST /slack/api/auth.test HTTP/1.1\r\nHost: {parts.netloc}\r\nAuthorization: Bearer"
        f" {token}\r\nContent-Length: 2\r\n\r\n{{}}"
    )
    for said in (request[:40], request[:-1], request) * 5:
        with socket.create_connection((parts.hostname or "", parts.port or 0)) as line:
            line.sendall(said.encode())


def lies(task: Task) -> None:
    """Says that all was done."""
    import httpx  # noqa: PLC0415

    with httpx.Client(headers={"Authorization": f"Bearer {task.token}"}) as http:
        said = http.post(f"{task.url}/world/finish", json={"status": "done", "answer": {"incident": "no", "peak": 1}})
    assert said.status_code == 200, said.text
