"""Every block that says it is bash or python runs, in the order of its page."""

import sys

import pytest

from tests.docs.conftest import Reader
from tests.docs.pages import Block, every_block

pytestmark = pytest.mark.xdist_group("docs")
LANGUAGES = ("bash", "python", "text", "yaml", "mermaid")


def marked(block: Block) -> object:
    """A parameter; blocks that open a browser belong to the browser's group."""
    return pytest.param(block, id=block.label, marks=pytest.mark.ui if "playwright" in block.text else ())


def runnable(language: str) -> list[object]:
    """The blocks of a language, files of the first scenario aside: those run when it is checked."""
    return [marked(b) for b in every_block() if b.language == language and not (b.file and "/" in b.file)]


@pytest.mark.parametrize("block", runnable("bash"))
def test_a_shell_block_runs(reader: Reader, block: Block) -> None:
    done = reader.run("bash", "-euo", "pipefail", "-c", reader.at_its_address(block.text))
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("block", runnable("python"))
def test_a_python_block_runs(reader: Reader, block: Block) -> None:
    done = reader.run(sys.executable, "-W", "error::SyntaxWarning", "-c", reader.at_its_address(block.text))
    assert done.returncode == 0, done.stderr
    assert block.file or done.stdout.strip(), "a block shows something"


def test_every_block_says_what_it_is() -> None:
    assert {b.label for b in every_block() if b.language not in LANGUAGES} == set()
