"""When requests are sent again, and how refusals are read, for both kinds of client."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import httpx

from .errors import ControlError, ToolDoorError, read_message

T = TypeVar("T")
BUSY = 429
BATCH = 256  # items of one request; so that none takes long, and a server's limit is kept
MOST_WAITS = 60  # then the caller is told that the server is busy
TIMES = 3  # a read is sent at most so often when its connection breaks
LONGEST_WAIT_S = 30.0
LIMITS = httpx.Limits(max_connections=512, max_keepalive_connections=512)


def wait_s(answer: httpx.Response) -> float:
    """Seconds to wait after 429, as told."""
    return min(float(answer.headers.get("retry-after", "1")), LONGEST_WAIT_S)


def may_repeat(method: str, attempt: int) -> bool:
    """Whether a request whose connection broke is sent again: only one that changes nothing."""
    return method == "GET" and attempt < TIMES


def read(answer: httpx.Response, *, is_tool: bool = False) -> Any:
    """The JSON of an answer. Raises ControlError, ToolDoorError for a refusal."""
    if answer.status_code < 400:
        return answer.json() if answer.content else None
    message = read_message(answer.text)
    raise (ToolDoorError if is_tool else ControlError)(answer.status_code, message)


def split_batches(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Items in portions of one request each."""
    for begin in range(0, len(items), BATCH):
        yield items[begin : begin + BATCH]


def read_item(answer: Mapping[str, Any], *, is_tool: bool = False) -> dict[str, Any]:
    """One answer of a batch. Raises ControlError, ToolDoorError for a refusal."""
    if "status" in answer and "error" in answer:
        raise (ToolDoorError if is_tool else ControlError)(int(answer["status"]), str(answer["message"]))
    return dict(answer)
