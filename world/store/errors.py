"""Refusals of the store, by name."""


class StoreError(Exception):
    """Any refusal of the store."""


class StoreLocked(StoreError):
    """Another process owns the folder of worlds."""


class UnknownWorld(StoreError):
    """No world of this name is written in the folder."""


class WorldExists(StoreError):
    """The name is taken, by a world or by a discarded world that forks still read."""


class UnknownCall(StoreError):
    """The world has no committed call of this number."""


class DamagedLog(StoreError):
    """Bytes that were written are missing or changed."""


class BaseMismatch(StoreError):
    """The image is not a sealed base, or not the base these worlds stand on."""


class WorldFrozen(StoreError):
    """The world takes no more commits: it is frozen, discarded or a view."""


class QuotaExceeded(StoreError):
    """The call would write more than its world may hold; nothing of it was kept."""


class TooManyRows(QuotaExceeded):
    """The call changed more rows than one call may; it would do so again."""


class NoRoom(StoreError):
    """The disk is full, read-only or failing; nothing of the call was kept."""


class BusyError(StoreError):
    """A transaction, a cursor or a Session is still open on the connection."""
