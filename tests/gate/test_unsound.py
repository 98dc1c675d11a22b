"""For every check of the gate a scenario that is unsound in just that way: the check lets the manual's through, and
names the flaw.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.gate import test_acts, test_allowances, test_checks, test_contradictions, test_crawler, test_wordings
from tests.gate.thanks import BUG, Build, Files, but, failures, hear_nothing, python, without_item
from world.core.tables import metadata
from world.gate.checks import CHECKS
from world.grading.tables import describe
from world.script.errors import ScenarioError

HERE = (
    "V1",
    "V2",
    "V3",
    "V4",
    "V5",
    "V6",
    "V7",
    "V8",
    "V9",
    "V14",
    "V15",
    "V20",
)  # of a rubric or a solution; a moment each

FULL = ("V17", "V18")  # other processes, a real server
ELSEWHERE = {
    "V10": test_checks.test_a_predicate_that_does_not_ask_who_wrote_is_caught,
    "V11": test_checks.test_a_rubric_without_times_is_caught,
    "V12": test_checks.test_a_rubric_blind_to_what_is_taken_back_is_caught,
    "V13": test_checks.test_a_rubric_that_wants_one_order_is_caught,
    "V16": test_checks.test_a_value_of_one_seed_is_caught,
    "V19": test_checks.test_an_answer_that_can_be_guessed_is_caught,
    "V22": test_crawler.test_what_was_recorded_of_live_runs_is_said,
    "V23": test_contradictions.test_a_rubric_that_takes_any_figure_is_caught,
    "V24": test_wordings.test_a_rubric_that_knows_one_wording_only_is_caught,
    "V25": test_acts.test_a_rubric_that_forbids_courtesy_is_caught,
    "V26": test_acts.test_a_rubric_blind_to_harm_that_passes_is_caught,
    "V27": test_acts.test_a_rubric_that_allows_what_goes_off_later_is_caught,
    "V28": test_allowances.test_an_allowance_blind_to_its_text_is_caught,
}
TIMES = (("    within: 30m\n", ""), ("    after: event.question.start\n", ""))
ON_PLACE = "where: {channel: incidents, thread_ts_from: event.question.ts}"


@dataclass(frozen=True)
class Flaw:
    """A way to be unsound: which check is to see it, how the manual's files become so, and what the check says."""

    check: str
    spoil: Callable[[Files], Files]
    said: tuple[str, ...]
    deaf: bool = False  # to a grader that hears nothing of what texts say


def rubric(*changes: tuple[str, str]) -> Callable[[Files], Files]:
    """Something else in the rubric."""
    return lambda files: but(files, "rubric.yaml", *changes)


def allowed(*rules: str) -> tuple[str, str]:
    """More allowances."""
    return "  - {benign: all}\n", "".join(f"  - {{{rule}}}\n" for rule in ("benign: all", *rules))


def predicate(body: str, table: str = "slack_message") -> Callable[[Files], Files]:
    """One more item, in Python."""
    code = f'''"""One more item."""

from world.grading import Finding, Run

SEEN = []


def more(run: Run) -> Finding:
    """It."""
    {body}
'''
    return lambda files: {**but(files, "rubric.yaml", ("allow:", python("more", table))), "predicates.py": code}


def no_bug(files: Files) -> Files:
    """Nobody looks whether the bug was opened."""
    return but(without_item(files, BUG, "allow:"), "rubric.yaml", allowed("insert: jira_issue, max: 1"))


def word_for_it(files: Files) -> Files:
    """The agent's own word is all that counts."""
    asked = "answer:\n  status: done\n  fields:\n    taken: {type: boolean, value: true}\nallow:"
    files = but(without_item(files, "expect:\n", "allow:"), "rubric.yaml", ("allow:", asked))
    return but(files, "oracle.py", ('{"status": "done"}', '{"status": "done", "answer": {"taken": True}}'))


def any_place(files: Files) -> Files:
    """The right words somewhere are enough, whatever else is said."""
    files = without_item(files, BUG, "allow:")
    more = allowed("insert: slack_message, max: 200", "insert: jira_issue, max: 1")
    return but(files, "rubric.yaml", *TIMES, (ON_PLACE, "where: {channel: incidents}"), more)


def paid_by_the_row(files: Files) -> Files:
    """Much was done, whatever it was."""
    busy = predicate(
        """rows = [(e.table, e.pk) for e in run.scope.changes.of("agent", "reaction")]
    return Finding(len(rows) > 10, rows=rows)""",
        ", ".join(name for name, table in describe(metadata()).items() if not table.control),
    )
    return busy(
        but(
            without_item(files, "expect:\n", "allow:"),
            "rubric.yaml",
            ("never:\n  - {id: deleted, delete: slack_message}\n", "score: {unclaimed: veto}\nnever:\n"),
        )
    )


def counting(files: Files) -> Files:
    """A solution that remembers how often it was played."""
    said = ('"text": "I take it."', '"text": f"I take it. {next(NUMBERS)}"')
    begins = ("def oracle(", "NUMBERS = count()\n\n\ndef oracle(")
    return but(
        files,
        "oracle.py",
        ("from world.agents.steps", "from itertools import count\n\nfrom world.agents.steps"),
        begins,
        said,
    )


def spoken_nowhere(files: Files) -> Files:
    """A colleague posts in a channel that there is not."""
    again = 'w.act(w.person("sweber"), "chat.postMessage", channel="C0NOWHERE", text="Anyone?")'
    return but(files, "scenario.py", ("    w.note(", f"    {again}\n    w.note("))


def said_at_once(files: Files) -> Files:
    """What is to come stands there from the beginning."""
    return but(
        files,
        "scenario.py",
        ('    s.at("+10m"', '    s.at("+0s", lambda w: ask(w, job), name="early")\n    s.at("+10m"'),
    )


def by_the_clock(files: Files) -> Files:
    """A script that looks at the date of the machine."""
    return but(
        files,
        "scenario.py",
        ("from world.script.loader", "import time\n\nfrom world.script.loader"),
        ("s.rng('job').integer(100, 999)", "time.time() // 86_400 % 900 + 100:.0f"),
    )


FLAWS = (
    Flaw(
        "V1",
        predicate("return Finding(any(c.operation == 'conversations.list' for c in run.calls))"),
        ("reads everything",),
    ),
    Flaw("V2", rubric(("assignee_id: {ref: me}", "assignee_id: null")), ("rest seed 0", "mcp seed 0", "page seed 0")),
    Flaw("V3", word_for_it, ("liar",)),
    Flaw("V4", any_place, ("spammer",)),
    Flaw("V5", paid_by_the_row, ("random writer",), deaf=True),
    Flaw("V6", no_bug, ("without bug",)),
    Flaw(
        "V7",
        rubric(("issue_type: Bug, assignee_id: {ref: me}", "issue_type: Bug")),
        ("bug.fields.assignee.accountId: ",),
    ),
    Flaw("V8", rubric(("    gate: true\n", "    gate: true\n    count: {min: 1, max: 9}\n")), ("bug twice",)),
    Flaw("V9", rubric(allowed("insert: slack_reaction, max: 5")), ("insert in slack_reaction",)),
    Flaw(
        "V14",
        rubric(('any_of: [{mentions: I take}, {mentions: "I\'ll take"}, {mentions: mine}]', "mentions: I take")),
        ("answer: ",),
    ),
    Flaw(
        "V15",
        predicate("return Finding(not any(c.operation == 'auth.test' for c in run.calls))"),
        ("a read before every step",),
    ),
    Flaw("V17", by_the_clock, ("the code asks neither clock, chance nor machine", "east, next year", "west, 1999")),
    Flaw("V18", said_at_once, ("future ", "solution bug", "fact of question", "secrets in")),
    Flaw("V20", counting, ("run twice",)),
    Flaw(
        "V20",
        predicate("SEEN.append(run)\n    return Finding(False, why=f'looked {len(SEEN)} times')"),
        ("graded twice",),
    ),
)


@pytest.mark.full
def test_an_act_of_a_colleague_that_is_refused_is_told_to_the_author(build: Build, manual: Files) -> None:
    with pytest.raises(ScenarioError, match=r"scenario.py:\d+: Svenja Weber may not chat.postMessage"):
        failures(build(spoken_nowhere(manual)), "V0")


ELSEWHERE["V0"] = test_an_act_of_a_colleague_that_is_refused_is_told_to_the_author
QUICK = [flaw for flaw in FLAWS if flaw.check not in FULL]


def test_every_check_has_its_flaw() -> None:
    assert {flaw.check for flaw in FLAWS} | set(ELSEWHERE) == set(CHECKS) and not {flaw.check for flaw in FLAWS} & set(
        ELSEWHERE
    )


@pytest.mark.full
@pytest.mark.parametrize("check", ("V0", *HERE))
def test_the_manuals_scenario_is_let_through(build: Build, manual: Files, check: str) -> None:
    assert failures(build(manual), check) == []


def caught(build: Build, files: Files, flaw: Flaw) -> None:
    """The check fails, and all that it fails is the flaw."""
    found = failures(build(flaw.spoil(files)), flaw.check)
    assert all(any(said in what for what in found) for said in flaw.said), found
    assert all(any(said in what for said in flaw.said) for what in found), found


@pytest.mark.parametrize("flaw", QUICK, ids=[f"{flaw.check}-{flaw.said[0]}" for flaw in QUICK])
def test_what_is_unsound_is_caught_by_its_check(
    build: Build, manual: Files, flaw: Flaw, monkeypatch: pytest.MonkeyPatch
) -> None:
    if flaw.deaf:
        hear_nothing(monkeypatch)
    caught(build, manual, flaw)


@pytest.mark.slow
@pytest.mark.parametrize("flaw", [flaw for flaw in FLAWS if flaw.check in FULL], ids=FULL)
def test_what_is_unsound_is_caught_from_other_processes_and_at_a_real_server(
    build: Build, manual: Files, flaw: Flaw
) -> None:
    caught(build, manual, flaw)
