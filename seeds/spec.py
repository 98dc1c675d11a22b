"""Specification of a seed company: size, seed, packs, mess."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from world.core.clock import DAY, from_datetime
from world.core.rng import Stream

GENERATOR_VERSION = "6"
START = from_datetime(datetime(2026, 3, 2, 8, 0, tzinfo=UTC))
WINDOW = 30 * DAY

Size = Literal["XS", "S", "bench"]
MESS = {"tidy": 0.0, "normal": 1.0, "feral": 2.5}


@dataclass(frozen=True, slots=True)
class Spec:
    """One company. `mb` is the wanted size of a `bench` image in megabytes; `start` is the world's first moment."""

    size: Size = "S"
    seed: int = 7
    packs: tuple[str, ...] = ("shop",)
    mess: str = "normal"
    mb: int = 0
    start: int = START

    def __post_init__(self) -> None:
        if self.size not in ("XS", "S", "bench"):
            raise ValueError(f"no such size: {self.size!r} (XS, S or bench)")
        if self.mess not in MESS:
            raise ValueError(f"no such mess: {self.mess!r} (tidy, normal or feral)")
        if self.size == "bench" and self.mb <= 0:
            raise ValueError("a bench company needs mb, its size in megabytes")

    @property
    def window_start(self) -> int:
        """Start of the dense history."""
        return self.start - WINDOW

    def stream(self, *path: str | int) -> Stream:
        """The stream of draws of one entity and purpose; sizes share streams, so an XS person is the S person."""
        return Stream("seed", self.seed, *path)
