"""How many worlds a server keeps, for how long, and how large they may be."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RetentionLimits:
    """Limits of one process; None is no limit.

    `idle_s` is for worlds that were made without a time of their own, `most_bytes` for the logs of all worlds.
    """

    idle_s: float | None = None
    most_worlds: int | None = None
    most_bytes: int | None = None

    def share(self, processes: int) -> "RetentionLimits":
        """The limits of each of several processes."""
        return RetentionLimits(self.idle_s, _divide(self.most_worlds, processes), _divide(self.most_bytes, processes))


def _divide(number: int | None, parts: int) -> int | None:
    return None if number is None else -(-number // parts)
