"""The process of one worker of `firm serve --workers`: `python -m world.commands.worker_process CHANNEL`."""

import os
import socket
import sys

from world.commands.judge import judge_from
from world.server.serve import run
from world.server.workers.worker import serve

if __name__ == "__main__":
    channel = socket.socket(fileno=int(sys.argv[1]))
    channel.set_inheritable(False)  # it closes with this process, not with one that this process starts
    run(serve(channel, judge_from(os.environ)))
