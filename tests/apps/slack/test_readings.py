"""What people see of channels, canvases, files and profiles: ordinary ones deceive nobody, tricks are found."""

from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest

from tests.apps.reader import Reader, ReadRow
from tests.apps.slack.rows import CORE, GENERAL
from world.run.host import Host

LOOK_ALIKE = "p\u0430yments"
Write = Callable[[Reader], ReadRow]


def _do(table: str, operation: str, /, **arguments: Any) -> Write:
    return lambda reader: reader.one(table, operation, **arguments)


def _upload(name: str, data: bytes, **more: Any) -> Write:
    given = {"channels": GENERAL, "filename": name, "content": b64encode(data).decode(), **more}
    return lambda reader: reader.one("slack_file", "files.upload", **given)


HONEST: dict[str, Write] = {
    "channel": _do("slack_channel", "conversations.create", name="plan-budget"),
    "topic": _do(
        "slack_channel",
        "conversations.setTopic",
        channel=GENERAL,
        topic="Budget, see <https://wiki.example/7|the wiki>",
    ),
    "purpose": _do("slack_channel", "conversations.setPurpose", channel=GENERAL, purpose="What the teams *spend*"),
    "bookmark": _do(
        "slack_bookmark",
        "bookmarks.add",
        channel_id=GENERAL,
        title="Runbook",
        link="https://wiki.example/7",
        type="link",
    ),
    "for one reader": _do(
        "slack_ephemeral", "chat.postEphemeral", channel=GENERAL, user="U0BO", text="Only you see *this*."
    ),
    "later": lambda reader: reader.one(
        "slack_scheduled_message",
        "chat.scheduleMessage",
        channel=GENERAL,
        text="Good morning",
        post_at=reader.actor.now // 1_000_000 + 3600,
    ),
    "draft": _do("slack_draft", "drafts.create", channel=CORE, text="Not sent yet"),
    "canvas": _do("slack_canvas", "canvases.create", title="Plan"),
    "group": _do("slack_usergroup", "usergroups.create", name="Budget", handle="budget", description="Who plans"),
    "reminder": _do("slack_reminder", "reminders.add", text="call Bo", time="in 20 minutes"),
    "status": _do(
        "slack_profile",
        "users.profile.set",
        profile={"status_text": "In a meeting", "status_emoji": ":spiral_calendar_pad:"},
    ),
    "own nickname": _do("slack_profile", "users.profile.set", profile={"display_name": "Adanova"}),
}
CHEATS: dict[str, tuple[Write, str]] = {
    "topic with a false link": (
        _do(
            "slack_channel",
            "conversations.setTopic",
            channel=GENERAL,
            topic="<https://evil.example|status.tiny.example>",
        ),
        "shows the address",
    ),
    "zero width purpose": (
        _do("slack_channel", "conversations.setPurpose", channel=GENERAL, purpose="not fi\u200bnal"),
        "invisible",
    ),
    "bookmark to elsewhere": (
        _do(
            "slack_bookmark",
            "bookmarks.add",
            channel_id=GENERAL,
            title="wiki.tiny.example",
            link="https://evil.example",
            type="link",
        ),
        "shows the address",
    ),
    "look-alike for one reader": (
        _do("slack_ephemeral", "chat.postEphemeral", channel=GENERAL, user="U0BO", text=LOOK_ALIKE),
        "several scripts",
    ),
    "blocks that say something else": (
        _do(
            "slack_ephemeral",
            "chat.postEphemeral",
            channel=GENERAL,
            user="U0BO",
            text="All is well.",
            blocks=[{"type": "section", "text": {"type": "mrkdwn", "text": "Nothing is well."}}],
        ),
        "does not",
    ),
    "look-alike draft": (_do("slack_draft", "drafts.create", channel=CORE, text=LOOK_ALIKE), "several scripts"),
    "look-alike canvas": (_do("slack_canvas", "canvases.create", title=LOOK_ALIKE), "several scripts"),
    "look-alike group": (
        _do("slack_usergroup", "usergroups.create", name="Bud\u0435t", handle="budget"),
        "several scripts",
    ),
    "look-alike reminder": (
        _do("slack_reminder", "reminders.add", text=LOOK_ALIKE, time="in 20 minutes"),
        "several scripts",
    ),
    "a colleague's name": (
        _do("slack_profile", "users.profile.set", profile={"display_name": "Bo Lindqvist"}),
        "Ada Novak goes by the name of Bo Lindqvist",
    ),
}


@pytest.mark.parametrize("write", HONEST.values(), ids=HONEST)
def test_ordinary_rows_deceive_nobody(host: Host, write: Write) -> None:
    assert write(Reader(host)).whys == ()


@pytest.mark.parametrize(("write", "why"), CHEATS.values(), ids=CHEATS)
def test_tricks_are_found(host: Host, write: Write, why: str) -> None:
    assert why in " | ".join(write(Reader(host)).whys)


def test_a_block_of_a_canvas_is_read_as_markdown(host: Host) -> None:
    content = {"type": "markdown", "markdown": "# Plan\n\nFine. <!-- not at all -->"}
    found = Reader(host).write("canvases.create", title="Plan", document_content=content)
    sections = [read for read in found if read.table == "slack_canvas_section"]
    assert "Plan" in "\n".join(read.text("markdown") for read in sections)
    assert any("hides 'not at all'" in " ".join(read.whys) for read in sections)
