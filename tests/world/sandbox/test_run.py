"""Steps, their text and their end, in a sandbox."""

import pytest

from tests.world.sandbox.trial import SMALL, python, shell
from world.sandbox import Limits, Step, run

pytestmark = pytest.mark.usefixtures("isolated")


def test_steps_run_in_order_on_one_tree_with_their_environment():
    steps = [
        Step("first", "echo $WHO > note; pwd", env={"WHO": "step"}),
        Step("second", "cat ../note; echo $WHO", directory="src"),
    ]
    done = run({"src/a.py": b"", "run": b"#!/bin/sh\n"}, steps, env={"WHO": "all"}, executable=["run"], limits=SMALL)
    assert [(step.output, step.exit_code, step.outcome) for step in done.steps] == [
        ("/workspace\n", 0, "success"),
        ("step\nall\n", 0, "success"),
    ]
    assert done.conclusion == "success"


def test_a_step_runs_after_success_after_failure_or_always():
    steps = [
        Step("a", "true; false; echo not reached"),
        Step("b", "echo b"),
        Step("c", "echo c", when="failure"),
        Step("d", "echo d", when="always"),
    ]
    done = run({}, steps, limits=SMALL)
    assert [(step.outcome, step.output) for step in done.steps] == [
        ("failure", ""),
        ("skipped", ""),
        ("success", "c\n"),
        ("success", "d\n"),
    ]
    assert done.conclusion == "failure" and done.steps[0].exit_code == 1
    assert run({}, [Step("a", "true"), Step("c", "echo c", when="failure")], limits=SMALL).steps[1].outcome == "skipped"


def test_files_arrive_as_they_are():
    files = {
        "a b/ü.txt": b"\x00\xff",
        "-n": b"dash",
        "run.sh": b"#!/bin/sh\necho it ran\n",
        "plain.sh": b"",
        "x\udcff": b"raw",
    }
    files["d/" * 40 + "f"] = b"deep"
    script = (
        "od -An -tx1 'a b/ü.txt'; cat ./-n; ./run.sh; test -x plain.sh || echo plain; cat x?; find . -type f | wc -l"
    )
    done = run(files, [Step("look", script)], executable=["run.sh"], limits=SMALL)
    assert done.steps[0].output.split() == ["00", "ff", "dashit", "ran", "plain", "raw6"]


def test_the_text_is_the_same_each_time():
    code = """
        import unittest, tempfile
        class T(unittest.TestCase):
            def test_one(self):
                print(object(), {"a", "b", "c"}, tempfile.mkdtemp(), hash("x"), id(object()) // 4096 % 99_991)
            def test_two(self):
                self.fail(list(set(map(str, range(9)))))
        unittest.main()
    """
    first, second = python(code), python(code)
    assert first == second
    assert (
        "Ran 2 tests in 0.000s" in first.output
        and "object at 0x000000000000" in first.output
        and "/tmp/tmp00000000" in first.output
    )


def test_what_is_not_text_is_replaced():
    assert (
        shell(r"printf 'a\377b\000c\303\050'").output
        == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c\N{REPLACEMENT CHARACTER}("
    )


def test_errors_come_in_the_order_of_output():
    assert shell("echo one; echo two >&2; echo three").output == "one\ntwo\nthree\n"


@pytest.mark.parametrize("name", ["", "A B", "A=B", "9A", "A\0--bind", "--bind"])
def test_a_name_that_is_no_variable_fails_its_step(name: str):
    done = run({}, [Step("try", "echo ran", env={name: "x"}), Step("after", "echo ran", when="always")], limits=SMALL)
    assert done.steps[0].output == f"environment variable refused: {name!a}\n" and done.steps[1].output == "ran\n"


@pytest.mark.parametrize(
    ("env", "directory"),
    [
        ({"A": "x\0--bind\0/\0/x"}, ""),
        ({}, "../.."),
        ({}, "/etc"),
        ({}, "missing"),
        ({"A": "x" * 3_000_000}, ""),
    ],
)
def test_what_cannot_be_handed_over_fails_its_step(env: dict[str, str], directory: str):
    done = run({}, [Step("try", "echo ran", env=env, directory=directory)], limits=SMALL)
    assert (done.steps[0].outcome, done.conclusion) == ("failure", "failure") and "ran\n" not in done.steps[0].output


def test_odd_scripts_end_as_the_shell_says():
    assert shell("").outcome == "success"
    assert shell("if").outcome == "failure"
    assert shell("echo \udc80 \ud800 ok").output.endswith("ok\n")
    assert shell("# " + "x" * 200_000 + "\necho long").output == "long\n"
    assert shell("exit 300").exit_code == 44
    assert shell("kill -9 $$").exit_code == 137


def test_python_is_there_without_what_this_host_has_added():
    tried = python(
        "import sys, sqlite3, ssl, unittest\nprint(sys.version_info >= (3, 11), sys.flags.hash_randomization)\nimport"
        " pytest\n"
    )
    assert tried.output.startswith("True 0\n") and "No module named 'pytest'" in tried.output


def test_the_time_holds_for_all_steps_together():
    done = run({}, [Step("quick", "true"), *(Step(str(n), "sleep 2") for n in range(9))], limits=Limits(wall_s=3))
    outcomes = [step.outcome for step in done.steps]
    assert (
        outcomes[0] == "success"
        and "timed_out" in outcomes
        and outcomes[-1] == "skipped"
        and done.conclusion == "timed_out"
    )
