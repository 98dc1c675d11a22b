"""Every block that says it is bash or python runs, in the order of its page."""

import re
import sys

import pytest

from tests.docs.conftest import Reader
from tests.docs.pages import Block, every_block, page

PATHS = {  # reader -> what the path ends in, as the README shows it
    "an agent over MCP": "FAIL",
    "a computer-use agent": "FAIL",
    "a scenario author": "PASS",
    "a benchmarker": "report.html",
    "an RL trainer": "[0.0,",
}
LANGUAGES = ("bash", "python", "text", "yaml", "mermaid")


def to_param(block: Block) -> object:
    """A parameter; blocks that open a browser belong to the browser's group, whole runs to `make test-full`."""
    ui = [pytest.mark.ui] if "playwright" in block.text or "--door ui" in block.text else []
    full = [pytest.mark.full] if block.language == "bash" else []
    return pytest.param(block, id=block.label, marks=[*ui, *full])


def runnable(language: str) -> list[object]:
    """The blocks of a language, files of the first scenario aside: those run when it is checked."""
    return [to_param(b) for b in every_block() if b.language == language and not (b.file and "/" in b.file)]


def find_missing_lines(told: str, printed: str) -> list[str]:
    """The lines told of that were not printed after the ones before them."""
    missing, left = list[str](), printed.splitlines()
    for line in told.splitlines():
        shape = ".*".join(map(re.escape, line.split("...")))
        place = next((n for n, one in enumerate(left) if re.match(shape, one)), None)
        missing += [line] if place is None else []
        left = left if place is None else left[place + 1 :]
    return missing


@pytest.mark.parametrize("block", runnable("bash"))
def test_a_shell_block_runs(reader: Reader, block: Block) -> None:
    done = reader.run("bash", "-euo", "pipefail", "-c", reader.at_its_address(block.text))
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert find_missing_lines(block.prints, done.stdout) == [], f"{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("block", runnable("python"))
def test_a_python_block_runs(reader: Reader, block: Block) -> None:
    done = reader.run(sys.executable, "-W", "error::SyntaxWarning", "-c", reader.at_its_address(block.text))
    assert done.returncode == 0, done.stderr
    assert block.file or done.stdout.strip(), "a block shows something"
    assert find_missing_lines(block.prints, done.stdout) == [], f"{done.stdout}\n{done.stderr}"


def test_every_block_says_what_it_is() -> None:
    assert {b.label for b in every_block() if b.language not in LANGUAGES} == set()


@pytest.mark.parametrize("who", PATHS)
def test_each_readers_path_shows_what_it_ends_in(who: str) -> None:
    _, _, section = page("README.md").partition(f"### ... {who}\n")
    shown = re.findall(r"^```\n\n<!-- prints -->\n```text\n(.*?)^```$", section.partition("\n### ")[0], re.M | re.S)
    assert PATHS[who] in "".join(shown)


def test_what_a_block_is_told_to_print_is_looked_for_in_order() -> None:
    assert find_missing_lines("a ...c\nb\n", "x\na b c d\nx\nb\n") == []
    assert find_missing_lines("b\na\n", "a\nb\n") == ["a"]
    assert find_missing_lines("a.c\n", "abc\n") == ["a.c"]
