"""The inspection of a company: what it measures, what it writes, and what it finds wrong."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from seeds.inspection.company_tables import READ
from seeds.inspection.conversations import Said, measure_conversation, measure_distance, read_real_shapes
from seeds.inspection.mail_figures import read_body
from seeds.inspection.shared_facts import measure_shared_facts
from seeds.inspection.summary import check
from seeds.targets import targets
from world.run.images import list_sources, source_roots

TALK = [Said(0, "ada", 20), Said(10, "ada", 2), Said(40, "bo", 5), Said(100, "ada", 1)]


def test_a_sound_company_is_told_as_such_and_its_card_holds_every_figure(company: Path, tmp_path: Path) -> None:
    sound, lines = check(company, tmp_path / "card")
    told = json.loads((tmp_path / "card" / "card.json").read_text())
    assert sound and told["sound"] and told["problems"] == []
    assert {one["name"] for one in told["bands"]} == set(targets()["band"])
    assert {one["name"] for one in told["aims"]} == set(targets()["aim"])
    assert len(told["conversations"]) == len(read_real_shapes())
    assert len(lines) == 4 + len(told["bands"]) + len(told["aims"]) + len(told["conversations"])
    page = (tmp_path / "card" / "card.html").read_text()
    assert all(one["name"] in page for one in (*told["bands"], *told["aims"])) and "<script" not in page


def test_a_broken_company_is_not_sound(company: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    shutil.copyfile(company, broken)
    with closing(sqlite3.connect(broken, isolation_level=None)) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            connection.execute(f'DROP TRIGGER "{name}"')
        connection.execute(
            "UPDATE jira_issue SET summary = '<b>the same</b>' WHERE id IN (SELECT id FROM jira_issue LIMIT 3)"
        )
    sound, lines = check(broken, tmp_path / "card")
    assert not sound and any(line.startswith("broken rule: two issues share a title") for line in lines)
    assert "<b>the same" not in (tmp_path / "card" / "card.html").read_text()


def test_what_is_no_company_is_refused(tmp_path: Path) -> None:
    (tmp_path / "no.db").write_text("no database at all, but long enough to be looked at as one" * 20)
    with pytest.raises(ValueError, match=r"no\.db is no company"):
        check(tmp_path / "no.db", None)


def test_the_inspection_changes_no_image() -> None:
    read = {path for root in source_roots() for _, path in list_sources(root)}
    assert any(path.endswith("seeds/build.py") for path in read)
    assert not any("/inspection/" in path for path in read)


def test_a_conversation_is_measured_by_turns_pace_and_words() -> None:
    assert measure_conversation(TALK) == pytest.approx(
        {
            "messages": 4,
            "participants": 2,
            "msgs_per_person": 2,
            "longest_run": 2,
            "unanswered": 0,
            "self_follow": 1 / 3,
            "opener_share": 0.75,
            "opener_returns": 1,
            "gap_median": 30,
            "gap_max": 60,
            "duration": 100,
            "gap_fast": 2 / 3,
            "same_gap": 10,
            "switch_gap": 45,
            "first_answer": 40,
            "words_mean": 7,
            "words_max": 20,
            "words_min": 1,
            "words_first": 20,
            "short_share": 0.5,
            "words_sd": 7.648529270389178,
            "words_last": 1,
        }
    )
    assert set(measure_conversation(TALK)) == {shape.feature for shape in read_real_shapes()}
    assert measure_conversation(TALK[:1])["unanswered"] == 1


def test_the_distance_of_equal_distributions_is_nothing_and_of_apart_ones_all() -> None:
    quantiles = {0.1: 10.0, 0.5: 50.0, 0.9: 90.0}
    assert measure_distance([float(number) for number in range(1, 101)], quantiles) == pytest.approx(0.0)
    assert measure_distance([1000.0] * 9, quantiles) == pytest.approx(0.9)
    assert measure_distance([0.0] * 9, {0.1: 0.0, 0.5: 0.0, 0.9: 1.0}) == pytest.approx(0.1)
    assert measure_distance([], quantiles) == 1.0


def test_what_an_author_wrote_is_read_without_greeting_farewell_and_quotation() -> None:
    text = "Hi Ada,\n\nthe rate is wrong.\n\nCan you look?\n\nBest,\nBo\n\n-- \nBo Lind\n\nOn Mon Ada wrote:\n\n> old"
    assert read_body(text) == "the rate is wrong.\n\nCan you look?"
    assert read_body("Thanks!") == "Thanks!"


def test_facts_across_apps_are_counted() -> None:
    tables = {name: [] for name in READ} | {
        "jira_issue": [{"key": "SHOP-1", "created_at": 10}, {"key": "SHOP-2", "created_at": 30}],
        "github_repository": [{"id": 1, "name": "checkout"}],
        "service": [{"name": "checkout"}, {"name": "ledger"}],
        "github_issue": [
            {"id": 1, "is_pull": True, "title": "SHOP-1 rounds", "body": None, "created_at": 20},
            {"id": 2, "is_pull": True, "title": "Timeouts", "body": "for shop-2", "created_at": 20},
            {"id": 3, "is_pull": True, "title": "X-9", "body": "", "created_at": 20},
        ],
        "github_ref": [{"name": "refs/heads/main"}, {"name": "refs/heads/shop-2-timeouts"}, {"name": "refs/tags/v1"}],
        "github_commit": [{"message": "SHOP-1: round"}, {"message": "typo"}],
        "github_release": [{"repo_id": 1, "tag": "v4.1.0"}],
        "slack_message": [{"text": ":rocket: `checkout 4.1.0` is live"}, {"text": ":rocket: `ledger 4.1.0` is live"}],
        "story_ref": [
            {"story": "a", "table_name": "slack_message"},
            {"story": "a", "table_name": "jira_issue"},
            {"story": "a.mail", "table_name": "gmail_mail"},
            {"story": "b", "table_name": "jira_comment"},
            {"story": "people", "table_name": "person"},
        ],
    }
    assert measure_shared_facts(tables) == pytest.approx(
        {
            "code.branches_with_key": 1.0,
            "code.commits_with_key": 0.5,
            "code.pulls_with_key": 2 / 3,
            "code.pulls_after_issue": 0.5,
            "code.services_with_repository": 0.5,
            "code.deploys_with_tag": 0.5,
            "stories.over_three_apps": 0.5,
        }
    )
