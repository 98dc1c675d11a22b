"""Conditions, choices, and replacement of errors."""

from collections.abc import Callable, Sequence

from apps.sheets.cells import Fault, Value
from apps.sheets.engine.evaluate import Run, Scope, at, lift
from apps.sheets.engine.registry import function
from apps.sheets.engine.tree import Node
from apps.sheets.engine.values import Broken, Grid, Result, boolean, formula_error, grid, number, order, single


def attempt(run: Run, node: Node, scope: Scope, array: bool) -> Result:
    """Return a node's value; an error becomes a value."""
    try:
        return run.value(node, scope, array)
    except Broken as error:
        return error.fault


@function("TRUE", "")
def true() -> bool:
    """TRUE."""
    return True


@function("FALSE", "")
def false() -> bool:
    """FALSE."""
    return False


@function("IF", "v x x?", lazy=True)
def if_(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
    """One of two values."""
    condition = run.value(nodes[0], scope, array)
    if array and isinstance(condition, Grid):
        branches = [attempt(run, node, scope, True) for node in nodes[1:]] + [False][: 3 - len(nodes)]
        return choose_branches(run, condition, branches)
    truth = boolean(run.intersect(condition), "Function IF parameter 1")
    if not truth and len(nodes) == 2:
        return False
    return run.value(nodes[1 if truth else 2], scope, array)


def choose_branches(run: Run, condition: Grid, branches: Sequence[Result]) -> Grid:
    """Choose between branches element by element."""

    def choose(test: Value, *values: Value) -> Value:
        return values[0 if boolean(test, "Function IF parameter 1") else 1]

    result = lift(run, choose, [condition, *branches], True)
    return grid(result)


@function("IFERROR", "x x?", lazy=True)
def if_error(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
    """A value, or another where it is an error."""
    return replace_bad_values(run, nodes, scope, array, lambda value: isinstance(value, Fault))


@function("IFNA", "x x?", lazy=True)
def if_na(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
    """A value, or another where it is #N/A."""
    return replace_bad_values(run, nodes, scope, array, lambda value: isinstance(value, Fault) and value.code == "#N/A")


def replace_bad_values(
    run: Run, nodes: Sequence[Node], scope: Scope, array: bool, bad: Callable[[Value], bool]
) -> Result:
    """Replace bad values by the second argument."""
    value = attempt(run, nodes[0], scope, array)

    def other() -> Result:
        return run.value(nodes[1], scope, array) if len(nodes) > 1 else None

    if not isinstance(value, Grid):
        return other() if bad(single(value)) else value
    if not array and value.place is not None:
        kept = run.intersect(value)
        return other() if bad(kept) else kept
    if not any(bad(item) for item in value.flat()):
        return value
    instead = other()
    spare = grid(instead)
    return Grid(
        [
            [at(spare, row, column) if bad(item) else item for column, item in enumerate(items)]
            for row, items in enumerate(value.rows)
        ]
    )


@function("IFS", "v x v* x*", lazy=True)
def ifs(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
    """The value after the first condition that holds."""
    if len(nodes) % 2:
        raise formula_error("#N/A", "Wrong number of arguments to IFS. Expected an even number of arguments.")
    if not array:
        for index in range(0, len(nodes), 2):
            if boolean(run.scalar(nodes[index], scope), f"Function IFS parameter {index + 1}"):
                return run.value(nodes[index + 1], scope, array)
        raise formula_error("#N/A", "No match.")
    result: Result = Fault("#N/A", "No match.")
    for index in range(len(nodes) - 2, -1, -2):
        condition = attempt(run, nodes[index], scope, True)
        result = choose_branches(run, grid(condition), [attempt(run, nodes[index + 1], scope, True), result])
    return result if grid(result).height * grid(result).width > 1 else single(result)


@function("SWITCH", "v v x v* x*", lazy=True)
def switch(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
    """The value after the first case that is equal."""
    subject = run.value(nodes[0], scope, array)

    def pick(value: Value) -> Value:
        for index in range(1, len(nodes) - 1, 2):
            if order(value, run.scalar(nodes[index], scope)) == 0:
                return single(run.value(nodes[index + 1], scope, array))
        if len(nodes) % 2 == 0:
            return single(run.value(nodes[-1], scope, array))
        raise formula_error("#N/A", "No match.")

    return lift(run, pick, (subject,), array)


@function("CHOOSE", "n x x*", lazy=True)
def choose(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
    """Return the value at a position among several."""
    index = run.value(nodes[0], scope, array)

    def pick(value: Value) -> Result:
        place = int(number(value, "Function CHOOSE parameter 1"))
        if not 1 <= place < len(nodes):
            raise formula_error(
                "#NUM!",
                f"Function CHOOSE parameter 1 value is {place}. Valid values are between 1 and {len(nodes) - 1}"
                " inclusive.",
            )
        return run.value(nodes[place], scope, array)

    return lift(run, pick, (index,), True) if array and isinstance(index, Grid) else pick(run.intersect(index))


def truths(name: str, arrays: Sequence[Grid]) -> list[bool]:
    """Return the booleans among arguments; texts within ranges are skipped."""
    found: list[bool] = []
    for index, array in enumerate(arrays):
        for value in array.flat():
            if value is None or (
                isinstance(value, str) and array.place is not None and value.upper() not in ("TRUE", "FALSE")
            ):
                continue
            found.append(boolean(value, f"Function {name} parameter {index + 1}"))
    return found


@function("AND", "g g*")
def and_(*arrays: Grid) -> bool:
    """Whether all hold."""
    return all(truths("AND", arrays))


@function("OR", "g g*")
def or_(*arrays: Grid) -> bool:
    """Whether one holds."""
    return any(truths("OR", arrays))


@function("XOR", "g g*")
def xor(*arrays: Grid) -> bool:
    """Whether an odd number hold."""
    return sum(truths("XOR", arrays)) % 2 == 1


@function("NOT", "b")
def not_(value: bool) -> bool:
    """Negate a condition."""
    return not value


@function("ARRAYFORMULA", "x", lazy=True)
def array_formula(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
    """Compute on whole arrays."""
    result = run.value(nodes[0], scope, True)
    if isinstance(result, Grid):
        return Grid(result.rows)
    return result


@function("ARRAY_CONSTRAIN", "g n n")
def constrain(array: Grid, height: float, width: float) -> Grid:
    """Cut an array to a size."""
    return Grid([row[: int(width)] for row in array.rows[: int(height)]])
