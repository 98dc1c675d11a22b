"""V16 and V19: effects of the seed, and answers guessed without looking."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice, product
from pathlib import Path
from typing import Any

from world.core.json_types import is_object
from world.core.yaml_document import Document
from world.gate.replay import record_writes
from world.gate.variant_runner import CheckResult, VariantRunner, expect_pass, summarise_verdict
from world.grading import grade
from world.grading.compiler import LITERAL_ID
from world.grading.inputs import Answer
from world.run import episode

SEEDS = (20, 101, 7_919, 65_537, 2**31 - 1)  # beside those of --seeds
GUESSES = 64  # combinations of a closed answer's options that are tried
MOST = 0.01  # expected score of a guess
RULES = ("rubric.yaml", "predicates.py")
_WORD = re.compile(r"[\w.-]+")


def try_other_seeds(runner: VariantRunner) -> Iterator[CheckResult]:
    """V16: the solution wins on seeds nobody looked at, and no rule holds a value that the script or the seed has made."""
    for seed in SEEDS[:: runner.stride]:
        other = runner.elsewhere(seed)
        run, _ = other.play_solution()
        yield expect_pass("V16", f"seed {seed}", other.grade_and_drop(run))
        other.close()
    found = literals(runner)
    yield CheckResult("V16", "no literal of an event in the rules", not found, "; ".join(found))
    code = [path for path in runner.scenario.files if path.suffix == ".py" and path.name not in RULES]
    ids = [f"{path.name}:{line} {id}" for path in code for line, id in row_ids(path)]
    yield CheckResult("V16", "no literal id in the code", not ids, "; ".join(ids))


def row_ids(path: Path) -> Iterator[tuple[int, str]]:
    """Literal ids of rows in a Python file, by line: they name something else on every seed."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and LITERAL_ID.fullmatch(node.value)
            and not node.value.isalpha()
        ):
            yield node.lineno, node.value


def literals(runner: VariantRunner) -> list[str]:
    """Keys, times and names an event left on this seed that stand in the rules as they are."""
    paths = [path for path in runner.scenario.files if path.name in RULES or path == runner.scenario.file]
    words = {word.strip(".-") for path in paths for word in _WORD.findall(path.read_text(encoding="utf-8"))}
    facts = {(name, str(value)) for name, event in runner.quiet.events.items() for value in event.facts.values()}
    return [f"{value} of event {name}" for name, value in sorted(facts) if value in words and is_unique_to_world(value)]


def is_unique_to_world(value: str) -> bool:
    """Whether a text can only have come from one world: long enough, with a digit in it."""
    return len(value) >= 4 and any(c.isdigit() for c in value)


def try_guesses(runner: VariantRunner) -> Iterator[CheckResult]:
    """V19: the answers of other seeds, with every option of a closed field, earn next to nothing and never pass."""
    fields = _answer_fields(episode.rubric_document(runner.root))
    if not fields:
        yield CheckResult("V19", "guesses", True, "no answer is asked for", left_out=True)
        return
    guesses = [guess for seed in SEEDS[:3] for guess in variants(answer_on(runner, seed), fields)]
    run = runner.fork()
    episode.finish(run)
    idle = runner.evidence(run)
    verdicts = [grade(runner.rubric, replace(idle, answer=guess)) for guess in guesses]
    runner.host.drop(run.world)
    expected = sum(v.score or 0.0 for v in verdicts) / max(len(verdicts), 1)
    best = next((summarise_verdict(v) for v in verdicts if v.passed or v.error), "")
    why = best or (
        f"a guess is worth {expected:.3f}; lower the weight of what is the same on every seed"
        if expected > MOST
        else ""
    )
    yield CheckResult("V19", f"{len(guesses)} guesses", not why, why)


def _answer_fields(rubric: Document) -> Mapping[str, Mapping[str, Any]]:
    answer = rubric.data.get("answer")
    fields = answer.get("fields") if is_object(answer) else None
    return fields if is_object(fields) else {}


def answer_on(runner: VariantRunner, seed: int) -> Answer:
    """Return the solution's answer on another seed."""
    other = runner.elsewhere(seed)
    ending = next((call for call in record_writes(other) if call.ends), None)
    other.close()
    said: Mapping[str, Any] = ending.step.arguments if ending else {}
    return Answer(said.get("status", "done"), said.get("answer", {}), said.get("reason"), said.get("evidence"))


def variants(answer: Answer, fields: Mapping[str, Mapping[str, Any]]) -> Iterator[Answer]:
    """The answer with every choice and every yes or no drawn out."""
    closed = {name: options(spec) for name, spec in fields.items() if options(spec)}
    for chosen in islice(product(*closed.values()), GUESSES):
        yield replace(answer, fields={**answer.fields, **dict(zip(closed, chosen, strict=True))})


def options(field: Mapping[str, Any]) -> list[Any]:
    """List the values that a closed field can hold."""
    return [True, False] if field["type"] == "boolean" else list(field.get("options") or ())
