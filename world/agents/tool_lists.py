"""Digests of the tool lists that a host offers: computed once, and kept in the home until a source changes."""

from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import orjson
from pydantic import TypeAdapter, ValidationError

from world.run.home import Home
from world.run.host import Host
from world.run.images import APPS, digest_sources, list_roots, remember
from world.server.serve import surfaces_module

GROUP = "firmament.surfaces"
KERNEL = Path(__file__).parents[1]
IDLE = frozenset({"static", "templates"})  # parts that shape no list
SCHEMAS = ("pydantic", "mcp")  # packages that write parts of the lists


@dataclass(frozen=True, slots=True)
class KnownLists:
    """Lists by address, and what they were computed from."""

    key: str
    lists: dict[str, str]


def tool_lists(host: Host) -> dict[str, str]:
    """Version and SHA-256 of every tool list on offer, by address: an agent reads their texts, so they decide a run
    too.
    """
    front = surfaces_module()
    return front.digests(host) if front is not None else {}


def recall_tool_lists(home: Home, host: Host) -> dict[str, str]:
    """The same for a host of the installed apps. They are computed again only after a change of a file of the kernel, of
    the apps or of their surfaces, because the schemas of hundreds of tools take longer than most runs.
    """
    kept = home.path / "tools" / "lists.json"
    key = _name_sources(home, host)
    known = _read(kept)
    if known is None or known.key != key:
        known = KnownLists(key, tool_lists(host))
        remember(kept, orjson.dumps(known))
    return known.lists


def _read(kept: Path) -> KnownLists | None:
    """What is kept; None if there is nothing, or nothing that can be read."""
    try:
        return TypeAdapter(KnownLists).validate_json(kept.read_bytes()) if kept.exists() else None
    except ValidationError:
        return None


def _name_sources(home: Home, host: Host) -> str:
    """What the lists are made from: kernel, apps, surfaces, and the packages that write schemas."""
    digest = digest_sources(list_tool_roots(), home.path / "tools" / "sources.json", IDLE)
    return " ".join([digest, *sorted(host.apps), *map(version, SCHEMAS)])


def list_tool_roots() -> tuple[Path, ...]:
    """The folders whose files can change a tool list."""
    return (KERNEL, *list_roots(APPS), *list_roots(GROUP))
