"""Modules that are imported when something of theirs is first used: a start does not pay for what it does not need."""

from importlib import import_module
from typing import Any


class Lazy:
    """Stands for a module by name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)
