"""Bench images: the S company with bulk of about the wanted size."""

import sqlite3
from pathlib import Path

import pytest

from seeds.build import build
from seeds.spec import Spec


@pytest.mark.full
def test_a_bench_image_has_about_the_wanted_size_and_still_holds_the_company(images: Path):
    image = build(Spec(size="bench", seed=7, mb=24), images)
    assert 18 * 2**20 < image.stat().st_size < 30 * 2**20
    with sqlite3.connect(f"file:{image}?immutable=1", uri=True) as connection:
        one = lambda query: connection.execute(query).fetchone()[0]  # noqa: E731
        assert one("SELECT count(*) FROM jira_issue WHERE key LIKE 'SHOP-%'") > 80
        assert one("SELECT count(*) FROM slack_message") > 5_000
        assert one(
            "SELECT max(number) = issue_counter AND count(*) = issue_counter FROM jira_issue, jira_project p"
            " WHERE p.key = 'ARCH' AND project_id = p.id"
        )
        assert one("SELECT next > (SELECT max(id) FROM jira_issue) FROM jira_counter WHERE name = 'jira_issue'")
        assert one("SELECT count(*) FROM slack_message_fts WHERE slack_message_fts MATCH 'ledger'") > 100
        assert (
            one(
                "SELECT max(ts) FROM slack_message m JOIN slack_channel c ON c.id = m.channel_id WHERE c.name LIKE"
                " 'archive-%'"
            )
            < "1769"
        )
