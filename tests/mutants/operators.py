"""Small faults in a module's functions: each mutant is the module with one operator, number, return or statement changed."""

import ast
from collections.abc import Collection, Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
WITNESS = "_tell_call_"
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Mutant:
    """One fault: the function it is in, and where and what it is."""

    path: Path
    function: str
    line: int
    what: str
    number: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.function}: {self.what}"


def mutants(path: Path) -> list[Mutant]:
    """Every mutant of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [Mutant(path, name, line, what, number) for number, (name, line, what, _) in enumerate(_faults(tree))]


def mutated(mutant: Mutant) -> ast.Module:
    """The module with the fault in it."""
    tree = deepcopy(ast.parse(mutant.path.read_text(encoding="utf-8")))
    for number, (_, _, _, apply) in enumerate(_faults(tree)):
        if number == mutant.number:
            apply()
            return ast.fix_missing_locations(tree)
    raise LookupError(str(mutant))


def witnessed(path: Path, names: Collection[str]) -> ast.Module:
    """The module in which some functions first tell that they are called."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for name, function in _functions(tree, ""):
        if name in names:
            (tell,) = ast.parse(f"{WITNESS}({str(path)!r}, {name!r})").body
            function.body.insert(0, ast.copy_location(tell, function.body[0]))
    return ast.fix_missing_locations(tree)


def _faults(tree: ast.Module) -> Iterator[tuple[str, int, str, "Change"]]:
    for name, function in _functions(tree, ""):
        for node in _inside(function):
            for what, change in _changes(node):
                yield name, getattr(node, "lineno", function.lineno), what, change


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, Function]]:
    """Functions of a module and methods of its classes; what stands inside a function belongs to it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function):
            yield f"{prefix}{child.name}", child
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")


def _inside(function: Function) -> Iterator[ast.AST]:
    """Nodes of a function's body, without annotations, messages of errors and docstrings."""
    waiting: list[ast.AST] = list(reversed(function.body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Raise | ast.Assert) or _is_text(node):
            if isinstance(node, ast.Raise):
                yield node
            continue
        yield node
        left_out = {id(getattr(node, "annotation", None)), id(getattr(node, "returns", None))}
        waiting += reversed([child for child in ast.iter_child_nodes(node) if id(child) not in left_out])


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    )


class Change:
    """Sets a field of a node, or an item of a list in it."""

    def __init__(self, node: ast.AST, field: str, value: object) -> None:
        self._node, self._field, self._value = node, field, value

    def __call__(self) -> None:
        setattr(self._node, self._field, self._value)


class Replacement:
    """Turns a node into another one in its place."""

    def __init__(self, node: ast.AST, other: ast.AST) -> None:
        self._node, self._other = node, other

    def __call__(self) -> None:
        location = {name: getattr(self._node, name) for name in self._node._attributes if hasattr(self._node, name)}
        self._node.__class__ = self._other.__class__  # type: ignore[assignment]  # nodes have no parents to ask
        self._node.__dict__.clear()
        self._node.__dict__.update({**self._other.__dict__, **location})


def _changes(node: ast.AST) -> Iterator[tuple[str, "Change | Replacement"]]:
    match node:
        case ast.Compare():
            for at, operator in enumerate(node.ops):
                other = COMPARISONS[type(operator)]
                ops: list[ast.cmpop] = [*node.ops[:at], other(), *node.ops[at + 1 :]]
                yield f"{type(operator).__name__} is {other.__name__}", Change(node, "ops", ops)
        case ast.BoolOp():
            other_op = ast.Or if isinstance(node.op, ast.And) else ast.And
            yield f"{type(node.op).__name__} is {other_op.__name__}", Change(node, "op", other_op())
        case ast.UnaryOp(op=ast.Not()):
            yield "not is left out", Replacement(node, node.operand)
        case ast.BinOp() if type(node.op) in ARITHMETIC:
            other_arithmetic = ARITHMETIC[type(node.op)]
            yield f"{type(node.op).__name__} is {other_arithmetic.__name__}", Change(node, "op", other_arithmetic())
        case ast.Constant(value=bool()):
            yield f"{node.value} is {not node.value}", Change(node, "value", not node.value)
        case ast.Constant(value=int()):
            yield f"{node.value} is {node.value + 1}", Change(node, "value", node.value + 1)
        case ast.Return(value=ast.expr()) if not (isinstance(node.value, ast.Constant) and node.value.value is None):
            yield "returns None", Change(node, "value", ast.Constant(None))
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.AugAssign():
            yield f"{type(node).__name__} is left out", Replacement(node, ast.Pass())
        case _:
            pass
