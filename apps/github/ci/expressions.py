"""The expressions of workflow files: `${{ github.ref == 'refs/heads/main' && always() }}`.

Source: docs.github.com/actions/reference/workflows-and-actions/expressions
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.github.ci.workflow_errors import FileFault

Value = object
MAX_LENGTH, MAX_DEPTH, MAX_RESULT = 4_000, 40, 60_000
_TOKEN = re.compile(
    r"\s*(?:(?P<number>-?(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?))|(?P<text>'(?:[^']|'')*')"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_-]*)|(?P<sign>&&|\|\||==|!=|<=|>=|[!<>()\[\],.*]))"
)
_HOLE = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
CONTEXTS = frozenset(
    {"github", "env", "vars", "job", "jobs", "steps", "runner", "secrets", "strategy", "matrix", "needs", "inputs"}
)
STATUS = frozenset({"success", "failure", "always", "cancelled"})


@dataclass(frozen=True)
class Outputs:
    """Outputs of a step that has yet to run: each stays a placeholder until the script that uses it runs."""

    step: str

    def placeholder_of(self, name: str) -> str:
        """Return the placeholder of an output."""
        return f"${{{{ steps.{self.step}.outputs.{name} }}}}"


@dataclass(frozen=True)
class Scope:
    """Contexts an expression can read. `status`: state of the job so far: success, failure or cancelled."""

    contexts: Mapping[str, Value]
    status: str = "success"


def fill(text: str, scope: Scope) -> str:
    """Replace the expressions in a text. Raises FileFault."""
    if "${{" not in text:
        return text
    closed = (
        text.rfind("}}") + 2 if "}}" in text else 0
    )  # a hole that is never closed would be looked for again and again
    return _HOLE.sub(lambda hole: as_text(evaluate(hole[1], scope)), text[:closed]) + text[closed:]


def holds(condition: str, scope: Scope) -> bool:
    """Evaluate an `if:` condition; without a status function, all steps so far must also have succeeded.

    Raises FileFault.
    """
    bare = condition.strip()
    whole = re.fullmatch(r"\$\{\{(.*)\}\}", bare, re.DOTALL)
    text = whole[1] if whole and "${{" not in whole[1] else bare
    if "${{" in text:
        text = f"'{fill(text, scope).replace(chr(39), chr(39) * 2)}'"
    asks = any(
        word in STATUS
        for word, after in re.findall(r"([A-Za-z_]+)\s*(\()?", re.sub(r"'(?:[^']|'')*'", "", text))
        if after
    )
    if not bare:
        return scope.status == "success"
    result = truthy(evaluate(text, scope))
    return result if asks else result and scope.status == "success"


def evaluate(text: str, scope: Scope) -> Value:
    """Evaluate one expression. Raises FileFault."""
    if len(text) > MAX_LENGTH:
        raise FileFault("Exceeded max expression length")
    return _Parser(text, scope).whole()


def truthy(value: Value) -> bool:
    """Whether a value counts as true."""
    return bool(value) if isinstance(value, (bool, float, int, str)) or value is None else True


def as_text(value: Value) -> str:
    """Convert a value to the text that replaces its expression."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))
    if isinstance(value, str):
        return value
    return "Array" if isinstance(value, Sequence) else "Object"


class _Parser:
    """Parses and evaluates in one pass; both sides of && and || are evaluated, as neither has side effects."""

    def __init__(self, text: str, scope: Scope) -> None:
        self.text, self.scope = text.strip(), scope
        self.tokens = self._tokens()
        self.at, self.depth = 0, 0

    def _tokens(self) -> list[tuple[str, str]]:
        found, place = [], 0
        while place < len(self.text):
            match = _TOKEN.match(self.text, place)
            if match is None:
                raise self._wrong(self.text[place : place + 20].strip())
            found.append((str(match.lastgroup), match[match.lastgroup or 0]))
            place = match.end()
        return found

    def _wrong(self, symbol: str) -> FileFault:
        return FileFault(f"Unexpected symbol: '{symbol}'. Located at position 1 within expression: {self.text[:80]}")

    def _next(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def _take(self, *signs: str) -> str:
        if self.at < len(self.tokens) and self.tokens[self.at][0] == "sign" and self.tokens[self.at][1] in signs:
            self.at += 1
            return self.tokens[self.at - 1][1]
        return ""

    def _need(self, sign: str) -> None:
        if not self._take(sign):
            raise self._wrong(self._next())

    def whole(self) -> Value:
        if not self.tokens:
            raise FileFault("An expression was expected")
        value = self._or()
        if self.at < len(self.tokens):
            raise self._wrong(self._next())
        return value

    def _or(self) -> Value:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise FileFault("Exceeded max expression depth")
        value = self._and()
        while self._take("||"):
            other = self._and()
            value = value if truthy(value) else other
        self.depth -= 1
        return value

    def _and(self) -> Value:
        value = self._parse_comparison()
        while self._take("&&"):
            other = self._parse_comparison()
            value = other if truthy(value) else value
        return value

    def _parse_comparison(self) -> Value:
        value = self._not()
        while sign := self._take("==", "!=", "<=", ">=", "<", ">"):
            value = compare(sign, value, self._not())
        return value

    def _not(self) -> Value:
        turns = 0
        while self._take("!"):
            turns += 1
        value = self._place()
        for _ in range(turns):
            value = not truthy(value)
        return value

    def _place(self) -> Value:
        value = self._atom()
        while sign := self._take(".", "["):
            if sign == "[":
                value = look(value, self._or())
                self._need("]")
            elif self._take("*"):
                value = list(value.values()) if isinstance(value, Mapping) else value if isinstance(value, list) else []
            else:
                kind, name = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
                if kind != "name":
                    raise self._wrong(name)
                self.at += 1
                value = look(value, name)
        return value

    def _atom(self) -> Value:
        if self._take("("):
            value = self._or()
            self._need(")")
            return value
        kind, text = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        self.at += 1
        if kind == "number":
            return float(int(text, 16)) if "x" in text else float(text)
        if kind == "text":
            return text[1:-1].replace("''", "'")
        if kind != "name":
            raise self._wrong(text)
        return self._parse_name(text)

    def _parse_name(self, name: str) -> Value:
        words: dict[str, Value] = {
            "true": True,
            "false": False,
            "null": None,
            "NaN": float("nan"),
            "Infinity": float("inf"),
        }
        if name in words:
            return words[name]
        if self._take("("):
            return self._parse_call(name)
        if name.lower() not in CONTEXTS:
            raise FileFault(
                f"Unrecognized named-value: '{name}'. Located at position 1 within expression: {self.text[:80]}"
            )
        return self.scope.contexts.get(name.lower(), {})

    def _parse_call(self, name: str) -> Value:
        given: list[Value] = []
        while not self._take(")"):
            if given:
                self._need(",")
            given.append(self._or())
        if name in STATUS:
            return name == "always" or name == self.scope.status
        known = FUNCTIONS.get(name.lower())
        if known is None:
            raise FileFault(
                f"Unrecognized function: '{name}'. Located at position 1 within expression: {self.text[:80]}"
            )
        least, most, run = known
        if not least <= len(given) <= most:
            raise FileFault(f"Too {'few' if len(given) < least else 'many'} parameters supplied: '{name}'")
        return run(*given)


def look(value: Value, key: Value) -> Value:
    """Return the value under a name or index, None if there is none. Names are case-insensitive."""
    if isinstance(value, Outputs):
        return value.placeholder_of(as_text(key))
    if isinstance(value, Mapping):
        wanted = as_text(key).lower()
        return next((item for name, item in value.items() if name.lower() == wanted), None)
    if isinstance(value, list) and isinstance(key, float) and key.is_integer() and 0 <= key < len(value):
        return value[int(key)]
    return [look(item, key) for item in value] if isinstance(value, list) and isinstance(key, str) else None


def number(value: Value) -> float:
    """Convert a value to a number, to compare values of unlike types."""
    if value is None or isinstance(value, (bool, int, float)):
        return float(value or 0)
    if isinstance(value, str):
        try:
            return float(value) if value.strip() else 0.0
        except ValueError:
            return float("nan")
    return float("nan")


def compare(sign: str, left: Value, right: Value) -> bool:
    """Compare as the vendor does: texts ignore case, values of unlike types compare as numbers."""
    if isinstance(left, str) and isinstance(right, str):
        left, right = left.lower(), right.lower()
    elif type(left) is not type(right):
        left, right = number(left), number(right)
    elif isinstance(left, (Mapping, list)) or left is None:
        return (left is right) == (sign == "==") if sign in ("==", "!=") else False
    tests: dict[str, Callable[[Any, Any], bool]] = {
        "==": lambda a, b: a == b,
        "!=": lambda a, b: a != b,
        "<": lambda a, b: a < b,
        ">": lambda a, b: a > b,
        "<=": lambda a, b: a <= b,
        ">=": lambda a, b: a >= b,
    }
    return tests[sign](left, right)


def _contains(where: Value, what: Value) -> bool:
    if isinstance(where, list):
        return any(compare("==", one, what) for one in where)
    return as_text(what).lower() in as_text(where).lower()


def _format(pattern: Value, *given: Value) -> str:
    def put(found: re.Match[str]) -> str:
        if found[0] in ("{{", "}}"):
            return found[0][0]
        index = int(found[1])
        if index >= len(given):
            raise FileFault(
                f"The following format string references more arguments than were supplied: {as_text(pattern)[:80]}"
            )
        return as_text(given[index])

    return re.sub(r"\{\{|\}\}|\{(\d{1,3})\}", put, as_text(pattern))[:MAX_RESULT]


def _json(value: Value) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)[:MAX_RESULT]


def _from_json(text: Value) -> Value:
    try:
        return json.loads(as_text(text), parse_int=float)
    except (ValueError, RecursionError):
        raise FileFault("Error parsing fromJson") from None


def _join(values: Value, mark: Value = ",") -> str:
    return (
        as_text(mark).join(as_text(one) for one in values)[:MAX_RESULT] if isinstance(values, list) else as_text(values)
    )


FUNCTIONS: dict[str, tuple[int, int, Callable[..., Value]]] = {
    "contains": (2, 2, _contains),
    "startswith": (2, 2, lambda text, start: as_text(text).lower().startswith(as_text(start).lower())),
    "endswith": (2, 2, lambda text, end: as_text(text).lower().endswith(as_text(end).lower())),
    "format": (1, 20, _format),
    "join": (1, 2, _join),
    "tojson": (1, 1, _json),
    "fromjson": (1, 1, _from_json),
}
