"""Arguments that no client means: a declared example, changed in its structure."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

Path = tuple[str | int, ...]
DEEP = 300


def nest(depth: int, inner: Any = 1) -> Any:
    """A list in a list, so many levels deep."""
    for _ in range(depth):
        inner = [inner]
    return inner


def nest_objects(depth: int) -> Any:
    """An object in an object, so many levels deep."""
    inner: Any = 1
    for _ in range(depth):
        inner = {"a": inner}
    return inner


NUMBERS = (0, -1, 1, 2**31, 2**53, 2**63 - 1, 2**63, -(2**63) - 1, 10**40, 1.5, -0.0, 1e300, True, False)
TEXTS = (
    "",
    " ",
    "\n",
    "\x00",
    "\ud800",
    "\u202e",
    "\N{SUPERSCRIPT TWO}",
    "caf\N{LATIN SMALL LETTER E WITH ACUTE}",
    "\N{FULLWIDTH LESS-THAN SIGN}x",
    "\N{PILE OF POO}" * 40,
    "9" * 30,
    "9" * 5_000,
    "a" * 70_000,
    "../../etc/passwd",
    "%00",
    "%",
    "' OR 1=1 --",
    '"',
    "*",
    "(",
    "null",
    "true",
    "[]",
    "{}",
    "=1+1",
    "2026-13-45",
    "0000-00-00T00:00:00Z",
    "http://[::1",
    "@",
    "#",
    "e\u0301" * 200,
    "A1:ZZZ99999999",
)
OTHERS = (
    None,
    [],
    {},
    [None],
    [[]],
    [{}],
    {"": ""},
    {"a": None},
    ["x"] * 2_000,
    nest(40),
    nest(DEEP),
    nest_objects(DEEP),
)
NAMES = ("unknown", "__proto__", "", "\ud800", "id", "a" * 3_000, "user", "$ref")


def list_paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """Every place inside a JSON value, the whole first."""
    yield path
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from list_paths(item, (*path, str(name)))
    elif isinstance(value, list):
        for number, item in enumerate(value[:4]):
            yield from list_paths(item, (*path, number))


def replace(value: Any, path: Path, made: Any) -> Any:
    """The same value with another one at a place."""
    if not path:
        return made
    step, rest = path[0], path[1:]
    if isinstance(value, list):
        return [replace(item, rest, made) if at == step else item for at, item in enumerate(value)]
    return {**value, step: replace(value.get(step), rest, made)}


def read(value: Any, path: Path) -> Any:
    """What stands at a place."""
    for step in path:
        value = value[step]
    return value


class Mutator:
    """Changes examples of operations. `names` are the parameters an operation has, beyond those of its example."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def draw_value(self) -> Any:
        """A number, a text, or something else."""
        return self.chance.choice(self.chance.choice((NUMBERS, TEXTS, TEXTS, OTHERS)))

    def mutate(self, example: Mapping[str, Any], names: list[str]) -> dict[str, Any]:
        """An example with one to three changes; what comes back is always an object."""
        made: Any = dict(example)
        for _ in range(self.chance.choice((1, 1, 1, 2, 3))):
            made = self._change(made, names)
        return made

    def _change(self, made: dict[str, Any], names: list[str]) -> dict[str, Any]:
        paths = [path for path in list_paths(made) if path]
        kind = self.chance.randrange(8)
        if kind == 0 or not paths:
            return {**made, self.chance.choice(names or list(NAMES)): self.draw_value()}
        if kind == 1:
            return {**made, self.chance.choice(NAMES): self.draw_value()}
        path = self.chance.choice(paths)
        if kind == 2:
            gone = path[0]
            return {name: value for name, value in made.items() if name != gone}
        if kind == 3:
            return replace(made, path, self.chance.choice(([read(made, path)], {"value": read(made, path)})))
        if kind == 4:
            return replace(
                made, path, str(read(made, path))[: self.chance.randrange(1, 200)] + self.chance.choice(TEXTS)
            )
        return replace(made, path, self.draw_value())
