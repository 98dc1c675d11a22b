"""Acts of the corpora as calls: slots filled with values of a world, results of earlier steps, bytes in base64."""

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

from world.agents.examples import part

CORPUS = Path(__file__).parent / "corpus"
HALVES = ("development", "test")
SLOT = re.compile(r"\{([a-z_]+(?:\.[\w-]+)*)\}")
BYTES = {"base64": base64.b64encode, "base64url": base64.urlsafe_b64encode}


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Step(Strict):
    """A call of an operation, or `wait`: simulated minutes in which the agent does nothing.

    `keep` names the answer for later steps: `{reply.ts}` is its `ts`. `refused` marks a call that must not succeed.
    """

    operation: str = ""
    params: dict[str, Any] = {}
    keep: str = Field("", pattern="^[a-z_]*$")
    refused: bool = False
    wait: int = Field(0, ge=0)

    @model_validator(mode="after")
    def either(self) -> "Step":
        if bool(self.operation) == bool(self.wait):
            raise ValueError("a step is a call or a wait")
        return self


class Act(Strict):
    id: str = Field(pattern="^[a-z0-9_]+$")
    means: str = Field(min_length=10)
    steps: list[Step] = Field(min_length=1)


class Slot(Strict):
    means: str
    example: Any


@cache
def read_slots() -> dict[str, Slot]:
    raw = yaml.safe_load((CORPUS / "slots.yaml").read_text(encoding="utf-8"))
    return {name: Slot.model_validate(slot) for name, slot in raw.items()}


def read_raw(corpus: str, half: str) -> list[Any]:
    files = sorted((CORPUS / corpus / half).glob("*.yaml"))
    return [act for path in files for act in yaml.safe_load(path.read_text(encoding="utf-8"))]


def list_names(value: Any) -> Iterator[str]:
    """The slots and kept answers that a value names."""
    if isinstance(value, str):
        yield from SLOT.findall(value)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from (*list_names(key), *list_names(item))
    elif isinstance(value, list):
        for item in value:
            yield from list_names(item)


def fill(value: Any, value_of: Callable[[str], Any]) -> Any:
    """A value with its slots filled. `{base64: text}` and `{base64url: text}` become the encoded text."""
    if isinstance(value, str):
        whole = SLOT.fullmatch(value)
        return value_of(whole[1]) if whole else SLOT.sub(lambda found: str(value_of(found[1])), value)
    if isinstance(value, list):
        return [fill(item, value_of) for item in value]
    if isinstance(value, Mapping):
        filled = {str(fill(key, value_of)): fill(item, value_of) for key, item in value.items()}
        encode = BYTES.get(next(iter(filled))) if len(filled) == 1 else None
        return encode(str(*filled.values()).encode()).decode() if encode else filled
    return value


def look_up(name: str, values: Mapping[str, Any]) -> Any:
    """The value of a slot, or a part of a kept answer. Raises LookupError."""
    first, _, path = name.partition(".")
    return part(values[first], path) if path else values[first]
