"""LAMBDA, LET, and the functions that call a LAMBDA over arrays."""

from collections.abc import Sequence

from apps.sheets.cells import Value
from apps.sheets.engine.evaluate import MAX_CELLS, Run, Scope, invoke, limit_array
from apps.sheets.engine.functions.logic import attempt
from apps.sheets.engine.registry import function
from apps.sheets.engine.tree import Name, Node
from apps.sheets.engine.values import Broken, Grid, Lambda, Result, formula_error, grid, number, single


@function("LAMBDA", "x x*", lazy=True)
def lambda_(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
    """Define a function."""
    names = [_parameter_name("LAMBDA", node) for node in nodes[:-1]]

    def call(*arguments: Result) -> Result:
        return run.value(nodes[-1], {**scope, **dict(zip(names, arguments, strict=True))}, array)

    return Lambda(len(names), call)


def _parameter_name(function_name: str, node: Node) -> str:
    if not isinstance(node, Name):
        raise formula_error("#N/A", f"Function {function_name} expects a name as parameter.")
    return node.text.upper()


@function("LET", "x x x x*", lazy=True)
def let(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
    """Bind names to values."""
    if len(nodes) % 2 == 0:
        raise formula_error(
            "#N/A",
            f"Wrong number of arguments to LET. Expected an odd number of arguments, but got {len(nodes)} arguments.",
        )
    inner = dict(scope)
    for index in range(0, len(nodes) - 1, 2):
        inner[_parameter_name("LET", nodes[index])] = attempt(run, nodes[index + 1], inner, array)
    return run.value(nodes[-1], inner, array)


def _last(name: str, run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Lambda:
    found = run.value(nodes[-1], scope, array)
    if not isinstance(found, Lambda):
        raise formula_error("#N/A", f"Function {name} parameter {len(nodes)} expects a LAMBDA.")
    return found


def call_lambda(run: Run, function_: Lambda, *arguments: Result) -> Value:
    """Call a LAMBDA and return its single value; an error is a value."""
    try:
        result = invoke(run, function_, arguments)
        if isinstance(result, Grid) and result.height * result.width > 1:
            raise formula_error("#VALUE!", "Single value expected. Nested array results are not supported.")
        return single(result)
    except Broken as error:
        run.spend(10)
        return error.fault


@function("MAP", "x x x*", lazy=True)
def map_(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
    """Apply a LAMBDA to each value."""
    arrays = [grid(run.value(node, scope, array)) for node in nodes[:-1]]
    function_ = _last("MAP", run, nodes, scope, array)
    first = arrays[0]
    if any((one.height, one.width) != (first.height, first.width) for one in arrays):
        raise formula_error("#N/A", "MAP has mismatched range sizes.")
    return Grid(
        [
            [call_lambda(run, function_, *[one.rows[row][column] for one in arrays]) for column in range(first.width)]
            for row in range(first.height)
        ]
    )


def _lines(name: str, by_column: bool) -> None:
    def lines(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
        values = grid(run.value(nodes[0], scope, array))
        function_ = _last(name, run, nodes, scope, array)
        found = [
            invoke(run, function_, [Grid([[value] for value in line] if by_column else [line])])
            for line in (values.columns() if by_column else values.rows)
        ]
        limit_array(
            run, len(found), max((grid(result).height * grid(result).width for result in found), default=0), MAX_CELLS
        )
        rows = [list(grid(result).flat()) for result in found]
        if any(len(row) != len(rows[0]) for row in rows):
            raise formula_error("#VALUE!", "Results of the LAMBDA have different sizes.")
        return Grid([list(row) for row in zip(*rows, strict=True)] if by_column else rows)

    function(name, "x x", lazy=True)(lines)


_lines("BYROW", False)
_lines("BYCOL", True)


def _declare_fold(name: str, keep: bool) -> None:
    def fold(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
        held: Result = run.value(nodes[0], scope, array)
        values = grid(run.value(nodes[1], scope, array))
        function_ = _last(name, run, nodes, scope, array)
        rows: list[list[Value]] = []
        for line in values.rows:
            rows.append([])
            for value in line:
                held = invoke(run, function_, [held, value])
                rows[-1].append(single(held) if keep else None)
        return Grid(rows) if keep else held

    function(name, "x x x", lazy=True)(fold)


_declare_fold("REDUCE", False)
_declare_fold("SCAN", True)


@function("MAKEARRAY", "n n x", lazy=True)
def make_array(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
    """An array computed from rows and columns."""
    height, width = (
        int(number(run.scalar(node, scope), f"Function MAKEARRAY parameter {place}"))
        for place, node in enumerate(nodes[:2], 1)
    )
    if height < 1 or width < 1:
        raise formula_error("#NUM!", "Function MAKEARRAY parameter 1 should be greater than or equal to 1.")
    limit_array(run, height, width)
    function_ = _last("MAKEARRAY", run, nodes, scope, array)
    return Grid(
        [[call_lambda(run, function_, row + 1.0, column + 1.0) for column in range(width)] for row in range(height)]
    )
