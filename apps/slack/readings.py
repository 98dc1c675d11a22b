"""Texts that people read in the rows of the chat service."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from apps.slack.app import app
from apps.slack.markup import Names, render_attachments, render_blocks, render_text
from world.core.reading.feigned_names import find_feigned_name
from world.core.reading.file import from_file
from world.core.reading.html import from_html
from world.core.reading.links import from_link
from world.core.reading.markdown import from_markdown
from world.core.reading.part import Lookup, Part, Row
from world.core.reading.passage import Passage
from world.core.reading.plain import from_plain


class _People(Mapping[str, str]):
    """Slack ids of people to their names."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup

    def __getitem__(self, key: str) -> str:
        found = self._lookup.called(key)
        if not found:
            raise KeyError(key)
        return found[0]

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class _Titles(Mapping[str, str]):
    """Ids of rows to one of their columns."""

    def __init__(self, lookup: Lookup, table: str, column: str) -> None:
        self._lookup, self._table, self._column = lookup, table, column

    def __getitem__(self, key: str) -> str:
        found = self._lookup.row(self._table, key)
        if found is None:
            raise KeyError(key)
        return str(found[self._column])

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def _names(lookup: Lookup) -> Names:
    return Names(
        _People(lookup), _Titles(lookup, "slack_channel", "name"), _Titles(lookup, "slack_usergroup", "handle")
    )


def from_mrkdwn(text: str, lookup: Lookup) -> Passage:
    """Stored mrkdwn as the page draws it."""
    return from_html(render_text(text, _names(lookup)))


def from_blocks(blocks: Sequence[object], lookup: Lookup) -> Passage:
    """Block Kit as the page draws it."""
    return from_html(render_blocks([block for block in blocks if isinstance(block, Mapping)], _names(lookup)))


def from_attachments(attachments: Sequence[object], lookup: Lookup) -> Passage:
    """Legacy attachments as the page draws them."""
    return from_html(render_attachments([one for one in attachments if isinstance(one, Mapping)], _names(lookup)))


def _content(row: Row, lookup: Lookup) -> Iterator[Part]:
    """Text, blocks and attachments; where there are blocks, the text is what notifications show."""
    text, blocks = str(row["text"] or ""), row.get("blocks") or ()
    role = "summary" if blocks else "whole"
    yield Part("body", lambda: from_mrkdwn(text, lookup), ("text",), role, stored=text)
    if blocks:
        yield Part("body", lambda: from_blocks(blocks, lookup), ("blocks",))
    given = row.get("attachments") or ()
    if given:
        yield Part("body", lambda: from_attachments(given, lookup), ("attachments",), "supplement")


@app.reads("slack_message")
def read_message(row: Row, lookup: Lookup) -> Iterable[Part]:
    """A message: its text, blocks and attachments, the name it goes by, its files."""
    yield from _content(row, lookup)
    if row.get("username"):
        name, person = str(row["username"]), str(row["person_id"])
        own = {known.casefold() for known in lookup.called(person)}
        role = "derived" if name.casefold() in own else "supplement"
        tricks = partial(find_feigned_name, name, person, lookup)
        yield Part("name", from_plain(name), ("username",), role, tricks=tricks)
    if row.get("has_files"):
        for share in lookup.find("slack_file_share", message_id=row["id"]):
            file = lookup.row("slack_file", share["file_id"])
            if file is not None:
                yield from _file(file, lookup, ("has_files",))


@app.reads("slack_file")
def read_file_row(row: Row, lookup: Lookup) -> Iterable[Part]:
    """A file: what it is called, and what it says."""
    return _file(row, lookup, ("name", "title", "alt_text", "sha256"))


def _file(file: Row, lookup: Lookup, columns: Sequence[str]) -> Iterator[Part]:
    for column in ("name", "title", "alt_text"):
        if file.get(column) and (column == "name" or file[column] != file["name"]):
            kind = "name" if column != "alt_text" else "aside"
            yield Part(kind, from_plain(str(file[column])), columns, "supplement")
    data = lookup.data(str(file["sha256"]))
    said = None if data is None else from_file(str(file["name"]), str(file.get("mimetype", "")), data)
    if said is not None:
        yield Part("body", said, columns, "supplement")


@app.reads("slack_ephemeral")
@app.reads("slack_scheduled_message")
@app.reads("slack_draft")
def read_unposted(row: Row, lookup: Lookup) -> Iterable[Part]:
    """A message that is not in the channel: for one reader, for later, or not sent yet."""
    return _content(row, lookup)


@app.reads("slack_channel")
def read_channel(row: Row, lookup: Lookup) -> Iterable[Part]:
    """A channel: its name, topic and description."""
    if row["kind"] in ("public", "private"):
        yield Part("heading", from_plain(row["name"]), ("name",))
        for column in ("topic", "purpose"):
            if row[column]:
                yield Part("body", partial(from_mrkdwn, row[column], lookup), (column,), "supplement")


@app.reads("slack_bookmark")
def read_bookmark(row: Row, lookup: Lookup) -> Iterable[Part]:
    """A link in the bar under a channel's name."""
    yield Part("name", from_link(row["title"], row["link"]), ("title", "link"))


@app.reads("slack_usergroup")
def read_usergroup(row: Row, lookup: Lookup) -> Iterable[Part]:
    """A group: its name, handle and description."""
    yield Part("heading", from_plain(row["name"]), ("name",))
    yield Part("name", from_plain(row["handle"]), ("handle",))
    if row["description"]:
        yield Part("body", from_plain(row["description"]), ("description",), "supplement")


@app.reads("slack_canvas")
def read_canvas(row: Row, lookup: Lookup) -> Iterable[Part]:
    """A document's title; its blocks are rows of their own."""
    yield Part("heading", from_plain(row["title"]), ("title",))


@app.reads("slack_canvas_section")
def read_canvas_section(row: Row, lookup: Lookup) -> Iterable[Part]:
    """A block of a document."""
    yield Part("body", lambda: from_markdown(row["markdown"]), ("markdown",))


@app.reads("slack_reminder")
def read_reminder(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read the text of a reminder."""
    yield Part("body", partial(from_mrkdwn, row["text"], lookup), ("text",))


@app.reads("slack_profile")
def read_profile(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a profile: name, title, status, phone."""
    if row["display_name"]:
        tricks = partial(find_feigned_name, row["display_name"], row["person_id"], lookup)
        yield Part("name", from_plain(row["display_name"]), ("display_name",), tricks=tricks)
    for column in ("title", "status_text", "phone"):
        if row[column]:
            yield Part("aside", from_plain(row[column]), (column,), "supplement")


app.declare_unread(
    {
        "slack_app": "settings of an app, for programs",
        "slack_interaction": "what an app is told, for programs",
        "slack_view": "what an app shows to one person, by its own program",
        "slack_canvas_access": "ids and a level",
        "slack_emoji": "no operation makes one",
        "slack_feed": "no operation makes one",
        "slack_member": "ids and marks of reading",
        "slack_pin": "ids",
        "slack_reaction": "an emoji of a fixed set, and ids",
        "slack_saved": "a mark of its owner's own",
        "slack_usergroup_member": "ids",
        "slack_workspace": "no operation changes it",
    }
)
