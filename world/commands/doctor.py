"""`firm doctor`: faults of a set-up and their mends. Imports nothing that could itself be broken."""

import importlib
import importlib.metadata
import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from world.core.lazy import Lazy

NEEDED = (
    "apsw",
    "sqlalchemy",
    "sqlmodel",
    "pydantic",
    "orjson",
    "starlette",
    "fastapi",
    "uvicorn",
    "uvloop",
    "httptools",
    "websockets",
    "mcp",
    "httpx",
    "httpx2",
    "jinja2",
    "nh3",
    "lark",
    "scipy",
    "markdown_it",
    "lucide",
    "rich",
    "yaml",
)
HOW = {"bubblewrap": "bubblewrap, in namespaces", "landlock": "Landlock, because namespaces cannot be had here"}
WRITTEN = ("worlds", "runs", "run", "secrets", "scratch")
Line = tuple[bool, str, str]


@click.command("doctor")
@click.option("--browser", is_flag=True, help="Also start Chromium, which takes a second or two.")
def command(browser: bool) -> None:
    """Look at everything firm needs and say what to do about what is missing. Exit code 0 if nothing is."""
    looks = (_python, _packages, _apps, _files, _home, _browser, *((_browser_start,) if browser else ()), _sandbox)
    fine = [_print_line(line) for look in looks for line in look()]
    raise SystemExit(0 if all(fine) else 1)


def _print_line(line: Line) -> bool:
    """Print a finding as soon as it is made: some take a second."""
    fine, what, mend = line
    click.echo(f"{'ok  ' if fine else 'BAD '} {what}" + ("" if fine else f"\n     {mend}"))
    return fine


def _python() -> Iterator[Line]:
    version = ".".join(str(part) for part in sys.version_info[:3])
    yield (
        sys.version_info >= (3, 11),
        f"Python {version}",
        "Python 3.11 or newer is needed: make init PYTHON=python3.12",
    )


def _packages() -> Iterator[Line]:
    for name in NEEDED:
        fine = importlib.util.find_spec(name) is not None
        if not fine:
            yield False, f"package {name}", "run `make init`, or `pip install firmament` in its own environment"
    yield True, f"{len(NEEDED)} packages looked for", ""
    wanted = next((r for r in importlib.metadata.requires("firmament") or () if r.startswith("apsw")), "apsw")
    found = importlib.metadata.version("apsw")
    yield (
        found in wanted,
        f"apsw {found}",
        f"{wanted} is needed, another SQLite is another base image: pip install '{wanted}'",
    )


def _apps() -> Iterator[Line]:
    entries = importlib.metadata.entry_points()
    for group in ("firmament.apps", "firmament.surfaces", "firmament.scenarios"):
        found = entries.select(group=group)
        yield bool(found), f"entry points {group}", "the package is not installed: pip install -e ."
        for entry in found:
            place = importlib.util.find_spec(entry.value.split(":")[0])
            origin = str(place.submodule_search_locations[0]) if place and place.submodule_search_locations else ""
            other = Path(origin).parent != Path(__file__).parents[2]
            yield (
                bool(origin) and (not other or entry.name != "builtin"),
                f"{entry.value} is {origin or 'missing'}",
                ("another folder of that name comes first; run firm from elsewhere, or in an environment of its own"),
            )


def _files() -> Iterator[Line]:
    vendor = Path(__file__).parents[1] / "web" / "static" / "vendor"
    fine = vendor.is_dir() and any(vendor.glob("htmx*"))
    yield (
        fine,
        "front-end files",
        "pages work by links and forms only: put npm on the path and run `pip install -e .` again",
    )


def _home() -> Iterator[Line]:
    home = Path(os.environ.get("FIRM_HOME") or ".firm").absolute()
    folders = [home / name for name in WRITTEN]
    existing = next(path for path in (home, *home.parents) if path.exists())
    needed = (
        folders if all(path.is_dir() for path in folders) else [existing]
    )  # in a container only they may be writable
    closed = next((path for path in needed if not os.access(path, os.W_OK)), None)
    yield closed is None, f"FIRM_HOME {home}", f"{closed} cannot be written; set FIRM_HOME to a folder of yours"
    free = shutil.disk_usage(needed[0]).free
    yield free > 1 << 30, f"{free >> 30} GiB free", "less than 1 GiB is free; worlds and run folders need room"


def _browser() -> Iterator[Line]:
    if importlib.util.find_spec("playwright") is None:
        yield False, "playwright", "only the ui door and its tests need it: pip install 'firmament[browser]'"
        return
    chromium = Lazy("world.agents.chromium")
    found = chromium.find_executable()
    yield (
        found is not None,
        f"Chromium {found} is there (`firm doctor --browser` starts it)" if found else "Chromium",
        "run `make requirements`, or set FIRM_CHROMIUM",
    )
    yield (
        chromium.has_emoji(),
        "a font with emoji",
        "run `make requirements`, or install one such as Noto Color Emoji: pages show boxes instead",
    )


def _browser_start() -> Iterator[Line]:
    mend = "a library of the system may be missing: run `make requirements`, or set FIRM_CHROMIUM to another one"
    yield Lazy("world.agents.chromium").available(), "Chromium starts", mend


def _sandbox() -> Iterator[Line]:
    sandbox = Lazy("world.sandbox")
    obstacle = sandbox.find_obstacle()
    if obstacle is None:
        yield True, f"CI can run: what it runs is isolated by {HOW[sandbox.step()]}", ""
    else:
        mend = f"{obstacle} To mend it: {obstacle.mend}. Until then scenarios that need CI are refused (docs/ci.md)"
        yield False, "CI cannot run", mend
