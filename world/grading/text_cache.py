"""LRU cache for analyses of texts up to 4,000 characters: the runs of one task repeat most of their texts."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

from world.core.reading.passage import Passage

SHORT = 4_000  # characters
KEPT = 2048  # texts
P = ParamSpec("P")
T = TypeVar("T")


def keep_short(read: Callable[Concatenate[Passage, P], T]) -> Callable[Concatenate[Passage, P], T]:
    """Decorate a pure function of a passage so that its results for short texts are cached. Results must not be mutated."""
    kept = lru_cache(maxsize=KEPT)(read)

    @wraps(read)
    def read_once(passage: Passage, /, *args: P.args, **kwargs: P.kwargs) -> T:
        if len(passage.text) > SHORT:
            return read(passage, *args, **kwargs)
        return kept(passage, *args, **kwargs)  # pyright: ignore[reportArgumentType]  arguments are hashable

    return read_once
