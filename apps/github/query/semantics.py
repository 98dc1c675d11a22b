"""Meaning of a search, independent of its target: an SQL condition, or a test of one file."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Generic, TypeVar

from apps.github.domain.context import GithubContext
from apps.github.domain.visibility import VisibleRepositories
from apps.github.query.errors import PEOPLE, PLACES, search_refused
from apps.github.query.tokens import tokens
from apps.github.query.tree import Node, Qualifier
from world.core.boolean_tree import And, Not, Or

T = TypeVar("T")
SCOPES = frozenset({"repo", "user", "org"})


class Meaning(ABC, Generic[T]):
    """Compiler of one kind of search for one caller.

    Adjacent `repo:`, `user:` and `org:` mean any of them; all else means all of it. `in:` sets the fields of the words
    beside it, and of those in adjacent brackets without their own `in:`.
    """

    names: frozenset[str] = frozenset()  # its qualifiers but those of SCOPES, `in` and `sort`
    several: frozenset[str] = frozenset()  # those whose commas mean or
    fields: frozenset[str] = frozenset()  # where words can be looked for
    default: frozenset[str] = frozenset()  # where they are unless the search says so

    def __init__(self, context: GithubContext, seen: VisibleRepositories) -> None:
        self.context, self.seen = context, seen

    @classmethod
    def list_qualifiers(cls) -> frozenset[str]:
        """Return every qualifier of this kind of search."""
        return cls.names | SCOPES | {"in", "sort"}

    def condition(self, node: Node) -> T:
        """Return the condition of a search. Raises validation_failed."""
        found = self._node(node, self.default)
        return self.every([]) if found is None else found

    def _node(self, node: Node, fields: frozenset[str]) -> T | None:
        """Return the condition of a part; None for an empty one."""
        if isinstance(node, And):
            return self._all(list(node.parts), fields)
        if isinstance(node, Or):
            parts = [part for one in node.parts if (part := self._node(one, fields)) is not None]
            return self.some(parts) if parts else None
        if isinstance(node, Not):
            return self._opposite(node.part, fields)
        if isinstance(node, Qualifier):
            return self._all([node], fields)
        sought = tokens(node.text)
        return self.words(node.text, fields) if sought else None

    def _opposite(self, node: Node, fields: frozenset[str]) -> T | None:
        if isinstance(node, Qualifier) and node.name in SCOPES:
            place = self.place(node.name, node.value)
            return None if place is None else self.opposite(place)
        part = self._node(node, fields)
        return None if part is None else self.opposite(part)

    def _all(self, parts: list[Node], fields: frozenset[str]) -> T | None:
        given = [part for part in parts if isinstance(part, Qualifier)]
        inside = {name.lower() for one in given if one.name == "in" for name in one.values}
        fields = frozenset(inside & self.fields) or fields
        out: list[T | None] = [
            self._apply_qualifier(one) for one in given if one.name not in SCOPES and one.name not in ("in", "sort")
        ]
        out += [self._node(part, fields) for part in parts if not isinstance(part, Qualifier)]
        scopes = [one for one in given if one.name in SCOPES]
        if scopes:
            places = [place for one in scopes if (place := self.place(one.name, one.value)) is not None]
            if not places:
                raise search_refused(PLACES)
            out.append(self.some(places))
        said = [part for part in out if part is not None]
        return self.every(said) if said else None

    def _apply_qualifier(self, one: Qualifier) -> T:
        if one.name in self.several:
            return self.some([self.qualifier(one.name, value) for value in one.values])
        return self.qualifier(one.name, one.value)

    def person(self, login: str) -> int:
        """Return the id of an account: a login, `@me` or `app/name`. Raises validation_failed."""
        if login.lower() == "@me":
            return self.context.me.id
        found = self.context.find_login(f"{login[4:]}[bot]" if login.startswith("app/") else login)
        if found is None:
            raise search_refused(PEOPLE)
        return found.id

    @abstractmethod
    def place(self, name: str, value: str) -> T | None:
        """Return a scope; None if missing or invisible to the caller."""

    @abstractmethod
    def qualifier(self, name: str, value: str) -> T:
        """Return the condition of a qualifier."""

    @abstractmethod
    def words(self, text: str, fields: frozenset[str]) -> T:
        """Return the condition of a word or phrase."""

    @abstractmethod
    def every(self, parts: Iterable[T]) -> T:
        """Join parts by AND."""

    @abstractmethod
    def some(self, parts: Iterable[T]) -> T:
        """Join parts by OR."""

    @abstractmethod
    def opposite(self, part: T) -> T:
        """Negate a part."""
