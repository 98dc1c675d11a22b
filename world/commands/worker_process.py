"""The process of one worker of `firm serve --workers`: `python -m world.commands.worker_process CHANNEL`."""

import os
import socket
import sys

from world.commands.judge import judge_from
from world.server.serve import run
from world.server.workers.worker import serve

if __name__ == "__main__":
    run(serve(socket.socket(fileno=int(sys.argv[1])), judge_from(os.environ)))
