"""The documentation's pages and their code blocks."""

import importlib.util
import re
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
PAGES = (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md")))
_FENCE = re.compile(
    r"(?:<!-- (?:file: (?P<file>\S+)|(?P<prints>prints)) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.M | re.S
)
_NAMED = re.compile(r"# (\w+\.py)\n")


@dataclass(frozen=True)
class Block:
    """A fenced block. `file` is the name under which a reader saves it, `prints` what it shows: lines in order, `...`
    for anything.
    """

    page: str
    number: int
    language: str
    text: str
    file: str | None
    prints: str = ""

    @property
    def label(self) -> str:
        """Where it stands, for a test's name."""
        return f"{self.page}-{self.number}-{self.language}"


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    found: list[Block] = []
    for number, match in enumerate(_FENCE.finditer(page.read_text(encoding="utf-8"))):
        if match["prints"]:
            found[-1] = replace(found[-1], prints=match["text"])
        named = _NAMED.match(match["text"])
        file = match["file"] or (named[1] if named and match["language"] == "python" else None)
        found.append(Block(page.name, number, match["language"], match["text"], file))
    return found


def every_block() -> list[Block]:
    """The blocks of all pages."""
    return [block for page in PAGES for block in blocks(page)]


def page(name: str) -> str:
    """The text of a page of docs/, or of the root."""
    path = ROOT / "docs" / name
    return (path if path.exists() else ROOT / name).read_text(encoding="utf-8")


def script(name: str) -> ModuleType:
    """A script of docs/ as a module."""
    spec = importlib.util.spec_from_file_location(f"firmament_docs_{name}", ROOT / "docs" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
