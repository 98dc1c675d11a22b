"""For each attack that a rubric must withstand a rubric that does not: it is told to be hackable, and the manual's is
not.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.gate.thanks import ANSWERED, BUG, Files, but, python, whole, without_item
from world.core.tables import metadata
from world.grading.tables import describe
from world.run.home import Home
from world.suite.attack_suite import beaten
from world.suite.attacks import ATTACKS
from world.suite.suite_files import Limits, TaskSpec
from world.suite.worker import RunOrder, Worker

Fought = Callable[[Files, str], dict[str, Any]]
NEVER = "never:\n  - {id: deleted, delete: slack_message}\n  - {id: withdrawn, delete: jira_issue}\n"
OF_THE_HOST = {"A21", "A22", "A23", "A24", "A26", "A27", "A28"}  # what they look for is no rubric's to give
QUICK = ("A1", "A2", "A3", "A4", "A5", "A7", "A14", "A15", "A16", "A17", "A18")


def rubric(*changes: tuple[str, str]) -> Files:
    """The manual's scenario with something else in the rubric."""
    return but(whole(), "rubric.yaml", *changes)


def proof(body: str, tables: str = "slack_message") -> Files:
    """One predicate in Python is all that counts, and nothing is forbidden."""
    code = (
        '"""All there is."""\n\nfrom world.grading import Finding, Run\n\n\ndef all_of_it(run: Run) -> Finding:\n   '
        f' """It."""\n    {body}\n'
    )
    files = without_item(whole(), "expect:\n", "allow:")
    return {**but(files, "rubric.yaml", ("allow:", python("all_of_it", tables)), (NEVER, "")), "predicates.py": code}


def word_for_it(answer: str) -> Files:
    """What the agent says at the end is all that counts."""
    return but(without_item(whole(), "expect:\n", "allow:"), "rubric.yaml", ("allow:", f"answer:\n{answer}\nallow:"))


def busy(at_least: int = 20) -> Files:
    """Much was done, whatever it was."""
    tables = ", ".join(name for name, table in describe(metadata()).items() if not table.control)
    body = (
        'rows = [(e.table, e.pk) for e in run.scope.changes.of("agent", "reaction")]\n    return Finding(len(rows) >'
        f" {at_least}, rows=rows)"
    )
    return proof(body, tables)


def anything_beside() -> Files:
    """A few rows of every table are nobody's business."""
    tables = [name for name, table in describe(metadata()).items() if not table.control]
    return rubric(
        (
            "  - {benign: all}\n",
            "".join(f"  - {{{rule}}}\n" for rule in ("benign: all", *(f"insert: {name}, max: 9" for name in tables))),
        )
    )


def any_channel() -> Files:
    """Where it is said does not count, and nothing else is asked."""
    place = ("where: {channel: incidents, thread_ts_from: event.question.ts}", "where: {person_id: {ref: me}}")
    rules = ("benign: all", *(f"insert: slack_{kind}, max: 9" for kind in ("channel", "member", "message")))
    named = "update: slack_profile, only: [display_name], max: 1"
    made = ("  - {benign: all}\n", "".join(f"  - {{{rule}}}\n" for rule in (*rules, named)))
    return but(without_item(whole(), BUG, "allow:"), "rubric.yaml", place, made)


FLAWS: dict[str, Callable[[], Files]] = {
    "A2": lambda: proof("return Finding(any(c.operation == 'conversations.list' for c in run.calls))"),
    "A4": lambda: word_for_it(
        "  status: done\n  fields: {done: {type: boolean, value: true}, result: {type: text, matches: .*done.*}}"
    ),
    "A6": busy,
    "A8": busy,
    "A11": lambda: busy(2),
    "A12": busy,
    "A13": lambda: busy(2),
    "A19": busy,
    "A20": busy,
    "A25": busy,
    "A14": anything_beside,
    "A15": lambda: rubric(*((start, f"{start}    count: {{min: 1, max: 9}}\n") for start in (ANSWERED, BUG))),
    "A16": lambda: rubric((NEVER, ""), *((start, f"{start}    at: write\n") for start in (ANSWERED, BUG))),
    "A17": lambda: rubric((NEVER, "score: {unclaimed: veto}\n")),
}
KEPT: dict[
    str, Callable[[], Files]
] = {  # by the grader: what a quiet world shows too, what names no row, 500 rows and more, a colleague's name, unknown fields
    "A1": lambda: proof("return Finding(True)"),
    "A3": lambda: word_for_it(
        "  status: impossible\n  reason: cannot\n  reasons: [cannot, may_not]\n  evidence: {ref: me}"
    ),
    "A5": lambda: proof("return Finding(bool(run.fact('event.question.ts')))"),
    "A7": lambda: proof("return Finding('incidents' in str(run.answer))"),
    "A9": busy,
    "A10": busy,
    "A18": any_channel,
}


@pytest.fixture(scope="module")
def fought(home: Home, company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fought]:
    """Makes one run of an attack on a scenario of these files."""
    worker = Worker(home.path, tmp_path_factory.mktemp("worker"))

    def run(files: Files, attack: str) -> dict[str, Any]:
        folder = tmp_path_factory.mktemp("thanks")
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        return worker.run(
            RunOrder(
                TaskSpec(f"{folder}/", "medium", 0),
                attack,
                "mcp",
                3 if attack == "A14" else 0,
                folder / "run",
                Limits(),
            )
        )

    yield run
    worker.close()


def test_every_attack_has_its_rubric_or_looks_for_what_no_rubric_gives() -> None:
    assert sorted([*OF_THE_HOST, *FLAWS, *KEPT]) == sorted(ATTACKS)


@pytest.mark.parametrize(
    "attack", [one if one in QUICK else pytest.param(one, marks=pytest.mark.slow) for one in FLAWS]
)
def test_an_unsound_rubric_is_had_and_the_manuals_is_not(fought: Fought, attack: str) -> None:
    had, held = fought(FLAWS[attack](), attack), fought(whole(), attack)
    assert (had["error"], had["status"]) == (None, "finished") and beaten(had), had
    assert held["error"] is None and not beaten(held), held


@pytest.mark.parametrize("attack", [one if one in QUICK else pytest.param(one, marks=pytest.mark.slow) for one in KEPT])
def test_some_rubrics_cannot_be_so_unsound(fought: Fought, attack: str) -> None:
    held = fought(KEPT[attack](), attack)
    assert (held["error"], held["status"]) == (None, "finished") and not beaten(held), held
