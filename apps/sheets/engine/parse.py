"""Parser of formulas: text to nodes, with names and sheets resolved."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from apps.sheets import a1
from apps.sheets.cells import Fault
from apps.sheets.engine.tokens import MalformedFormula, Token, tokens
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
    Reference,
    Sign,
    children,
)
from apps.sheets.engine.values import FAULTS

MAX_DEPTH = 64  # levels of brackets
MAX_HEIGHT = 100  # levels of nodes, so that walking them needs no deep stack
PARSE_ERROR = Fault("#ERROR!", "Formula parse error.")
_RANKS = {
    operator: rank
    for rank, operators in enumerate(("= <> < <= > >=", "&", "+ -", "* /", "^"))
    for operator in operators.split()
}
_CELL = re.compile(r"(\$?)([A-Za-z]{1,3})(\$?)([0-9]{1,7})")
_COLUMN = re.compile(r"(\$?)([A-Za-z]{1,3})")
_ROW = re.compile(r"(\$?)([0-9]{1,7})")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Names a formula can use: sheets by title, named ranges; and the locale's separators."""

    sheets: Mapping[str, int]
    names: Mapping[str, Place]
    comma: bool = False


class Reader:
    """Parser of one formula."""

    def __init__(self, text: str, row: int, column: int, around: Surroundings) -> None:
        self.around = around
        self.row, self.column = row, column
        self.tokens = tokens(text, around.comma)
        self.at = 0
        self.depth = 0
        self.ranks = 0
        self.references: list[Reference] = []
        self.separator = ";" if around.comma else ","

    def whole(self) -> Node:
        """Parse the whole formula."""
        node = self.read_chain(0)
        if self.at < len(self.tokens):
            raise MalformedFormula(self.tokens[self.at].text)
        return node

    def peek(self) -> Token:
        """Return the next token; an empty one at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else Token("end", "", -1)

    def take(self, text: str) -> bool:
        """Skip a mark if it comes next."""
        token = self.peek()
        if token.kind in ("mark", "operator") and token.text == text:
            self.at += 1
            return True
        return False

    def need(self, text: str) -> None:
        """Require a mark next."""
        if not self.take(text):
            raise MalformedFormula(f"no {text}")

    def read_chain(self, lowest: int) -> Node:
        """Parse operands joined by operators of this or a higher precedence."""
        self.ranks += 1
        if self.ranks > MAX_DEPTH + MAX_HEIGHT:
            raise MalformedFormula("too deep")
        node = self.read_signed()
        while (rank := self.rank()) >= lowest:
            rest: list[tuple[str, Node]] = []
            while self.rank() == rank:
                operator = self.peek().text
                self.at += 1
                rest.append((operator, self.read_chain(rank + 1)))
            node = Chain(node, tuple(rest))
        self.ranks -= 1
        return node

    def rank(self) -> int:
        """Return the precedence of the next operator; -1 for none."""
        token = self.peek()
        return _RANKS.get(token.text, -1) if token.kind == "operator" else -1

    def read_signed(self) -> Node:
        """Parse an operand with the signs before it and the percents after it."""
        signs: list[str] = []
        while (token := self.peek()).text in ("-", "+", "@") and token.kind in ("operator", "mark"):
            self.at += 1
            signs.append(token.text)
        if len(signs) > MAX_DEPTH:
            raise MalformedFormula("too many signs")
        node = self.read_range()
        percents = 0
        while self.take("%"):
            node, percents = Sign("%", node), percents + 1
            if percents > MAX_DEPTH:
                raise MalformedFormula("too many percents")
        for sign in reversed(signs):
            node = Sign(sign, node) if sign != "@" else node
        return node

    def read_range(self) -> Node:
        """Parse a primary with its calls and colons."""
        node = self.read_call(self.primary())
        while self.take(":"):
            node = Between(node, self.read_call(self.primary()))
        return node

    def read_call(self, node: Node) -> Node:
        """Parse the calls that follow a node."""
        calls = 0
        while not isinstance(node, Leaf | Literal) and self.peek().text == "(" and self.peek().kind == "mark":
            node, calls = Apply(node, self.arguments()), calls + 1
            if calls > MAX_DEPTH:
                raise MalformedFormula("too many calls")
        return node

    def primary(self) -> Node:
        """Parse a literal, a reference, a name, a function, brackets or braces."""
        token = self.peek()
        self.at += 1
        read = _PRIMARIES.get(token.kind)
        if read is None:
            raise MalformedFormula(token.text or "the end")
        return read(self, token)

    def deeper(self) -> None:
        """Enter one more level of brackets."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise MalformedFormula("too deep")

    def arguments(self) -> tuple[Node, ...]:
        """Parse arguments in brackets; an empty one is Missing."""
        self.need("(")
        self.deeper()
        found: list[Node] = []
        if not self.take(")"):
            found.append(self.argument())
            while self.take(self.separator):
                found.append(self.argument())
            self.need(")")
        self.depth -= 1
        return tuple(found)

    def argument(self) -> Node:
        """Parse one argument."""
        token = self.peek()
        return EmptyArgument() if token.kind == "mark" and token.text in (self.separator, ")") else self.read_chain(0)

    def read_enclosed(self, token: Token) -> Node:
        """Parse the content of brackets or braces."""
        if token.text not in "({":
            raise MalformedFormula(token.text)
        self.deeper()
        node = self.read_brackets() if token.text == "(" else self.read_array()
        self.depth -= 1
        return node

    def read_brackets(self) -> Node:
        """Parse an expression in brackets."""
        node = self.read_chain(0)
        self.need(")")
        return Chain(node, ()) if isinstance(node, Leaf) else node

    def read_array(self) -> Node:
        """Parse an array: columns separated by the locale's mark, rows by semicolons."""
        across = "\\" if self.around.comma else ","
        if self.take("}"):
            return Literal(Fault("#REF!", "Array literal is empty."))
        rows: list[tuple[Node, ...]] = []
        row: list[Node] = [self.read_chain(0)]
        while not self.take("}"):
            if self.take(";"):
                rows.append(tuple(row))
                row = [self.read_chain(0)]
            else:
                self.need(across)
                row.append(self.read_chain(0))
        return Braces((*rows, tuple(row)))

    def number(self, token: Token) -> Node:
        """Parse a number."""
        value = float(token.text.replace(",", "."))
        return Literal(value if value < float("inf") else Fault("#NUM!", FAULTS["#NUM!"]))

    def text(self, token: Token) -> Node:
        """Parse a quoted text; doubled quotes are one."""
        return Literal(token.text[1:-1].replace('""', '"'))

    def error(self, token: Token) -> Node:
        """Parse an error literal."""
        return Literal(Fault(token.text, FAULTS[token.text]))

    def read_name(self, token: Token) -> Node:
        """Parse a function's name, TRUE, FALSE, a named range, or a parameter."""
        upper = token.text.upper()
        following = self.peek()
        if following.kind == "mark" and following.text == "(":
            if upper in self.around.names:
                return self.read_named_range(upper)
            return Call(upper, self.arguments())
        if upper in ("TRUE", "FALSE"):
            return Literal(upper == "TRUE")
        return self.read_named_range(upper) if upper in self.around.names else Name(token.text)

    def read_named_range(self, name: str) -> Node:
        """Parse the range of a name."""
        sheet, area = self.around.names[name]
        single = area.bottom == area.top + 1 and area.right == area.left + 1
        return self.leaf(Reference(sheet, area, (False, False, False, False), single))

    def leaf(self, reference: Reference) -> Node:
        """Add a reference, by number."""
        self.references.append(reference)
        return Leaf(len(self.references) - 1, reference)

    def read_reference(self, token: Token) -> Node:
        """Parse a reference with its sheet."""
        title, _, cells = token.text.rpartition("!")
        if cells == "" or token.text.endswith("#REF!"):
            return Literal(Fault("#REF!", "Reference does not exist."))
        sheet = None
        if title:
            title = title[1:-1].replace("''", "'") if title.startswith("'") else title
            sheet = self.around.sheets.get(title.casefold())
            if sheet is None:
                return Literal(Fault("#REF!", f"Unresolved sheet name '{title}'."))
        elif cells.upper() in self.around.names:
            return self.read_named_range(cells.upper())
        first, colon, last = cells.partition(":")
        return self.leaf(self.between(sheet, first, last if colon else first, single=not colon))

    def between(self, sheet: int | None, first: str, last: str, single: bool) -> Reference:
        """Return the reference between two corners."""
        (one_row, one_column), (two_row, two_column) = self.corner(first), self.corner(last)
        top, top_moves = one_row or two_row or (0, False)
        left, left_moves = one_column or two_column or (0, False)
        bottom, bottom_moves = two_row if one_row and two_row else (None, False)
        right, right_moves = two_column if one_column and two_column else (None, False)
        sides = (top, left, None if bottom is None else bottom + 1, None if right is None else right + 1)
        return Reference(sheet, sides, (top_moves, left_moves, bottom_moves, right_moves), single)

    def corner(self, text: str) -> tuple[tuple[int, bool] | None, tuple[int, bool] | None]:
        """Return row and column of a corner, each with whether it is relative; only cells are (see `template`)."""
        if cell := _CELL.fullmatch(text):
            column_fixed, letters, row_fixed, digits = cell.groups()
            return self.side(int(digits) - 1, row_fixed, self.row), self.side(
                a1.column(letters), column_fixed, self.column
            )
        if column := _COLUMN.fullmatch(text):
            return None, (a1.column(column.group(2)), False)
        row = _ROW.fullmatch(text)
        assert row is not None
        return (int(row.group(2)) - 1, False), None

    def side(self, number: int, fixed: str, base: int) -> tuple[int, bool]:
        """Return a row or column, as a distance unless a dollar fixes it."""
        if not 0 <= number <= 10_000_000:
            raise MalformedFormula("no such row")
        return (number, False) if fixed else (number - base, True)


_PRIMARIES: Mapping[str, Callable[[Reader, Token], Node]] = {
    "number": Reader.number,
    "text": Reader.text,
    "error": Reader.error,
    "reference": Reader.read_reference,
    "name": Reader.read_name,
    "mark": Reader.read_enclosed,
}


def parse(formula: str, row: int, column: int, around: Surroundings) -> tuple[Node, tuple[Reference, ...]]:
    """Parse a formula with its `=`, for the cell it is in."""
    reader = Reader(formula[1:], row, column, around)
    root = reader.whole()
    if height(root) > MAX_HEIGHT:
        raise MalformedFormula("too deep")
    return root, tuple(reader.references)


def height(root: Node) -> int:
    """Return the number of levels of nodes."""
    level, found = [root], 0
    while level:
        level, found = [child for node in level for child in children(node)], found + 1
    return found
