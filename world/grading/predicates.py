"""Named Python predicates beside a rubric: their allowed imports, their input, and the rows they may claim."""

import ast
import builtins
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from hashlib import blake2b
from pathlib import Path
from typing import Any

from world.core.discovery import apps
from world.core.reading.passage import Passage
from world.core.reading.plain import from_plain
from world.grading.effects import Effect, State
from world.grading.errors import GraderError, RubricError
from world.grading.facts import extract
from world.grading.inputs import AGENT_DOORS, Answer, CallRow, Change, Rows
from world.grading.scope import Resolved, Scope
from world.grading.stance import Outcome, judge_stance, list_propositions, load_proposition
from world.grading.tables import Cells, Key, Table
from world.grading.text import Text, read_text

ALLOWED_IMPORTS = frozenset({"world.grading", "re", "math", "datetime", "collections", "collections.abc"})
_BANNED_NAMES = frozenset(
    "open exec eval compile input print globals locals vars dir getattr setattr delattr breakpoint exit quit help id"
    " hash memoryview super object type".split()
)
_BANNED_ATTRIBUTES = frozenset(
    "sys os modules builtins enum functools now utcnow today fromtimestamp utcfromtimestamp format_map gi_frame"
    " f_globals f_builtins cr_frame tb_frame".split()
)
_SAFE = {
    name: getattr(builtins, name) for name in dir(builtins) if not name.startswith("_") and name not in _BANNED_NAMES
} | {"__build_class__": builtins.__build_class__}


@dataclass(frozen=True, slots=True)
class Finding:
    """Finding of a predicate: whether it holds, its share (0-1), the rows that prove it as (table, key), and why."""

    ok: bool
    share: float | None = None
    rows: Sequence[tuple[str, Key]] = ()
    why: str = ""


@dataclass(frozen=True)
class Run:
    """A run as predicates see it: read-only S0, B, S1, journal, answer and refs."""

    scope: Scope

    @property
    def seed(self) -> Rows:
        """S0."""
        return self.scope.evidence.s0

    @property
    def baseline(self) -> State:
        """The world at the horizon without any agent."""
        evidence = self.scope.evidence
        return State(evidence.tables, evidence.s0, evidence.baseline)

    @property
    def final(self) -> State:
        """S1."""
        return self.scope.changes.final

    @property
    def effects(self) -> Sequence[Effect]:
        """The agent's net effects."""
        return self.scope.changes.of("agent")

    @property
    def journal(self) -> Sequence[Change]:
        """Every change, in order."""
        return self.scope.evidence.changes

    @property
    def calls(self) -> Sequence[CallRow]:
        """Every call, in order."""
        return self.scope.evidence.calls

    @property
    def answer(self) -> Answer | None:
        """Answer that the agent submitted."""
        return self.scope.evidence.answer

    @property
    def agent(self) -> str:
        """The agent's person id."""
        return self.scope.evidence.agent

    @cached_property
    def own_calls(self) -> frozenset[int]:
        """The numbers of the calls that the agent made."""
        return frozenset(call.seq for call in self.calls if call.door in AGENT_DOORS and call.actor == self.agent)

    def messages(self, person: str = "") -> list[Change]:
        """The messages and mails since the agent's first call, in order; of one person, if one is named."""
        first, tables = min(self.own_calls, default=None), self.scope.evidence.tables
        return [
            change
            for change in self.journal
            if first is not None
            and change.call_seq >= first
            and change.before is None
            and change.after is not None
            and tables[change.table].conduct.place
            and (not person or person in _list_authors(tables[change.table], change.after))
        ]

    def ref(self, name: str) -> Resolved:
        """The one thing a ref names."""
        found = self.scope.ref(name)
        if len(found) != 1:
            raise GraderError(f"the ref {name!r} names {len(found)} things")
        return found[0]

    def refs(self, name: str) -> Sequence[Resolved]:
        """All that a ref names."""
        return self.scope.ref(name)

    def fact(self, path: str) -> Any:
        """A fact an event stated: `event.outage.start`."""
        return self.scope.fact(path)

    def rows(self, table: str, **where: object) -> Iterator[Cells]:
        """The final rows of a table, or those of them with these values in some columns."""
        return self.final.find(table, where) if where else self.final.rows(table)

    def person(self, value: object, app: str = "") -> str | None:
        """The person id behind a cell."""
        return self.scope.directory.identify(value, app)

    def text(self, value: object) -> Text:
        """The normalised text of a cell."""
        return read_text(value)

    def states(self, value: object, kind: str) -> bool:
        """Whether a cell's text states a fact of a kind (`amount`)."""
        return any(fact.kind == kind for fact in extract(Passage(read_text(value).plain)))

    def stance(self, texts: Sequence[str], on: str, *, yes: str = "", **names: str) -> Outcome:
        """The stance of an author's texts in one place, oldest first, on a proposition: asserted, denied, unclear, absent.

        `yes` is what a bare yes means, if they answer a question; `names` fill the placeholders of the proposition. Words
        such as `that is false` take nothing back, as they do in the `stance` of a rubric: they may be what is said.
        """
        if on not in list_propositions():
            raise GraderError(f"no proposition {on!r}")
        sign = {"asserted": 1, "denied": -1}.get(yes) if yes else None
        return judge_stance([from_plain(text) for text in texts], load_proposition(on).bind(names), sign).outcome

    def holds(self, name: str, **arguments: str) -> bool:
        """Evaluate an app's own predicate on the final rows: `run.holds("APP.NAME", repo=..., ref=..., bug=...)`."""
        app, _, plain = name.partition(".")
        known = {one.name: one.predicates for one in apps()}
        if plain not in known.get(app, {}):
            raise GraderError(f"no app has the predicate {name!r}")
        return known[app][plain](self.final, **arguments)


@dataclass(frozen=True)
class PartRun(Run):
    """A run as the predicates of one chore of a composed day see it: facts of events are the chore's own."""

    chore: str = ""

    def fact(self, path: str) -> Any:
        """A fact an event of the chore stated."""
        return self.scope.fact(f"event.{self.chore}.{path.removeprefix('event.')}")


def _list_authors(table: Table, row: Cells) -> list[Any]:
    """List who wrote a message, as the columns of its owners say."""
    owners = table.conduct.owners
    return [row.get(table.names[one].column if one in table.names else one) for one in owners]


Predicate = Callable[[Run], object]  # it is an author who says that a Finding comes back; `run_predicate` looks


@dataclass(frozen=True)
class Predicates:
    """The functions of one predicates.py, and the hash of its text."""

    functions: Mapping[str, Predicate]
    digest: str = ""


def join_predicates(chores: Mapping[str, Predicates]) -> Predicates:
    """The predicates of all chores of a composed day; each is called `<chore>__<function>`."""
    functions = {
        f"{chore}__{name}": _enter_part(function, chore)
        for chore, own in chores.items()
        for name, function in own.functions.items()
    }
    return Predicates(functions, "+".join(own.digest for own in chores.values()))


def _enter_part(function: Predicate, chore: str) -> Predicate:
    @wraps(function)
    def ask(run: Run) -> object:
        return function(PartRun(run.scope, chore))

    return ask


def load_predicates(path: Path) -> Predicates:
    """Check and load a predicates.py. Raises RubricError for anything outside the allowed language."""
    return compile_predicates(path.read_text(encoding="utf-8"), path.name) if path.exists() else Predicates({})


def compile_predicates(source: str, file: str) -> Predicates:
    """Check and compile the source of a predicates.py, as `load_predicates` does."""
    tree = _parse(source, file)
    for node in ast.walk(tree):
        problem = _problem(node)
        if problem:
            raise RubricError(problem, file=file, line=getattr(node, "lineno", None))
    space: dict[str, Any] = {"__builtins__": {**_SAFE, "__import__": __import__}, "__name__": "predicates"}
    exec(compile(tree, file, "exec"), space)
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in names and not ast.get_docstring(node):
            raise RubricError(f"{node.name} needs a docstring that says what it proves", file=file, line=node.lineno)
    return Predicates({name: space[name] for name in names}, blake2b(source.encode(), digest_size=16).hexdigest())


def _parse(source: str, file: str) -> ast.Module:
    try:
        return ast.parse(source)
    except SyntaxError as error:
        raise RubricError(f"not Python: {error.msg}", file=file, line=error.lineno) from None


def _problem(node: ast.AST) -> str | None:
    if isinstance(node, ast.Import):
        wrong = [alias.name for alias in node.names if alias.name not in ALLOWED_IMPORTS]
        return f"may not import {wrong[0]}; allowed: {', '.join(sorted(ALLOWED_IMPORTS))}" if wrong else None
    if isinstance(node, ast.ImportFrom):
        name = node.module or "."
        return None if name in ALLOWED_IMPORTS and not node.level else f"may not import from {name}"
    if isinstance(node, ast.Name) and (node.id in _BANNED_NAMES or node.id.startswith("__")):
        return f"may not use {node.id}: predicates read the run and nothing else"
    if isinstance(node, ast.Attribute) and (node.attr.startswith("__") or node.attr in _BANNED_ATTRIBUTES):
        return f"may not use .{node.attr}: no clock, no internals"
    if isinstance(node, (ast.AsyncFunctionDef, ast.Await, ast.Global, ast.Nonlocal)):
        return "predicates are plain functions without global state"
    return None


def run_predicate(name: str, function: Predicate, run: Run, claims: Sequence[str]) -> Finding:
    """Call one predicate. Raises GraderError when it claims rows of a table its item does not list."""
    finding = function(run)
    if not isinstance(finding, Finding):
        raise GraderError(f"{name} must return a Finding")
    for table, _ in finding.rows:
        if table not in claims:
            raise GraderError(f"{name} claims rows of {table}; its item lists {', '.join(claims) or 'none'}")
    if finding.share is not None and not 0 <= finding.share <= 1:
        raise GraderError(f"{name}: a share lies between 0 and 1")
    return finding
