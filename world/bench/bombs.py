"""Inputs made to cost, and how long each holds the store's thread: `python -m world.bench.bombs IMAGE FOLDER [NAME ...]`.

An app declares its own as `bombs` in a module `bombs`; those of the doors that all apps share are here.
"""

import gc
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from world.bench.app_bench import workload
from world.bench.attacker import Attacker
from world.bench.local_plane import LocalPlane
from world.bench.timing import loop_ms
from world.bench.wire_bytes import FORM, JSON
from world.core import discovery
from world.core.settings import Settings
from world.run.host import open_host

Bomb = Callable[[Attacker], object]
LATER_S = 600  # simulated seconds after a bomb, in which what it caused is due
AGAIN_MS = 100  # a longer hold is measured again
TIMES = 3  # and the least counts: the rest is the machine's


def repeat(unit: str, size: int) -> str:
    """A text of so many characters, numbered where the unit has braces."""
    if "{}" not in unit:
        return (unit * (size // len(unit) + 1))[:size]
    return "".join(unit.format(number) for number in range(size // len(unit) + 1))[:size]


def at_doors(read: str, write: str, tool: str) -> Mapping[str, Bomb]:
    """Bombs for what every door of any app reads first. `read` and `write` are addresses, `tool` a name."""
    deep = b'{"a":' * 50_000 + b"1" + b"}" * 50_000
    parts = b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'
    return {
        "parameters: 8,000 in an address": lambda at: at.get(f"{read}?" + "&".join(f"p{n}=" for n in range(4_000))),
        "parameters: 4,000 times the same": lambda at: at.get(f"{read}?" + "limit=1&" * 4_000),
        "parameters: percent signs": lambda at: at.get(f"{read}?limit=" + "%25" * 10_000),
        "address: a hundred thousand slashes": lambda at: at.get("/" * 30_000),
        "headers: 64 KB in one line": lambda at: at.get(read, **{"X-Large": "y" * 64_000}),
        "headers: 190 lines": lambda at: at.get(read, **{f"X-{number}": "y" for number in range(190)}),
        "headers: a cookie of 60 KB": lambda at: at.page("/more", Cookie="a=b; " * 12_000),
        "headers: languages and types": lambda at: at.get(
            read, Accept="text/html;q=0.1," * 3_000, **{"Accept-Language": "a-b;q=0.1," * 3_000}
        ),
        "JSON: 50,000 levels": lambda at: at.send("POST", write, deep, JSON),
        "JSON: a million numbers": lambda at: at.send("POST", write, b'{"a":[' + b"1," * 999_999 + b"1]}", JSON),
        "JSON: 200,000 names": lambda at: at.post(write, {f"n{number}": 1 for number in range(200_000)}),
        "JSON: a number of a million digits": lambda at: at.send(
            "POST", write, b'{"a":' + b"9" * 1_000_000 + b"}", JSON
        ),
        "JSON: a text of escapes": lambda at: at.send("POST", write, b'{"a":"' + b"\\u0061" * 300_000 + b'"}', JSON),
        "form: 100,000 fields": lambda at: at.send(
            "POST", write, b"&".join(b"f%d=1" % n for n in range(100_000)), FORM
        ),
        "form: 3 MB of percent signs": lambda at: at.send("POST", write, b"a=" + b"%41" * 1_000_000, FORM),
        "form: 20,000 parts": lambda at: at.send(
            "POST", write, parts * 20_000 + b"--b--\r\n", "multipart/form-data; boundary=b"
        ),
        "form: a part with 5,000 header lines": lambda at: at.send(
            "POST", write, b"--b\r\n" + b"X: y\r\n" * 5_000 + b"\r\nx\r\n--b--\r\n", "multipart/form-data; boundary=b"
        ),
        "form: half boundaries": lambda at: at.send(
            "POST", write, b"--b\r\n" + b"\r\n--" * 500_000, "multipart/form-data; boundary=b"
        ),
        "page form: 50,000 fields": lambda at: at.form("nothing", b"&".join(b"f%d=1" % n for n in range(50_000))),
        "page form: JSON of 50,000 levels": lambda at: at.form("nothing", b"a:json=" + b"[" * 50_000),
        "tool: arguments of 50,000 levels": lambda at: at.tool(tool, "[" * 50_000 + "]" * 50_000),
        "tool: 100,000 arguments": lambda at: at.tool(tool, {f"n{number}": 1 for number in range(100_000)}),
        "tool: a batch of 20,000": lambda at: at.tool_body(b"[" + b"{}," * 19_999 + b"{}]", tool),
        "tool: a name of a megabyte": lambda at: at.tool_body(
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"' + b"x" * 1_000_000 + b'"}}', tool
        ),
    }


def list_bombs() -> Iterator[tuple[str, str, Bomb]]:
    """App, name and bomb: those of the doors at the app of the kernel's workload, then every app's own."""
    load = workload()
    read, (write, _) = load.get("x").partition("?")[0], load.post("x", "x")
    mount, tool = f"/{load.app}", load.tool("x")[0]
    for name, bomb in at_doors(read.removeprefix(mount), write.removeprefix(mount), tool).items():
        yield load.app, name, bomb
    for package in discovery.app_packages():
        known: Mapping[str, Bomb] = getattr(discovery.part(package, "bombs"), "bombs", {})
        for name, bomb in known.items():
            yield package.app.name, f"{package.app.title}: {name}", bomb


class BombRange:
    """A plane on which bombs are set off, each in a world of its own."""

    def __init__(self, plane: LocalPlane, person: str) -> None:
        self.plane, self.person, self._number = plane, person, 0

    def warm(self) -> None:
        """Ask every app for a page, and for a tool list: what is built at the first request is built."""
        self.plane.host.create("warm", Settings(limits="off"))
        for app in (one.name for one in discovery.apps()):
            at = Attacker(self.plane, "warm", self.person, app)
            at.page("/more")
            at.tool("x", {})
        self.plane.host.drop("warm")
        self.plane.settle()

    def measure(self, app: str, bomb: Bomb) -> dict[str, Any]:
        """The longest hold in milliseconds, and the statuses of the answers."""
        first = self._set_off(app, bomb)
        if first["held_ms"] <= AGAIN_MS:
            return first
        again = [self._set_off(app, bomb) for _ in range(TIMES - 1)]
        return min((first, *again), key=lambda one: one["held_ms"])

    def _set_off(self, app: str, bomb: Bomb) -> dict[str, Any]:
        self._number += 1
        world, host = f"bomb-{self._number}", self.plane.host
        host.create(world, Settings(limits="off"))
        gc.collect()
        at = Attacker(self.plane, world, self.person, app)
        bomb(at)
        at.wait(LATER_S)
        closed = world in host.quarantined
        host.drop(world)
        answers = sorted({answer.status for answer in at.answers})
        return {"held_ms": max(answer.hold_ms for answer in at.answers), "statuses": answers, "closed": closed}


def measure_all(image: Path, folder: Path, chosen: list[str]) -> dict[str, Any]:
    """Measure how long each bomb holds the thread; `chosen` are parts of names, none means all."""
    host = open_host(image, folder / "worlds")
    plane = LocalPlane(host)
    found: dict[str, Any] = {}
    try:
        host.create("find")
        person, _ = workload().find_member(host, "find")
        ground = BombRange(plane, person)
        ground.warm()
        for app, name, bomb in list_bombs():
            if not chosen or any(one in name for one in chosen):
                found[name] = ground.measure(app, bomb)
                print(f"{found[name]['held_ms']:9.1f} ms {found[name]['statuses']} {name}", file=sys.stderr)
    finally:
        plane.close()
        host.store.close()
    return {"hostile_hold_ms_max": max(one["held_ms"] for one in found.values()), "loop_ms": loop_ms(), "bombs": found}


if __name__ == "__main__":
    print(json.dumps(measure_all(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])))
