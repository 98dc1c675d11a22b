"""The numbers the generator aims at, from targets.toml."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=1)
def targets() -> dict[str, Any]:
    """Sizes and bands as written in targets.toml."""
    return tomllib.loads(files("seeds").joinpath("targets.toml").read_text(encoding="utf-8"))


def target_quantity(size: str, quantity: str) -> int:
    """A quantity of a size; a bench company is an S company with bulk."""
    return int(targets()["size"]["S" if size == "bench" else size][quantity]["value"])
