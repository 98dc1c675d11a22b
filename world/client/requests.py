"""Requests: sent again as a busy server asks."""
# Written by docs/sync_client.py from async_requests.py; change that one.

import time
from typing import Any

import httpx

from .wire import BUSY, MOST_WAITS, may_repeat, wait_s


def send_request(http: httpx.Client, method: str, url: str, **known: Any) -> httpx.Response:
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
