"""The process of one worker of `firm serve --workers`: `python -m world.commands.worker_process CHANNEL`."""

import os
import socket
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from world.commands.judge import judge_from
from world.run.home import Home
from world.server.control_state import Plane
from world.server.serve import run
from world.server.workers.worker import serve
from world.studio.studio_server import studio_listening


def open_studio(plane: Plane) -> AbstractAsyncContextManager[Callable[[], str]]:
    """The studio of this worker's worlds."""
    home = Home()
    return studio_listening(home, home.runs, 0, plane)


if __name__ == "__main__":
    channel = socket.socket(fileno=int(sys.argv[1]))
    channel.set_inheritable(False)  # it closes with this process, not with one that this process starts
    run(serve(channel, judge_from(os.environ), open_studio))
