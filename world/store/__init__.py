"""Worlds as page overlays over a sealed base image, bound to pooled connections."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from world.store.errors import (
    BaseMismatch,
    BusyError,
    DamagedLog,
    NoCopy,
    NoRoom,
    QuotaExceeded,
    StoreError,
    StoreLocked,
    UnknownCall,
    UnknownWorld,
    WorldExists,
    WorldFrozen,
)
from world.store.image import Base, seal
from world.store.plain import PlainBound, PlainStore, PlainWorld

if TYPE_CHECKING:
    from world.store.overlay import World
    from world.store.pool import Bound
    from world.store.store import Store
else:
    try:
        from world.store.overlay import World
        from world.store.pool import Bound
        from world.store.store import Store
    except ModuleNotFoundError as missing:
        if missing.name != "apsw":
            raise
        Bound, Store, World = PlainBound, PlainStore, PlainWorld


def open_store(folder: Path | str, base: Base, kind: Literal["swap", "plain"] = "swap") -> "Store | PlainStore":
    """The store of a folder: `plain` works without apsw, and forks the past only at snapshots."""
    return (Store if kind == "swap" else PlainStore)(folder, base)


__all__ = [
    "Base",
    "BaseMismatch",
    "Bound",
    "BusyError",
    "DamagedLog",
    "NoCopy",
    "NoRoom",
    "PlainStore",
    "QuotaExceeded",
    "Store",
    "StoreError",
    "StoreLocked",
    "UnknownCall",
    "UnknownWorld",
    "World",
    "WorldExists",
    "WorldFrozen",
    "open_store",
    "seal",
]
