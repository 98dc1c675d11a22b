"""Syntax tree of a search: pieces of text, groups, negations and operators with their values."""

from dataclasses import dataclass
from typing import Literal

MAX_LENGTH = 32_768  # characters of a query; own limit, the vendor states none
MAX_TERMS = 1_000  # words of a query, those of phrases counted; own limit
MAX_LEXEMES = 4_000  # words, brackets, signs and joiners of a query; own limit
MAX_DEPTH = 64  # brackets inside brackets; own limit

Refusal = Literal["too_long", "too_many_terms", "too_deep"]


class QueryRefused(Exception):
    """A query over a limit; no other query is refused."""

    def __init__(self, reason: Refusal, most: int) -> None:
        said = {"too_long": "characters", "too_many_terms": "search terms", "too_deep": "brackets inside each other"}
        super().__init__(f"The query is over the limit of {most} {said[reason]}.")
        self.reason: Refusal = reason
        self.most = most


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, a quoted phrase or the value of an operator, as text."""

    text: str


@dataclass(frozen=True, slots=True)
class Pair:
    """`left AROUND n right`; `ordered` when written inside quotes."""

    left: Piece
    right: Piece
    distance: int
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Minus:
    """A part excluded by a leading -."""

    part: "Written"


@dataclass(frozen=True, slots=True)
class Group:
    """All of the parts, or any of them."""

    kind: Literal["all", "any"]
    parts: tuple["Written", ...] = ()


@dataclass(frozen=True, slots=True)
class OperatorTerm:
    """An operator and its value: `from:amy`, `subject:(dinner movie)`."""

    name: str
    value: "Written"


Written = Piece | Pair | Minus | Group | OperatorTerm
