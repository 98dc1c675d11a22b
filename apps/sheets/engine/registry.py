"""Registry of functions: the kinds of their parameters and their code."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.sheets.engine.values import formula_error

Code = Callable[..., Any]  # a function of the spreadsheet, called with values of the kinds it declares


# Kinds: n number, t text, b boolean, v any single value, e the same or an error, g array, x anything.


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: its kind, and whether it is optional or repeated."""

    kind: str
    optional: bool
    repeated: bool


@dataclass(frozen=True, slots=True)
class Body:
    """A function's code.

    `array` computes its arguments as arrays, `lazy` gets nodes, `run` gets the run before them.
    """

    name: str
    parameters: tuple[Parameter, ...]
    code: Code
    array: bool = False
    lazy: bool = False
    run: bool = False
    least: int = 0
    most: int | None = None
    group: int = 0
    known: dict[int, tuple[str, ...]] = field(init=False, default_factory=dict, compare=False)

    def kinds(self, count: int) -> tuple[str, ...]:
        """Return the kinds of that many arguments."""
        if count not in self.known:
            self.known[count] = tuple(map(self.kind, range(count)))
        return self.known[count]

    def kind(self, index: int) -> str:
        """Return the kind of the argument at an index."""
        if index < len(self.parameters):
            return self.parameters[index].kind
        return self.parameters[len(self.parameters) - self.group + (index - len(self.parameters)) % self.group].kind

    def check(self, count: int) -> None:
        """Refuse a wrong number of arguments."""
        if count < self.least or (self.most is not None and count > self.most):
            raise formula_error(
                "#N/A",
                f"Wrong number of arguments to {self.name}. Expected {self.describe_arity()}, but got {count} arguments.",
            )

    def describe_arity(self) -> str:
        """Describe the accepted number of arguments."""
        if self.most is None:
            return f"at least {self.least} arguments"
        return (
            f"{self.least} arguments" if self.least == self.most else f"between {self.least} and {self.most} arguments"
        )


BODIES: dict[str, Body] = {}
HIDDEN: dict[str, Body] = {}  # what no formula of a person's may call
PIVOT, OURS = "PIVOT.TABLE", "\x1f"  # its definition begins with what nobody types


def signature(kinds: str) -> tuple[Parameter, ...]:
    """Parse `n t? g*` to parameters."""
    return tuple(Parameter(word[0], "?" in word or "*" in word, "*" in word) for word in kinds.split())


def body(name: str, kinds: str, code: Code, **flags: bool) -> Body:
    """Return a function with its kinds written as `n t? g*`."""
    parameters = signature(kinds)
    repeated = sum(parameter.repeated for parameter in parameters)
    least = sum(not parameter.optional for parameter in parameters)
    return Body(
        name, parameters, code, least=least, most=None if repeated else len(parameters), group=repeated, **flags
    )


def function(name: str, kinds: str, **flags: bool) -> Callable[[Code], Code]:
    """Declare the code of a function."""

    def declare(code: Code) -> Code:
        assert name not in BODIES, name
        BODIES[name] = body(name, kinds, code, **flags)
        return code

    return declare


def internal_function(name: str, kinds: str, **flags: bool) -> Callable[[Code], Code]:
    """Declare the code of a function that no formula of a person may call."""

    def declare(code: Code) -> Code:
        HIDDEN[name] = body(name, kinds, code, **flags)
        return code

    return declare


def plain(kinds: str, functions: Mapping[str, Code], **flags: bool) -> None:
    """Declare several functions of the same kinds."""
    for name, code in functions.items():
        function(name, kinds, **flags)(code)
