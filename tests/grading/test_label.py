"""Null labels: what is true when nobody acts is a guard, credit needs work, and stored labels must still hold."""

from dataclasses import replace

import pytest
from grading_company import ANN, BOB, Bench, Desk, share

from world.grading import RubricError, grade, label_items, load_rubric, lock_of, read_lock, write_lock
from world.grading.rubric_loader import LOCK

RUBRIC = """
refs: {agent: {employee: self}, bob: {employee: {alias: Bob}}, pay: {table: ticket, where: {title: Payments time out}}}
expect:
  - {id: fix, update: {ref: pay}, set: {status: Done}}
  - {id: calm, insert: ticket_comment, count: {min: 0, max: 1}}
  - {id: bobs, insert: chat_message, by: {ref: bob}}
"""
STILL = '''
from world.grading import Finding


def still(run):
    """Nobody touched the seeded message."""
    return Finding(run.final.row("chat_message", (1,)) is not None)
'''


def quiet() -> Desk:
    """The world by itself: Bob says something."""
    desk = Desk()
    desk.world(by=BOB)
    desk.put("chat_message", id=7, channel_id="C0000000A", sender_id=BOB, text="hi", sent_at=desk.now)
    return desk


def _with_python(rubric: str) -> str:
    return rubric + "python: [{id: still, call: predicates.still}]\n"


def test_what_is_true_without_work_is_a_guard(bench: Bench) -> None:
    rubric = bench.rubric(_with_python(RUBRIC), STILL)
    desk = Desk(quiet=quiet())
    assert label_items(rubric, [desk.evidence()]) == {
        "fix": "credit",
        "calm": "guard",
        "bobs": "guard",
        "still": "guard",
    }


def test_the_read_everything_run_counts_too(bench: Bench) -> None:
    rubric = bench.rubric(
        "refs: {agent: {employee: self}}\nexpect: [{id: seen, insert: chat_cursor}, {id: post, insert: chat_message}]\n"
    )
    reader = Desk()
    reader.call()
    reader.put("chat_cursor", channel_id="C0000001A", user="p_0001", last_read="1")
    assert label_items(rubric, [reader.evidence()]) == {"seen": "guard", "post": "credit"}


def test_a_rubric_without_any_credit_is_refused(bench: Bench) -> None:
    rubric = bench.rubric(
        "refs: {bob: {employee: {alias: Bob}}}\nexpect: [{id: bobs, insert: chat_message, by: {ref: bob}}]\n"
    )
    with pytest.raises(RubricError, match="every item is true when nobody acts"):
        label_items(rubric, [Desk(quiet=quiet()).evidence()])


def test_a_guard_earns_nothing_and_vetoes_when_broken(bench: Bench) -> None:
    rubric = _with_python(
        "refs: {pay: {table: ticket, where: {title: Payments time out}}}\n"
        "expect: [{id: fix, update: {ref: pay}, set: {status: Done}}]\n"
        "allow: [{delete: chat_message, max: 1}]\n"
    )
    desk = Desk()
    idle = bench.grade(rubric, desk, STILL)
    assert (idle.passed, idle.score, idle.raw_score) == (False, 0.0, 0.0)
    desk.set_ticket(status_id=2)
    assert bench.grade(rubric, desk).score == 1.0
    desk.call()
    desk.drop("chat_message", 1)
    broken = bench.grade(rubric, desk)
    assert (broken.passed, broken.score, broken.raw_score, list(broken.guards)) == (False, 0.0, 1.0, ["still"])
    assert "still" in broken.minimal


def test_doing_nothing_never_scores(bench: Bench) -> None:
    verdict = bench.grade(_with_python(RUBRIC), Desk(quiet=quiet()), STILL)
    assert not verdict.passed and verdict.score == 0.0


def test_answers_are_never_given_by_the_null_run(bench: Bench, desk: Desk) -> None:
    rubric = bench.rubric("answer: {status: done, fields: {a: {type: text, value: x}}}\n")
    desk.finish(a="x")
    assert label_items(rubric, [desk.evidence()]) == {"answer.a": "credit"}


def test_the_lock_round_trips_and_is_checked_when_grading(bench: Bench) -> None:
    rubric = bench.rubric(RUBRIC)
    desk = Desk(quiet=quiet())
    desk.world(by=BOB)
    desk.put("chat_message", id=7, channel_id="C0000000A", sender_id=BOB, text="hi", sent_at=desk.now)
    desk.set_ticket(status_id=2)
    path = bench.folder / LOCK
    null = Desk(quiet=quiet()).evidence()
    write_lock(path, lock_of(rubric, [null]))
    stored = read_lock(path)
    assert stored is not None and stored.labels == {"fix": "credit", "calm": "guard", "bobs": "guard"} == stored.world
    locked = bench.rubric(RUBRIC)
    assert locked.lock is not None and locked.lock.labels["bobs"] == "guard"
    assert grade(locked, desk.evidence()).passed
    moved = grade(locked, replace(desk.evidence(), baseline=(), baseline_calls=()))
    assert moved.error == "labels moved: bobs is now credit" and moved.score is None
    changed = bench.rubric(RUBRIC.replace("id: calm", "id: other"))
    assert "the rubric has changed" in (grade(changed, desk.evidence()).error or "")
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(RubricError, match="not a lock file"):
        load_rubric(bench.folder / "rubric.yaml", desk.evidence().tables)
    path.unlink()
    assert read_lock(path) is None


def test_seeds_that_disagree_are_refused(bench: Bench) -> None:
    rubric = bench.rubric(RUBRIC)
    with pytest.raises(RubricError, match="bobs is guard on one seed and credit on seed"):
        lock_of(rubric, [Desk(quiet=quiet()).evidence(), Desk().evidence()])


def test_an_item_of_a_coworker_the_agent_had_to_ask_is_credit(bench: Bench) -> None:
    rubric = (
        RUBRIC.split("expect:")[0]
        + "expect: [{id: ask, insert: chat_message}, {id: bobs, insert: chat_message, by: {ref: bob}}]\n"
    )
    desk = Desk()
    desk.say("Bob?")
    desk.world(by=BOB, cause=1)
    desk.put("chat_message", id=8, channel_id="C0000000A", sender_id=BOB, text="yes", sent_at=desk.now)
    verdict = bench.grade(rubric, desk)
    assert verdict.passed and share(verdict, "bobs") == 1 and verdict.items[1].kind == "credit"
    assert ANN != BOB
