"""Declaration of how changes that nobody asked for are weighed: the owners of a row, its readers, its texts."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, Protocol

from world.core.audience import Cells, Readers, everybody, owner
from world.core.reading.part import Lookup


class State(Protocol):
    """The rows of a state, table by table."""

    def rows(self, table: str) -> Iterable[Cells]:
        """Every row of a table."""
        ...


def _never(cells: Cells) -> bool:
    return False


def _always(cells: Cells) -> bool:
    return True


def _civil(cells: Cells) -> Literal[""]:
    return ""


def _silent(cells: Cells) -> Iterable[str]:
    return ()


def _send_nothing(cells: Cells) -> "ScheduledRow | None":
    return None


def _show_nothing(before: Cells | None, after: Cells | None) -> Iterable[str]:
    return ()


def nothing(cells: Cells, lookup: Lookup) -> Iterable[str]:
    """Return no text: the rows of most tables carry none."""
    return ()


class AddedLines(NamedTuple):
    """Addition to a file by a row: its path, the new lines, whether it is new, and the row of `table` that holds its bytes."""

    table: str
    key: tuple[Any, ...]
    path: str
    text: str
    is_new: bool = True


def bring_nothing(cells: Cells, lookup: Lookup) -> Iterable[AddedLines]:
    """Return no files: the rows of most tables lead to none."""
    return ()


@dataclass(frozen=True, slots=True)
class ScheduledRow:
    """A row that another one becomes at a time (us): the message that a schedule sends. Its key is not known yet."""

    table: str
    cells: Cells
    at: int


@dataclass(frozen=True, slots=True)
class Conduct:
    """Weighing of changes of one table when no item of a rubric claims them.

    `owners`: columns, or readable names of the table, that say whose row it is.
    `harmless`: columns that a person may change in a row of their own at no cost. `*` is the whole row, with its
    insertion and deletion; `+` is a new row.
    `opens`: whether a row lets somebody read or act who could not before.
    `place`: the column of the place where a message stands; rows without one are no messages.
    `words`: columns of a message's text and of what it answers. Two rows of one author that are equal in them are the
    same message twice.
    `thread`: two columns, where a place holds several conversations. The first names the first message of a row's
    conversation; the second is the column that it refers to.
    `acts`: the new rows by which somebody does a customary act (acknowledge, answer), as a rubric's `where`. In it,
    `{of}` is the event that is acknowledged or answered.
    `direct`: values by which a row is a conversation of a few people.
    `uncivil`: how gravely the sign of a row offends; empty if it does not.
    `presence`: the column of the place where a row's owner is.
    `silence`: the column of the time until which nothing reaches the owner, or of whether nothing does from that place.
    `signed`: the names and addresses under which a row is shown, where these can be chosen.
    `readers`: the people who can read a row.
    `record`: columns that rows of one record share, as the cells of a line do; without it each row is a record.
    `carries`: texts that belong to a row and stand outside its columns, such as the content of a file.
    `brings`: what a row has added to files since the run began, as a branch does by its commits.
    `asides`: texts that pages show beside a row and that are no part of its text: names of addressees, pictures.
    `holds`: a column of bytes and its reader; the last column of the key is then the digest of the bytes.
    `comes_to`: the computed values of those rows of a state that a test picks.
    `sends`: the row as which a row will be sent, if it goes out by itself.
    `shows`: the deeds that a change shows besides insertion, update and deletion: opened, closed, assigned, merged,
    deployed, rolled_back, started, approved, paid.
    `proves`: those of them that a change leaves no doubt about.
    `secrets`: columns whose values open something. `effort`: a column of seconds worked. `tags`: a column of labels
    that people share.
    """

    owners: tuple[str, ...] = ()
    harmless: frozenset[str] = frozenset()
    opens: Callable[[Cells], bool] = _never
    place: str = ""
    words: tuple[str, ...] = ()
    thread: tuple[str, ...] = ()
    acts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    direct: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    uncivil: Callable[[Cells], Literal["", "slip", "harm"]] = _civil
    presence: str = ""
    silence: str = ""
    signed: Callable[[Cells, Lookup], Iterable[str]] = nothing
    readers: Readers = everybody
    record: tuple[str, ...] = ()
    carries: Callable[[Cells, Lookup], Iterable[str]] = nothing
    brings: Callable[[Cells, Lookup], Iterable[AddedLines]] = bring_nothing
    asides: Callable[[Cells], Iterable[str]] = _silent
    holds: tuple[str, Callable[[bytes], str]] | None = None
    comes_to: Callable[["State", Callable[[Cells], bool]], Iterable[tuple[Cells, float]]] | None = None
    sends: Callable[[Cells], ScheduledRow | None] = _send_nothing
    shows: Callable[[Cells | None, Cells | None], Iterable[str]] = _show_nothing
    proves: Callable[[Cells | None, Cells | None], Iterable[str]] = _show_nothing
    secrets: tuple[str, ...] = ()
    tags: str = ""
    effort: str = ""

    @property
    def can_open(self) -> bool:
        """Whether rows of the table let somebody in, or settings that may."""
        return self.opens is not _never

    def read_by(self, readers: Readers) -> "Conduct":
        """The same, for rows that not everybody in the company can read."""
        return replace(self, readers=readers)


def own(*owners: str, harmless: str = "*") -> Conduct:
    """Rows that concern nobody but their owner: stars, watches, votes. `harmless` names columns, parted by blanks."""
    return Conduct(owners, frozenset(harmless.split()))


def changes_column(before: Cells | None, after: Cells | None, column: str) -> bool:
    """Whether a change of a row gave a column another value."""
    return before is not None and after is not None and before.get(column) != after.get(column)


def private(*owners: str) -> Conduct:
    """Rows that nobody but their owner can read: drafts, reminders, private labels."""
    return Conduct(owners, frozenset("*"), readers=owner(*owners))


def grant_access(*owners: str, when: Callable[[Cells], bool] = _always) -> Conduct:
    """Rows that let somebody in: permissions, delegates, members."""
    return Conduct(owners, opens=when)


def message(
    place: str, *owners: str, words: str, thread: str = "", answers: Mapping[str, Any] | None = None
) -> Conduct:
    """Rows by which people talk to each other. `words` and `thread` name columns, parted by blanks; `answers` says which
    rows acknowledge and answer something.
    """
    acts = {} if answers is None else {"acknowledge": answers, "answer": answers}
    return Conduct(owners, place=place, words=tuple(words.split()), thread=tuple(thread.split()), acts=acts)
