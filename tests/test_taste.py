"""Size and shape of the code: what must hold, and the medians and 95th percentiles it prints (`pytest -s`)."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from statistics import median, quantiles

import pytest

from mcp_servers.catalogue import surfaces
from mcp_servers.tools import MAX_DESCRIPTION
from tests import names
from world.core import builtin_operations, discovery
from world.core.operation import Operation

ROOT = Path(__file__).parents[1]
PACKAGES = ("world", "apps", "mcp_servers", "seeds", "scenarios")
CODE = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
MAX_FILE, MAX_FUNCTION, MAX_MODULES, MAX_ANY, NEAR = 500, 80, 40, 2500, 0.9
WRITTEN = (".py", ".js", ".mjs", ".css", ".html")

# Files an app's folder may hold at its top: the frame, then helpers of the operations, named by their noun.
FRAME = {
    "__init__.py",
    "app.py",
    "models.py",
    "operations.py",
    "operations",
    "query.py",
    "query",
    "rest.py",
    "rest",
    "pages.py",
    "pages",
    "templates",
    "static",
    "coverage.toml",
    "refusals.py",
    "notices.py",
    "params.py",
}
VAGUE = re.compile(r"(^|_)(utils?|helpers?|common|managers?|base|misc|stuff|handlers?|lib)$|^types$")
EMPTY_NAMES = re.compile(r"^(Mock|Fake|Simple|Enhanced|New)[A-Z]\w+$|_v\d+$|^(do|handle)_\w+$")
HOW_IT_WAS_MADE = re.compile(
    r"\b(as an ai|ai assistant|ai[- ]generated|chatgpt|copilot|llm[- ]generated|language model wrote|"
    r"phase [0-9]|milestone [0-9]|sub-?agents?|for now|not yet implemented|will be implemented|"
    r"placeholder implementation|in a real implementation|as requested|per the brief|the brief)\b",
    re.I,
)
MARKS = re.compile(r"(?:#|//|<!--|/\*).*\b(TODO|FIXME|XXX|HACK)\b")
SPOKEN_OF = {  # where such words are the subject
    "tests/test_taste.py",
    "tests/seeds/lint.py",
    "world/grading/content/injections.py",
    "world/grading/content/programs.py",
}
TEXTS = (".py", ".md", ".toml", ".yaml", ".html", ".css", ".js", ".mjs")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def lines(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from `def` to the end, docstring aside."""
    documented = ast.get_docstring(node) is not None and len(node.body) > 1
    return (node.end_lineno or 0) - ((node.body[0].end_lineno or 0) if documented else node.lineno - 1)


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """(name, lines) of every function of a file, without the functions defined inside it."""
    for node in ast.walk(tree(path)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            inner = sum(length(one) for one in node.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)))
            yield f"{relative(path)}:{node.lineno} {node.name}", length(node) - inner


def operations() -> list[Operation]:
    return [operation for app in (*discovery.apps(), builtin_operations.app) for operation in app.operations.values()]


def percentile(values: list[int], share: int) -> float:
    return quantiles(values, n=100)[share - 1]


def near(found: dict[str, int], limit: int) -> list[str]:
    """What is close to a limit; told, not failed."""
    return [f"{name}: {size} of {limit}" for name, size in found.items() if NEAR * limit < size <= limit]


CATALOGUES = {"scenarios/chores"}  # one file each, side by side, as many as there are families


def written() -> list[Path]:
    """Everything that is written by hand here: code, tests, scripts, styles and pages; `vendor` comes with the packages."""
    paths = [
        path for folder in (*PACKAGES, "tests", "docs", "docker", "typings") for path in (ROOT / folder).rglob("*")
    ]
    return [path for path in (*paths, *ROOT.iterdir()) if path.suffix in WRITTEN and "vendor" not in path.parts]


def test_no_file_is_too_long() -> None:
    sizes = {relative(path): lines(path) for path in written()}
    print(
        f"\nfiles: median {median(sizes.values()):.0f}, p95 {percentile(list(sizes.values()), 95):.0f}, most"
        f" {max(sizes.values())}"
    )
    print("\n".join(f"  near: {text}" for text in near(sizes, MAX_FILE)))
    assert {Path(name).suffix for name in sizes} == set(WRITTEN)
    assert {name: size for name, size in sizes.items() if size > MAX_FILE} == {}


def test_no_folder_holds_too_many_modules() -> None:
    sizes = Counter(relative(path.parent) for path in (*CODE, *TESTS) if relative(path.parent) not in CATALOGUES)
    assert {folder: size for folder, size in sizes.items() if size > MAX_MODULES} == {}


def test_names_say_something() -> None:
    assert names.empty_names() == []
    assert names.crowded_names() == {}


def test_functions_are_short() -> None:
    sizes = dict(chain.from_iterable(functions(path) for path in CODE))
    listed = list(sizes.values())
    print(
        f"\nfunctions: {len(listed)}, median {median(listed):.0f}, p95 {percentile(listed, 95):.0f}, most {max(listed)}"
    )
    print("\n".join(f"  near: {text}" for text in near(sizes, MAX_FUNCTION)))
    assert {name: size for name, size in sizes.items() if size > MAX_FUNCTION} == {}
    assert median(listed) <= 8
    assert percentile(listed, 95) <= 40


def test_few_values_have_any_type() -> None:
    named = [node for path in CODE for node in ast.walk(tree(path)) if isinstance(node, ast.Name) and node.id == "Any"]
    print(f"\n`Any` in annotations: {len(named)}")
    assert 0 < len(named) < MAX_ANY


def test_the_formatter_lays_out_every_line() -> None:
    skipped = re.compile("#.*fmt: " + "(?:skip|off)")
    assert [relative(path) for path in (*CODE, *TESTS) if skipped.search(path.read_text(encoding="utf-8"))] == []


def test_every_module_says_what_it_owns() -> None:
    assert [relative(path) for path in CODE if not ast.get_docstring(tree(path))] == []


def test_every_operation_has_a_source_and_says_when_to_use_it() -> None:
    assert [one.id for one in operations() if not one.source.strip() or not one.summary] == []
    assert [one.id for one in operations() if len(one.summary) > MAX_DESCRIPTION] == []


def test_every_parameter_describes_itself() -> None:
    unsaid = [
        f"{one.id}.{name}"
        for one in operations()
        for name, spec in one.params.model_fields.items()
        if not spec.description
    ]
    assert unsaid == []


def test_no_tool_description_is_too_long() -> None:
    tools = [(f"{s.app}/{s.name} {tool.name}", len(tool.description)) for s in surfaces() for tool in s.tools]
    print("\n" + "\n".join(f"  near: {text}" for text in near(dict(tools), MAX_DESCRIPTION)))
    assert [name for name, size in tools if size > MAX_DESCRIPTION] == []


@pytest.mark.parametrize(
    "folder", sorted(path.parent for path in ROOT.glob("apps/*/app.py")), ids=lambda path: path.name
)
def test_an_app_folder_holds_the_frame_and_nouns(folder: Path) -> None:
    found = {path.name for path in folder.iterdir() if path.name != "__pycache__"}
    others = found - FRAME
    assert {"__init__.py", "app.py", "models.py", "rest.py"} <= found | ({"rest.py"} if "rest" in found else set())
    assert [
        name for name in others if not re.fullmatch(r"[a-z][a-z_]*(\.py)?|a1\.py", name)
    ] == []  # A1 is the vendor's word


def test_no_file_has_a_vague_name() -> None:
    assert [relative(path) for path in (*CODE, *TESTS) if VAGUE.search(path.stem)] == []


def test_no_name_says_only_that_it_is_one_more() -> None:
    found = []
    for path in CODE:
        for node in ast.walk(tree(path)):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and EMPTY_NAMES.match(node.name):
                found.append(f"{relative(path)}:{node.lineno} {node.name}")
    print("\n" + "\n".join(f"  near: {text}" for text in found))
    assert [text for text in found if re.search(r" (Mock|Fake|Enhanced)|_v\d+$", text)] == []


def test_nothing_speaks_of_how_it_was_made() -> None:
    folders = (*PACKAGES, "tests", "docs")
    paths = [
        path
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.suffix in TEXTS and "vendor" not in path.parts
    ]
    found = []
    for path in (*paths, *ROOT.glob("*.md"), *ROOT.glob("*.toml"), ROOT / "Makefile"):
        if relative(path) not in SPOKEN_OF and not {"packs", "corpus"} & set(path.parts):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                found += [
                    f"{relative(path)}:{number} {match[0]}"
                    for match in chain(HOW_IT_WAS_MADE.finditer(line), MARKS.finditer(line))
                ]
    assert found == []


def test_no_path_of_a_machine_is_written_down() -> None:
    machine = re.compile(r"(?<![\w.])/(?:work|root|home/\w+)/\w+")
    found = [
        f"{relative(path)}: {match[0]}" for path in CODE for match in machine.finditer(path.read_text(encoding="utf-8"))
    ]
    assert found == []
