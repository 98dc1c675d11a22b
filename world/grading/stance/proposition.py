"""Propositions on which a stance is taken. Declared in world/grading/propositions, shared over scenarios."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from world.core.yaml_text import load_yaml
from world.grading.stance.lexicon import Pole

FOLDER = Path(__file__).parents[1] / "propositions"


class Phrasings(BaseModel, extra="forbid", frozen=True):
    """Ways to say a proposition, and ways to say its opposite."""

    proposition: tuple[str, ...] = Field(min_length=12)
    opposite: tuple[str, ...] = Field(min_length=12)


class Slot(BaseModel, extra="forbid", frozen=True):
    """The value a proposition hangs on: a date, an amount, a person, a place; `rivals` exclude it."""

    values: tuple[str, ...] = Field(min_length=1)
    rivals: tuple[str, ...] = ()
    exclusive: bool = Field(default=True, description="A rival of the value excludes it.")
    kind: Literal["name", "person", "amount", "date"] = "name"


class Proposition(BaseModel, extra="forbid", frozen=True):
    """A sentence about a subject that a message may assert or deny."""

    id: str
    subject: tuple[str, ...] = Field(min_length=1, description="Names of what it is about.")
    names: tuple[str, ...] = Field(default=(), description="Words of those names that stand for nothing else.")
    predicate: str
    concept: str = Field(description="The pair of opposites in world/grading/stance/concepts.")
    pole: Pole = Field(description="Which of the two the proposition says.")
    about: tuple[str, ...] = Field(default=(), description="Further words that speak of the subject.")
    others: tuple[str, ...] = Field(default=(), description="People outside it: what goes to them is another thing.")
    slot: Slot | None = None
    phrasings: Phrasings

    def bind(self, values: Mapping[str, str]) -> "Proposition":
        """The proposition with its {placeholders} filled."""
        text = self.model_dump_json()
        for name, value in values.items():
            text = text.replace("{" + name + "}", value.replace("\\", "\\\\").replace('"', '\\"'))
        return Proposition.model_validate_json(text)


@cache
def load_proposition(name: str) -> Proposition:
    """A shipped proposition by its id."""
    text = (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    return Proposition.model_validate(load_yaml(text))


def list_propositions() -> list[str]:
    """The ids of the shipped propositions."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))
