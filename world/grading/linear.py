"""Regular expressions without backtracking: the RE2 subset a rubric needs, run as a set of states in linear time."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

MAX_STATES = 4_000
MAX_REPEAT = 200
MAX_STEPS = 20_000  # remembered steps of one pattern
_PLACES = frozenset({"start", "end", "edge"})

Takes = Callable[[str], bool]
_CLASSES: dict[str, Takes] = {
    "d": lambda c: c in "0123456789",
    "w": lambda c: c.isalnum() or c == "_",
    "s": lambda c: c.isspace(),
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


class PatternError(ValueError):
    """A pattern outside the language."""


@dataclass(frozen=True, slots=True)
class _Node:
    kind: str  # char, join, either, repeat, start, end, edge
    takes: Takes | None = None
    parts: "tuple[_Node, ...]" = ()
    low: int = 0
    high: int | None = 0


@dataclass(slots=True)
class _Program:
    """States: ("char", test, next), ("split", a, b), ("start" | "end" | "edge", next), ("match",)."""

    states: list[tuple] = field(default_factory=list)

    def add(self, *state: object) -> int:
        if len(self.states) >= MAX_STATES:
            raise PatternError("the pattern is too large")
        self.states.append(state)
        return len(self.states) - 1


class Pattern:
    """A compiled pattern; `fullmatch` costs length of text x states at most."""

    def __init__(self, source: str) -> None:
        self.source = source
        flags, body = (True, source[4:]) if source.startswith("(?i)") else (False, source)
        node = _Parser(body, fold=flags).parse()
        self._program = _Program()
        self._start = _emit(self._program, node, self._program.add("match"))
        self._placeless = not any(state[0] in _PLACES for state in self._program.states)
        self._sets = [frozenset(self._follow({self._start}, "", 0))]
        self._numbers = {self._sets[0]: 0}
        self._steps: dict[tuple[int, str], int] = {}

    def fullmatch(self, text: str) -> bool:
        """Whether the whole text has the form of the pattern."""
        return self._remembered(text) if self._placeless and len(self._steps) < MAX_STEPS else self._walked(text)

    def _remembered(self, text: str) -> bool:
        """Without assertions a step depends on states and character only, so it is worked out once."""
        steps, current = self._steps, 0
        for char in text:
            following = steps.get((current, char))
            if following is None:
                following = steps[current, char] = self._number(self._advance(self._sets[current], char))
            current = following
            if not self._sets[current]:
                return False
        return any(self._program.states[state][0] == "match" for state in self._sets[current])

    def _number(self, reached: set[int]) -> int:
        states = frozenset(self._follow(reached, "", 0))
        number = self._numbers.setdefault(states, len(self._sets))
        if number == len(self._sets):
            self._sets.append(states)
        return number

    def _walked(self, text: str) -> bool:
        current = self._follow({self._start}, text, 0)
        for position, char in enumerate(text):
            current = self._follow(self._advance(current, char), text, position + 1)
            if not current:
                return False
        return any(self._program.states[state][0] == "match" for state in current)

    def _advance(self, current: Iterable[int], char: str) -> set[int]:
        reached: set[int] = set()
        for state in current:
            kind, *rest = self._program.states[state]
            if kind == "char" and rest[0](char):
                reached.add(rest[1])
        return reached

    def _follow(self, states: set[int], text: str, position: int) -> set[int]:
        seen: set[int] = set()
        open_ = list(states)
        while open_:
            state = open_.pop()
            if state in seen:
                continue
            seen.add(state)
            kind, *rest = self._program.states[state]
            if kind == "split":
                open_ += rest
            elif kind in _PLACES and _holds(kind, text, position):
                open_.append(rest[0])
        return seen


def _holds(kind: str, text: str, position: int) -> bool:
    if kind == "start":
        return position == 0
    if kind == "end":
        return position == len(text)
    word = _CLASSES["w"]
    left = position > 0 and word(text[position - 1])
    return left != (position < len(text) and word(text[position]))


def _emit(program: _Program, node: _Node, then: int) -> int:
    if node.kind == "char":
        return program.add("char", node.takes, then)
    if node.kind in _PLACES:
        return program.add(node.kind, then)
    if node.kind == "join":
        for part in reversed(node.parts):
            then = _emit(program, part, then)
        return then
    if node.kind == "either":
        entry = _emit(program, node.parts[-1], then)
        for part in reversed(node.parts[:-1]):
            entry = program.add("split", _emit(program, part, then), entry)
        return entry
    return _emit_repeat(program, node, then)


def _emit_repeat(program: _Program, node: _Node, then: int) -> int:
    inner = node.parts[0]
    if node.high is None:
        loop = program.add("split", -1, then)
        program.states[loop] = ("split", _emit(program, inner, loop), then)
        then = loop
    else:
        stop = then
        for _ in range(node.high - node.low):
            then = program.add("split", _emit(program, inner, then), stop)
    for _ in range(node.low):
        then = _emit(program, inner, then)
    return then


class _Parser:
    def __init__(self, source: str, *, fold: bool) -> None:
        self._source, self._at, self._fold = source, 0, fold

    def parse(self) -> _Node:
        node = self._either()
        if self._at < len(self._source):
            raise PatternError(f"unexpected {self._source[self._at]!r} at {self._at}")
        return node

    def _peek(self) -> str:
        return self._source[self._at] if self._at < len(self._source) else ""

    def _next(self) -> str:
        char = self._peek()
        if not char:
            raise PatternError("the pattern ends too early")
        self._at += 1
        return char

    def _either(self) -> _Node:
        parts = [self._join()]
        while self._peek() == "|":
            self._at += 1
            parts.append(self._join())
        return parts[0] if len(parts) == 1 else _Node("either", parts=tuple(parts))

    def _join(self) -> _Node:
        parts: list[_Node] = []
        while self._peek() and self._peek() not in "|)":
            parts.append(self._repeated())
        return _Node("join", parts=tuple(parts))

    def _repeated(self) -> _Node:
        atom = self._atom()
        while (mark := self._peek()) and mark in "*+?{":
            low, high = self._bounds(self._next())
            if (high is not None and (high < low or high > MAX_REPEAT)) or low > MAX_REPEAT:
                raise PatternError(f"a repeat must lie in 0-{MAX_REPEAT}")
            atom = _Node("repeat", parts=(atom,), low=low, high=high)
            if self._peek() == "?":
                self._at += 1
        return atom

    def _bounds(self, mark: str) -> tuple[int, int | None]:
        if mark != "{":
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[mark]
        end = self._source.find("}", self._at)
        low, comma, high = self._source[self._at : end].partition(",")
        if end < 0 or not low.isdigit() or (high and not high.isdigit()):
            raise PatternError("a repeat is written {n}, {n,} or {n,m}")
        self._at = end + 1
        return int(low), (int(high) if high else None) if comma else int(low)

    def _atom(self) -> _Node:
        char = self._next()
        if char == "(":
            return self._group()
        if char == "[":
            return _Node("char", self._set())
        if char == "\\":
            return self._escape()
        if char in "^$":
            return _Node("start" if char == "^" else "end")
        if char == ".":
            return _Node("char", lambda c: c != "\n")
        if char in "*+?{":
            raise PatternError(f"nothing to repeat before {char!r}")
        return _Node("char", self._literal(char))

    def _group(self) -> _Node:
        if self._peek() == "?":
            if self._source[self._at : self._at + 2] != "?:":
                raise PatternError(
                    "only (?:...) groups and a leading (?i) are known: no look-around, no back-references"
                )
            self._at += 2
        node = self._either()
        self._next()
        return node

    def _literal(self, char: str) -> Takes:
        if self._fold:
            folded = char.casefold()
            return lambda c: c.casefold() == folded
        return lambda c: c == char

    def _escape(self) -> _Node:
        char = self._next()
        if char == "b":
            return _Node("edge")
        return _Node("char", self._escaped(char))

    def _escaped(self, char: str) -> Takes:
        if char.lower() in _CLASSES:
            inside = _CLASSES[char.lower()]
            return inside if char.islower() else lambda c: not inside(c)
        if char.isdigit() or (char.isalpha() and char not in _ESCAPES):
            raise PatternError(f"unknown escape \\{char}")
        return self._literal(_ESCAPES.get(char, char))

    def _set(self) -> Takes:
        negated = self._peek() == "^"
        self._at += negated
        tests = list(self._members())
        return lambda c: any(test(c) for test in tests) != negated

    def _members(self) -> Iterator[Takes]:
        first = True
        while (char := self._next()) != "]" or first:
            first = False
            if char == "\\":
                yield self._escaped(self._next())
            elif self._peek() == "-" and self._source[self._at + 1 : self._at + 2] not in ("]", ""):
                self._at += 1
                yield self._span(char, self._next())
            else:
                yield self._literal(char)

    def _span(self, low: str, high: str) -> Takes:
        if high == "\\" or high < low:
            raise PatternError(f"a range {low}-{high} is backwards")
        if self._fold:
            return lambda c: any(low <= variant <= high for variant in (c, c.lower(), c.upper()))
        return lambda c: low <= c <= high
