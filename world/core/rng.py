"""Randomness: independent streams named by a path, so that one more draw never moves another's."""

import math
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


def digest(*path: str | int, size: int = 16) -> bytes:
    """A stable hash of a path of names and numbers; never Python's `hash`."""
    return blake2b("\x1f".join(str(part) for part in path).encode(), digest_size=size).digest()


class Stream:
    """An endless stream of draws from one path."""

    __slots__ = ("_count", "_key")

    def __init__(self, *path: str | int) -> None:
        self._key, self._count = digest(*path, size=32), 0

    def bits(self) -> int:
        """64 uniform bits."""
        self._count += 1
        return int.from_bytes(blake2b(self._count.to_bytes(8, "big"), key=self._key, digest_size=8).digest(), "big")

    def random(self) -> float:
        """Uniform in [0, 1), 53 bits."""
        return (self.bits() >> 11) / (1 << 53)

    def integer(self, low: int, high: int) -> int:
        """Uniform integer from `low` to `high`, both included."""
        return low + self.bits() % (high - low + 1)

    def choice(self, items: Sequence[T]) -> T:
        """One item, uniformly. Raises IndexError on an empty sequence."""
        if not items:
            raise IndexError("nothing to choose from")
        return items[self.bits() % len(items)]

    def weighted(self, items: Sequence[T], weights: Sequence[float]) -> T:
        """One item, with probability in proportion to its weight."""
        point = self.random() * math.fsum(weights)
        for item, weight in zip(items, weights, strict=True):
            point -= weight
            if point < 0:
                return item
        return items[-1]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """A new list in random order."""
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j = self.bits() % (i + 1)
            out[i], out[j] = out[j], out[i]
        return out

    def normal(self) -> float:
        """Standard normal (Box-Muller, one draw of a pair)."""
        radius = math.sqrt(-2.0 * math.log(1.0 - self.random()))
        return radius * math.cos(2.0 * math.pi * self.random())

    def lognormal(self, median: float, sigma: float) -> float:
        """Log-normal with the given median; sigma is that of the logarithm."""
        return median * math.exp(sigma * self.normal())


@dataclass(frozen=True, slots=True)
class Rng:
    """Streams of one seed."""

    seed: int
    path: tuple[str | int, ...] = ()

    def stream(self, *purpose: str | int) -> Stream:
        """The stream of a purpose; the same path gives the same draws in any process."""
        return Stream(self.seed, *self.path, *purpose)


def process_secret() -> str:
    """A fresh secret of this process, for tokens and the control plane; never part of a world."""
    return secrets.token_hex(32)
