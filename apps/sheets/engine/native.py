"""Rendering of formulas for the native engine, where it computes as the vendor does; all others are computed here.

A rendered formula stands inside `IFERROR(…, ours)`: on a native error the formula is computed again here, for the
vendor's message and for texts that the vendor reads as numbers. A result that may be blank is guarded, since the native
engine makes it zero.
"""

from collections.abc import Callable

from apps.sheets.engine.tree import Call, Chain, EmptyArgument, Leaf, Literal, Node, Sign, strip_chain

MAX_PARTS = 120  # nodes of a formula that is handed over

# Parameter kinds: n number, r range or cell, v value of any kind, c condition, k criterion; the last comes again.
NUMERIC = {
    "SUM": "r",
    "AVERAGE": "r",
    "COUNT": "r",
    "MIN": "r",
    "MAX": "r",
    "ABS": "n",
    "SQRT": "n",
    "SUMIF": "Rkr",
    "COUNTIF": "Rk",
    "AVERAGEIF": "Rkr",
    "SUMIFS": "rRkRkRkRkRk",
    "COUNTIFS": "RkRkRkRkRk",
    "AVERAGEIFS": "rRkRkRkRkRk",
    "MATCH": "vRn",
    "SUMPRODUCT": "R",
}
LOGICAL = {"AND": "c", "OR": "c", "NOT": "c"}
LOOKUPS = {"VLOOKUP": "vRnb", "HLOOKUP": "vRnb", "INDEX": "Ri"}
FEWEST = {
    "SUMIF": 2,
    "COUNTIF": 2,
    "AVERAGEIF": 2,
    "SUMIFS": 3,
    "COUNTIFS": 2,
    "AVERAGEIFS": 3,
    "MATCH": 3,
    "VLOOKUP": 3,
    "HLOOKUP": 3,
    "INDEX": 2,
}
MOST = {
    "ABS": 1,
    "SQRT": 1,
    "NOT": 1,
    "MATCH": 3,
    "VLOOKUP": 4,
    "HLOOKUP": 4,
    "INDEX": 2,
    "SUMIF": 3,
    "COUNTIF": 2,
    "AVERAGEIF": 3,
    "IF": 3,
}
CLOCK = {"TODAY": "'S_c'!$A$1", "NOW": "'S_c'!$A$2"}


class Foreign(Exception):
    """A part that must be computed here."""


def render(root: Node) -> Callable[[list[str]], str] | None:
    """Render a formula for the native engine, given its references; None when it must be computed here."""
    try:
        pieces: list[str | int] = []
        _Renderer(pieces).top(root)
    except Foreign:
        return None
    return lambda references: "".join(piece if isinstance(piece, str) else references[piece] for piece in pieces)


class _Renderer:
    """Renders pieces: texts, and numbers of references."""

    def __init__(self, pieces: list[str | int]) -> None:
        self.pieces = pieces
        self.parts = 0

    def append(self, *pieces: str | int) -> None:
        self.pieces.extend(pieces)

    def top(self, node: Node) -> None:
        """Render a whole formula: never a bare reference, which may be blank."""
        if isinstance(node, Chain) or (
            isinstance(node, Call) and (node.name in NUMERIC or node.name in LOGICAL or node.name in CLOCK)
        ):
            (
                self.number(node)
                if isinstance(node, Chain) and node.rest and node.rest[0][0] in "+-*/^"
                else self.value(node)
            )
        elif isinstance(node, Call) and node.name == "IF" and len(node.arguments) == 3:
            self.choice(node, self.render_blankable)
        elif isinstance(node, Call) and node.name in LOOKUPS:
            self.render_blankable(node)
        else:
            raise Foreign

    def render_blankable(self, node: Node) -> None:
        """Render a value that may be blank and then is computed here."""
        inner = strip_chain(node)
        if isinstance(inner, Leaf) or (isinstance(inner, Call) and inner.name in LOOKUPS):
            held: list[str | int] = []
            renderer = _Renderer(held)
            renderer.value(inner)
            self.append("IF(", *held, '="",1/0,', *held, ")")
        elif isinstance(inner, Call) and inner.name == "IF":
            self.choice(inner, self.render_blankable)
        else:
            self.value(inner)

    def choice(self, node: Call, branch: Callable[[Node], None]) -> None:
        """Render IF, with a condition, and branches rendered by `branch`."""
        if len(node.arguments) != 3:
            raise Foreign
        self.append("IF(")
        self.condition(node.arguments[0])
        for argument in node.arguments[1:]:
            self.append(",")
            branch(argument)
        self.append(")")

    def count(self) -> None:
        self.parts += 1
        if self.parts > MAX_PARTS:
            raise Foreign

    def value(self, node: Node) -> None:
        """Render a single value."""
        self.count()
        match node:
            case Literal(value) if isinstance(value, float | bool | str) and not (
                isinstance(value, str) and len(value) > 200
            ):
                self.append(_literal(value))
            case Leaf(index, reference) if reference.single:
                self.append(index)
            case Chain(first, ()):
                self.value(first)
            case Chain(_, rest):
                self.render_comparison(node) if rest[0][0] in ("=", "<>", "<", "<=", ">", ">=") else self.number(node)
            case Sign():
                self.number(node)
            case Call(name):
                self.render_call(node, name)
            case _:
                raise Foreign

    def number(self, node: Node) -> None:
        """Render a number."""
        self.count()
        match node:
            case Literal(value) if isinstance(value, float) and abs(value) < 1e15:
                self.append(_literal(value))
            case Leaf(index, reference) if reference.single:
                self.append(index)
            case Sign(sign, operand):
                self.append("(" if sign == "%" else f"({sign}")
                self.number(operand)
                self.append("%)" if sign == "%" else ")")
            case Chain(first, rest) if all(sign in "+-*/^" for sign, _ in rest):
                self.chain(first, rest)
            case Call(name) if name in NUMERIC or name in CLOCK or name in LOOKUPS or name == "IF":
                self.choice(node, self.number) if name == "IF" else self.render_call(node, name)
            case _:
                raise Foreign

    def chain(self, first: Node, rest: tuple[tuple[str, Node], ...]) -> None:
        self.append("(")
        self.number(first)
        for sign, operand in rest:
            self.append(sign)
            self.number(operand)
        self.append(")")

    def render_comparison(self, node: Chain) -> None:
        """Render a comparison; a cell that may be blank is guarded unless it is compared with a text."""
        if len(node.rest) != 1:
            raise Foreign
        sign, second = node.rest[0]
        textual = any(isinstance(side, Literal) and isinstance(side.value, str) for side in (node.first, second))
        if textual and sign not in ("=", "<>"):
            raise Foreign
        side = self.value if textual else self.render_blankable
        self.append("(")
        side(node.first)
        self.append(sign)
        side(second)
        self.append(")")

    def condition(self, node: Node) -> None:
        """Render a condition: comparisons and their combinations."""
        inner = strip_chain(node)
        match inner:
            case Chain(_, rest) if rest[0][0] in ("=", "<>", "<", "<=", ">", ">="):
                self.value(inner)
            case Call(name) if name in LOGICAL:
                self.value(inner)
            case Literal(value) if isinstance(value, bool):
                self.value(inner)
            case _:
                raise Foreign

    def render_call(self, node: Call, name: str) -> None:
        """Render a function call."""
        if name in CLOCK and not node.arguments:
            self.append(CLOCK[name])
            return
        if name == "IF":
            self.choice(node, self.value)
            return
        kinds = NUMERIC.get(name) or LOGICAL.get(name) or LOOKUPS.get(name)
        count = len(node.arguments)
        if (
            kinds is None
            or count < FEWEST.get(name, 1)
            or count > MOST.get(name, 30 if len(kinds) == 1 else len(kinds))
        ):
            raise Foreign
        if name == "INDEX" and not _one_column(node.arguments[0]):
            raise Foreign
        if name.endswith("IFS") and count % 2 != len(kinds) % 2:
            raise Foreign
        if name in ("COUNTIF", "COUNTIFS") and _counts_blanks(node.arguments):
            raise Foreign
        self.append(name, "(")
        for index, argument in enumerate(node.arguments):
            self.append(*("," if index else "",))
            self.argument(kinds[min(index, len(kinds) - 1)], argument)
        self.append(")")

    def argument(self, kind: str, node: Node) -> None:
        """Render an argument of that kind."""
        if isinstance(node, EmptyArgument):
            raise Foreign
        if kind in "rR":
            inner = strip_chain(node)
            if isinstance(inner, Leaf):
                if kind == "R" and inner.reference.single:
                    raise Foreign
                self.append(inner.index)
            elif kind == "r":
                self.number(inner)
            else:
                raise Foreign
        elif kind == "i":
            self.place(node)
        else:
            _ARGUMENTS[kind](self, node)

    def place(self, node: Node) -> None:
        """Render a row argument of INDEX that cannot be zero."""
        counted = isinstance(node, Literal) and isinstance(node.value, float) and node.value >= 1
        if not counted and not (isinstance(node, Call) and node.name == "MATCH"):
            raise Foreign
        self.number(node)

    def criterion(self, node: Node) -> None:
        """Render a criterion: a text longer than an operator, a number, or a cell."""
        match node:
            case Literal(value) if isinstance(value, float) or (isinstance(value, str) and _plain(value)):
                self.append(_literal(value))
            case Leaf(index, reference) if reference.single:
                self.append("IF(", index, '="",1/0,', index, ")")
            case _:
                raise Foreign

    def truth(self, node: Node) -> None:
        """Render TRUE or FALSE."""
        if not isinstance(node, Literal) or node.value not in (0.0, 1.0):
            raise Foreign
        self.append("TRUE" if node.value else "FALSE")


_ARGUMENTS: dict[str, Callable[[_Renderer, Node], None]] = {
    "n": _Renderer.number,
    "v": _Renderer.render_blankable,
    "c": _Renderer.condition,
    "k": _Renderer.criterion,
    "b": _Renderer.truth,
}


def _plain(criterion: str) -> bool:
    """Whether a criterion means the same in both engines: a word, or an operator before a number."""
    body = criterion.lstrip("<>=")
    return (
        bool(body)
        and body == body.strip()
        and not any(mark in body for mark in "*?~")
        and (body.isalpha() or body.isdigit())
    )


def _counts_blanks(arguments: tuple[Node, ...]) -> bool:
    """Whether a criterion also matches the blanks up to the end of an open range, such as an exclusion."""
    ranges, criteria = (strip_chain(node) for node in arguments[::2]), arguments[1::2]
    if not any(isinstance(node, Leaf) and None in node.reference.sides for node in ranges):
        return False
    return any(
        isinstance(one, Literal) and isinstance(one.value, str) and one.value.startswith("<>") for one in criteria
    )


def _one_column(node: Node) -> bool:
    """Whether a range is one column wide: a row of a wider one would be an array."""
    inner = strip_chain(node)
    if not isinstance(inner, Leaf):
        return False
    (_, left, _, right), (_, left_moves, _, right_moves) = inner.reference.sides, inner.reference.relative
    return right == left + 1 and left_moves == right_moves


def _literal(value: float | bool | str) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"'
    return repr(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
