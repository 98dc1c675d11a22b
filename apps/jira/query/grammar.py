"""The grammar of JQL and the only place where a parser's complaint becomes Jira's sentence."""

from functools import lru_cache
from typing import Any

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedToken

from apps.jira.query.lexer import Lexeme, describe_position, query_error, scan_query
from apps.jira.query.tree import (
    And,
    Clause,
    Empty,
    FieldName,
    Function,
    JqlError,
    Node,
    Not,
    Operand,
    OperandList,
    Operator,
    Or,
    Predicate,
    PredicateKind,
    Query,
    Sort,
    Value,
)

MAX_DEPTH = 64  # levels of AND, OR, NOT or lists; own limit

GRAMMAR = """
start: [disjunction] [order]
?disjunction: conjunction (_OR conjunction)*
?conjunction: negation (_AND negation)*
?negation: (NOT | BANG) negation -> negated
    | _LPAR disjunction _RPAR
    | field operator operand predicate* -> compared
    | field CHANGED [operand] predicate* -> changed
operator: EQ | NE | LT | LE | GT | GE | LIKE | NLIKE | IN | NOT IN | IS | IS NOT | WAS | WAS NOT | WAS IN | WAS NOT IN
?operand: EMPTY -> empty
    | word -> value
    | word _LPAR [arguments] _RPAR -> function
    | _LPAR operand (_COMMA operand)* _RPAR -> listing
arguments: word (_COMMA word)*
predicate: (AFTER | BEFORE | DURING | ON | BY | FROM | TO) operand
field: word | CF _LBRACK NUMBER _RBRACK
?word: WORD | QUOTED | NUMBER
order: _ORDER BY sort (_COMMA sort)*
sort: field [ASC | DESC]
%declare WORD QUOTED NUMBER CF _LBRACK _RBRACK _LPAR _RPAR _COMMA _AND _OR NOT BANG EMPTY _ORDER BY ASC DESC CHANGED
%declare EQ NE LT LE GT GE LIKE NLIKE IN IS WAS AFTER BEFORE DURING ON FROM TO
"""

OPERATORS = "The valid operators are '=', '!=', '<', '>', '<=', '>=', '~', '!~', 'IN', 'NOT IN', 'IS' and 'IS NOT'."
NAMES = {
    "=": "EQUALS",
    "!=": "NOT_EQUALS",
    "<": "LESS_THAN",
    "<=": "LESS_THAN_EQUALS",
    ">": "GREATER_THAN",
    ">=": "GREATER_THAN_EQUALS",
    "~": "LIKE",
    "!~": "NOT_LIKE",
    "in": "IN",
    "not in": "NOT_IN",
    "is": "IS",
    "is not": "IS_NOT",
}


class _Unusable(Exception):
    """A token the grammar takes and Jira does not."""

    def __init__(self, sentence: str, token: Token) -> None:
        super().__init__(sentence)
        self.sentence, self.at = sentence, token.start_pos or 0


class _Builder(Transformer[Token, Query]):
    """Builds the tree while the parser reduces, so nothing recurses over a long query."""

    def start(self, parts: list[Any]) -> Query:
        where, order = parts
        return Query(where, order or ())

    def disjunction(self, parts: list[Node]) -> Node:
        return Or(tuple(parts), _increase_depth(max(node.depth for node in parts)))

    def conjunction(self, parts: list[Node]) -> Node:
        return And(tuple(parts), _increase_depth(max(node.depth for node in parts)))

    def negated(self, parts: list[Any]) -> Node:
        return Not(parts[1], _increase_depth(parts[1].depth))

    def compared(self, parts: list[Any]) -> Clause:
        field, operator, operand, *predicates = parts
        if predicates and operator in NAMES:
            said = f"{predicates[0].kind} {predicates[0].operand.shown}"
            raise JqlError([f"The {NAMES[operator]} operator does not support the use of the {said} predicate."])
        return Clause(field, operator, operand, tuple(predicates))

    def changed(self, parts: list[Any]) -> Clause:
        field, _, operand, *predicates = parts
        if operand is not None:
            shown = operand.text if isinstance(operand, Value) else operand.shown
            sentence = "The CHANGED operator does not support the use of values without predicates."
            raise JqlError([f"{sentence} You must prefix the {shown} value with a suitable predicate."])
        return Clause(field, "changed", None, tuple(predicates))

    def operator(self, parts: list[Token]) -> Operator:
        found: Operator = " ".join(str(part).lower() for part in parts)  # type: ignore[assignment]
        return found

    def empty(self, parts: list[Token]) -> Empty:
        return Empty(str(parts[0]))

    def value(self, parts: list[Token]) -> Value:
        return Value(str(parts[0]), parts[0].type == "NUMBER")

    def function(self, parts: list[Any]) -> Function:
        name, arguments = parts
        return Function(_token_name(name, "function"), arguments or ())

    def arguments(self, parts: list[Token]) -> tuple[str, ...]:
        return tuple(str(part) for part in parts)

    def listing(self, parts: list[Operand]) -> Operand:
        return OperandList(
            tuple(parts), _increase_depth(max(item.depth if isinstance(item, OperandList) else 0 for item in parts))
        )

    def predicate(self, parts: list[Any]) -> Predicate:
        kind: PredicateKind = str(parts[0]).lower()  # type: ignore[assignment]
        return Predicate(kind, parts[1])

    def field(self, parts: list[Token]) -> FieldName:
        if len(parts) == 2:
            if parts[1].startswith("-"):
                raise _Unusable(f"Expecting a custom field id (a positive number) but got '{parts[1]}'.", parts[1])
            return FieldName(f"cf[{parts[1]}]", int(parts[1]))
        return FieldName(_token_name(parts[0], "field"))

    def order(self, parts: list[Any]) -> tuple[Sort, ...]:
        return tuple(parts[1:])

    def sort(self, parts: list[Any]) -> Sort:
        field, direction = parts
        return Sort(field, None if direction is None else direction.type == "DESC")


def _token_name(token: Token, what: str) -> str:
    if not token.strip():
        raise _Unusable(f"A {what} name cannot be empty.", token)
    return str(token)


def _increase_depth(depth: int) -> int:
    if depth >= MAX_DEPTH:
        raise JqlError([f"The JQL query is nested too deeply: at most {MAX_DEPTH} levels are supported."])
    return depth + 1


@lru_cache(maxsize=1)
def _parser() -> Lark:
    """The parser; making it is a good part of a start, so it is made when first asked for."""
    return Lark(GRAMMAR, parser="lalr", lexer="basic", transformer=_Builder(), maybe_placeholders=True)


def parse(text: str) -> Query:
    """The tree of a query. Raises JqlError with the sentence Jira answers."""
    lexemes = scan_query(text)
    parser = _parser().parse_interactive("")
    index = 0
    try:
        while index < len(lexemes):
            lexeme = lexemes[index]
            parser.feed_token(Token(lexeme.kind, lexeme.text, start_pos=lexeme.at))
            index += 1
        found: Query = parser.feed_eof()
        return found
    except UnexpectedToken:
        raise _describe_error(text, lexemes, index, parser.accepts()) from None
    except _Unusable as error:
        raise query_error(text, error.at, error.sentence) from None


def _describe_error(text: str, lexemes: list[Lexeme], index: int, accepts: set[str]) -> JqlError:
    if index == len(lexemes):
        return JqlError([f"{_error_prefix(accepts)} {_describe_expected_at_end(lexemes, accepts)}"])
    got = lexemes[index]
    if got.kind == "BANG" and index and lexemes[index - 1].kind == "IS":
        return query_error(text, got.at, "Expecting 'NOT' but got '!'.")
    return JqlError(
        [
            f"{_error_prefix(accepts)} {_describe_expected_instead(lexemes, index, accepts)} {describe_position(text, got.at)}"
        ]
    )


def _error_prefix(accepts: set[str]) -> str:
    # The sentences about a missing value say "JQL Query", all others "the JQL Query".
    return "Error in JQL Query:" if "EMPTY" in accepts else "Error in the JQL Query:"


def _describe_expected_at_end(lexemes: list[Lexeme], accepts: set[str]) -> str:
    if "EQ" in accepts:
        return f"Expecting operator before the end of the query. {OPERATORS}"
    if "CF" in accepts:
        return "Expecting a field name at the end of the query."
    if "EMPTY" in accepts:
        return "Expecting either a value, list or function before the end of the query."
    if "_RPAR" in accepts:
        return "Expecting ')' before the end of the query."
    if accepts == {"NUMBER"}:
        return "Expecting a custom field id (a positive number) before the end of the query."
    if "WORD" in accepts:
        return "Expecting a function argument at the end of the query."
    return f"Expecting '{_find_expected_word(accepts)}' before the end of the query."


def _describe_expected_instead(lexemes: list[Lexeme], index: int, accepts: set[str]) -> str:
    got = lexemes[index].text
    if "EQ" in accepts:
        return f"Expecting operator but got '{got}'. {OPERATORS}"
    if "CF" in accepts and got == "[":
        return "Expecting a field name but got '['. Did you mean 'cf['?"
    quote = f"but got '{got}'. You must surround '{got}' in quotation marks to use it as"
    if "CF" in accepts:
        return f"Expecting a field name {quote} a field name."
    if "EMPTY" in accepts:
        return f"Expecting either a value, list or function {quote} a value."
    if accepts == {"NUMBER"}:
        return f"Expecting a custom field id (a positive number) but got '{got}'."
    if "WORD" in accepts:
        return _describe_missing_argument(got, accepts)
    if "_RPAR" in accepts:
        return _describe_unclosed(lexemes[:index], got, accepts)
    if "_AND" in accepts:
        return f"Expecting either 'OR' or 'AND' but got '{got}'."
    if "ASC" in accepts:
        return f"Expecting either 'ASC' or 'DESC' but got '{got}'."
    return f"Expecting '{_find_expected_word(accepts)}' but got '{got}'."


def _describe_missing_argument(got: str, accepts: set[str]) -> str:
    if got == "," and "_RPAR" in accepts:
        return "Expecting ')' but got ','."
    if got == ")":
        return "Function argument must be specified."
    return (
        f"Expecting a function argument but got '{got}'. You must surround '{got}' in quotation marks to use it as an"
        " argument."
    )


def _describe_unclosed(before: list[Lexeme], got: str, accepts: set[str]) -> str:
    return (
        f"Expecting ')' or ',' but got '{got}'."
        if "_COMMA" in accepts and _in_function(before)
        else f"Expecting ')' but got '{got}'."
    )


def _in_function(before: list[Lexeme]) -> bool:
    """Whether the innermost open parenthesis belongs to a function."""
    closed = 0
    for index in range(len(before) - 1, 0, -1):
        kind = before[index].kind
        closed += (kind == "_RPAR") - (kind == "_LPAR")
        if closed < 0:
            return before[index - 1].kind in ("WORD", "QUOTED", "NUMBER")
    return False


def _find_expected_word(accepts: set[str]) -> str:
    shown = {"_LBRACK": "[", "_RBRACK": "]", "BY": "by", "IN": "IN", "_COMMA": ","}
    return next((text for kind, text in shown.items() if kind in accepts), "by")
