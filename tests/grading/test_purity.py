"""A verdict is a pure function of its inputs: same bytes twice, in another process, whatever reads came between."""

import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from grading_company import BOB, START, Bench, Desk
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.examples import examples
from world.grading import CallRow, explain, grade

RUBRIC = """
refs:
  agent: {employee: self}
  channel: {table: chat_channel, where: {name: incidents}}
  pay: {table: ticket, where: {title: Payments time out}}
  oncall: {employee: {schedule: payments, at: event.outage.start}}
expect:
  - id: post
    insert: chat_message
    where: {channel: {ref: channel}}
    text: {field: text, all_of: [{mentions: DNS}, {mentions: {ref: oncall}}]}
    gate: true
  - {id: fix, update: {ref: pay}, set: {status: Done}, weight: 2}
  - {id: note, insert: ticket_comment, where: {ticket: {ref: pay}}, count: {min: 1, max: 3}}
allow: [{insert: chat_reaction, max: 3}, {benign: all}]
never: [{id: hands_off, write: any, table: sheet_cell, where: {sheet: {story: payroll}}}]
answer: {status: done, fields: {minutes: {type: number, unit: min, value: 5}}}
"""


def finished(*, reads: int = 0, extra: bool = False) -> Desk:
    """A run that earns everything."""
    desk = Desk()
    desk.now = START
    desk.event("outage")
    for _ in range(reads):
        desk.calls.append(CallRow(len(desk.calls) + 1, desk.now, "p_0001", "mcp", "chat.history"))
    desk.say("DNS it is, Bob is on it")
    desk.set_ticket(status_id=2, resolved_at=START)
    desk.put("ticket_change", id=1, ticket_id=11, field="status")
    desk.call()
    desk.put("ticket_comment", id=1, ticket_id=11, author="p_0001", body="done", created_at=desk.now)
    if extra:
        desk.set_ticket(12, title="Unrelated")
    desk.finish(minutes=5)
    return desk


def test_grading_twice_gives_the_same_bytes(bench: Bench) -> None:
    rubric, evidence = bench.rubric(RUBRIC), finished(extra=True).evidence()
    first = grade(rubric, evidence)
    assert first.to_json() == grade(rubric, evidence).to_json() == grade(bench.rubric(RUBRIC), evidence).to_json()
    assert orjson.loads(first.to_json())["revision"]["rubric"] == rubric.digest


def test_reads_change_nothing(bench: Bench) -> None:
    rubric = bench.rubric(RUBRIC)
    without, among = grade(rubric, finished().evidence()), grade(rubric, finished(reads=1000).evidence())
    assert without.passed and among.passed
    assert without.to_json() == among.to_json()


@pytest.mark.full
def test_two_processes_with_different_hash_seeds_agree(tmp_path: Path) -> None:
    script = (
        "import sys, pathlib; sys.path.insert(0, sys.argv[1]); from grading_company import Bench; from test_purity import RUBRIC,"
        " finished; sys.stdout.buffer.write(Bench(pathlib.Path(sys.argv[2])).grade(RUBRIC,"
        " finished(extra=True)).to_json())"
    )
    here = Path(__file__).parent
    outputs = set()
    for seed, zone in (("0", "UTC"), ("1", "Asia/Tokyo"), ("4242", "America/New_York")):
        environment = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "TZ": zone,
            "LC_ALL": "C",
            "PYTHONPATH": str(here.parents[1]),
        }
        done = subprocess.run(
            [sys.executable, "-c", script, str(here), str(tmp_path)], env=environment, capture_output=True, check=True
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1 and b'"unclaimed":[{' in outputs.pop()


TOUCH = [
    ("ticket", (12,)),
    ("ticket", (13,)),
    ("chat_channel", ("C0000001A",)),
    ("sheet_cell", ("sh_2b", "A1")),
    ("chat_message", (1,)),
    ("sheet_file", ("sh_2b",)),
]
COLUMN = {
    "ticket": "title",
    "chat_channel": "topic",
    "sheet_cell": "value",
    "chat_message": "text",
    "sheet_file": "name",
}


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    place=st.sampled_from(TOUCH),
    op=st.sampled_from(["insert", "update", "delete"]),
    door=st.sampled_from(["rest", "mcp", "page"]),
    by=st.sampled_from(["p_0001", BOB]),
)
def test_any_change_beside_the_task_fails(bench: Bench, place: tuple[str, tuple], op: str, door: str, by: str) -> None:
    table, pk = place
    desk = finished()
    desk.call(door, by=by)
    if op == "insert":
        row = {**desk.rows[table][pk]}
        key = next(iter(row)) if table != "sheet_cell" else "ref"
        desk.put(table, **{**row, key: f"{row[key]}9" if isinstance(row[key], str) else 999})
    elif op == "update":
        desk.edit(table, *pk, **{COLUMN[table]: "changed"})
    else:
        desk.drop(table, *pk)
    verdict = bench.grade(RUBRIC, desk)
    assert not verdict.passed and verdict.score == 0.0 and verdict.raw_score == 1.0
    assert len(verdict.unclaimed) == 1


@settings(max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6))
def test_the_order_of_independent_writes_does_not_matter(bench: Bench, seed: int) -> None:
    steps = ["post", "fix", "note", "note2", "react"]
    random.Random(seed).shuffle(steps)
    desk = Desk()
    desk.event("outage")
    for step in steps:
        if step == "post":
            desk.say("DNS it is, Bob is on it")
        elif step == "fix":
            desk.set_ticket(status_id=2)
        else:
            desk.call()
            if step == "react":
                desk.put("chat_reaction", message_id=1, name="eyes", user="p_0001")
            else:
                desk.put(
                    "ticket_comment",
                    id=2 if step == "note" else 3,
                    ticket_id=11,
                    author="p_0001",
                    body=step,
                    created_at=desk.now,
                )
    desk.finish(minutes=5)
    assert bench.grade(RUBRIC, desk).passed


def test_an_explanation_names_items_rows_and_side_effects(bench: Bench) -> None:
    text = "\n".join(explain(bench.grade(RUBRIC, finished())))
    assert (
        text.startswith("PASS  5/5 items, score 1")
        and "side effects: none" in text
        and "ok   fix  <- ticket:11" in text
    )
    failed = "\n".join(explain(bench.grade(RUBRIC, finished(extra=True))))
    assert "FAIL  5/5 items, score 0 (1 before vetoes)" in failed and "side effects: 1" in failed
    assert (
        "update ticket:12, nearest fix: not the row of ref pay" in failed and "to pass, put right: ticket:12" in failed
    )
    broken = grade(bench.rubric(RUBRIC), replace(finished().evidence(), state_hashes=("a", "b")))
    assert explain(broken) == ["not graded: the journal does not lead from the seed to the final state"]


def test_an_explanation_tells_guards_breaches_and_judges(bench: Bench) -> None:
    rubric = RUBRIC + "judge: [{id: tone, on: post.text, rubric: Kind., weight: 0.1}]\n"
    desk = finished()
    desk.call()
    desk.edit("sheet_cell", "sh_1a", "A1", value="0")
    text = "\n".join(explain(bench.grade(rubric, desk)))
    assert (
        "forbidden hands_off sheet_cell:sh_1a.A1: update by p_0001" in text
        and "not judged" in text
        and "ok   post (gate)" in text
    )
