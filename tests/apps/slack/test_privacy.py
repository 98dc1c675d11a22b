"""Nobody reads what is said where they are not a member, whichever operation they try. Own choice of probes."""

from collections.abc import Callable
from typing import Any

import orjson
import pytest

import apps.slack
from tests.apps.slack.rows import CORE, IM, SECRET, ts
from tests.company import as_person
from world.core.errors import OperationError
from world.run.host import Host

Say = Callable[..., Any]
HIDDEN = ("team structure", "Can you look", "reorg-plans", "shushing_face", "hush.txt", "Hidden plan", "quiet words")
PLACES = {SECRET: ts(20), IM: ts(40)}
READS = sorted(name for name, operation in apps.slack.app.operations.items() if not operation.writes)
WRITES = sorted(name for name, operation in apps.slack.app.operations.items() if operation.writes)


def probes(channel: str, file: str, canvas: str) -> dict[str, Any]:
    """Values for every argument by which an operation can be pointed at a hidden place."""
    at = PLACES[channel]
    return {
        "channel": channel,
        "channel_id": channel,
        "item_id": channel,
        "channels": [channel],
        "ts": at,
        "timestamp": at,
        "message_ts": at,
        "thread_ts": at,
        "user": "U0DEE",
        "file": file,
        "canvas_id": canvas,
        "query": "team OR structure look hush* Hidden* quiet",
        "types": "public_channel,private_channel,im,mpim",
        "criteria": {"contains_text": "quiet"},
        "users": ["U0BO"],
        "text": "x",
        "title": "x",
        "link": "https://x.test",
        "name": "eyes",
        "limit": 100,
        "mark": "completed",
        "email": "dee@tiny.example",
        "files": [{"id": file}],
        "usergroup": "S0ONCALL01",
        "reminder": "Rm0ADA00001",
        "topic": "x",
        "purpose": "x",
        "changes": [{"operation": "insert_at_end", "document_content": {"type": "markdown", "markdown": "x"}}],
        "post_at": 1772553600,
        "scheduled_message_id": "Q0ADA000001",
        "bookmark_id": "Bk0RUNBOOK1",
        "draft_id": "Dr0ADA00001",
        "access_level": "read",
        "user_ids": ["U0EVE"],
        "presence": "auto",
        "secret": "exampleuploadsecret",
        "data": "eA==",
        "filename": "x",
        "length": 1,
        "time": "in 1 hour",
        "profile": {"title": "x"},
        "num_minutes": 1,
        "content": "x",
    }


@pytest.fixture
def hidden(say: Say) -> dict[str, Any]:
    file = say("files.upload", channels=[SECRET], content="x", filename="hush.txt")["file"]["id"]
    canvas = say(
        "conversations.canvases.create",
        channel_id=SECRET,
        title="Hidden plan",
        document_content={"type": "markdown", "markdown": "quiet words"},
    )["canvas_id"]
    return {"file": file, "canvas": canvas}


def fitting(operation: str, values: dict[str, Any]) -> dict[str, Any]:
    fields = apps.slack.app.operations[operation].params.model_fields
    wanted = {name: value for name, value in values.items() if name in fields}
    if operation in ("conversations.list", "users.conversations", "conversations.search"):
        return wanted
    return {name: value for name, value in wanted.items() if name != "types"}


@pytest.mark.parametrize("channel", [SECRET, IM])
@pytest.mark.parametrize("operation", READS)
def test_reading_never_shows_what_is_said_elsewhere(
    host: Host, hidden: dict[str, Any], operation: str, channel: str
) -> None:
    arguments = fitting(operation, probes(channel, **hidden))
    try:
        answer = host.peek(as_person(host, "eve"), "rest", operation, arguments)
    except OperationError as refusal:
        answer = refusal.detail
    shown = orjson.dumps(answer).decode().replace(arguments.get("query", "\x00"), "")
    assert not [words for words in HIDDEN if words in shown]


@pytest.mark.parametrize("channel", [SECRET, IM])
@pytest.mark.parametrize("operation", WRITES)
def test_writing_never_reaches_a_place_one_is_not_in(
    say: Say, host: Host, hidden: dict[str, Any], operation: str, channel: str
) -> None:
    def inside() -> list[Any]:
        raw = host.actor("w").bound.raw
        tables = (
            "slack_message",
            "slack_member",
            "slack_pin",
            "slack_bookmark",
            "slack_activity",
            "slack_file_share",
            "slack_draft",
        )
        rows = [raw.execute(f"SELECT * FROM {table} WHERE channel_id = ?", (channel,)).fetchall() for table in tables]
        about = raw.execute(
            "SELECT topic, purpose, name, archived_at FROM slack_channel WHERE id = ?", (channel,)
        ).fetchall()
        marks = raw.execute("SELECT * FROM slack_reaction WHERE message_id IN (8, 9)").fetchall()
        saved = raw.execute("SELECT * FROM slack_saved WHERE message_id IN (8, 9)").fetchall()
        return [*rows, about, marks, saved, raw.execute("SELECT * FROM slack_canvas_section ORDER BY id").fetchall()]

    before = inside()
    try:
        answer = say(operation, "eve", **fitting(operation, probes(channel, **hidden)))
    except OperationError as refusal:
        answer = refusal.detail
    if operation not in ("canvases.create", "conversations.canvases.create"):
        assert inside() == before
    assert not [words for words in HIDDEN if words in orjson.dumps(answer).decode()]


def test_leaving_ends_what_one_could_see(say: Say, refused: Say) -> None:
    assert say("search.messages", "dee", query="structure")["messages"]["total"] == 1
    say("conversations.leave", "dee", channel=SECRET)
    assert say("search.messages", "dee", query="structure")["messages"]["total"] == 0
    assert refused("conversations.history", "dee", channel=SECRET) == "channel_not_found"
    assert refused("chat.update", "dee", channel=SECRET, ts=ts(20), text="x") == "channel_not_found"


def test_a_mention_does_not_open_a_private_channel(say: Say) -> None:
    say("chat.postMessage", channel=SECRET, text="ask <@U0EVE>")
    assert SECRET not in [item["channel"] for item in say("activity.feed", "eve")["items"]]
    assert CORE not in [c["id"] for c in say("client.counts", "eve")["channels"]]
