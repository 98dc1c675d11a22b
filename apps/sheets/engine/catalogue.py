"""Catalogue of the product's functions, for completion on the page."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Function:
    """One function: its signature, one line of help, its category."""

    signature: str
    help: str
    category: str


def _list_functions(text: str) -> Iterator[tuple[str, Function]]:
    category = ""
    for line in text.splitlines():
        if line.startswith("# "):
            category = line[2:]
        else:
            signature, _, told = line.rpartition("|")
            yield signature.partition("(")[0], Function(signature, told, category)


FUNCTIONS: Mapping[str, Function] = dict(
    _list_functions(Path(__file__).with_name("functions.txt").read_text(encoding="utf-8"))
)
