"""The phrases of phrases.yaml."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from world.core.yaml_text import load_yaml
from world.grading.commitment.patterns import Phrases

FILE = Path(__file__).with_name("phrases.yaml")
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True)
class Lexicon:
    """`ahead` are phrases behind a name, `behind` those that end with one, `titles` words that stand for somebody."""

    ahead: Phrases
    behind: Phrases
    headed: Phrases
    titles: frozenset[str]
    heads: re.Pattern[str]


@cache
def load_lexicon() -> Lexicon:
    """The phrases, read once."""
    source: dict[str, Any] = load_yaml(FILE.read_text(encoding="utf-8"))
    ahead = {tag: source[tag] for tag in ("order", "foreign", "plural", "say", "owned")}
    titles = frozenset(source["titles"].split())
    return Lexicon(
        Phrases(ahead),
        Phrases({"order": source["behind"]}),
        Phrases({"title": [source["headed"]]}),
        titles,
        _find_heads(source),
    )


def _find_heads(source: dict[str, Any]) -> re.Pattern[str]:
    """Any word with which a phrase may begin."""
    first: set[str] = set()
    for tag in ("order", "foreign", "plural", "say", "behind"):
        for phrase in source[tag]:
            inside = re.match(r"\(([^)(]*)\)?", phrase)
            options = inside[1].split("|") if inside else [phrase]
            first.update(found[0] for option in options if (found := _WORD.findall(option)))
    return re.compile(rf"\b(?:{'|'.join(sorted(first))})\b|'s ")
