"""The scenario of the manual, whole or spoiled: what the gate is tried on."""

from collections.abc import Callable, Mapping

import pytest

from tests.docs.pages import ROOT, blocks
from world.gate.checks import CHECKS
from world.gate.variant_runner import VariantRunner, excuse_survivor
from world.grading.degrees.text_review import TextReview

ANSWERED = "  - id: answered\n"
BUG = "  - id: bug\n"
Files = Mapping[str, str]
Build = Callable[[Files], VariantRunner]


def whole() -> Files:
    """The scenario of the manual, file by file."""
    return {b.file.removeprefix("thanks/"): b.text for b in blocks(ROOT / "docs" / "scenarios.md") if b.file}


def failures(bench: VariantRunner, check: str) -> list[str]:
    """What a check does not let through, the author's excuses counted."""
    findings = [excuse_survivor(found, bench.scenario) for found in CHECKS[check](bench)]
    assert findings
    return [found.what for found in findings if not found.ok]


def but(files: Files, name: str, *changes: tuple[str, str]) -> Files:
    """The files with something else in one of them."""
    text = files[name]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return {**files, name: text}


def without_item(files: Files, start: str, end: str) -> Files:
    """The files with one expectation taken out of the rubric."""
    text = files["rubric.yaml"]
    return {**files, "rubric.yaml": text[: text.index(start)] + text[text.index(end) :]}


def python(name: str, table: str) -> str:
    """A predicate's place in the rubric."""
    return f"python:\n  - {{id: {name}, call: predicates.{name}, claims: [{table}]}}\nallow:"


def hear_nothing(patch: pytest.MonkeyPatch) -> None:
    """Make the grader deaf to insults, secrets and inventions, so that a rubric has to forbid them itself."""
    patch.setattr(TextReview, "findings", lambda self, effect: ())  # pyright: ignore[reportUnknownLambdaType]
