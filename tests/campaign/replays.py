"""The same calls in two processes of different surroundings: equal states, answers and records."""

import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import orjson

from tests.campaign.callers import ME, find_examples, list_operations
from tests.campaign.mutation import Mutator
from tests.campaign.part import Figures, Ground, Part
from tests.campaign.record import ROOT
from world.core.diff import state_hash
from world.core.errors import OperationError
from world.core.settings import Settings
from world.run.host import open_host

CALLS = 20  # of one episode
SURROUNDINGS = ({"PYTHONHASHSEED": "0", "TZ": "UTC"}, {"PYTHONHASHSEED": "4242", "TZ": "Asia/Kolkata", "LC_ALL": "C"})


def play(company: Path, folder: Path, episodes: int) -> list[str]:
    """One digest per episode, of its log, state hash and answers."""
    host = open_host(company, folder, secret="one secret")
    examples, operations, found = find_examples(host), list_operations(host), list[str]()
    for number in range(episodes):
        chance, world = random.Random(f"replay {number}"), f"r{number}"
        mutator, answers = Mutator(chance), hashlib.sha256()
        actor = host.create(world, Settings(limits="off", seed=number))
        me = host.principal(world, ME)
        for _ in range(CALLS):
            operation = chance.choice(operations)
            given = chance.choice(examples[operation.id])
            if chance.random() < 0.5:
                given = mutator.mutate(given, list(operation.params.model_fields))
            try:
                answers.update(orjson.dumps(host.call(me, "rest", operation.id, given), default=repr))
            except OperationError as refusal:
                answers.update(f"{refusal.code} {sorted(map(str, refusal.detail.items()))}".encode())
        states = (
            actor.world.record_digest().hexdigest(),
            str(state_hash(actor.bound, host.store.base)),
            answers.hexdigest(),
        )
        found.append(hashlib.sha256("".join(states).encode()).hexdigest())
        host.drop(world)
    host.store.close()
    return found


def run(ground: Ground) -> Figures:
    """Play all episodes in two processes, and compare episode by episode."""
    episodes, digests = ground.share(1_000, 2), list[list[str]]()
    for number, surroundings in enumerate(SURROUNDINGS):
        command = [
            sys.executable,
            "-m",
            "tests.campaign.replays",
            str(ground.company),
            str(ground.scratch / f"r{number}"),
            str(episodes),
        ]
        environment = {**os.environ, **surroundings}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        digests.append(json.loads(done.stdout.splitlines()[-1]))
        shutil.rmtree(ground.scratch / f"r{number}", ignore_errors=True)
    first, second = digests
    return {
        "done": len(first),
        "calls_each": CALLS,
        "hash_differences": sum(one != other for one, other in zip(first, second, strict=True)),
        "different_episodes": len(set(first)),
    }


part = Part("replays", 1_000, "episodes in two processes", ("hash_differences",), run)

if __name__ == "__main__":
    print(json.dumps(play(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))))
