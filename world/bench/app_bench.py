"""Benchmarks that apps declare: a module `bench` of an app, found as its doors are."""

import json
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from world.bench.server_process import serve_process
from world.core import discovery
from world.core.json_types import JsonObject
from world.core.principal import Principal
from world.run.host import Host
from world.server.control_state import token_form
from world.store.queries import row

WORLD = "bench"  # of a target
PAGE_LIMIT_S = 900  # for all loads of one page
Figures = Mapping[str, float]
Target = Mapping[str, Any]  # output of a target process


@dataclass(frozen=True, slots=True)
class Workload:
    """Calls that the kernel's own figures repeat in one app.

    `member` is a statement that finds a person and a place of theirs. Reads and writes are for that place, as calls
    of operations and as REST requests. `answered` distinguishes an answer from a refusal. `tool` is called on the
    surface of all operations.
    """

    app: str
    member: str
    reads: Callable[[str], Sequence[tuple[str, JsonObject]]]
    write: Callable[[str, str], tuple[str, JsonObject]]
    get: Callable[[str], str]
    post: Callable[[str, str], tuple[str, JsonObject]]
    tool: Callable[[str], tuple[str, JsonObject]]
    answered: Callable[[Mapping[str, Any]], bool]

    def find_member(self, host: Host, world: str) -> tuple[str, str]:
        """A person and a place where they may write."""
        person, place = row(host.actors[world].bound, self.member) or ("", "")
        return person, place

    def principal(self, host: Host, world: str, person: str) -> Principal:
        """A person in the app."""
        return Principal(world, person, "user", self.app, generation=host.actors[world].generation)


@dataclass(frozen=True, slots=True)
class BenchSetting:
    """Setting in which an app is measured: companies of the usual and the largest size, an echo, and a folder."""

    usual: Path
    largest: Path
    echo: Target
    scratch: Path

    @contextmanager
    def serve(self, name: str, image: Path | None = None) -> Generator[Target, None, None]:
        """A server of its own over a company, the usual one unless told."""
        folder = self.scratch / name
        folder.mkdir(parents=True)
        with serve_process("world.bench.target", str(image or self.usual), str(folder)) as target:
            yield target


@dataclass(frozen=True, slots=True)
class AppBench:
    """An app's figures: their targets, what a target process tells of the app, and how they are measured."""

    targets: Mapping[str, tuple[str, float]]
    describe: Callable[[Host], dict[str, Any]]
    figures: Callable[[BenchSetting], Figures]


def app_benches() -> dict[str, AppBench]:
    """Every app's, by its name."""
    return {name: found for name, found in _iter_declared("bench") if isinstance(found, AppBench)}


def workload() -> Workload:
    """The first that an app declares."""
    return next(found for _, found in _iter_declared("workload") if isinstance(found, Workload))


def _iter_declared(attribute: str) -> Iterator[tuple[str, object]]:
    for package in discovery.app_packages():
        module = discovery.part(package, "bench")
        if module is not None:
            yield package.app.name, getattr(module, attribute, None)


def issue_token(host: Host, person: str, app: str, world: str = WORLD) -> str:
    """A person's token for one app."""
    return host.tokens.issue(Principal(world, person, "user", app), token_form(host, app, "user"))


def issue_login(host: Host, person: str, world: str = WORLD) -> str:
    """A person's session in a browser."""
    return host.tokens.issue(Principal(world, person, "session"))


def load_page(name: str, target: Target, login: str, address: str, title: str) -> dict[str, float]:
    """The figure of loading a page in Chromium; none, and the reason on stderr, where it cannot be measured."""
    command = [sys.executable, "-m", "world.bench.page_load", target["url"], login, address, title]
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=PAGE_LIMIT_S)
    except subprocess.TimeoutExpired:
        reason = f"the page is not loaded often enough within {PAGE_LIMIT_S} s"
    else:
        if done.returncode == 0:
            return {name: json.loads(done.stdout)["load_ms"]}
        reason = (done.stderr.strip().splitlines() or [f"the browser's process ended with {done.returncode}"])[-1]
    print(f"{name} is not measured: {reason}", file=sys.stderr)
    return {}
