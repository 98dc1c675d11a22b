"""What is read from short texts, kept: the runs of one task say much the same."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

from world.core.reading.passage import Passage

SHORT = 4_000  # characters
KEPT = 2048  # texts
P = ParamSpec("P")
T = TypeVar("T")


def keep_short(read: Callable[Concatenate[Passage, P], T]) -> Callable[Concatenate[Passage, P], T]:
    """A function that depends on its arguments alone, with its answers about short texts kept; nobody may change them."""
    kept = lru_cache(maxsize=KEPT)(read)

    @wraps(read)
    def read_once(passage: Passage, /, *args: P.args, **kwargs: P.kwargs) -> T:
        if len(passage.text) > SHORT:
            return read(passage, *args, **kwargs)
        return kept(passage, *args, **kwargs)  # pyright: ignore[reportArgumentType]  arguments are hashable

    return read_once
