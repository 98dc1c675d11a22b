"""The map of the code: every answer names a file that exists and a name that is defined in it."""

import ast
import re

from tests.docs.pages import ROOT, page

ROW = re.compile(r"^\| (?P<question>[^|]+\?) \| `(?P<file>[^`]+)` \| `(?P<name>[^`]+)` \|$", re.M)


def names_in(body: list[ast.stmt], prefix: str = "") -> set[str]:
    """The functions, classes, methods and constants defined in a body."""
    found = set[str]()
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(prefix + node.name)
        if isinstance(node, ast.ClassDef):
            found |= names_in(node.body, f"{prefix}{node.name}.")
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        found |= {prefix + target.id for target in targets if isinstance(target, ast.Name)}
    return found


def test_the_map_answers_sixty_questions() -> None:
    assert len({row["question"] for row in ROW.finditer(page("map.md"))}) >= 60


def test_every_answer_of_the_map_exists() -> None:
    wrong = []
    for row in ROW.finditer(page("map.md")):
        path = ROOT / row["file"]
        if not path.exists() or row["name"] not in names_in(ast.parse(path.read_text(encoding="utf-8")).body):
            wrong.append(f"{row['question']} {row['file']} {row['name']}")
    assert wrong == []


def test_the_architecture_names_every_folder() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    kernel = {
        path.parent.relative_to(ROOT).as_posix()
        for shape in ("world/*/__init__.py", "world/*/*/__init__.py")
        for path in ROOT.glob(shape)
    }
    assert {folder for folder in kernel if f"`{folder}/`" not in text} == set()
    parts = {path.parent.name for path in ROOT.glob("apps/*/*/__init__.py")}
    assert {part for part in parts if f"`{part}`" not in text} == set()
