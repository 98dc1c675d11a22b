"""What an app says about changes of its rows that nobody asked for: whose the rows are, and who else is concerned."""

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


def _send_nothing(cells: Cells) -> "Sending | None":
    return None


def _show_nothing(before: Cells | None, after: Cells | None) -> Iterable[str]:
    return ()


def nothing(cells: Cells, lookup: Lookup) -> Iterable[str]:
    """Carries no text: the rows of most tables."""
    return ()


class Brought(NamedTuple):
    """What a row adds to a file: the file's path if it is new, the new lines, and the row of `table` that holds its bytes."""

    table: str
    key: tuple[Any, ...]
    path: str
    text: str


def bring_nothing(cells: Cells, lookup: Lookup) -> Iterable[Brought]:
    """Leads to no files: the rows of most tables."""
    return ()


@dataclass(frozen=True, slots=True)
class Sending:
    """A row that another one becomes at a time (us): the message that a schedule sends. Its key is not known yet."""

    table: str
    cells: Cells
    at: int


@dataclass(frozen=True, slots=True)
class Conduct:
    """How changes of one table are weighed when no item of a rubric claims them.

    `owners` are the columns, or readable names of the table, that say whose row it is. `harmless` are the columns that
    a person may change in a row of their own at no cost; `*` stands for the whole row, its coming and going included, `+`
    for a new one.
    `opens` tells of a row whether it lets somebody read or act who could not before. `place` is the column that says
    where a message stands; rows without one are no messages. `words` are the columns of what it says and what it answers:
    two of one author that are equal in them are the same message twice. `acts` say by which new rows somebody does
    a customary act (acknowledge, answer): a rubric's `where`, in which `{of}` is the event that is acknowledged or
    answered. `thread` are two columns where a place holds several conversations: the one that names the first message
    of a row's conversation, and the one it names there. `direct` are values by which a row is a conversation of a
    few people. `uncivil` says of a row whether its sign offends, and how gravely.
    `presence` is the column of the place where a row's owner is, `silence` the one until when nothing reaches them, or
    whether nothing does from there.
    `signed` gives the names and addresses under which a row is shown, where these can be chosen.

    `readers` say who can read a row. `record` are the columns that rows of one record share, as the cells of a line do;
    without it each row is a record. `carries` gives texts that belong to a row and stand outside its columns, as what a
    file holds; `holds` names a column of bytes and reads one; the last
    column of the key is then their digest. `brings` gives what a row has added to files since the run began, as a branch
    does by its commits. `asides` are texts that pages show beside a row, which are no
    part of what it says: names of addressees, pictures. `comes_to` computes what some rows of a state come to, for
    those that a test picks. `sends` tells of a row what it will be sent as, if it goes out by itself.
    `shows` gives the deeds that a change of a row shows beyond its coming, changing and going: opened, closed, assigned,
    merged, deployed, rolled_back, started, approved, paid. `secrets` are columns whose values open something, `effort` is one of
    seconds worked, `tags` one of labels that people share.
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
    brings: Callable[[Cells, Lookup], Iterable[Brought]] = bring_nothing
    asides: Callable[[Cells], Iterable[str]] = _silent
    holds: tuple[str, Callable[[bytes], str]] | None = None
    comes_to: Callable[["State", Callable[[Cells], bool]], Iterable[tuple[Cells, float]]] | None = None
    sends: Callable[[Cells], Sending | None] = _send_nothing
    shows: Callable[[Cells | None, Cells | None], Iterable[str]] = _show_nothing
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


def opening(*owners: str, when: Callable[[Cells], bool] = _always) -> Conduct:
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
