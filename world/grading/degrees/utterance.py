"""The texts of a row as one writer left them: the parts that its app declares, else its columns of text."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from world.core.json_types import is_array, is_object
from world.core.reading.part import Part
from world.core.reading.passage import Passage
from world.core.reading.plain import from_plain
from world.grading.readings import decode
from world.grading.tables import Row, Table

_IDS = ("_id", "_ids", "sha", "sha1", "sha256", "digest", "_ts", "_key", "_by")
_NO_TEXT = frozenset(
    "id ts kind type role state status format spec validation runs rank colour color tz ref features sender recipients"
    " client_msg_id icon subtype key op target media_type mimetype mime_type filetype content_type email emoji".split()
)
_NAME = re.compile(r"[-_/+.]+")
_SIGNS = "\U0001f000"  # first code point of pictures
LONGEST_NAME = 120


@dataclass(frozen=True)
class Utterance:
    """A text that somebody wrote. A name is a label, a file's or a branch's, with blanks for its dashes."""

    passage: Passage
    is_name: bool = False
    stored: str = ""  # as it is kept, characters that nobody sees included
    is_aside: bool = False  # it may be brief or a code, and states nothing
    is_heading: bool = False


def list_utterances(
    table: Table, row: Row, before: Row, columns: frozenset[str], parts: Sequence[Part]
) -> list[Utterance]:
    """List the texts that are new in a row, given its values before."""
    beside = _of_asides(table, row, before)
    if parts:
        found = [_of_part(table, part, row, before) for part in parts if part.role != "derived"]
        return [*(one for one in found if one.passage.text.strip() or one.stored.strip()), *beside]
    return [*_of_columns(table, row, before, columns), *beside]


def _of_asides(table: Table, row: Row, before: Row) -> list[Utterance]:
    """List the texts beside a row that did not stand there before."""
    known = frozenset(table.conduct.asides(decode(table, {**row, **before}))) if before else frozenset[str]()
    said = table.conduct.asides(decode(table, row))
    new = (text for text in said if text.strip() and text not in known)
    return [_name_or_text(from_plain(text), True, text, is_aside=True) for text in new]


def _of_part(table: Table, part: Part, row: Row, before: Row) -> Utterance:
    known = "\n".join(str(before[name]) for name in part.columns if before.get(name))
    stored = "\n".join(text for name in sorted(part.columns) for text in _strings(table.cell(row, name)))
    passage = without_lines(part.passage, known) if known else part.passage
    return _name_or_text(passage, part.kind == "name", stored, is_heading=part.kind == "heading")


def _of_columns(table: Table, row: Row, before: Row, columns: frozenset[str]) -> Iterator[Utterance]:
    for name in sorted(columns):
        if not _is_read(table, name):
            continue
        text, known = "\n".join(_strings(table.cell(row, name))), "\n".join(_strings(table.cell(before, name)))
        if any(character.isalpha() or character > _SIGNS for character in text):
            passage = without_lines(from_plain(text), known) if known else from_plain(text)
            yield _name_or_text(passage, " " not in text.strip(), text)


def _is_read(table: Table, column: str) -> bool:
    """Whether people read a column: no id, no layout, no document of which the text stands beside it."""
    if table.columns.get(column) not in ("text", "json") or column in _NO_TEXT or column.endswith(_IDS):
        return False
    return column not in table.volatile and f"{column}_text" not in table.columns


def _strings(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        return (value,) if not value.startswith('{"') else ()
    if is_array(value):
        return (text for one in value for text in _strings(one))
    return (text for one in value.values() for text in _strings(one)) if is_object(value) else ()


def _name_or_text(
    passage: Passage, is_name: bool, stored: str, *, is_aside: bool = False, is_heading: bool = False
) -> Utterance:
    text = passage.text
    if not is_name or len(text) > LONGEST_NAME or "://" in text:
        return Utterance(passage, False, stored, is_aside, is_heading)
    return Utterance(Passage(_NAME.sub(" ", text.removeprefix("refs/heads/"))), True, stored, is_aside, is_heading)


def without_lines(passage: Passage, known: str) -> Passage:
    """A passage without the lines that stood there before; what is left loses its marks."""
    old = {line.strip() for line in known.splitlines()}
    return Passage("\n".join(line for line in passage.text.splitlines() if line.strip() not in old))
