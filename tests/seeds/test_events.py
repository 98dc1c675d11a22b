"""The log of many seeds keeps its invariants, and the audit sees what breaks them."""

from dataclasses import replace

import pytest

from seeds.build import GeneratedCompany, build_story
from seeds.events import Commented, Event, IssueMade, Posted, Reacted
from seeds.hours import Hours
from seeds.log_audit import violations
from tests.seeds.conftest import Tell

SOME, FEW = 8, 4
SEEDS = [
    pytest.param(seed, marks=[pytest.mark.slow] if seed > SOME else [pytest.mark.full] if seed > FEW else [])
    for seed in range(1, 21)
]


def audit(story: GeneratedCompany, events: list[Event]) -> list[str]:
    """The violations of a log in a told company."""
    return violations(sorted(events, key=lambda event: (event.at, event.id)), story.company.by_id(), story.spec.start)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_log_of_a_seed_has_no_violations(tell: Tell, seed: int):
    for size in ("XS", "S"):
        story = tell(size, seed)
        assert violations(story.events, story.company.by_id(), story.spec.start) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_nine_acts_in_ten_fall_into_working_hours(tell: Tell, seed: int):
    story = tell("S", seed)
    people, hours = story.company.by_id(), Hours(story.company)
    acts = [event for event in story.events if event.actor in people and people[event.actor].kind == "employee"]
    inside = sum(hours.is_working(people[event.actor], event.at) for event in acts)
    assert inside / len(acts) >= 0.9


@pytest.mark.parametrize("seed", SEEDS)
def test_every_seed_tells_its_incidents_and_its_epics(tell: Tell, seed: int):
    parts = {event.part for event in tell("S", seed).events}
    assert {"inc-aws-november", "inc-double", "inc-cart", "inc-webhooks", "inc-acquirer", "inc-recon"} <= parts
    assert {
        "split-epic",
        "retry-epic",
        "sign-epic",
        "close-epic",
        "payout-epic",
        "saved-epic",
        "price-epic",
        "res-epic",
    } <= parts


def first(story: GeneratedCompany, kind: type, **want: object) -> Event:
    """The first event of a kind."""
    return next(
        e for e in story.events if isinstance(e.facts, kind) and all(getattr(e.facts, k) == v for k, v in want.items())
    )


def test_the_audit_sees_an_act_after_leaving(tell: Tell):
    story = tell("S", 7)
    gone = story.company.staff["checkout-3"]
    said = first(story, Posted, channel="general", thread="")
    late = replace(said, id="e.x.001", actor=gone.id, at=gone.left_at + 10**9)  # type: ignore[operator]
    assert any("does not work here" in one for one in audit(story, [*story.events, late]))


def test_the_audit_sees_the_future_and_a_missing_cause(tell: Tell):
    story = tell("XS", 7)
    said = first(story, Posted)
    late = replace(said, id="e.x.001", at=story.spec.start + 1)
    assert any("after now" in one for one in audit(story, [*story.events, late]))
    assert any(
        "does not come before" in one
        for one in audit(story, [*story.events, replace(said, id="e.x.002", at=said.at + 1, causes=("e.none",))])
    )


def test_the_audit_sees_a_comment_before_its_issue_and_a_doubled_reaction(tell: Tell):
    story = tell("S", 7)
    made = first(story, IssueMade)
    early = Event("e.x.001", made.at - 10**6, made.actor, Commented(made.facts.issue, "early"))  # type: ignore[union-attr]
    assert any("no issue" in one for one in audit(story, [*story.events, early]))
    reacted = first(story, Reacted)
    again = replace(reacted, id="e.x.002", at=reacted.at + 5)
    assert any("twice" in one for one in audit(story, [*story.events, again]))


def test_the_audit_sees_a_stranger_in_a_private_channel_and_a_reply_to_a_reply(tell: Tell):
    story = tell("S", 7)
    reply = next(e for e in story.events if isinstance(e.facts, Posted) and e.facts.thread)
    nested = replace(reply, id="e.x.001", at=reply.at + 7, facts=replace(reply.facts, thread=reply.id))  # type: ignore[type-var]
    assert any("answers an answer" in one for one in audit(story, [*story.events, nested]))
    private = first(story, Posted, channel="hiring")
    stranger = replace(private, id="e.x.002", at=private.at + 9, actor=story.company.staff["success-2"].id)
    assert any("is not in hiring" in one for one in audit(story, [*story.events, stranger]))


def test_a_log_is_the_same_in_every_run_and_another_for_another_seed(tell: Tell):
    story = tell("S", 7)
    assert build_story(story.spec).events == story.events
    assert tell("S", 8).events != story.events
