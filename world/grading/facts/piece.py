"""Intermediate results of the fact finders: a candidate and its place in the folded text."""

from dataclasses import dataclass, field
from decimal import Decimal

from world.grading.dates import Moment
from world.grading.facts.fact import FactReading, Kind, Value


@dataclass(slots=True)
class FactCandidate:
    """A candidate for a fact. `step` is the size of a duration's unit; `weak` ones count only as part of another."""

    kind: Kind
    value: Value
    start: int
    end: int
    unit: str = ""
    habit: str = ""
    written: Decimal | None = None
    others: tuple[FactReading, ...] = ()
    moment: Moment | None = None
    step: Decimal = Decimal(0)
    weak: bool = False


@dataclass(slots=True)
class ExtractionState:
    """The folded text, its words, the text reversed, and which characters a fact has taken."""

    plain: str
    low: str
    tokens: list[tuple[str, int, int]]
    backwards: str
    taken: bytearray
    pieces: list[FactCandidate] = field(default_factory=list[FactCandidate])

    def add(self, piece: FactCandidate) -> None:
        """Keep a piece; its letters are taken."""
        self.pieces.append(piece)
        self.taken[piece.start : piece.end] = b"\1" * (piece.end - piece.start)

    def free(self) -> list[tuple[int, str, int, int]]:
        """The words that belong to no fact yet, with their index."""
        taken = self.taken
        return [(at, word, start, end) for at, (word, start, end) in enumerate(self.tokens) if not taken[start]]
