"""What people read of the rows of the chat service."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from apps.slack.app import app
from apps.slack.markup import Names, render_attachments, render_blocks, render_text
from world.core.reading.html import from_html
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


def from_blocks(blocks: Sequence[Any], lookup: Lookup) -> Passage:
    """Block Kit as the page draws it."""
    return from_html(render_blocks([block for block in blocks if isinstance(block, Mapping)], _names(lookup)))


def from_attachments(attachments: Sequence[Any], lookup: Lookup) -> Passage:
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
        own = {name.casefold() for name in lookup.called(row["person_id"])}
        role = "derived" if str(row["username"]).casefold() in own else "supplement"
        yield Part("name", from_plain(str(row["username"])), ("username",), role)
    if row.get("has_files"):
        for share in lookup.find("slack_file_share", message_id=row["id"]):
            file = lookup.row("slack_file", share["file_id"])
            if file is not None:
                yield from _file(file, lookup, ("has_files",))


def _file(file: Row, lookup: Lookup, columns: Sequence[str]) -> Iterator[Part]:
    for column in ("name", "title", "alt_text"):
        if file.get(column) and (column == "name" or file[column] != file["name"]):
            yield Part(
                "name" if column != "alt_text" else "aside", from_plain(str(file[column])), columns, "supplement"
            )
    data = lookup.data(str(file["sha256"])) if str(file.get("mimetype", "")).startswith("text/") else None
    if data is not None:
        yield Part("body", from_plain(data.decode("utf-8", "replace")), columns, "supplement")
