"""A trainer's client: short episodes over HTTP for some seconds; `python -m` this with a target and a duration."""

import json
import sys
from itertools import count
from typing import Any

from world.bench.server_process import LeanClient, UnixClient
from world.bench.timing import per_second


def episodes_per_s(target: dict[str, Any], seconds: float) -> float:
    """Fork, 5 reads, 1 write, diff or verdict, drop, again and again."""
    control = UnixClient(target["control"], {"Authorization": f"Bearer {target.get('secret', 'bench')}"})
    names = count()

    def episode() -> None:
        name = f"{target.get('names', '')}r{next(names)}"
        control.send("POST", f"/worlds/{target['parent']}/fork", {"name": name})
        made = control.send("POST", f"/worlds/{name}/tokens", {"person": target["person"], "app": target["app"]})
        agent.headers(json.loads(made)["token"])
        for _ in range(5):
            agent.send("GET", target["get"])
        agent.send("POST", *target["post"])
        if target["graded"]:
            if json.loads(control.send("POST", f"/worlds/{name}/grade"))["score"] is None:
                raise AssertionError("the world was not graded")
        elif not json.loads(control.send("GET", f"/worlds/{name}/diff")):
            raise AssertionError("the write is not in the diff")
        control.send("DELETE", f"/worlds/{name}")

    agent = LeanClient(target["url"])
    return per_second(episode, seconds)


if __name__ == "__main__":
    print(json.dumps({"episodes_per_s": episodes_per_s(json.loads(sys.argv[1]), float(sys.argv[2]))}))
