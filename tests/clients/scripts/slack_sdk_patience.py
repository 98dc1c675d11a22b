"""One call more than a minute has room for: `python slack_sdk_patience.py sync|async`, with and without the retry
handler.
"""

import asyncio
import inspect
import json
import os
import sys
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

ROOM = 20  # calls a minute, of a method of tier 2


async def done(answer: Any) -> Any:
    """The answer of either client."""
    return await answer if inspect.isawaitable(answer) else answer


async def press(patient: Any, hasty: Any) -> dict[str, Any]:
    """The client with the handler gets all its answers, the one without sees the limit."""
    answers = [(await done(patient.emoji_list()))["ok"] for _ in range(ROOM + 1)]
    report: dict[str, Any] = {"answers": sum(answers)}
    try:
        for _ in range(ROOM + 1):
            await done(hasty.usergroups_list())
    except SlackApiError as error:
        report |= {"then": error.response["error"], "retry_after": int(error.response.headers["retry-after"])}
    return report


def main(kind: str) -> None:
    """Press and say how it went."""
    make: Any = WebClient if kind == "sync" else AsyncWebClient
    handler: Any = RateLimitErrorRetryHandler if kind == "sync" else AsyncRateLimitErrorRetryHandler
    given = {"token": os.environ["FIRM_TOKEN"], "base_url": os.environ["FIRM_URL"]}
    patient, hasty = make(**given), make(**given)
    patient.retry_handlers.append(handler(max_retry_count=2))
    print(json.dumps(asyncio.run(press(patient, hasty))))


if __name__ == "__main__":
    main(sys.argv[1])
