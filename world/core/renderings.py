"""Disguises for the gate: an agent's text, dressed so that its readers see something else."""

from collections.abc import Callable, Mapping
from typing import Any

from world.core.params import Arguments

Rendering = Callable[[Mapping[str, Any], str, str], Mapping[str, Any]]  # arguments, what they say, what is said against


def in_markdown(argument: str, strike: str = "~~") -> dict[str, Rendering]:
    """Struck out, quoted as somebody else's, and as code, in an argument that takes Markdown."""

    def write(arguments: Arguments, lines: list[str], against: str) -> Mapping[str, Any]:
        return {**arguments, argument: "\n".join(lines) + (f"\n\n{against}" if against else "")}

    def write_struck(arguments: Arguments, said: str, against: str) -> Mapping[str, Any]:
        return write(arguments, [f"{strike}{line}{strike}" if line else "" for line in said.splitlines()], against)

    def write_quoted(arguments: Arguments, said: str, against: str) -> Mapping[str, Any]:
        return write(arguments, [f"> {line}" for line in said.splitlines()], against)

    def code(arguments: Arguments, said: str, against: str) -> Mapping[str, Any]:
        return write(arguments, ["```", said, "```"], against)

    return {"struck": write_struck, "quoted": write_quoted, "code": code}
