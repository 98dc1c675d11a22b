"""The corpora of acts: read, checked, and their slots filled with values of a world and answers of earlier steps."""

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from world.agents.examples import part
from world.core.json_types import is_array, is_object
from world.core.yaml_text import load_yaml

CORPUS = Path(__file__).parent / "corpus"
HALVES = ("development", "test")
SLOT = re.compile(r"\{([a-z_]+(?:\.[\w-]+)*)\}")
BYTES = {"base64": base64.b64encode, "base64url": base64.urlsafe_b64encode}


class Strict(BaseModel):
    """Takes no field it does not know."""

    model_config = ConfigDict(extra="forbid")


class ActCall(Strict):
    """A call of an operation, or `wait`: simulated minutes in which the agent does nothing.

    `keep` names the answer for later steps: `{reply.ts}` is its `ts`. `refused` marks a call that must not succeed.
    """

    operation: str = ""
    params: dict[str, Any] = {}
    keep: str = Field(default="", pattern="^[a-z_]*$")
    refused: bool = False
    wait: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _is_either(self) -> "ActCall":
        if bool(self.operation) == bool(self.wait):
            raise ValueError("a step is a call or a wait")
        return self


class Act(Strict):
    """Something an agent does besides its work; each kind of act says more."""

    id: str = Field(pattern="^[a-z0-9_]+$")
    means: str = Field(min_length=10)
    steps: list[ActCall] = Field(min_length=1)


class PoliteAct(Act):
    """Courteous act that no fair superior holds against anybody; `when` names the moments at which it is sensible."""

    when: str = Field(pattern="^(start|any time|during the work|after the main work|when addressed|when waiting|end)$")


class HarmfulAct(Act):
    """Act that harms others: undone before the end (`passing`), or where people do not look (`hidden`)."""

    kind: str = Field(pattern="^(passing|hidden)$")
    harm: str = Field(pattern="^(exposure|destruction|deception|impersonation|libel|leak)$")


class DelayedHarm(Act):
    """Act that looks right and changes later."""

    what: str = Field(min_length=10)
    when: str = Field(min_length=3)


class ForbiddenText(Strict):
    """Content that no open text may have, as a text of each half.

    `story`: it is wrong only where the story says otherwise, and then the rubric's items judge it. `in_names` is false
    for one that a name of letters, digits and dashes cannot hold.
    """

    id: str
    means: str = Field(min_length=10)
    story: bool = False
    in_names: bool = True
    development: str = Field(min_length=1)
    test: str = Field(min_length=1)

    def text(self, half: str) -> str:
        """Its text of a half."""
        return self.development if half == "development" else self.test


class RowTemplate(Act):
    """Template by which somebody writes a row of a table with an open text, `{content}`."""

    table: str


class Slot(Strict):
    """A value of the world that acts name."""

    means: str
    example: Any


FOLDERS: dict[type[Act], str] = {PoliteAct: "conduct", HarmfulAct: "harm", DelayedHarm: "bombs"}
A = TypeVar("A", bound=Act)


@cache
def read_slots() -> dict[str, Slot]:
    """Read the slots and their meanings, by name."""
    raw = load_yaml((CORPUS / "slots.yaml").read_text(encoding="utf-8"))
    return {name: Slot.model_validate(slot) for name, slot in raw.items()}


def read_acts(kind: type[A], half: str) -> list[A]:
    """The acts of a kind in a half, by file and as they stand there."""
    files = sorted((CORPUS / FOLDERS[kind] / half).glob("*.yaml"))
    return [kind.model_validate(act) for path in files for act in load_yaml(path.read_text(encoding="utf-8"))]


def read_contents() -> list[ForbiddenText]:
    """The contents of open texts."""
    raw = load_yaml((CORPUS / "allowances" / "contents.yaml").read_text(encoding="utf-8"))
    return [ForbiddenText.model_validate(one) for one in raw]


@cache
def read_openings() -> list[RowTemplate]:
    """Read the templates of rows with open texts."""
    raw = load_yaml((CORPUS / "allowances" / "rows.yaml").read_text(encoding="utf-8"))
    return [RowTemplate.model_validate(one) for one in raw]


def list_names(value: object) -> Iterator[str]:
    """The slots and kept answers that a value names."""
    if isinstance(value, str):
        yield from SLOT.findall(value)
    elif is_object(value):
        for key, item in value.items():
            yield from (*list_names(key), *list_names(item))
    elif is_array(value):
        for item in value:
            yield from list_names(item)


def fill_slots(value: object, value_of: Callable[[str], Any]) -> Any:
    """A value with its slots filled. `{base64: text}` and `{base64url: text}` become the encoded text."""
    if isinstance(value, str):
        whole = SLOT.fullmatch(value)
        return value_of(whole[1]) if whole else SLOT.sub(lambda found: str(value_of(found[1])), value)
    if is_array(value):
        return [fill_slots(item, value_of) for item in value]
    if is_object(value):
        filled = {str(fill_slots(key, value_of)): fill_slots(item, value_of) for key, item in value.items()}
        encode = BYTES.get(next(iter(filled))) if len(filled) == 1 else None
        return encode(str(*filled.values()).encode()).decode() if encode else filled
    return value


def look_up(name: str, values: Mapping[str, Any]) -> Any:
    """The value of a slot, or a part of a kept answer. Raises LookupError."""
    first, _, path = name.partition(".")
    return part(values[first], path) if path else values[first]
