"""Parts of a row as a person sees them, and the look-ups that a reading may make."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Literal, Protocol

from world.core.reading.passage import Passage
from world.core.rows import Row

_BARE = re.compile(r"[\x00-;=?-\x7f]*\Z")
Kind = Literal["heading", "body", "name", "aside", "shown"]
Role = Literal["whole", "summary", "supplement", "derived"]


class Part:
    """A part of a row that a person sees, and the columns that carry it; rendered when somebody looks.

    `kind`: `heading` (subject, title), `body`, `name` (of a file, a sender, a tag), `aside` (note, alternative text,
    what lies hidden) or `shown` (a value as its format displays it).
    `role`: bodies that are `whole` say the same; a `summary` says less, as the text of a notification does; a
    `supplement` stands beside them, as a file does; what the app made by itself of other parts is `derived`. `stored`
    is the text that is rendered. `tricks` says what only the app can find in it: how it misleads, in words.
    """

    def __init__(
        self,
        kind: Kind,
        passage: Passage | Callable[[], Passage],
        columns: Sequence[str],
        role: Role = "whole",
        *,
        stored: str | None = None,
        tricks: Callable[[], Iterable[str]] | None = None,
    ) -> None:
        self.kind, self.role, self.columns = kind, role, frozenset(columns)
        self._passage, self._stored, self._tricks = passage, stored, tricks

    @property
    def is_bare(self) -> bool:
        """Whether the stored text, if it is given, can hide nothing: ASCII without tags or links."""
        return self._stored is not None and bool(_BARE.match(self._stored))

    @cached_property
    def tricks(self) -> tuple[str, ...]:
        """Ways in which the part misleads, as its app finds them."""
        return () if self._tricks is None else tuple(self._tricks())

    @cached_property
    def passage(self) -> Passage:
        """The part as a person sees it."""
        return self._passage if isinstance(self._passage, Passage) else self._passage()

    def __repr__(self) -> str:
        return f"Part({self.kind}, {self.role}, {sorted(self.columns)}, {self.passage.text!r})"


class Lookup(Protocol):
    """Look-ups that a reading may make beside its row. JSON columns of rows are decoded."""

    def row(self, table: str, *key: object) -> Row | None:
        """The row with a key, or None."""
        ...

    def find(self, table: str, **where: object) -> Iterable[Row]:
        """The rows with these values in some columns."""
        ...

    def before(self, table: str, *key: object) -> Row | None:
        """The row with a key as it was when the run began, or None."""
        ...

    def data(self, sha256: str) -> bytes | None:
        """Stored bytes by their digest, or None if they are not at hand."""
        ...

    def read_held(self, table: str, *key: object) -> bytes | None:
        """The bytes of the row with a key, in the column that `Conduct.holds` names, or None if they are not at hand."""
        ...

    def called(self, person: str) -> Sequence[str]:
        """Return the names of a person, the usual one first; `person` is a directory id or an app's id."""
        ...


Reader = Callable[[Row, Lookup], Iterable[Part]]
