"""Modules that are imported on first use, so that a start does not pay for unused ones."""

from importlib import import_module
from typing import Any


class Lazy:
    """Stands for a module by name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)
