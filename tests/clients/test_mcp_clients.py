"""Official tool clients of two lines, both eras, over HTTP and stdio: a day's work on derived and vendor surfaces."""

import json
import sys
from pathlib import Path

import pytest

from tests.clients.day import ask, interpreter, new_world, run, token, touched, urgent
from tests.conftest import Server

ME, PEER, PEER_MAIL = "pmazur", "p_0005", "karolina.lis@quayline.example"
CLIENTS = [
    ("newer", "auto", "http"),
    ("newer", "auto", "stdio"),
    ("newer", "legacy", "http"),
    ("newer", "legacy", "stdio"),
    ("older", "", "http"),
]


@pytest.mark.parametrize(("line", "mode", "way"), CLIENTS, ids=["-".join(filter(None, one)) for one in CLIENTS])
def test_a_day_with_tools_reaches_every_operation_of_the_first_tier(
    server: Server, line: str, mode: str, way: str
) -> None:
    python = interpreter("mcp_older") if line == "older" else Path(sys.executable)
    script, arguments = ("mcp_older_day.py", []) if line == "older" else ("mcp_day.py", [mode, way])
    new_world(server)
    report = run(
        python,
        script,
        *arguments,
        FIRM_URL=server.url,
        FIRM_PEER=PEER_MAIL,
        FIRM_TOKEN=token(server, "", ME),
        FIRM_COMMAND=json.dumps([sys.executable, "-m", "world", "mcp"]),
    )
    assert (urgent("slack") | urgent("jira")) - touched(server, "mcp") == set()
    _check_chat(server, report["slack"]["channel"])
    _check_tracker(server, report["jira"])


def _check_chat(server: Server, channel: str) -> None:
    assert ask(server, "SELECT name, topic, archived_at FROM slack_channel WHERE id = ?", channel) == [
        ("zephyr-works", "winds", None)
    ]
    posted = ask(
        server,
        "SELECT text FROM slack_message WHERE channel_id = ? AND deleted_at IS NULL AND NOT has_files ORDER BY ts",
        channel,
    )
    assert [text for (text,) in posted] == ["zephyrine edited", "a reply", "*bold* words"]
    for table, count in (("scheduled_message", 2), ("draft", 1), ("ephemeral", 1)):
        assert ask(server, f"SELECT count(*) FROM slack_{table} WHERE channel_id = ?", channel) == [(count,)], table
    assert ask(server, "SELECT count(*) FROM slack_canvas WHERE title = 'Plan'") == [(1,)]


def _check_tracker(server: Server, work: dict[str, str]) -> None:
    key = work["issue"]
    assert ask(
        server,
        "SELECT i.summary, i.assignee_id, s.name FROM jira_issue i JOIN jira_status s ON s.id = i.status_id WHERE"
        " i.key = ?",
        key,
    ) == [("zephyrine breaks every build", PEER, work["status"])]
    left = "SELECT count(*) FROM jira_{} c JOIN jira_issue i ON i.id = c.issue_id WHERE i.key = ?"
    counts = {name: ask(server, left.format(name), key)[0][0] for name in ("comment", "worklog", "attachment")}
    assert counts == {"comment": 2, "worklog": 2, "attachment": 1}
    made = "SELECT summary, deleted_at IS NULL FROM jira_issue WHERE summary LIKE 'zephyrine%' ORDER BY id"
    assert ask(server, made) == [
        ("zephyrine breaks every build", 1),
        ("zephyrine part 0", 1),
        ("zephyrine part 1", 0),
        ("zephyrine by the vendor's tool", 1),
    ]
