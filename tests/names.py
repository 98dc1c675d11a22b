"""Names that say nothing: `python tests/names.py` prints them and fails; part of `make check`."""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("world", "apps", "mcp_servers", "seeds", "scenarios")
MOST = 6  # modules that may define a name before it must mean the same in all of them
EMPTY_WORDS = frozenset(
    """
    utils util helpers helper common misc base manager managers stuff things thing lib handlers more words beside around
    apart past near kin plot desk letters hub room chance told shown said listed found taken written drawn named
    joined made kept given wanted asked moved held happened changed structured embedded hidden going taking telling
    seeing placing naming carrying showing running sliding joining preparing checking inheriting holding sealing visiting
    asking cutting driving hearing trying growing arriving fitted wishes looks tangles undone following unanswered
    wording computed passing filing
    """.split()
)
NOUNS = frozenset({"hidden_tests", "header_words", "hunk_sliding"})  # names of the field that hold such a word
# What means the same in every module that defines it: what each app, page, surface, pack or command has.
FRAME = frozenset(
    """
    __all__ app apps routes pages models page command surface SOURCE DOCS HERE T main register build load parse render
    create get list update delete add remove search refusal fault_response authenticate wire check kind_of view views home project
    """.split()
)


def modules(folders: tuple[str, ...]) -> Iterator[Path]:
    """The modules of some folders."""
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def empty_names() -> list[str]:
    """Modules whose name holds a word that says nothing."""
    return [
        path.relative_to(ROOT).as_posix()
        for path in modules((*PACKAGES, "tests"))
        if path.stem.removeprefix("test_") not in NOUNS
        and EMPTY_WORDS & set(re.split("_+", path.stem.removeprefix("test_")))
    ]


def defined(path: Path) -> set[str]:
    """The public functions and classes of a module."""
    nodes = ast.parse(path.read_text(encoding="utf-8")).body
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name for node in nodes if isinstance(node, kinds) and not node.name.startswith("_")}


def crowded_names() -> dict[str, list[str]]:
    """Public names that more modules define than one meaning explains, with these modules."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in modules(PACKAGES):
        for name in defined(path) - FRAME:
            found[name].append(path.relative_to(ROOT).as_posix())
    return {name: paths for name, paths in sorted(found.items()) if len(paths) > MOST}


def main() -> int:
    """Print what offends; exit code 1 if anything does."""
    empty, crowded = empty_names(), crowded_names()
    for path in empty:
        print(f"{path}: the name of the module says nothing")
    for name, paths in crowded.items():
        print(f"{name}: defined in {len(paths)} modules: {', '.join(paths)}")
    return int(bool(empty or crowded))


if __name__ == "__main__":
    sys.exit(main())
