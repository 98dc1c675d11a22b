"""What a public verdict must not say: everything a rubric holds or resolves to that the agent did not write itself."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from world.core.json_types import is_array, is_object
from world.core.yaml_document import load_yaml
from world.gate.variant_runner import VariantRunner
from world.grading.effects import change_set
from world.grading.errors import EventNotFired, GraderError, RubricError
from world.grading.grading_context import build_context
from world.grading.inputs import Evidence
from world.grading.mentions import row_labels
from world.grading.reasons.public import explain_public
from world.grading.scope import PersonRef, RowRef, Scope
from world.run.call_record import CallRecord

SHORTEST = 3  # letters of a value that is looked for
NOT_RUBRIC = frozenset(
    {"true", "false", "all", "any", "text", "veto", "degrees", "weights"}
)  # words of the language, no values


@dataclass
class Diary:
    """Everything an agent's calls said, and what they were called."""

    said: list[str] = field(default_factory=list[str])

    def take(self, call: CallRecord) -> None:
        """Take note of one call."""
        if call.door != "world":
            said = json.dumps([call.operation, dict(call.arguments)], ensure_ascii=False, default=str)
            self.said.append(said.casefold())

    def wrote(self, value: str) -> bool:
        """Whether some call held a value."""
        return any(value.casefold() in text for text in self.said)


def rubric_values(bench: VariantRunner, evidence: Evidence) -> set[str]:
    """Ids, texts, refs and facts of a rubric, as a run resolves them."""
    rubric = bench.rubric
    scope = build_context(rubric, evidence, change_set(evidence)).scope
    found = set(_scalars(load_yaml(bench.scenario.rubric_path, RubricError).data))
    found |= {one.id for one in (*rubric.items, *rubric.rules, *rubric.python, *rubric.judges)}
    for event in evidence.events.values():
        found |= set(_scalars(event.facts))
    for name in rubric.resolvers:
        found |= set(_of_ref(name, scope))
    return {value for value in found if len(value) >= SHORTEST and value not in NOT_RUBRIC}


def _scalars(value: Any) -> Iterator[str]:
    if is_object(value):
        for one in value.values():
            yield from _scalars(one)
    elif is_array(value):
        for one in value:
            yield from _scalars(one)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _of_ref(name: str, scope: Scope) -> Iterator[str]:
    try:
        values = scope.ref(name)
    except (GraderError, EventNotFired):
        return
    for value in values:
        if isinstance(value, PersonRef):
            person = scope.person(value.id)
            yield from (person.id, person.full_name, person.handle, person.email)
        elif isinstance(value, RowRef):
            yield from (*map(str, value.pk), *row_labels(value, scope.table(value.table)))
        else:
            yield str(value)


def leaks(public: Mapping[str, Any], values: set[str], diary: Diary) -> list[str]:
    """The values that a public verdict shows, as lines or as JSON, though the agent never wrote them. Numbers are looked for
    in its texts alone: steps and scores are numbers too.
    """
    texts = "\n".join(charge["text"] for charge in public["charges"])
    whole = "\n".join([*explain_public(public), json.dumps(public, ensure_ascii=False)])
    shown = [value for value in sorted(values) if stands(value, texts if _is_number(value) else whole)]
    return [value for value in shown if not diary.wrote(value)]


def _is_number(value: str) -> bool:
    return re.fullmatch(r"-?[\d.,]+", value) is not None


def stands(value: str, text: str) -> bool:
    """Whether a value stands in a text as whole words."""
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.I) is not None
