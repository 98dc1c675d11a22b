"""Phrases that stand near each other in a clause: `this & that` in either order, `this > that` in this one."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import re2

from world.core.json_types import is_array
from world.core.yaml_text import load_yaml
from world.grading.commitment.patterns import PhraseMatch, lay_out_words, to_pattern
from world.grading.customer_promises.lexicon import spell_out

NEAR = 8  # words between the two
_WORD = r"[^ ,;:()\n]+ "
_APART = rf"(?:{_WORD}){{0,{NEAR}}}?"
NEGATORS = frozenset("not no never nobody none nothing neither without".split())
_LETTERS = re.compile(r"[a-z]+")
_GLANCED = re.compile(r"[^\W_]+")
_MARK = re.compile(r" [&>] ")


@dataclass(frozen=True, slots=True)
class Hit(PhraseMatch):
    """A rule that holds; one that `turns` has a negation of its own, which denies nothing."""

    turns: bool = False


class Patterns:
    """Lists of rules by tag. Those of different tags may overlap."""

    def __init__(self, lists: Mapping[str, Iterable[str]]) -> None:
        rules = {(tag, _turns(rule)): list[str]() for tag, some in lists.items() for rule in some}
        for tag, some in lists.items():
            for rule in some:
                rules[tag, _turns(rule)].append(_to_rule(rule))
        options = _make_options()
        self._all = re2.compile(_join(rule for some in rules.values() for rule in some), options)
        self._rules = {key: re2.compile(_join(some), options) for key, some in rules.items()}

    def find(self, words: Sequence[str], tags: Collection[str] = ()) -> list[Hit]:
        """Every place where a rule holds, for all tags or some."""
        line, starts = lay_out_words(words)
        if self._all.search(line) is None:
            return []
        wanted = [key for key in self._rules if not tags or key[0] in tags]
        return [hit for key in wanted for hit in self._find(key, line, starts)]

    def may_hold(self, tag: str, text: str) -> bool:
        """Whether a rule of a tag may hold somewhere in a text, at a glance: names and the ends of sentences are left out."""
        line = f" {' '.join(_GLANCED.findall(text.lower()))} "
        return any(rule.search(line) is not None for key, rule in self._rules.items() if key[0] == tag)

    def _find(self, key: tuple[str, bool], line: str, starts: Mapping[int, int]) -> Iterator[Hit]:
        at = 0
        while match := self._rules[key].search(line, at):
            yield Hit(key[0], starts[match.start() + 1], starts[match.end()], key[1])
            at = match.end() - 1


def _join(rules: Iterable[str]) -> str:
    return f" (?:{'|'.join(rules)})"


def _make_options() -> re2.Options:
    options = re2.Options()
    options.max_mem = 1 << 28
    return options


def _turns(rule: str) -> bool:
    return not NEGATORS.isdisjoint(_LETTERS.findall(rule))


def _to_rule(rule: str) -> str:
    sides = [f"(?:{to_pattern(side.strip())})" for side in _MARK.split(rule)]
    forth = _APART.join(sides)
    return f"{forth}|{_APART.join(reversed(sides))}" if " & " in rule else forth


@cache
def read_rules(path: Path) -> dict[str, Any]:
    """A file of rules, its classes of words spelled out, classes in classes too."""
    source: dict[str, Any] = load_yaml(path.read_text(encoding="utf-8"))
    classes: dict[str, str] = {}
    for name, value in source["words"].items():
        classes[name] = spell_out(" ".join(value.split()), classes)
    return {key: _spell(value, classes) for key, value in source.items() if key != "words"}


def _spell(value: Any, classes: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return spell_out(value, dict(classes))
    if is_array(value):
        return [_spell(one, classes) for one in value]
    return {key: _spell(one, classes) for key, one in value.items()}
