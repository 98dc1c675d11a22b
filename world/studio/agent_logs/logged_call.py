"""A tool call as a log has it, and the bounded reading of logs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from world.core.json_types import is_array, is_object

MAX_LINE = 64 << 20  # bytes


class LogError(ValueError):
    """A log that cannot be read; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class LoggedCall:
    """A call and what the agent saw then, None if the log does not tell. `server` is the MCP server's name, if known.

    `problem` says why the call itself cannot be read.
    """

    place: str
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    server: str = ""
    seen: str | None = None
    problem: str = ""


def read_bounded_lines(path: Path, limit: int = MAX_LINE) -> Iterator[tuple[int, bytes]]:
    """(number, line) of a file. Raises LogError for a line beyond the limit, OSError."""
    with path.open("rb") as file:
        for number, text in enumerate(_split(file, limit), 1):
            if len(text) > limit:
                raise LogError(f"{path}:{number}: the line has more than {limit} bytes")
            yield number, text


def _split(file: BinaryIO, limit: int) -> Iterator[bytes]:
    while text := file.readline(limit + 1):
        yield text


def join_texts(content: object) -> str:
    """The text of a result: a text itself, or its blocks of text, a line apart."""
    if isinstance(content, str):
        return content
    blocks = content if is_array(content) else []
    return "\n".join(str(block["text"]) for block in blocks if is_object(block) and "text" in block)
