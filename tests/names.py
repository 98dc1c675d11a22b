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
    create draw rubric solution oracle deliver script scenario inject forbid
    get list update delete add remove search refusal fault_response authenticate wire check kind_of view
    views home project
    """.split()
)
# First words of functions that are participles, beside those in -ed and -ing; put, read and set are verbs too.
PARTICIPLES = frozenset(
    """
    begun blown born bought bound bred broken brought built caught chosen done dealt drawn driven eaten fallen felt
    flown forgiven forgotten forbidden fought found frozen given gone got gotten grown heard held hidden hung kept known
    laid left lent lain lost made meant met overridden overwritten paid ridden risen rung said seen sent shaken shown shrunk
    slept sold sought spent spoken sprung spun stolen stood struck stuck sung sunk sworn swept swum taken taught thought
    thrown told torn undone understood unknown unseen withdrawn woken won worn wound written
    """.split()
)
# Verbs and nouns that only end like participles.
VERBS_AND_NOUNS = frozenset(
    """
    bring cling exceed embed feed need ping proceed ring seed shed sing speed spring sting string succeed swing wing
    ceiling king mapping heading listing forwarding missing
    """.split()
)
VENDOR_WORDS = frozenset({"function"})  # decorators that declare a function under a name of the vendor's, as LEFT
# Functions that keep a participle or a noun: rules of a grammar, named as the grammar names them; acts and predicates that
# a scenario names in its rubric and its events; declarations and context managers that read as a sentence where they stand.
ALLOWED = frozenset(
    """
    asked_platform asked_support called changed cleared compared fired firing given hearing hiring involving linked
    listening locating marked muted_asks negated nothing nothing_beyond nothing_early nothing_else
    nothing_taken_back opening ordered quieting recorded reviewed shuffled switched taken_back typed typed_all
    typed_over unindexed_text_family untitled weighted
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


def is_participle(name: str) -> bool:
    """Whether the first word of a function's name is a participle or a gerund: `renamed`, `_shared`, `quoting`.

    `posted_to_json` is none: it says what becomes what.
    """
    if "_to_" in name.strip("_"):
        return False
    word = name.strip("_").partition("_")[0].lower()
    return word not in VERBS_AND_NOUNS and (word.endswith(("ed", "ing")) or word in PARTICIPLES)


def is_free(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function may have any name: a property is a noun, and the vendor's functions keep the vendor's words."""
    if function.name in ALLOWED:
        return True
    for decorator in function.decorator_list:
        maker = decorator.func if isinstance(decorator, ast.Call) else decorator
        word = maker.attr if isinstance(maker, ast.Attribute) else maker.id if isinstance(maker, ast.Name) else ""
        if word in VENDOR_WORDS or word.endswith("property") or word in ("setter", "deleter"):
            return True
    return False


def participle_functions() -> list[str]:
    """Functions and methods whose first word is a participle, with their places."""
    found: list[str] = []
    for path in modules(PACKAGES):
        place = path.relative_to(ROOT)
        if place.is_relative_to("seeds/repos"):  # programs of the company's own
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and is_participle(node.name):
                found += [] if is_free(node) else [f"{place.as_posix()}:{node.lineno}: {node.name}"]
    return found


def main() -> int:
    """Print what offends; exit code 1 if anything does."""
    empty, crowded, participles = empty_names(), crowded_names(), participle_functions()
    for path in empty:
        print(f"{path}: the name of the module says nothing")
    for name, paths in crowded.items():
        print(f"{name}: defined in {len(paths)} modules: {', '.join(paths)}")
    for function in participles:
        print(f"{function}: a function is named by a verb and its object")
    return int(bool(empty or crowded or participles))


if __name__ == "__main__":
    sys.exit(main())
