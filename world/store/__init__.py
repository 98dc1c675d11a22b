"""Worlds as page overlays over a sealed base image, bound to pooled connections."""

from world.store.errors import (
    BaseMismatch,
    BusyError,
    DamagedLog,
    NoRoom,
    QuotaExceeded,
    StoreError,
    StoreLocked,
    TooManyRows,
    UnknownCall,
    UnknownWorld,
    WorldExists,
    WorldFrozen,
)
from world.store.image import Base, seal
from world.store.overlay import World
from world.store.pool import Bound
from world.store.store import Store

__all__ = [
    "Base",
    "BaseMismatch",
    "Bound",
    "BusyError",
    "DamagedLog",
    "NoRoom",
    "QuotaExceeded",
    "Store",
    "StoreError",
    "StoreLocked",
    "TooManyRows",
    "UnknownCall",
    "UnknownWorld",
    "World",
    "WorldExists",
    "WorldFrozen",
    "seal",
]
