"""Identity under which a call is made."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["user", "bot", "system", "session"]
HUMAN: tuple[Kind, ...] = ("user", "session")


@dataclass(frozen=True, slots=True)
class Principal:
    """A caller: one employee (or bot, or the world itself) of one world generation. Empty `scopes` means all."""

    world: str
    person: str
    kind: Kind = "user"
    app: str = ""
    scopes: frozenset[str] = frozenset()
    generation: int = 0


def system(world: str, name: str) -> Principal:
    """The principal under which the world itself acts: `system:<name>`."""
    return Principal(world, f"system:{name}", "system")
