"""The kernel names no vendor: what it needs to know of an app, the app declares."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from world.core import discovery
from world.core.tables import metadata

ROOT = Path(__file__).parents[1]
WORDS = re.compile(r"slack|gmail|jira|github|gitlab|atlassian|statuspage|google|sheets(?!t)", re.IGNORECASE)
TEXTS = frozenset({".py", ".js", ".css", ".html", ".txt", ".yaml", ".md", ".toml"})
# What may stand in the kernel, with the reason.
EXCEPTIONS = {
    ("world/agents/chromium.py", "google"): "names of the browser's program",
    ("world/core/directory.py", "slack"): "a column of the company's row, which the images hold",
    ("world/core/directory.py", "jira"): "a column of the company's row, which the images hold",
    ("world/grading/text.py", "gmail"): "the class that mail programs give a quotation",
    ("world/core/reading/html.py", "gmail"): "the class that mail programs give a quotation",
    ("world/grading/attributions/extraction.py", "sheets"): "a word of prose",
    ("world/grading/facts/ordinary_vocabulary.py", "github"): "a word of prose",
    ("world/grading/facts/ordinary_vocabulary.py", "jira"): "a word of prose",
    ("world/grading/facts/ordinary_vocabulary.py", "slack"): "a word of prose",
    ("world/grading/stance/nouns.txt", "slack"): "a word of prose",
    ("world/core/reading/workbook_text.py", "sheets"): "the sheets of a workbook",
}
EXAMPLES = (
    "world/commands/templates/scenario/",  # `firm new scenario`: a scenario is about apps
    "world/commands/templates/chore/",  # `firm new chore`: so is a chore
    "world/grading/propositions/",  # what messages of scenarios are about
    "world/grading/content/",  # hosts, kinds of keys, words of prose
    "world/grading/grave_statements/",  # words of prose, here and below
    "world/grading/deeds/",
    "world/grading/customer_promises/",
    "world/grading/replies/",
    "world/gate/corpus/",  # acts of agents: calls of operations of apps
)
VENDORED = "world/web/static/vendor/"


def kernel_files() -> Iterator[tuple[str, Path]]:
    """The kernel's own texts, by their paths."""
    for path in sorted((ROOT / "world").rglob("*")):
        name = path.relative_to(ROOT).as_posix()
        if path.suffix in TEXTS and not name.startswith((VENDORED, *EXAMPLES)):
            yield name, path


def test_no_file_of_the_kernel_says_a_vendors_name() -> None:
    said = {
        (name, word.lower())
        for name, path in kernel_files()
        for word in WORDS.findall(path.read_text(encoding="utf-8")) + WORDS.findall(path.name)
    }
    assert said == set(EXCEPTIONS)


def test_no_text_of_the_kernel_is_an_operation_or_a_table_of_an_app() -> None:
    apps = discovery.apps()
    operations = {id for app in apps for id in app.operations}
    tables = {name for name in metadata().tables if name.partition("_")[0] in {app.name for app in apps}}
    assert operations and tables
    found = [
        f"{name}:{node.lineno} {node.value}"
        for name, path in kernel_files()
        if path.suffix == ".py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if node.value in operations or any(table in node.value for table in tables)
    ]
    assert found == []
