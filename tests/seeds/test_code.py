"""Code in the log: tickets and pull requests move each other, and what bots name is in a repository."""

import re
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from seeds.conversation_timing import StoryWriter
from seeds.events import (
    Anchor,
    Checked,
    Deployed,
    Event,
    IssueChanged,
    IssueMade,
    PullClosed,
    PullMerged,
    PullOpened,
    Pushed,
)
from seeds.repositories import series, services
from seeds.rows.references import references
from seeds.rows.series_times import SeriesTimes
from seeds.rows.service_series import compose
from seeds.spec import Spec
from seeds.stories.releases import Releases, first_version
from tests.seeds.conftest import Tell
from world.core.clock import DAY, HOUR, MINUTE, SECOND

SEEDS = (1, 2, 5)  # the incident of 5 is short
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


def list_steps(tell: Tell) -> dict[str, list[Event]]:
    """What happened to each pull request, by the handle of its issue."""
    found: dict[str, list[Event]] = {}
    for event in tell().events:
        if isinstance(event.facts, Pushed | PullOpened | Checked | PullMerged | PullClosed):
            found.setdefault(event.facts.pull, []).append(event)
    return found


def test_what_ci_refuses_is_mended_and_passes_before_its_merge(tell: Tell) -> None:
    refused = [steps for steps in list_steps(tell).values() if any(_is_red(one) for one in steps)]
    assert len(refused) >= 5
    for steps in refused:
        told = [one.facts for one in steps if not isinstance(one.facts, PullMerged | PullClosed)]
        assert [fact.what for fact in told if isinstance(fact, Pushed)][:2] == ["draft", "mend"]
        assert [fact.passed for fact in told if isinstance(fact, Checked)][:2] == [False, True]
        red = next(one for one in steps if _is_red(one))
        mend = next(one for one in steps if isinstance(one.facts, Pushed) and one.facts.what == "mend")
        assert mend.causes == (red.id,)


def _is_red(event: Event) -> bool:
    return isinstance(event.facts, Checked) and not event.facts.passed


def test_some_pull_requests_are_closed_unmerged_and_their_tickets_go_on(tell: Tell) -> None:
    status = {
        (event.facts.issue): change.new
        for event in tell().events
        if isinstance(event.facts, IssueChanged)
        for change in event.facts.changes
        if change.field == "status"
    }
    closed = [name for name, steps in list_steps(tell).items() if isinstance(steps[-1].facts, PullClosed)]
    assert len(closed) >= 3
    assert {status[name] for name in closed} == {"In Progress"}


def test_verdicts_and_open_remarks_are_rows_that_their_events_explain(small: Path) -> None:
    with sqlite3.connect(f"file:{small}?immutable=1", uri=True) as image:
        states = [state for (state,) in image.execute("SELECT state FROM github_status")]
        told = image.execute("SELECT count(*) FROM story_ref WHERE table_name = 'github_status'").fetchone()[0]
        unmerged = image.execute(
            "SELECT count(*), sum(t.resolved_by_id IS NULL) FROM github_issue i JOIN github_pull p ON p.issue_id = i.id"
            " JOIN github_review_thread t ON t.issue_id = i.id WHERE i.state = 'closed' AND p.merged_at IS NULL"
        ).fetchone()
        kept = image.execute("SELECT count(*) FROM github_commit c JOIN github_status s ON s.sha = c.sha1").fetchone()[
            0
        ]
    assert states.count("failure") >= 5 and states.count("success") > states.count("failure")
    assert told == len(states) == kept
    assert unmerged[0] == unmerged[1] >= 3


@pytest.mark.parametrize("seed", SEEDS)
def test_versions_of_a_service_rise_in_the_order_of_time(tell: Tell, seed: int) -> None:
    told: dict[str, list[tuple[int, ...]]] = {}
    for event in tell("S", seed).events:
        if isinstance(event.facts, Deployed):
            told.setdefault(event.facts.service, []).append(tuple(map(int, event.facts.version.split("."))))
    assert len(told) >= 6
    for versions in told.values():
        assert versions == sorted(set(versions))


@pytest.mark.parametrize("service", ["checkout", "payments"])
def test_releases_told_out_of_order_are_numbered_in_order(tell: Tell, service: str) -> None:
    story = tell()
    teller = StoryWriter(story.spec, story.company)
    releases = Releases(teller)
    for minutes in (300, 240, 290, 2000, 295):
        releases.release(service, story.spec.start - minutes * MINUTE, (), "releases", "release")
    releases.number()
    versions = [one.facts.version for one in teller.log.list_events() if isinstance(one.facts, Deployed)]
    numbers = [tuple(map(int, version.split("."))) for version in versions]
    assert len(numbers) == 5 and numbers == sorted(set(numbers))


@pytest.mark.parametrize("seed", SEEDS)
def test_main_of_a_service_goes_forward_in_time(tell: Tell, seed: int) -> None:
    story = tell("S", seed)
    refs = references(story.spec, story.company.slack_domain, story.events)
    merged = 0
    for service in sorted(set(story.company.services) - set(services())):
        made = compose(story.spec, story.company, refs, service)
        days = [made["pulls"][one["pr"]]["merged_days"] if "pr" in one else one["days"] for one in made["commits"]]
        assert days == sorted(days, reverse=True)
        merged += len(made["pulls"])
    assert merged >= 15


def test_a_service_of_another_pack_or_with_old_pull_requests_has_its_series(tell: Tell) -> None:
    story = tell()
    refs = references(story.spec, story.company.slack_domain, story.events)
    late = replace(story.spec, start=story.spec.start + 400 * DAY)
    branches = compose(late, story.company, refs, "checkout")["branches"]
    assert branches and {one["base"] for one in branches.values()} != {"first"}
    assert re.fullmatch(r"\d+\.\d+\.1", first_version(Spec(), "billing"))
    assert first_version(Spec(), "billing") != first_version(Spec(seed=8), "billing")


@pytest.mark.parametrize("seed", SEEDS)
def test_kept_code_is_proposed_after_its_issue_is_made(tell: Tell, seed: int) -> None:
    story = tell("S", seed)
    made = {one.facts.issue: one.at for one in story.events if isinstance(one.facts, IssueMade)}
    for service in services():
        facts = series(service)
        times = SeriesTimes(story.spec, service, facts, {one.id: one for one in story.events})
        branches = [one["pull"] for one in facts["branches"].values() if "pull" in one]
        opened = [
            (one["jira"], times.shift(story.spec.start - int(one["opened_days"] * DAY)))
            for one in [*facts["pulls"].values(), *branches]
            if "jira" in one
        ]
        assert len(opened) >= 5
        assert [issue for issue, at in opened if made[issue] >= at] == []


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
    assert [author for _, _, author in red] == [commits[name, sha] for name, sha, _ in red]


def test_kept_code_answers_its_incident_and_differs_by_seed(tell: Tell) -> None:
    facts, answer = series("payments"), series("payments")["pulls"]["revert-retry-timeouts"]
    merged: list[int] = []
    for seed in SEEDS:
        story = tell("S", seed)
        times = SeriesTimes(story.spec, "payments", facts, {one.id: one for one in story.events})
        moments = {
            one.part: one.at for one in story.events if isinstance(one.facts, Anchor) and one.story == answer["answers"]
        }
        at = [times.shift(story.spec.start - int(answer[name] * DAY)) for name in ("opened_days", "merged_days")]
        assert moments["declared"] < moments["found"] < at[0] < at[1] < moments["mitigated"]
        order = [times.shift(story.spec.start - hour * HOUR) for hour in range(24 * 60, 0, -1)]
        assert order == sorted(set(order))
        merged.append(at[1])
        live = next(one.at for one in story.events if isinstance(one.facts, Deployed) and one.part == "revert")
        assert at[1] <= live // SECOND * SECOND - MINUTE
    assert len(set(merged)) == len(SEEDS)
