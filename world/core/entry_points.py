"""The packages that the entry points of an installed distribution name."""

import importlib
from collections.abc import Sequence
from functools import cache
from importlib.metadata import entry_points
from types import ModuleType


@cache
def packages(group: str) -> Sequence[ModuleType]:
    """The modules that the entries of a group name, by entry name; the next process sees later installations."""
    entries = sorted(entry_points(group=group), key=lambda found: (found.name, found.value))
    return tuple(importlib.import_module(entry.value.split(":")[0]) for entry in entries)


def load_part(package: ModuleType, name: str) -> ModuleType:
    """A module of a package. Raises ModuleNotFoundError."""
    return importlib.import_module(f"{package.__name__}.{name}")
