"""The gate's checks that play the solution otherwise: each lets the scenario of the manual through, and catches its
flaw.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.gate.thanks import ANSWERED, BUG, Build, Files, but, failures, python, without_item
from world.agents.steps import Step
from world.commands.scenario import command
from world.core.rng import Stream
from world.gate.checks import CHECKS
from world.gate.order import MOST, backwards, linear, orders
from world.gate.replay import TimedWrite, at_times, differences, replace_names
from world.gate.timing import list_needed_calls
from world.gate.variant_runner import VariantRunner
from world.grading.verdict import Verdict
from world.run.home import Home
from world.run.host import Host, open_host
from world.script import loader

VETO = ("never:\n", "score: {unclaimed: veto}\n\nnever:\n")  # any side effect fails
NEW = ("V10", "V11", "V12", "V13", "V16", "V19")
BY_ANYBODY = '''"""Asks for the place, not for the person."""

from world.grading import Finding, Run


def answered(run: Run) -> Finding:
    """Somebody took the work in the thread."""
    found = [e for e in run.effects if e.table == "slack_message" and e.row["thread_ts"] == run.fact("event.question.ts")]
    return Finding(bool(found), rows=[(e.table, e.pk) for e in found])
'''
BY_NAME = '''"""Knows people by the name they bear at the end."""

from world.grading import Finding, Run


def bug(run: Run) -> Finding:
    """A bug is assigned to somebody of the agent's name."""
    name = run.seed.row("person", (run.agent,))["full_name"]
    mine = {person["id"] for person in run.rows("person") if person["full_name"] == name}
    found = [e for e in run.effects if e.table == "jira_issue" and e.row["assignee_id"] in mine]
    return Finding(bool(found), rows=[(e.table, e.pk) for e in found])
'''


@pytest.mark.parametrize("check", NEW)
def test_the_scenario_of_the_manual_is_let_through(build: Build, manual: Files, check: str) -> None:
    assert failures(build(manual), check) == []


def test_a_predicate_that_does_not_ask_who_wrote_is_caught(build: Build, manual: Files) -> None:
    loose = but(without_item(manual, ANSWERED, BUG), "rubric.yaml", ("allow:", python("answered", "slack_message")))
    assert failures(build({**loose, "predicates.py": BY_ANYBODY}), "V10") == ["answer as a colleague"]


def test_a_predicate_that_goes_by_names_is_caught(build: Build, manual: Files) -> None:
    loose = but(without_item(manual, BUG, "allow:"), "rubric.yaml", ("allow:", python("bug", "jira_issue")))
    assert "bug.fields.assignee.accountId disguised" in failures(build({**loose, "predicates.py": BY_NAME}), "V10")


def test_a_rubric_without_times_is_caught(build: Build, manual: Files) -> None:
    timeless = but(manual, "rubric.yaml", ("    within: 30m\n", ""), ("    after: event.question.start\n", ""))
    assert failures(build(timeless), "V11") == ["everything at the end", "bug at the start"]


def test_a_declared_time_is_tried_from_both_sides(build: Build, manual: Files) -> None:
    tried = {found.what for found in CHECKS["V11"](build(manual))}
    assert {"answered too early", "answered too late", "bug too early"} <= tried and "bug too late" not in tried


def test_a_rubric_blind_to_what_is_taken_back_is_caught(build: Build, manual: Files) -> None:
    blind = but(
        manual,
        "rubric.yaml",
        ("delete: slack_message", "delete: slack_file"),
        ("delete: jira_issue", "delete: slack_file"),
    )
    assert failures(build(blind), "V12") == ["bug.fields.assignee.accountId elsewhere, taken back"]
    assert failures(build(but(blind, "rubric.yaml", VETO)), "V12") == [
        "answer.text another text, taken back",
        "bug.fields.summary another text, taken back",
        "bug.fields.assignee.accountId elsewhere, taken back",
    ]


def test_access_that_the_rubric_speaks_of_must_not_be_lent(build: Build, manual: Files) -> None:
    open_ = but(
        manual, "rubric.yaml", ("  - {benign: all}\n", "  - {benign: all}\n  - {insert: slack_member, max: 1}\n"), VETO
    )
    assert failures(build(open_), "V12") == ["access in slack_member given and taken back"]
    closed = but(open_, "rubric.yaml", ("never:\n", "never:\n  - {id: lent, delete: slack_member}\n"))
    assert failures(build(closed), "V12") == []


def test_a_rubric_that_wants_one_order_is_caught(build: Build, manual: Files) -> None:
    strict = but(
        manual,
        "rubric.yaml",
        ("never:\n", "never:\n  - {id: order, sequence: [{insert: jira_issue}, {insert: slack_message}]}\n"),
    )
    assert failures(build(strict), "V13") == ["bug < answer", "all of it turned round"]
    declared = but(
        strict,
        "oracle.py",
        ('"createIssue",\n        {', '"createIssue",\n        after=("answer",),\n        arguments={'),
    )
    assert failures(build(declared), "V13") == []


def longer(files: Files) -> Files:
    """The scenario with two steps more, each about what an earlier one made: a reaction to the answer, a better title."""
    more = """    yield Step("react", "reactions.add", {"channel": question["channel"], "name": "eyes", "timestamp": said["ts"]}, after=("answer",))
    yield Step("title", "editIssue", {"issueIdOrKey": bug["key"], "fields": {"summary": f"{question['job']} got stuck"}}, after=("bug",))
    yield Step("finish","""
    files = but(
        files,
        "oracle.py",
        ('    yield Step(\n        "answer"', '    said = yield Step(\n        "answer"'),
        ('    yield Step(\n        "bug"', '    bug = yield Step(\n        "bug"'),
    )
    files = but(files, "oracle.py", ('    yield Step("finish",', more))
    return but(
        files, "rubric.yaml", ("  - {benign: all}\n", "  - {benign: all}\n  - {insert: slack_reaction, max: 1}\n")
    )


def test_steps_that_build_on_each_other_may_be_interleaved(build: Build, manual: Files) -> None:
    made = build(longer(manual))
    found = list(CHECKS["V13"](made))
    assert all(one.ok for one in found), [one.why for one in found]
    assert "bug < answer < title < react" in [one.what for one in found]


def test_a_text_corrected_in_its_place_is_no_harm(build: Build, manual: Files) -> None:
    tried = [found.what for found in CHECKS["V12"](build(but(longer(manual), "rubric.yaml", VETO)))]
    assert (
        "bug.fields.summary another text, taken back" in tried and "title.issueIdOrKey elsewhere, taken back" in tried
    )
    assert "title.fields.summary another text, taken back" not in tried


def test_a_value_of_one_seed_is_caught(build: Build, manual: Files) -> None:
    job = build(manual).quiet.events["question"].facts["job"]
    found = failures(build(but(manual, "rubric.yaml", ("mentions: event.question.job", f"mentions: {job}"))), "V16")
    assert len(found) == 6 and found[-1] == "no literal of an event in the rules"


@pytest.mark.parametrize(("weight", "expected"), [(1, ["6 guesses"]), (0.01, [])])
def test_an_answer_that_can_be_guessed_is_caught(
    build: Build, manual: Files, weight: float, expected: list[str]
) -> None:
    asked = (
        "answer:\n  status: done\n  fields:\n    taken: {type: choice, options: [a, b], value: a, weight:"
        f" {weight}}}\nallow:"
    )
    files = but(manual, "rubric.yaml", ("allow:", asked))
    files = but(files, "oracle.py", ('{"status": "done"}', '{"status": "done", "answer": {"taken": "a"}}'))
    assert failures(build(files), "V19") == expected


def calls(*after: tuple[str, ...]) -> list[TimedWrite]:
    """Calls a, b, c…, each after those named."""
    return [TimedWrite(Step("abcdefgh"[n], "x", after=names), n, n, None, 0) for n, names in enumerate(after)]


def ids(order: list[TimedWrite]) -> str:
    return "".join(call.step.id for call in order)


def test_orders_keep_what_a_step_comes_after() -> None:
    assert [ids(order) for order in linear(calls((), ("a",), ()))] == ["abc", "acb", "cab"]
    assert ids(backwards(calls((), ("a",), ()))) == "cab"


def test_of_many_orders_a_sample_is_drawn_the_same_each_time() -> None:
    block = calls((), (), (), (), ("a",), ())
    drawn = [[ids(order) for order in orders(block, Stream("orders"))] for _ in range(2)]
    assert drawn[0] == drawn[1] and len(drawn[0]) == MOST and drawn[0][0] == "abcdef"
    assert all(order.index("a") < order.index("e") for order in drawn[0]) and len(set(drawn[0])) > MOST // 2


def test_what_a_call_says_of_an_earlier_result_follows_it() -> None:
    assert replace_names({"ts": "1.0", "in": ["1.0", "text 1.0", 3]}, {"1.0": "2.0"}) == {
        "ts": "2.0",
        "in": ["2.0", "text 1.0", 3],
    }


def test_results_are_compared_place_by_place() -> None:
    old = {"ts": "1.0", "n": 1, "list": [{"id": "a"}, {"id": "b"}], "gone": "x"}
    assert dict(differences(old, {"ts": "2.0", "n": 2, "list": [{"id": "a"}, {"id": "c"}]})) == {"1.0": "2.0", "b": "c"}


def test_a_step_is_tried_early_with_all_that_it_comes_after() -> None:
    block = calls((), ("a",), (), ("b",))
    assert ids(list_needed_calls(block[3], block)) == "abd" and ids(list_needed_calls(block[2], block)) == "c"


def test_the_end_of_the_work_stays_last_whatever_is_moved() -> None:
    end = TimedWrite(Step("end", "world.finish"), 5, 5, None, 1)
    moved = at_times([*calls((), ()), end], {"a": 9})
    assert [(call.step.id, call.at) for call in moved] == [("b", 1), ("a", 9), ("end", 5)]


TWO = 'size="XS",\n    difficulty="easy", difficulties=("easy", "hard"),'


@pytest.fixture
def uneven(manual: Files, tmp_path: Path) -> Path:
    """The folder of a scenario whose rubric asks for something else at one of its two difficulties."""
    files = but(
        manual,
        "scenario.py",
        ('size="XS",', TWO),
        ("lambda w: ask(w, job)", "lambda w: ask(w, job, s.difficulty)"),
        ("job: str)", "job: str, level: str)"),
        ('if asked else ""', 'if asked and level == "easy" else "1.000001"'),
    )
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("given", "levels"), [((), {"easy": True, "hard": False}), (("--difficulty", "easy"), {"easy": True})]
)
def test_each_difficulty_is_checked_and_named(
    home: Home, uneven: Path, given: tuple[str, ...], levels: dict[str, bool]
) -> None:
    kept = uneven / "found.json"
    done = CliRunner().invoke(
        command, ["check", str(uneven), "--no-doors", "--seeds", "1", "--only", "V2", "--json", str(kept), *given]
    )
    found = json.loads(kept.read_text(encoding="utf-8"))["findings"]
    assert {(one["difficulty"], one["ok"]) for one in found} == set(levels.items()), done.output
    assert ("FAIL V2   hard: rest seed 0" in done.output) is not all(levels.values()) and done.exit_code == (
        not all(levels.values())
    )


@pytest.mark.full
def test_other_seeds_and_other_processes_stay_at_the_difficulty(host: Host, uneven: Path) -> None:
    bench = VariantRunner(host, loader.load(uneven), 0, "hard")
    try:
        assert bench.elsewhere(5).root.actor.settings.difficulty == "hard"
        assert failures(bench, "V17") == []
    finally:
        for name in list(host.actors):
            host.drop(name)


def test_a_list_of_survivors_may_be_empty(tmp_path: Path) -> None:
    (tmp_path / "survivors.yaml").write_text("# none\n", encoding="utf-8")
    assert replace(loader.find_scenario("flapping_alert"), folder=tmp_path).survivors == {}


def test_a_quiet_run_that_cannot_be_graded_is_found(
    home: Home, company: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = open_host(company, tmp_path / "worlds")
    try:
        bench = VariantRunner(host, loader.find_scenario("flapping_alert"), 0)
        broken = Verdict(False, None, None, error="labels have moved")
        monkeypatch.setattr(VariantRunner, "grade_and_drop", lambda self, run: broken)
        assert [(found.ok, found.why) for found in CHECKS["V1"](bench)] == [(False, "labels have moved")] * 2
    finally:
        host.store.close()
