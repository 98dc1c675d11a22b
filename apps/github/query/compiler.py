"""Compiler from a search to an SQL condition with bound values."""

import json
from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from apps.github.domain.context import GithubContext
from apps.github.domain.visibility import VisibleRepositories
from apps.github.query.ranges import Test, numbers, times
from apps.github.query.semantics import Meaning
from apps.github.query.tokens import tokens
from world.core.json_types import JsonObject

TRUE, FALSE = "1", "0"


@dataclass(frozen=True, slots=True)
class Page:
    """Page of results: from `start`, `size` of them."""

    start: int
    size: int


_NAMED = """SELECT r.id FROM github_repository r JOIN github_account a ON a.id = r.owner_id
    WHERE lower(a.login) = :owner AND r.name_key = :name AND r.id IN (SELECT value FROM json_each(:seen))"""


class Compiler(Meaning[str]):
    """Compiles a search to a condition on repositories `r` and their rows; never NULL, so that NOT is the opposite."""

    def __init__(self, context: GithubContext, seen: VisibleRepositories) -> None:
        super().__init__(context, seen)
        self.values: JsonObject = {"seen": seen.json}

    def place(self, name: str, value: str) -> str | None:
        """Return the repositories of a scope; None if missing or invisible to the caller."""
        if name == "repo":
            owner, _, short = value.lower().partition("/")
            found = self.context.call.first(_NAMED, {"owner": owner, "name": short, "seen": self.seen.json})
            return f"r.id = {self.bind(found[0])}" if found else None
        account = self.context.me if value == "@me" else self.context.find_login(value)
        if account is None or (name == "org" and account.kind != "Organization"):
            return None
        return f"r.owner_id = {self.bind(account.id)}"

    def bind(self, value: object) -> str:
        """Bind a value and return its parameter name."""
        name = f"v{len(self.values)}"
        self.values[name] = value
        return f":{name}"

    def among(self, column: str, ids: Iterable[Any]) -> str:
        """Return the condition that an expression is one of some values."""
        return f"{column} IN (SELECT value FROM json_each({self.bind(json.dumps(sorted(ids)))}))"

    def compare_number(self, column: str, tests: list[Test] | None) -> str:
        """Return the condition on a number; without tests it is false."""
        if tests is None:
            return FALSE
        return f"({column} IS NOT NULL{''.join(f' AND {column} {sign} {self.bind(bound)}' for sign, bound in tests)})"

    def compile_count(self, column: str, text: str) -> str:
        """Return the condition on a number as written in the search."""
        return self.compare_number(column, numbers(text))

    def at(self, column: str, text: str) -> str:
        """Return the condition on a time as written in the search. Raises validation_failed."""
        return self.compare_number(column, times(text, self.context.call.now))

    def every(self, parts: Iterable[str]) -> str:
        """Join conditions by AND."""
        return f"({' AND '.join(found)})" if (found := list(parts)) else TRUE

    def some(self, parts: Iterable[str]) -> str:
        """Join conditions by OR."""
        return f"({' OR '.join(found)})" if (found := list(parts)) else FALSE

    def opposite(self, part: str) -> str:
        """Negate a condition."""
        return f"NOT ({part})"

    def words(self, text: str, fields: frozenset[str]) -> str:
        """Return the condition for a word or phrase."""
        return self.match_words(tokens(text), fields)

    @abstractmethod
    def match_words(self, sought: tuple[str, ...], fields: frozenset[str]) -> str:
        """Return the condition for consecutive words."""


def find_page(
    compiler: Compiler, columns: str, rows: str, condition: str, ordering: str, where: Page, before: str = ""
) -> tuple[list[Any], int]:
    """Return a page of search results as rows of `columns`, and the total count."""
    total = compiler.context.call.scalar(f"{before} SELECT count(*) FROM {rows} AND {condition}", compiler.values)
    page = {**compiler.values, "size": where.size, "start": where.start}
    sql = f"{before} SELECT {columns} FROM {rows} AND {condition} ORDER BY {ordering} LIMIT :size OFFSET :start"
    return [*compiler.context.call.all(sql, page)], total
