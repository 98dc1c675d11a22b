"""Requests: a customer's mail or an alert becomes chat, a ticket, code and an answer, in words that hold no fact."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from seeds.build import GeneratedCompany, rows
from seeds.content_packs import library
from seeds.events import OUTSIDE, Commented, Event, IssueChanged, IssueMade, Mailed, Posted, PullMerged
from seeds.inspection.shared_facts import measure_shared_facts
from tests.seeds.conftest import Tell
from world.core.clock import DAY

LEAST = 4  # wordings of a turn
DIGIT = re.compile(r"\d")
LOG = re.compile(r"```\n[\w-]+ \d+\.\d+\.\d+(?: \(\x02g:[\w@.-]+\x03\))? on [\w-]+, UTC\n")
TEXTS: Mapping[str, Any] = library("shop").plain["requests"]


def list_turns(kind: Mapping[str, Any]) -> Iterator[tuple[str, Sequence[str]]]:
    """The wordings of every turn of a kind, descriptions included."""
    yield "descriptions", kind["descriptions"]
    for part in kind.values():
        if isinstance(part, dict):
            yield from part.items()


def list_requests(story: GeneratedCompany) -> dict[str, list[Event]]:
    """The events of each request by story."""
    found: dict[str, list[Event]] = {}
    for event in story.events:
        if event.story.startswith("request-"):
            found.setdefault(event.story.removesuffix(".mail"), []).append(event)
    return found


@pytest.mark.parametrize("name", sorted(TEXTS["kinds"]))
def test_every_turn_of_a_kind_has_several_wordings_without_numbers(name: str) -> None:
    for turn, wordings in list_turns(TEXTS["kinds"][name]):
        assert len(set(wordings)) >= LEAST, turn
        assert not [one for one in wordings if DIGIT.search(one)], turn


def test_the_words_of_a_matter_hold_no_numbers_but_in_a_log() -> None:
    for matter in TEXTS["matters"]:
        words = {name: text for name, text in matter["words"].items() if name != "log"}
        assert not [name for name, text in words.items() if DIGIT.search(text.replace("{n}", ""))], matter["id"]


@pytest.mark.parametrize("name", sorted(TEXTS["kinds"]))
def test_a_description_says_what_was_reported_and_answers_no_question(name: str) -> None:
    kind = TEXTS["kinds"][name]
    asked_first = "alert" not in kind  # of an alert, what is told stands in the chat before the ticket
    for wording in kind["descriptions"]:
        assert "[mail]" in wording or "[chat]" in wording
        assert not (asked_first and "[told]" in wording), wording


def test_a_request_follows_from_a_mail_or_an_alert_and_is_spoken_of(tell: Tell) -> None:
    story = tell("S", 7)
    known = {event.id: event for event in story.events}
    told = list_requests(story)
    spoken = {name for name, events in told.items() if any(isinstance(one.facts, Posted) for one in events)}
    assert len(told) >= 50 and len(spoken) >= 0.9 * len(told)
    for events in told.values():
        made = next(one for one in events if isinstance(one.facts, IssueMade))
        assert all(isinstance(known[cause].facts, Mailed | Posted) for cause in made.causes)
    caused = [one for events in told.values() for one in events if isinstance(one.facts, IssueMade) and one.causes]
    assert len(caused) >= 0.9 * len(told)


def test_an_answer_that_waits_for_the_work_comes_after_it_and_from_it(tell: Tell) -> None:
    checked = 0
    for events in list_requests(tell("S", 7)).values():
        merged = next((one for one in events if isinstance(one.facts, PullMerged)), None)
        mails = [one for one in events if isinstance(one.facts, Mailed) and one.facts.kind == "person"]
        if merged and len(mails) > 2:
            assert mails[2].at > merged.at and len(mails[2].causes) == 2
            checked += 1
    assert checked >= 10


@pytest.mark.parametrize("seed", [7, *(pytest.param(seed, marks=pytest.mark.full) for seed in (0, 1, 2))])
def test_whoever_wrote_of_what_is_finished_has_an_answer(tell: Tell, seed: int) -> None:
    story, checked = tell("S", seed), 0
    for name, events in list_requests(story).items():
        last = max((one.at for one in events if _finishes(one)), default=story.spec.start)
        mails = [one for one in events if isinstance(one.facts, Mailed) and one.facts.kind == "person"]
        outside = [one for one in mails if one.actor.startswith(OUTSIDE)]
        if outside and last < story.spec.start - 4 * DAY:
            assert any(one.at > last for one in mails if one not in outside), name
            checked += 1
    assert checked >= 20


def _finishes(event: Event) -> bool:
    changes = event.facts.changes if isinstance(event.facts, IssueChanged) else ()
    return any(change.new in ("Done", "Resolved") for change in changes)


def test_what_was_not_done_after_all_is_opened_and_finished_again(tell: Tell) -> None:
    back = [event for event in tell("S", 7).events if isinstance(event.facts, IssueChanged) and _reopens(event.facts)]
    assert back
    for event in back:
        assert isinstance(next(one for one in tell("S", 7).events if one.id == event.causes[0]).facts, Posted)


def _reopens(facts: IssueChanged) -> bool:
    return any(change.field == "resolution" and not change.new for change in facts.changes)


def test_some_matters_grow_long(tell: Tell) -> None:
    told = list_requests(tell("S", 7)).values()
    comments = sorted(sum(isinstance(one.facts, Commented) for one in events) for events in told)
    assert comments[-1] >= 10 and comments[len(comments) // 2] <= 1


def test_a_pasted_log_names_service_version_and_commit_and_ends_before_it_is_pasted(tell: Tell) -> None:
    story, logs = tell("S", 7), list[Event]()
    for events in list_requests(story).values():
        logs += [one for one in events if isinstance(one.facts, Posted) and LOG.search(one.facts.text)]
    assert len(logs) >= 8
    for event in logs:
        assert isinstance(event.facts, Posted)
        lines = event.facts.text.partition("```\n")[2].removesuffix("\n```").splitlines()
        times = [line[:12] for line in lines[1:] if line[:2].isdigit()]
        assert len(lines) > 6
        assert times == sorted(times) or times[0] > times[-1]  # over midnight


def test_no_bracket_and_no_slot_is_left_in_a_text(tell: Tell) -> None:
    left = re.compile(r"\[(?:chat|ask|told|cause|answer|mail|log|alert|title|quote|paste)\]|\{(?!jira|reviewer)")
    for events in list_requests(tell("S", 7)).values():
        for event in events:
            if isinstance(event.facts, Posted | Mailed | Commented):
                assert not left.search(event.facts.text), event.id


@pytest.mark.parametrize("seed", [7, *(pytest.param(seed, marks=pytest.mark.full) for seed in (0, 1, 2))])
def test_every_third_story_is_told_in_three_apps_or_more(tell: Tell, seed: int) -> None:
    sink = rows(tell("S", seed))
    tables = {str(model.__tablename__): found for model, found in sink.rows.items()}
    names = [name for name in tables if name != "story_ref"]
    found = measure_shared_facts({**tables, "story_ref": [ref for name in names for ref in sink.references(name)]})
    assert found["stories.over_three_apps"] >= 0.35
