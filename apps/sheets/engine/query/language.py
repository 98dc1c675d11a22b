"""Parser of queries: text to clauses."""

import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from apps.sheets.cells import DAY_ZERO

AGGREGATES = ("sum", "avg", "count", "max", "min")
SCALARS = (
    "year month day hour minute second millisecond quarter dayofweek now datediff todate upper lower".split()
)  # developers.google.com/chart/interactive/docs/querylanguage#scalar-functions
CLAUSES = (
    "select",
    "where",
    "group by",
    "pivot",
    "order by",
    "skipping",
    "limit",
    "offset",
    "label",
    "format",
    "options",
)
_TOKENS = re.compile(
    r"""(?P<space>\s+)|(?P<number>[0-9]+(?:\.[0-9]*)?|\.[0-9]+)|(?P<text>"[^"]*"|'[^']*')|(?P<quoted>`[^`]*`)|(?P<word>[A-Za-z_]\w*)|(?P<sign><=|>=|<>|!=|[-+*/(),=<>])"""
)
MAX_DEPTH = 30


class BadQuery(Exception):
    """Error for an invalid query; its text is the vendor's reason."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A column, a constant, or a function of others."""

    kind: str
    value: object = None
    parts: tuple["Expression", ...] = ()

    def columns(self) -> list[str]:
        """Return the columns named in it."""
        return [str(self.value)] if self.kind == "column" else [name for part in self.parts for name in part.columns()]

    def has_aggregate(self) -> bool:
        """Whether it contains an aggregate."""
        return self.kind in AGGREGATES or any(part.has_aggregate() for part in self.parts)


@dataclass(slots=True)
class Query:
    """A query's clauses."""

    select: list[Expression] | None = None
    where: Expression | None = None
    group: list[Expression] = field(default_factory=list)
    pivot: list[Expression] = field(default_factory=list)
    order: list[tuple[Expression, bool]] = field(default_factory=list)
    skipping: int = 0
    limit: int | None = None
    offset: int = 0
    labels: dict[Expression, str] = field(default_factory=dict)
    formats: dict[Expression, str] = field(default_factory=dict)


class Reader:
    """Parser of one query."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(_tokenize(text))
        self.at = 0
        self.depth = 0

    def peek(self) -> tuple[str, str, int]:
        """Return the next token: kind, text, position."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "", len(self.text))

    def refuse(self) -> BadQuery:
        """Return the error for the next token."""
        kind, text, position = self.peek()
        shown = (
            "<EOF>"
            if kind == "end"
            else f'"{text} "'
            if kind == "sign"
            else f'<{"ID" if kind == "word" else kind.upper()}> "{text} "'
        )
        line, column = self.text.count("\n", 0, position) + 1, position - (self.text.rfind("\n", 0, position) + 1) + 1
        return BadQuery(f'PARSE_ERROR: Encountered " {shown}" at line {line}, column {column}.')

    def word(self, *words: str) -> bool:
        """Skip these words if they come next."""
        coming = self.tokens[self.at : self.at + len(words)]
        if [text.lower() for kind, text, _ in coming if kind == "word"] == list(words):
            self.at += len(words)
            return True
        return False

    def sign(self, sign: str) -> bool:
        """Skip that sign if it comes next."""
        kind, text, _ = self.peek()
        if kind == "sign" and text == sign:
            self.at += 1
            return True
        return False

    def need(self, found: bool) -> None:
        """Raise the error for the next token unless the expected one was found."""
        if not found:
            raise self.refuse()

    def query(self) -> Query:
        """Parse the whole query: clauses in the vendor's order."""
        query = Query()
        for clause in CLAUSES:
            if self.word(*clause.split()):
                _READERS[clause](self, query)
        self.need(self.at == len(self.tokens))
        return query

    def read_list(self) -> list[Expression]:
        """Parse expressions separated by commas."""
        found = [self.expression()]
        while self.sign(","):
            found.append(self.expression())
        return found

    def select(self, query: Query) -> None:
        """Parse `select`."""
        if not self.sign("*"):
            query.select = self.read_list()

    def where(self, query: Query) -> None:
        """Parse `where`."""
        query.where = self.either()

    def group(self, query: Query) -> None:
        """Parse `group by`."""
        query.group = self.read_list()

    def pivot(self, query: Query) -> None:
        """Parse `pivot`."""
        query.pivot = self.read_list()

    def order(self, query: Query) -> None:
        """Parse `order by`."""
        while True:
            expression = self.expression()
            down = self.word("desc")
            if not down:
                self.word("asc")
            query.order.append((expression, down))
            if not self.sign(","):
                return

    def whole(self) -> int:
        """Parse an integer."""
        kind, text, _ = self.peek()
        self.need(kind == "number" and text.isdigit())
        self.at += 1
        return min(int(text), 10**9)

    def read_skipping(self, query: Query) -> None:
        """Parse `skipping`."""
        query.skipping = self.whole()

    def limit(self, query: Query) -> None:
        """Parse `limit`."""
        query.limit = self.whole()

    def offset(self, query: Query) -> None:
        """Parse `offset`."""
        query.offset = self.whole()

    def label(self, query: Query) -> None:
        """Parse `label`."""
        self.texts(query.labels)

    def format(self, query: Query) -> None:
        """Parse `format`."""
        self.texts(query.formats)

    def texts(self, found: dict[Expression, str]) -> None:
        """Parse expressions, each with a text."""
        while True:
            expression = self.expression()
            kind, text, _ = self.peek()
            self.need(kind == "text")
            self.at += 1
            found[expression] = text[1:-1]
            if not self.sign(","):
                return

    def options(self, query: Query) -> None:
        """Parse `options`: one of the two, or both."""
        named = [self.word("no_format") or self.word("no_values") for _ in range(2)]
        self.need(any(named))

    def either(self) -> Expression:
        """Parse conditions joined by `or`."""
        parts = [self.both()]
        while self.word("or"):
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else Expression("or", None, tuple(parts))

    def both(self) -> Expression:
        """Parse conditions joined by `and`."""
        parts = [self.read_negation()]
        while self.word("and"):
            parts.append(self.read_negation())
        return parts[0] if len(parts) == 1 else Expression("and", None, tuple(parts))

    def read_negation(self) -> Expression:
        """Parse a condition, possibly with `not` before it."""
        denied = False
        while self.word("not"):
            denied = not denied
        condition = self.condition()
        return Expression("not", None, (condition,)) if denied else condition

    def condition(self) -> Expression:
        """Parse a comparison, or conditions in brackets."""
        start = self.at
        if self.sign("("):
            self.deeper()
            try:
                inner = self.either()
                self.need(self.sign(")"))
                if not self.compares():
                    return inner
            except BadQuery:
                if self.depth > MAX_DEPTH:
                    raise
            finally:
                self.depth -= 1
            self.at = start
        return self.comparison()

    def compares(self) -> bool:
        """Whether a comparison continues here."""
        text = self.peek()[1]
        return text.lower() in (
            "=",
            "!=",
            "<>",
            "<",
            "<=",
            ">",
            ">=",
            "+",
            "-",
            "*",
            "/",
            "contains",
            "starts",
            "ends",
            "matches",
            "like",
            "is",
        )

    def comparison(self) -> Expression:
        """Parse one comparison, or a boolean value."""
        left = self.expression()
        if self.word("is"):
            denied = self.word("not")
            self.need(self.word("null"))
            return Expression("not null" if denied else "null", None, (left,))
        for words in (("contains",), ("starts", "with"), ("ends", "with"), ("matches",), ("like",)):
            if self.word(*words):
                return Expression(words[0], None, (left, self.expression()))
        kind, text, _ = self.peek()
        if kind == "sign" and text in ("=", "!=", "<>", "<", "<=", ">", ">="):
            self.at += 1
            return Expression("!=" if text == "<>" else text, None, (left, self.expression()))
        return left

    def expression(self) -> Expression:
        """Parse a sum."""
        return self.read_joined(self.term, "+-")

    def term(self) -> Expression:
        """Parse a product."""
        return self.read_joined(self.factor, "*/")

    def read_joined(self, read: Callable[[], Expression], signs: str) -> Expression:
        """Parse operands joined from left to right."""
        found, count = read(), 0
        while (token := self.peek())[0] == "sign" and token[1] in signs:
            self.at += 1
            count += 1
            self.need(count < MAX_DEPTH)
            found = Expression(token[1], None, (found, read()))
        return found

    def deeper(self) -> None:
        """Enter one more level of brackets."""
        self.depth += 1
        self.need(self.depth <= MAX_DEPTH)

    def factor(self) -> Expression:
        """Parse a constant, a column, a function, or an expression in brackets."""
        kind, text, _ = self.peek()
        if self.sign("("):
            self.deeper()
            found = self.expression()
            self.depth -= 1
            self.need(self.sign(")"))
            return found
        if self.sign("-"):
            self.deeper()
            found = self.factor()
            self.depth -= 1
            return Expression("-", None, (Expression("constant", 0.0), found))
        self.need(kind in ("number", "text", "quoted", "word"))
        self.at += 1
        if kind == "number":
            return Expression("constant", float(text))
        if kind == "text":
            return Expression("constant", text[1:-1])
        return Expression("column", text[1:-1]) if kind == "quoted" else self.read_word(text)

    def read_word(self, text: str) -> Expression:
        """Parse a word: TRUE, a date, a function or a column."""
        lower, following = text.lower(), self.peek()
        if lower in ("true", "false"):
            return Expression("constant", lower == "true")
        if lower in ("date", "datetime", "timestamp", "timeofday") and following[0] == "text":
            self.at += 1
            return Expression("constant", moment(lower, following[1][1:-1]))
        if following[:2] == ("sign", "("):
            return self.read_function(lower)
        if lower in KEYWORDS:
            self.at -= 1
            raise self.refuse()
        return Expression("column", text)

    def read_function(self, name: str) -> Expression:
        """Parse a function with its arguments."""
        if name not in AGGREGATES and name not in SCALARS:
            self.at -= 1
            raise self.refuse()
        self.need(self.sign("("))
        self.deeper()
        parts = () if self.sign(")") else tuple(self.read_list())
        if parts:
            self.need(self.sign(")"))
        self.depth -= 1
        wanted = 0 if name == "now" else 2 if name == "datediff" else 1
        self.need(len(parts) == wanted)
        return Expression(name, None, parts)


KEYWORDS = frozenset(
    "select where group by pivot order skipping limit offset label format options asc desc and or not is null contains"
    " matches like".split()
)


def _tokenize(text: str) -> list[tuple[str, str, int]]:
    found, position = [], 0
    while position < len(text):
        match = _TOKENS.match(text, position)
        if match is None or match.lastgroup is None:
            raise BadQuery(
                f'PARSE_ERROR: Lexical error at line 1, column {position + 1}. Encountered: "{text[position]}".'
            )
        if match.lastgroup != "space":
            found.append((match.lastgroup, match.group(), position))
        position = match.end()
    return found


def moment(kind: str, text: str) -> float:
    """Parse a date, a date with time, or a time, to a serial number."""
    day, _, clock = text.partition(" ") if kind != "timeofday" else ("", "", text)
    try:
        days = datetime.date(*(int(part) for part in day.split("-"))).toordinal() - DAY_ZERO if day else 0
        hours, minutes, seconds = (
            ([float(part) for part in clock.split(":")] + [0.0, 0.0])[:3] if clock else (0.0, 0.0, 0.0)
        )
    except (ValueError, TypeError):
        wanted = {"date": "yyyy-MM-dd", "timeofday": "HH:mm:ss[.SSS]"}.get(kind, "yyyy-MM-dd HH:mm:ss[.SSS]")
        raise BadQuery(
            f"Invalid {kind} literal [{text}]. {kind.capitalize()} literals should be of form {wanted}."
        ) from None
    return days + (hours * 3600 + minutes * 60 + seconds) / 86_400


_READERS: dict[str, Callable[[Reader, Query], None]] = {
    "select": Reader.select,
    "where": Reader.where,
    "group by": Reader.group,
    "pivot": Reader.pivot,
    "order by": Reader.order,
    "skipping": Reader.read_skipping,
    "limit": Reader.limit,
    "offset": Reader.offset,
    "label": Reader.label,
    "format": Reader.format,
    "options": Reader.options,
}


def parse_query(text: str) -> Query:
    """Parse a query's clauses; raises BadQuery."""
    return Reader(text).query()
