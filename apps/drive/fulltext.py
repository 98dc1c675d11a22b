"""Full-text search of files: names by prefixes of words, content by whole words, as the search guide says."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from apps.drive import contents
from world.core.call import Call

WORD = re.compile(r"\w+")
MOST_WORDS = 32  # of one search
MOST_READ = 1024 * 1024  # bytes of a text file that are searched
_NAMES = "SELECT id, name FROM drive_file ORDER BY id"
# The texts a word may stand in; LIKE finds candidates, whole words decide.
_SOURCES = (
    "SELECT id, name FROM drive_file WHERE name LIKE :like ESCAPE '\\'",
    "SELECT id, description FROM drive_file WHERE description LIKE :like ESCAPE '\\'",
    "SELECT f.id, CAST(b.data AS TEXT) FROM drive_file f JOIN blob b ON b.sha256 = f.sha256"
    f" WHERE f.mime_type LIKE 'text/%' AND b.size <= {MOST_READ} AND CAST(b.data AS TEXT) LIKE :like ESCAPE '\\'",
)


def words(text: str) -> list[str]:
    """The words of a text, letter case aside."""
    return WORD.findall(text.casefold())


class FileText(NamedTuple):
    """A file's row id, its name and the words of it, letter case aside."""

    id: int
    name: str
    words: list[str]


def names(call: Call) -> list[FileText]:
    """The names of all files."""
    return [FileText(id, name.casefold(), words(name)) for id, name in call.all(_NAMES)]


def find_by_name(known: Iterable[FileText], name: str) -> list[int]:
    """Files of exactly this name, letter case aside."""
    return [one.id for one in known if one.name == name.casefold()]


def find_by_words(known: Iterable[FileText], value: str) -> list[int]:
    """Files in whose name every word of a value begins a word."""
    wanted = words(value)
    return [one.id for one in known if _has_prefixes(wanted, one.words)]


def _has_prefixes(wanted: Sequence[str], known: Sequence[str]) -> bool:
    return all(any(one.startswith(word) for one in known) for word in wanted)


def find_by_text(call: Call, value: str) -> list[int]:
    """Find files with every word of a value, or with the words of a quoted value in a row."""
    quoted = len(value) > 1 and value[0] == value[-1] == '"'
    wanted = words(value)
    if not wanted:
        return []
    if quoted:
        return sorted(_with_phrase(call, wanted))
    found = [_with_phrase(call, [word]) for word in dict.fromkeys(wanted)]
    return sorted(set.intersection(*found))


def _with_phrase(call: Call, phrase: Sequence[str]) -> set[int]:
    """Files one of whose texts has these words in a row."""
    longest = max(phrase, key=len)
    like = "%" + (re.sub(r"([%_\\])", r"\\\1", longest) if longest.isascii() else "") + "%"
    out: set[int] = set()
    for sql in (*_SOURCES, *(sql for one in contents.list_contents(call) for sql in one.texts)):
        out |= set(_those(call.all(sql, {"like": like}), lambda text: _in_a_row(phrase, words(text))))
    return out


def _in_a_row(phrase: Sequence[str], known: Sequence[str]) -> bool:
    length = len(phrase)
    return any(known[at : at + length] == phrase for at in range(len(known) - length + 1))


def _those(rows: Iterable[Sequence[Any]], fits: Callable[[str], bool]) -> list[int]:
    return [row[0] for row in rows if fits(str(row[1]))]
