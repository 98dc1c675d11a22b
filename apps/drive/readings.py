"""Texts that people read in the rows of the drive."""

from collections.abc import Iterable
from contextlib import suppress

from apps.drive.app import app
from world.core.reading.file import from_file
from world.core.reading.part import Lookup, Part, Row
from world.core.reading.passage import Mark, Passage
from world.core.reading.plain import from_plain

_DEEDS = {"resolve": "Marked as resolved", "reopen": "Re-opened"}


@app.reads("drive_file")
def read_file(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a file or a folder: its name, description and content."""
    yield Part("heading", from_plain(row["name"]), ("name",))
    if row["description"]:
        yield Part("body", from_plain(row["description"]), ("description",), "supplement")
    data = lookup.data(row["sha256"]) if row["sha256"] else None
    said = None if data is None else from_file(row["name"], row["mime_type"], data)
    if said is not None:
        yield Part("body", said, ("name", "sha256"), "supplement")


@app.reads("drive_comment")
def read_comment(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a comment or a reply: its text, its quotation of the file, its effect on the thread."""
    yield Part("body", from_plain(row["content"]), ("content",))
    quoted = row["quoted"]
    if quoted:
        role = "derived" if _stands_in_cell(row, lookup) else "supplement"
        yield Part("aside", Passage(quoted, (Mark(0, len(quoted), "quoted"),)), ("quoted",), role)
    if row["action"]:
        yield Part("aside", from_plain(_DEEDS.get(row["action"], str(row["action"]))), ("action",), "supplement")


def _stands_in_cell(row: Row, lookup: Lookup) -> bool:
    """Whether the cell of a comment contains or computes the quoted text."""
    if row["sheet_id"] is None:
        return False
    cell = lookup.row("sheets_cell", row["sheet_id"], row["row"], row["col"])
    return cell is not None and (cell["kind"] == "formula" or _same(str(cell["input"]), row["quoted"]))


def _same(one: str, other: str) -> bool:
    """Whether two texts are equal, or the same number."""
    if one.strip().casefold() == other.strip().casefold():
        return True
    with suppress(ValueError):
        return float(one) == float("".join(letter for letter in other if letter.isdigit() or letter in ".-"))
    return False


@app.reads("drive_permission")
def read_permission(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read the message sent with a permission."""
    if row["message"]:
        yield Part("body", from_plain(row["message"]), ("message",), "supplement")


@app.reads("drive_revision")
def read_revision(row: Row, lookup: Lookup) -> Iterable[Part]:
    """The name of a version."""
    if row["name"]:
        yield Part("name", from_plain(row["name"]), ("name",))


app.declare_unread({"drive_star": "ids"})
