"""Workflow files as text: what is read, what is refused and where, and what their expressions come to."""

from typing import Any

import pytest

from apps.github.ci.executor import flaky_seed, suite_of
from apps.github.ci.expressions import Scope, evaluate, fill, holds
from apps.github.ci.globs import is_selected, matches
from apps.github.ci.job_plan import cells, plan, title
from apps.github.ci.workflow import Workflow, parse
from apps.github.ci.workflow_errors import FileFault
from tests.apps.github.ci import CI, flow

CONTEXTS: dict[str, Any] = {
    "github": {"ref": "refs/heads/main", "event_name": "push", "event": {"labels": [{"name": "a"}, {"name": "b"}]}},
    "vars": {"REGION": "eu"},
    "matrix": {},
    "needs": {"test": {"result": "success"}},
}


def read(text: str) -> Workflow:
    return parse(text.encode())


def fault(text: str) -> FileFault:
    with pytest.raises(FileFault) as caught:
        read(text)
    return caught.value


def test_a_whole_file_is_read() -> None:
    file = read("""
name: CI
on:
  push: {branches: [main, 'release/**'], paths-ignore: ['docs/**']}
  pull_request:
  schedule: [{cron: '0 4 * * *'}]
env: {A: 1}
defaults: {run: {working-directory: src}}
concurrency: {group: 'x-${{ github.ref }}', cancel-in-progress: true}
jobs:
  test:
    runs-on: ubuntu-latest
    timeout-minutes: 5
    strategy: {matrix: {v: ['3.11', '3.12'], os: [linux]}}
    steps:
      - uses: actions/checkout@v4
      - {name: Tests, run: make, if: always(), env: {B: x}, continue-on-error: true}
  after: {needs: test, runs-on: ubuntu-latest, steps: [{run: 'true'}]}
""")
    assert (file.name, list(file.triggers), file.group, file.cancels) == (
        "CI",
        ["push", "pull_request", "schedule"],
        "x-${{ github.ref }}",
        "true",
    )
    job = file.jobs["test"]
    assert [title(job, cell, {}) for cell in cells(job)] == ["test (3.11, linux)", "test (3.12, linux)"]
    made = plan(file, job, cells(job)[0], CONTEXTS)
    assert (made.timeout_s, made.problem, [step.kind for step in made.steps]) == (300, "", ["checkout", "run"])
    step = made.steps[1]
    assert (step.when, step.tolerant, step.directory, step.env, made.env) == (
        "always",
        True,
        "src",
        {"B": "x"},
        {"A": "1"},
    )


@pytest.mark.parametrize(
    ("text", "why", "line"),
    [
        ("a: [", "error in your yaml syntax on line 1", 1),
        ("", "empty", None),
        ("on: push", "missing: jobs", 1),
        ("jobs: {}", "missing: on", 1),
        ("on: push\njobs: {}", "at least one job", 2),
        ("on: []\njobs:\n  a: {}", "missing: runs-on", 3),
        ("on: pusch\njobs: {}", "at least one", 2),
        ("on: push\nx: 1\njobs: {}", "Unexpected value 'x'", 2),
        ("on: push\non: push", "'on' is already defined", 2),
        ("on: &a push\njobs: *a", "Anchors", 1),
        ("on: push\n---\na: 1", "one document", 2),
        ("on: push\njobs: [a]", "mapping was expected", 2),
        (flow("{run: a, uses: b}"), "cannot have both", 6),
        (flow("{name: a}"), "missing: run", 6),
        (flow("{run: a, wat: b}"), "'wat'", 6),
        (flow("{run: a}", job="    needs: gone\n"), "unknown job 'gone'", 4),
        (flow("{run: a}", job="    needs: test\n"), "no dependencies", 4),
        (
            "on: {push: {branches: [a], branches-ignore: [b]}}\n" + flow("{run: a}").partition("\n")[2],
            "only define one",
            1,
        ),
        (
            flow("{run: a}", job="    strategy: {matrix: {a: [" + "1, " * 20 + "1], b: [" + "1, " * 20 + "1]}}\n"),
            "maximum size",
            5,
        ),
        ("[" * 60, "depth", 1),
        ("a: " + "x" * 140_000, "larger than", None),
        ("on: push\njobs: !!python/object:os.system {}", "at least one job", 2),
        ("on: [" + "push, " * 9000 + "push]", "size exceeded", 1),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_line(text: str, why: str, line: int | None) -> None:
    found = fault(text)
    assert why in found.message and found.line == line


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(FileFault, match="UTF-8"):
        parse(b"\xff\xfe\x00")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 == 1.0", True),
        ("'A' == 'a'", True),
        ("null == 0", True),
        ("'' == 0", True),
        ("'x' == 0", False),
        ("!false && 2 > 1", True),
        ("github.ref", "refs/heads/main"),
        ("github['event_name']", "push"),
        ("github.nothing.at.all", None),
        ("github.event.labels[1].name", "b"),
        ("contains(github.event.labels.*.name, 'A')", True),
        ("join(github.event.labels.*.name)", "a,b"),
        ("startsWith(github.ref, 'REFS/')", True),
        ("format('{0} {{}} {1}', 'a', 2)", "a {} 2"),
        ("fromJSON('[1, 2]')[1]", 2.0),
        ("vars.region || 'none'", "eu"),
        ("github.x || 'none'", "none"),
        ("'it''s'", "it's"),
        ("endsWith('abc', 'C') && !(1 == 2)", True),
        ("0x10", 16.0),
        ("needs.test.result == 'success'", True),
    ],
)
def test_expressions(text: str, value: Any) -> None:
    assert evaluate(text, Scope(CONTEXTS)) == value


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("wat()", "Unrecognized function"),
        ("wat.x", "Unrecognized named-value"),
        ("1 +", "Unexpected symbol"),
        ("contains('a')", "Too few"),
        ("(" * 99, "depth"),
        ("format('{5}', 1)", "references more"),
        ("fromJSON('{')", "parsing"),
        ("x" * 5000, "length"),
        ("", "was expected"),
    ],
)
def test_expressions_that_are_wrong(text: str, why: str) -> None:
    with pytest.raises(FileFault, match=why):
        evaluate(text, Scope(CONTEXTS))


@pytest.mark.parametrize(
    ("condition", "good", "bad"),
    [
        ("", True, False),
        ("always()", True, True),
        ("failure()", False, True),
        ("${{ success() }}", True, False),
        ("!cancelled()", True, True),
        ("github.ref == 'refs/heads/main'", True, False),
        ("failure() && github.ref == 'x'", False, False),
        ("'always()' == ''", False, False),
    ],
)
def test_conditions_hold_by_how_things_went(condition: str, good: bool, bad: bool) -> None:
    assert [holds(condition, Scope(CONTEXTS, status)) for status in ("success", "failure")] == [good, bad]


def test_texts_are_filled() -> None:
    assert fill("a ${{ vars.REGION }}-${{ 1 == 1 }}${{ github.x }}!", Scope(CONTEXTS)) == "a eu-true!"


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("**/README.md", "README.md", True),
        ("**/README.md", "aREADME.md", False),
        ("docs/**", "docs/a/b", True),
        ("*", "a/b", False),
        ("**", "a/b", True),
        ("v[0-9]+.x", "v12.x", True),
        ("v1?", "v", True),
        ("**.js", "x/a.js", True),
        ("releases/**-a", "releases/1/2-a", True),
        ("[^a]", "b", True),
        ("\\*", "*", True),
        ("*a" * 100, "a" * 250 + "b", False),
    ],
)
def test_filters_match_as_the_vendors(pattern: str, name: str, fits: bool) -> None:
    assert matches(pattern, name) is fits


def test_the_last_filter_that_fits_decides() -> None:
    assert is_selected(["**", "!docs/**", "docs/api"], "docs/api") and not is_selected(["**", "!docs/**"], "docs/a")


def test_what_is_run_has_one_digest_whatever_it_is_called() -> None:
    one, other, more = (
        read(text) for text in (CI, CI.replace("name: CI", "name: Other"), CI.replace("unittest -v", "unittest"))
    )
    plans = [plan(file, file.jobs["test"], {}, CONTEXTS) for file in (one, other, more)]
    assert suite_of(plans[0], {}) == suite_of(plans[1], {}) != suite_of(plans[2], {})
    assert suite_of(plans[0], {}) != suite_of(plans[0], {"FLAKY_SEED": "0"})


def test_flaky_tests_fail_on_about_three_percent_of_attempts_and_always_the_same() -> None:
    draws = [flaky_seed(7, f"{number:040x}", 1) for number in range(3000)]
    assert 60 < draws.count(0) < 125 and draws.count(1) == 3000 - draws.count(0)
    assert draws[:50] == [flaky_seed(7, f"{number:040x}", 1) for number in range(50)]
    assert draws != [flaky_seed(7, f"{n:040x}", 2) for n in range(3000)]


def test_actions_that_are_not_there_and_runners_nobody_has_are_the_jobs_failure() -> None:
    def problem(*steps: str, job: str = "") -> str:
        file = read(flow(*steps, job=job) if not job else flow(*steps).replace("ubuntu-latest", job))
        return plan(file, file.jobs["test"], {}, CONTEXTS).problem

    assert problem("{uses: acme/thing@v1}") == "Unable to resolve action acme/thing@v1, repository not found"
    assert "Did you forget to run actions/checkout?" in problem("{uses: ./local}")
    assert problem("{run: a}", job="windows-latest").startswith("No runner matching")
    assert problem("{uses: actions/cache@v4}", "{run: a}") == ""
