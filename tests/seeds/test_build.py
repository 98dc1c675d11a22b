"""Sealed images: sound, the same everywhere, of the promised size."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from seeds.build import build
from seeds.inspection.consistency import find_problems
from seeds.spec import START, Spec
from seeds.targets import target_quantity
from world.store import Base

BUILD = """
import sys
from pathlib import Path
from seeds import Spec
from seeds.build import build
for seed in (11, 12):
    print(build(Spec(size="XS", seed=seed), Path(sys.argv[1])).name)
"""


def count(image: Path, query: str) -> int:
    """The number a query gives."""
    with sqlite3.connect(f"file:{image}?immutable=1", uri=True) as connection:
        return connection.execute(query).fetchone()[0]


@pytest.mark.full
@pytest.mark.parametrize("seed", [2, 7])
def test_the_rows_of_an_image_have_no_problems(images: Path, seed: int):
    for size in ("XS", "S"):
        assert find_problems(build(Spec(size=size, seed=seed), images)) == []  # type: ignore[arg-type]


@pytest.mark.full
def test_the_same_spec_gives_the_same_bytes_in_any_process_zone_and_locale(tmp_path: Path):
    names = []
    for i, more in enumerate(
        (
            {"PYTHONHASHSEED": "1", "TZ": "UTC", "LANG": "C"},
            {"PYTHONHASHSEED": "777", "TZ": "Asia/Kathmandu", "LANG": "de_DE.UTF-8"},
        )
    ):
        done = subprocess.run(
            [sys.executable, "-c", BUILD, str(tmp_path / str(i))],
            env={**os.environ, **more},
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parents[2],
        )
        names.append(done.stdout.split())
    assert names[0] == names[1]
    assert len(set(names[0])) == 2


def test_the_image_opens_as_a_base_and_its_clock_stands_at_the_start(small: Path):
    assert Base(small).sha256 == small.stem
    assert count(small, "SELECT at FROM _now") == START
    assert count(small, "SELECT count(*) FROM _journal") == count(small, "SELECT count(*) FROM _call") == 0


def test_the_small_company_has_the_promised_size(small: Path):
    assert 24 <= count(small, "SELECT count(*) FROM person WHERE kind = 'employee' AND status = 'active'") <= 27
    assert 8 <= count(small, "SELECT count(*) FROM organisation WHERE kind = 'customer'") <= 10
    assert count(small, "SELECT count(*) FROM slack_channel WHERE kind IN ('public', 'private')") >= 20
    assert count(small, "SELECT count(*) FROM slack_channel WHERE archived_at IS NOT NULL") >= 2
    assert count(small, "SELECT count(*) FROM slack_channel WHERE previous_names IS NOT NULL") == 1
    assert 1000 <= count(small, "SELECT count(*) FROM slack_message") <= 1400
    wanted = target_quantity("S", "issues") + target_quantity("S", "requests")  # each request has a ticket of its own
    assert abs(count(small, "SELECT count(*) FROM jira_issue") - wanted) <= 16
    assert count(small, "SELECT count(DISTINCT project_id) FROM jira_issue") == 3
    assert count(small, "SELECT count(*) FROM jira_sprint WHERE state = 'closed'") == 3


def test_the_tiny_company_has_the_promised_size(tiny: Path):
    assert count(tiny, "SELECT count(*) FROM person WHERE kind = 'employee'") == 8
    assert count(tiny, "SELECT count(*) FROM slack_channel WHERE kind = 'public'") == 3
    assert 45 <= count(tiny, "SELECT count(*) FROM slack_message") <= 80
    assert count(tiny, "SELECT count(*) FROM jira_issue") == 12


def test_stories_can_be_found_by_their_handles(small: Path):
    handles = "SELECT count(*) FROM story_ref WHERE table_name = '{}' AND story = '{}' AND part = '{}'"
    for table, story, part in (
        ("jira_issue", "resilience", "res-runbook"),
        ("jira_issue", "inc-november", "inc-aws-november"),
        ("person", "people", "payments-1"),
        ("organisation", "customers", "c1"),
        ("slack_channel", "channels", "status-updates"),
        ("schedule", "company", "payments"),
        ("slack_message", "inc-double-charge", "first-report"),
        ("jira_project", "jira-site", "INC"),
        ("jira_sprint", "sprints", "s0"),
    ):
        assert count(small, handles.format(table, story, part)) >= 1, (table, story, part)


def test_search_finds_words_of_messages_issues_and_comments(small: Path):
    assert count(small, "SELECT count(*) FROM slack_message_fts WHERE slack_message_fts MATCH 'DynamoDB'") >= 3
    assert count(small, "SELECT count(*) FROM jira_issue_fts WHERE jira_issue_fts MATCH 'runbook'") >= 3
    assert count(small, "SELECT count(*) FROM jira_comment_fts WHERE jira_comment_fts MATCH 'retry'") >= 1


def test_the_check_sees_a_row_that_was_tampered_with(small: Path, tmp_path: Path):
    copy = tmp_path / "copy.db"
    shutil.copyfile(small, copy)
    copy.chmod(0o600)
    with sqlite3.connect(copy) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            connection.execute(f'DROP TRIGGER "{name}"')
        connection.execute(
            "UPDATE slack_message SET reply_count = reply_count + 1 WHERE id = (SELECT min(id) FROM slack_message WHERE"
            " reply_count > 0)"
        )
        connection.execute(
            "UPDATE jira_issue SET updated_at = (SELECT at + 1 FROM _now) WHERE id = (SELECT max(id) FROM jira_issue)"
        )
        connection.execute(
            "UPDATE jira_issue SET status_id = 3 WHERE id = (SELECT min(id) FROM jira_issue WHERE resolution_id IS NOT"
            " NULL)"
        )
    connection.close()
    said = "\n".join(find_problems(copy))
    assert re.search("thread's counts", said) and re.search("after now", said) and re.search("status differs", said)
