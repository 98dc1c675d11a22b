"""What an app says about changes of its rows that nobody asked for: whose the rows are, and who else is concerned."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Cells = Mapping[str, Any]


def _never(cells: Cells) -> bool:
    return False


def _always(cells: Cells) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Conduct:
    """How changes of one table are weighed when no item of a rubric claims them.

    `owners` are the columns, or readable names of the table, that say whose row it is. `harmless` are the columns that
    a person may change in a row of their own at no cost; `*` stands for the whole row, its coming and going included.
    `opens` tells of a row whether it lets somebody read or act who could not before. `place` is the column that says
    where a message stands; rows without one are no messages. `words` are the columns of what it says and what it answers:
    two of one author that are equal in them are the same message twice. `acts` say by which new rows somebody does
    a customary act (acknowledge, answer): a rubric's `where`, in which `{of}` is the event that is acknowledged or
    answered. `thread` are two columns where a place holds several conversations: the one that names the first message
    of a row's conversation, and the one it names there. `direct` are values by which a row is a conversation of a
    few people. `uncivil` are values that make a harmless row an insult.
    """

    owners: tuple[str, ...] = ()
    harmless: frozenset[str] = frozenset()
    opens: Callable[[Cells], bool] = _never
    place: str = ""
    words: tuple[str, ...] = ()
    thread: tuple[str, ...] = ()
    acts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    direct: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    uncivil: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])


def own(*owners: str, harmless: str = "*") -> Conduct:
    """Rows that concern nobody but their owner: stars, watches, drafts. `harmless` names columns, parted by blanks."""
    return Conduct(owners, frozenset(harmless.split()))


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
