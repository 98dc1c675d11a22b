"""The bulk path against the operations: what a projector writes is what the same calls would have written."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from apps.drive import app as drive
from apps.github import app as github
from apps.gmail import app as gmail
from apps.jira import app as jira
from apps.sheets import app as sheets
from apps.slack import app as slack
from apps.status import app as status
from seeds.build import GeneratedCompany, build_story, rows
from seeds.events import (
    ChannelMade,
    Commented,
    Event,
    IssueMade,
    Joined,
    Linked,
    Pinned,
    Posted,
    Reacted,
    SprintClosed,
    SprintMade,
    SprintStarted,
    Watched,
    Worked,
)
from seeds.rows.references import ts_of
from seeds.rows.row_collector import Sink
from seeds.spec import Spec
from world.core import image_builder
from world.core.access import Tokens
from world.core.clock import HOUR
from world.core.settings import Settings
from world.run.host import Host
from world.store import Base, Store

STAGE = (ChannelMade, Joined, SprintMade, SprintStarted, SprintClosed)
ACTS = (Posted, Reacted, Pinned, IssueMade, Commented, Linked, Worked, Watched)
ADDRESS = "http://quayline.test"

# Columns that say how far somebody has read, which no event of the log carries.
COMPARED = {
    "slack_message": (
        "id, channel_id, ts, person_id, text, subtype, thread_ts, is_broadcast, reply_count, reply_users, latest_reply,"
        " has_files"
    ),
    "slack_mention": "message_id, target, channel_id, ts",
    "slack_reaction": "message_id, name, person_id, created_at",
    "slack_pin": "channel_id, message_id, person_id, pinned_at",
    "slack_thread_follower": "message_id, person_id, is_subscribed, last_read",
    "slack_channel": "id, latest_ts",
    "jira_issue": "*",
    "jira_comment": "*",
    "jira_issue_link": "*",
    "jira_worklog": "*",
    "jira_change": "*",
    "jira_watcher": "issue_id, person_id, created_at",
    "jira_project": "id, issue_counter",
    "jira_counter": "name, next",
}


def part_of(story: GeneratedCompany, *kinds: type) -> GeneratedCompany:
    """The story with events of these kinds only."""
    return replace(story, events=[event for event in story.events if isinstance(event.facts, kinds)])


def image(folder: Path, sink: Sink, now: int) -> Path:
    """The sealed image of projected rows, its clock standing at `now`."""

    def load(connection: Connection) -> None:
        sink.flush(connection)

    return image_builder.build(folder, [drive, github, gmail, jira, sheets, slack, status], load, now=now)


@dataclass
class Replay:
    """Tells a log again, call by call, each at its own time."""

    host: Host
    bulk: Sink
    story: GeneratedCompany

    def __post_init__(self) -> None:
        refs = [
            row for model, found in self.bulk.rows.items() for row in found if model.__tablename__ == "slack_message"
        ]
        self.messages = {ref["event_id"]: refs[int(ref["row_id"]) - 1] for ref in self.bulk.references("slack_message")}
        by_id = {row["id"]: row for row in self.rows("jira_issue")}
        self.issues = {ref["part"]: by_id[int(ref["row_id"])] for ref in self.bulk.references("jira_issue")}
        self.bodies = {
            ref["event_id"]: next(row for row in self.rows(table) if row["id"] == int(ref["row_id"]))
            for table in ("jira_comment", "jira_worklog")
            for ref in self.bulk.references(table)
        }

    def rows(self, table: str) -> list[dict[str, Any]]:
        return next((found for model, found in self.bulk.rows.items() if model.__tablename__ == table), [])

    def run(self) -> None:
        for event in self.story.events:
            if not isinstance(event.facts, ACTS):
                continue
            self.host.actors["w"].advance(event.at)
            operation, arguments = self.call_of(event)
            kind = "bot" if self.story.company.by_id()[event.actor].kind == "bot" else "user"
            scopes = ("chat:write",) if kind == "bot" else ()
            principal = self.host.principal("w", event.actor, kind=kind, scopes=scopes)
            self.host.call(principal, "rest", operation, arguments, base_url=ADDRESS)

    def call_of(self, event: Event) -> tuple[str, dict[str, Any]]:
        facts = event.facts
        if isinstance(facts, Posted):
            row = self.messages[event.id]
            return "chat.postMessage", {
                "channel": row["channel_id"],
                "text": row["text"],
                "thread_ts": row["thread_ts"],
            }
        if isinstance(facts, Reacted):
            row = self.messages[facts.message]
            return "reactions.add", {"channel": row["channel_id"], "timestamp": row["ts"], "name": facts.emoji}
        if isinstance(facts, Pinned):
            row = self.messages[facts.message]
            return "pins.add", {"channel": row["channel_id"], "timestamp": row["ts"]}
        return self.jira_call(event)

    def jira_call(self, event: Event) -> tuple[str, dict[str, Any]]:
        facts = event.facts
        if isinstance(facts, IssueMade):
            return "createIssue", {"fields": self.fields(facts), "contentFormat": "adf"}
        if isinstance(facts, Linked):
            ends = {
                "inwardIssue": {"key": self.issues[facts.issue]["key"]},
                "outwardIssue": {"key": self.issues[facts.other]["key"]},
            }
            return "linkIssues", {"type": {"name": facts.kind}, **ends}
        assert isinstance(facts, (Commented, Worked, Watched))
        about = {"issueIdOrKey": self.issues[facts.issue]["key"]}
        if isinstance(facts, Commented):
            return "addComment", {**about, "body": self.bodies[event.id]["body"], "contentFormat": "adf"}
        if isinstance(facts, Watched):
            return "addWatcher", about
        started = f"{facts.started_at // 1_000_000}"
        return "addWorklog", {
            **about,
            "timeSpentSeconds": facts.spent_s,
            "started": zulu(int(started)),
            "comment": self.bodies[event.id]["comment"],
            "contentFormat": "adf",
        }

    def fields(self, facts: IssueMade) -> dict[str, Any]:
        row = self.issues[facts.issue]
        found: dict[str, Any] = {
            "project": {"key": facts.project},
            "issuetype": {"name": facts.type},
            "summary": facts.title,
            "description": row["description"],
            "priority": {"name": facts.priority},
            "labels": list(facts.labels),
            "components": [{"name": name} for name in facts.components],
        }
        if facts.parent:
            found["parent"] = {"id": str(row["parent_id"])}
        return found


def zulu(seconds: int) -> str:
    """A Jira date-time of seconds since the epoch."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.000+0000")


@pytest.fixture(scope="module", params=[3, 7])
def worlds(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Any]]:
    """Connections to the bulk image and to the replayed world of one seed."""
    folder = tmp_path_factory.mktemp("replay")
    whole = build_story(Spec(size="XS", seed=request.param))
    acts = part_of(whole, *STAGE, *ACTS)
    bulk = rows(acts)
    host = Host(
        Store(folder / "worlds", Base(image(folder / "bulk", bulk, whole.spec.start))), [jira, slack], Tokens("test")
    )
    host.create("bulk")
    began = min(event.at for event in acts.events if isinstance(event.facts, ACTS)) - HOUR
    staged = Host(
        Store(folder / "again", Base(image(folder / "stage", rows(part_of(whole, *STAGE)), began))),
        [jira, slack],
        Tokens("test"),
    )
    staged.create("w", Settings(write_s=0, read_s=0, limits="off"))
    staged.actors["w"].bound.raw.execute(
        "DELETE FROM slack_feed"
    )  # what bots posted is told like all else, and not to be posted twice
    Replay(staged, bulk, acts).run()
    yield host.actors["bulk"].bound.raw, staged.actors["w"].bound.raw


@pytest.mark.full
@pytest.mark.parametrize("table", sorted(COMPARED))
def test_bulk_rows_equal_replayed_rows(worlds: tuple[Any, Any], table: str):
    query = (
        f"SELECT {COMPARED[table]} FROM {table} ORDER BY 1, 2, 3"
        if table not in ("slack_channel", "jira_project", "jira_counter")
        else f"SELECT {COMPARED[table]} FROM {table} ORDER BY 1"
    )
    bulk, replayed = (connection.execute(query).fetchall() for connection in worlds)
    assert bulk == replayed
    assert bulk


def test_ts_of_a_time_has_six_digits():
    assert ts_of(1_772_438_400_000_007) == "1772438400.000007"
