"""How requests are sent again, and how refusals are read, for both kinds of client."""

import asyncio
import time
from typing import Any

import httpx

from .errors import ControlError, ToolDoorError, read_message

BUSY = 429
MOST_WAITS = 60  # then the caller is told that the server is busy
TIMES = 3  # a read is sent at most so often when its connection breaks
LONGEST_WAIT_S = 30.0
LIMITS = httpx.Limits(max_connections=512, max_keepalive_connections=512)


def send(http: httpx.Client, method: str, url: str, **known: Any) -> httpx.Response:
    """The answer to a request, sent again after 429 and, if it only reads, after a broken connection."""
    attempt = 0
    while True:
        attempt += 1
        try:
            answer = http.request(method, url, **known)
        except httpx.TransportError:
            if not may_repeat(method, attempt):
                raise
            continue
        if answer.status_code != BUSY or attempt > MOST_WAITS:
            return answer
        time.sleep(wait_s(answer))  # as the server asks: whoever asks at once keeps it busy


async def send_async(http: httpx.AsyncClient, method: str, url: str, **known: Any) -> httpx.Response:
    """The same on an event loop."""
    attempt = 0
    while True:
        attempt += 1
        try:
            answer = await http.request(method, url, **known)
        except httpx.TransportError:
            if not may_repeat(method, attempt):
                raise
            continue
        if answer.status_code != BUSY or attempt > MOST_WAITS:
            return answer
        await asyncio.sleep(wait_s(answer))


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
