"""Evaluator of a formula's nodes: scalars and arrays, intersections, lambdas, within a budget of work."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from apps.sheets.cells import Area, Fault, Value
from apps.sheets.engine.arithmetic import OPERATORS
from apps.sheets.engine.evaluation_time import Moment, words_of
from apps.sheets.engine.registry import BODIES, HIDDEN, Body, Code
from apps.sheets.engine.tree import (
    Apply,
    Between,
    Braces,
    Call,
    Chain,
    EmptyArgument,
    Leaf,
    Literal,
    Name,
    Node,
    Place,
    Sign,
)
from apps.sheets.engine.values import (
    CIRCULAR,
    WORDS,
    Broken,
    BudgetExhausted,
    Grid,
    Lambda,
    Result,
    boolean,
    formula_error,
    grid,
    number,
    single,
    sound,
    text,
)

MAX_WORK = 52_000  # steps of one formula: some 50 ms
MAX_CELLS = 200_000  # cells of one array
MAX_MADE = 50_000  # cells of an array that no data stands behind
MAX_CALLS = 24  # lambdas within lambdas
ARRAYS = (Grid, Lambda)  # what is no single value
ARRAYED = frozenset(ARRAYS)
Scope = Mapping[str, Result]
NOWHERE: Scope = {}


class MoreCellsNeeded(BaseException):
    """Error of a formula that reads cells it was not given: it is evaluated again with them."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place


class Surface(Protocol):
    """Interface to the spreadsheet around a function."""

    moment: Moment

    def resolve(self, reference: str, sheet: int) -> Place:
        """Return the place of a reference's text."""
        ...

    def formula_text(self, sheet: int, row: int, column: int) -> str:
        """Return the formula typed in a cell; empty for none."""
        ...

    def title(self, sheet: int) -> str:
        """Return a sheet's title."""
        ...

    def count(self) -> int:
        """Return the number of sheets."""
        ...

    def position(self, sheet: int) -> int:
        """Return a sheet's position among the sheets, from 1."""
        ...

    def clip_to_sheet(self, place: Place) -> Place:
        """Clip the open sides of a place to its sheet."""
        ...

    def delegate(self, name: str, arguments: Sequence[Result]) -> Result:
        """Compute a function with the native engine."""
        ...

    def outside(self, spreadsheet: str, reference: str) -> list[list[Value]] | Fault:
        """Return values of another spreadsheet."""
        ...


class Run:
    """Evaluation of one formula in one cell."""

    __slots__ = ("around", "calls", "column", "draws", "places", "row", "sheet", "values", "wanted", "work")

    def __init__(
        self,
        around: Surface,
        sheet: int,
        row: int,
        column: int,
        values: Sequence[Result],
        places: Sequence[Place | None],
        wanted: Mapping[Place, Grid],
    ) -> None:
        self.around = around
        self.sheet, self.row, self.column = sheet, row, column
        self.values, self.places, self.wanted = values, places, wanted
        self.work, self.draws, self.calls = MAX_WORK, 0, 0

    def spend(self, steps: int) -> None:
        """Spend steps of the budget."""
        self.work -= steps
        if self.work < 0:
            raise BudgetExhausted("Calculation limit was reached while trying to compute this formula.")

    def read(self, place: Place) -> Grid:
        """Return the values of a place that a formula finds while it runs."""
        if place.sheet == self.sheet and place.area.holds(self.row, self.column):
            raise Broken(CIRCULAR)
        found = self.wanted.get(place)
        if found is None:
            raise MoreCellsNeeded(place)
        return found

    def value(self, node: Node, scope: Scope, array: bool) -> Result:
        """Return the value of a node; arrays stay arrays."""
        self.work -= 1
        if self.work < 0:
            self.spend(0)
        return _NODES[type(node)](self, node, scope, array)

    def scalar(self, node: Node, scope: Scope = NOWHERE) -> Value:
        """Return the value of a node as a single value."""
        return self.intersect(self.value(node, scope, False))

    def intersect(self, value: Result) -> Value:
        """Return one value of a range: the one in the formula's row or column. Of a computed array: the first."""
        if not isinstance(value, Grid):
            return single(value)
        if value.place is None or value.height * value.width == 1:
            return single(value)
        area = value.place.area
        if area.right == area.left + 1 and area.holds(self.row, area.left):
            return value.rows[self.row - area.top][0] if self.row - area.top < value.height else None
        if area.bottom == area.top + 1 and area.holds(area.top, self.column):
            return value.rows[0][self.column - area.left] if self.column - area.left < value.width else None
        raise formula_error("#VALUE!", "An array value could not be found.")

    def place(self, node: Node, scope: Scope) -> Place:
        """Return the target of a reference, without reading it."""
        if isinstance(node, Chain) and not node.rest:
            node = node.first
        if isinstance(node, Leaf):
            found = self.places[node.index]
            if found is None:
                raise formula_error("#REF!")
            return found
        value = self.value(node, scope, False)
        if not isinstance(value, Grid) or value.place is None:
            raise formula_error("#N/A", "Argument must be a range.")
        return value.place


def _evaluate_literal(run: Run, node: Literal, scope: Scope, array: bool) -> Result:
    if isinstance(node.value, Fault):
        raise Broken(node.value)
    return node.value


def _evaluate_missing(run: Run, node: EmptyArgument, scope: Scope, array: bool) -> Result:
    return None


def _evaluate_leaf(run: Run, node: Leaf, scope: Scope, array: bool) -> Result:
    value = run.values[node.index]
    if value is None and run.places[node.index] is None:
        raise formula_error("#REF!")
    return value


def _evaluate_name(run: Run, node: Name, scope: Scope, array: bool) -> Result:
    found = scope.get(node.text.upper(), run)
    if found is run:
        raise formula_error("#NAME?", f"Unknown range name: '{node.text.upper()}'.")
    return found  # type: ignore[return-value]


def _evaluate_sign(run: Run, node: Sign, scope: Scope, array: bool) -> Result:
    operand = run.value(node.operand, scope, array)
    if node.operator == "+":
        return operand if array else run.intersect(operand)
    name = "UMINUS" if node.operator == "-" else "UNARY_PERCENT"
    return lift(run, lambda value: _apply_sign(name, value), (operand,), array)


def _apply_sign(name: str, value: Value) -> float:
    found = number(value, f"Function {name} parameter 1")
    return (-found or 0.0) if name == "UMINUS" else found / 100


def _evaluate_chain(run: Run, node: Chain, scope: Scope, array: bool) -> Result:
    result = run.value(node.first, scope, array)
    for sign, operand in node.rest:
        value = run.value(operand, scope, array)
        if sign == "&":
            run.spend(_letters(result, value))
        if isinstance(result, ARRAYS) or isinstance(value, ARRAYS):
            result = lift(run, OPERATORS[sign], (result, value), array)
        else:
            result = OPERATORS[sign](result, value)
    return result


def _letters(one: Result, two: Result) -> int:
    """Return the cost of joining texts, by the number of characters copied, in blocks of some hundred."""
    if not isinstance(one, ARRAYS) and not isinstance(two, ARRAYS):
        return (len(one) if isinstance(one, str) else 0) // 2_000
    grids = [value for value in (one, two) if not isinstance(value, Lambda)]
    lengths = [max((len(value) for value in grid(side).flat() if isinstance(value, str)), default=0) for side in grids]
    sizes = [(grid(side).height, grid(side).width) for side in grids]
    return max(height for height, _ in sizes) * max(width for _, width in sizes) * sum(lengths) // 250


def lift(run: Run, code: Code, operands: Sequence[Result], array: bool) -> Result:
    """Lift a function of single values: in an array context it applies to each element."""
    if not array:
        return code(*[run.intersect(operand) if isinstance(operand, ARRAYS) else operand for operand in operands])
    if not any(isinstance(operand, Grid) for operand in operands):
        return code(*[single(operand) for operand in operands])
    grids = [grid(operand) for operand in operands]
    height, width = max(one.height for one in grids), max(one.width for one in grids)
    limit_array(run, height, width)
    run.spend(4 + height * width * 4 // 5)
    if width == 1:
        return Grid([[value] for value in _elements(run, code, [_column(one, height) for one in grids])])
    return Grid([_elements(run, code, [_line(one, row, width) for one in grids]) for row in range(height)])


def _column(array: Grid, height: int) -> list[Value]:
    """Return the only column of an array; a single value is repeated."""
    if array.height == 1:
        return array.rows[0] * height
    return [row[0] for row in array.rows] + [at(array, row, 0) for row in range(array.height, height)]


def _line(array: Grid, row: int, width: int) -> list[Value]:
    """Return a row of an array; a single row or column is repeated."""
    values = array.rows[0 if array.height == 1 else row] if row < array.height or array.height == 1 else []
    if len(values) == width:
        return values
    if len(values) == array.width == 1:
        return values * width
    return [at(array, row, column) for column in range(width)]


def limit_array(run: Run, height: int, width: int, most: int = MAX_MADE) -> None:
    """Refuse an array above the size limit; else charge it to the budget."""
    if height * width > most:
        raise BudgetExhausted("Result too large.")
    run.spend(height * width * 4 // 5)


BEYOND = Fault("#N/A", "Argument has mismatched range size.")


def at(array: Grid, row: int, column: int) -> Value:
    """Return the value at a position; a single row or column is repeated."""
    row, column = (0 if array.height == 1 else row), (0 if array.width == 1 else column)
    if row < array.height and column < array.width:
        return array.rows[row][column]
    return (
        None
        if array.place is not None
        and array.place.area.holds(array.place.area.top + row, array.place.area.left + column)
        else BEYOND
    )


def _elements(run: Run, code: Code, lines: Sequence[Sequence[Value]]) -> list[Value]:
    """Apply a function of single values to each element of equally long lines; continue after errors."""
    found: list[Any] = []
    each = map(code, *lines)
    while len(found) < len(lines[0]):
        try:
            found.extend(each)
        except Broken as error:
            run.spend(3)  # an error is dearer than a value
            found.append(error.fault)
    return found if ARRAYED.isdisjoint(map(type, found)) else [single(value) for value in found]


def _evaluate_braces(run: Run, node: Braces, scope: Scope, array: bool) -> Result:
    bands = []
    for row in node.rows:
        parts = [grid(run.value(part, scope, array)) for part in row]
        if any(part.height != parts[0].height for part in parts):
            raise formula_error("#VALUE!", "Function ARRAY_ROW parameter 2 has mismatched row size.")
        bands.append([[value for part in parts for value in part.rows[index]] for index in range(parts[0].height)])
    if any(band and len(band[0]) != len(bands[0][0]) for band in bands):
        raise formula_error("#VALUE!", "In ARRAY_LITERAL, an Array Literal was missing values for one or more rows.")
    rows = [row for band in bands for row in band]
    limit_array(run, len(rows), len(rows[0]) if rows else 0, MAX_CELLS)
    run.spend(len(rows))
    return Grid(rows)


def _evaluate_between(run: Run, node: Between, scope: Scope, array: bool) -> Result:
    first, last = run.place(node.first, scope), run.place(node.last, scope)
    top, left = min(first.area.top, last.area.top), min(first.area.left, last.area.left)
    bottoms, rights = (first.area.bottom, last.area.bottom), (first.area.right, last.area.right)
    bottom = None if None in bottoms else max(bottoms)  # type: ignore[type-var]
    right = None if None in rights else max(rights)  # type: ignore[type-var]
    return run.read(Place(first.sheet, Area(top, left, bottom, right)))


def _evaluate_apply(run: Run, node: Apply, scope: Scope, array: bool) -> Result:
    function = run.value(node.function, scope, array)
    if not isinstance(function, Lambda):
        raise formula_error("#ERROR!", "Formula parse error.")
    return invoke(run, function, [run.value(argument, scope, array) for argument in node.arguments])


def invoke(run: Run, function: Lambda, arguments: Sequence[Result]) -> Result:
    """Call a LAMBDA."""
    if len(arguments) != function.size:
        raise formula_error(
            "#N/A",
            f"Wrong number of arguments to LAMBDA. Expected {function.size} arguments, but got {len(arguments)}"
            " arguments.",
        )
    run.spend(4)
    run.calls += 1
    if run.calls > MAX_CALLS:
        raise BudgetExhausted("Calculation limit was reached while trying to compute this formula.")
    try:
        return function.call(*arguments)
    finally:
        run.calls -= 1


def _evaluate_call(run: Run, node: Call, scope: Scope, array: bool) -> Result:
    local = scope.get(node.name)
    if isinstance(local, Lambda):
        return invoke(run, local, [run.value(argument, scope, array) for argument in node.arguments])
    body = BODIES.get(node.name) or HIDDEN.get(node.name)
    if body is None:
        raise formula_error("#NAME?", f"Unknown function: '{node.name}'.")
    body.check(len(node.arguments))
    array = array or body.array
    if body.lazy:
        return body.code(run, node.arguments, scope, array)
    return _compute_body(
        run, body, [run.value(argument, scope, array) for argument in node.arguments], node.arguments, array
    )


def _compute_body(run: Run, body: Body, arguments: list[Result], nodes: Iterable[Node], array: bool) -> Result:
    kinds = body.kinds(len(arguments))
    before = (run,) if body.run else ()
    if ARRAYED.isdisjoint([type(value) for kind, value in zip(kinds, arguments, strict=True) if kind not in "gx"]):
        given = enumerate(zip(kinds, arguments, nodes, strict=True))
        return body.code(*before, *[_convert_argument(run, body.name, index, *one) for index, one in given])
    whole = [
        _whole(run, node, value) if kind == "g" else value
        for kind, value, node in zip(kinds, arguments, nodes, strict=True)
    ]
    singles = [index for index, kind in enumerate(kinds) if kind not in "gx"]

    def on_singles(*values: Value) -> object:
        placed = list(whole)
        for index, value in zip(singles, values, strict=True):
            placed[index] = _convert_value(kinds[index], value, body.name, index)
        return body.code(*before, *placed)

    return lift(run, on_singles, [arguments[index] for index in singles], array)


def _convert_argument(run: Run, name: str, index: int, kind: str, value: Result, node: Node) -> object:
    """Convert an argument to the kind that a function takes."""
    if kind == "g":
        return _whole(run, node, value)
    return value if kind == "x" else _convert_value(kind, value, name, index)  # type: ignore[arg-type]


def _whole(run: Run, node: Node, value: Result) -> Grid:
    """Return an argument as an array; a single cell keeps its place, since its content is read as in ranges."""
    if isinstance(value, Grid) or not isinstance(node, Leaf):
        return grid(value)
    return Grid([[single(value)]], run.places[node.index])


def _convert_value(kind: str, value: Value, name: str, index: int) -> Value:
    if kind == "n":
        return value if type(value) is float else number(value, f"Function {name} parameter {index + 1}")
    if kind == "t":
        return text(value)
    if kind == "b":
        return boolean(value, f"Function {name} parameter {index + 1}")
    return value if kind == "e" else sound(value)


_NODES: dict[type[Node], Callable[[Run, Any, Scope, bool], Result]] = {
    Literal: _evaluate_literal,
    EmptyArgument: _evaluate_missing,
    Leaf: _evaluate_leaf,
    Name: _evaluate_name,
    Sign: _evaluate_sign,
    Chain: _evaluate_chain,
    Braces: _evaluate_braces,
    Between: _evaluate_between,
    Apply: _evaluate_apply,
    Call: _evaluate_call,
}


def compute(run: Run, root: Node) -> Result:
    """Return a formula's result; an error is a value like others."""
    before = WORDS.set(words_of(run.around.moment))
    try:
        result = run.value(root, NOWHERE, False)
        if isinstance(result, Grid) and result.place is not None:
            return run.intersect(result) if isinstance(root, Leaf | Chain) else result
        if isinstance(result, Lambda):
            raise formula_error("#N/A", "A LAMBDA must be called.")
        return result
    except (Broken, BudgetExhausted) as error:
        return error.fault
    except (ArithmeticError, ValueError):
        return Fault("#NUM!", "Result of the computation is not a number.")
    except RecursionError:
        return Fault("#ERROR!", "Calculation limit was reached while trying to compute this formula.")
    finally:
        WORDS.reset(before)
