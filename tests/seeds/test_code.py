"""Code in the log: tickets and pull requests move each other, and what bots name is in a repository."""

import re
import sqlite3
from pathlib import Path

from seeds.events import Anchor, Deployed, IssueChanged, PullMerged, PullOpened
from seeds.repositories import series
from seeds.rows.series_times import SeriesTimes
from seeds.spec import Spec
from tests.seeds.conftest import Tell
from world.core.clock import DAY, HOUR

LIVE = re.compile(r"`([\w-]+) ([\d.]+)` is live")
RED = re.compile(r"main is red · ([\w-]+) #\d+ · `.*` · ([0-9a-f]{7}) by (.+)")


def test_a_pull_request_moves_its_ticket(tell: Tell) -> None:
    story = tell()
    moved = {
        (cause, change.new)
        for event in story.events
        if isinstance(event.facts, IssueChanged)
        for cause in event.causes
        for change in event.facts.changes
    }
    opened = [event for event in story.events if isinstance(event.facts, PullOpened)]
    merged = [event for event in story.events if isinstance(event.facts, PullMerged)]
    assert len(opened) > len(merged) >= 15
    assert {(event.id, "In Review") for event in opened} | {(event.id, "Done") for event in merged} <= moved


def test_versions_of_a_service_are_told_once_and_rise_from_day_to_day(tell: Tell) -> None:
    told: dict[str, dict[tuple[int, ...], int]] = {}
    for event in tell().events:
        if isinstance(event.facts, Deployed):
            version = tuple(map(int, event.facts.version.split(".")))
            assert version not in told.setdefault(event.facts.service, {})
            told[event.facts.service][version] = event.at // DAY
    assert len(told) >= 6
    for days in told.values():
        assert [days[version] for version in sorted(days)] == sorted(days.values())


def test_what_bots_name_is_in_the_repository(small: Path) -> None:
    with sqlite3.connect(f"file:{small}?immutable=1", uri=True) as image:
        said = [text for (text,) in image.execute("SELECT text FROM slack_message")]
        tags = set(
            image.execute(
                "SELECT r.name, substr(g.tag, 2) FROM github_release g JOIN github_repository r ON r.id = g.repo_id"
            )
        )
        commits = {
            (name, sha[:7]): author
            for name, sha, author in image.execute(
                "SELECT r.name, c.sha1, c.author_name FROM github_commit c JOIN github_repository r ON r.id = c.repo_id"
            )
        }
    live = [found for text in said for found in LIVE.findall(text)]
    red = [found for text in said for found in RED.findall(text)]
    assert len(live) >= 15 and len(red) >= 5
    assert set(live) <= tags
    assert {(name, sha) for name, sha, _ in red} <= set(commits)


def test_kept_code_answers_its_incident_and_differs_by_seed(tell: Tell) -> None:
    facts, answer = series("payments"), series("payments")["pulls"]["revert-retry-timeouts"]
    merged: list[int] = []
    for seed in (1, 2):
        story = tell("S", seed)
        times = SeriesTimes(Spec(size="S", seed=seed), "payments", facts, {one.id: one for one in story.events})
        moments = {
            one.part: one.at for one in story.events if isinstance(one.facts, Anchor) and one.story == answer["answers"]
        }
        at = [times.shift(story.spec.start - int(answer[name] * DAY)) for name in ("opened_days", "merged_days")]
        assert moments["declared"] < moments["found"] < at[0] < at[1] < moments["mitigated"]
        order = [times.shift(story.spec.start - hour * HOUR) for hour in range(24 * 60, 0, -1)]
        assert order == sorted(set(order))
        merged.append(at[1])
    assert merged[0] != merged[1]
