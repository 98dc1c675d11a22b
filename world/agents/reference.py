"""A small agent for any endpoint that speaks OpenAI's chat completions: tools over MCP, a budget, retries, an end.

`firm suite run smoke --agent world.agents.reference:agent`, or alone: `python -m world.agents.reference TASK.json`.
"""

import argparse
import asyncio
import json
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeGuard

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.types import Tool

from world.agents.task import Task

RETRIED = frozenset({408, 409, 429, 500, 502, 503, 504, 529})
TRIES, LONGEST_PAUSE_S = 6, 60.0
NUDGES = 3  # answers in a row without a tool call until the agent is taken to be done
ANSWER_CHARACTERS = 30_000  # of one tool's answer; the rest is cut
MODEL_BYTES = 32 << 20  # of one answer of the endpoint; more ends the run
GO_ON = "Go on with the tools. When you are done, call world_finish."
SYSTEM = (
    "You act through tools only. Nobody reads what you write outside of them. When the task is done, call world_finish."
)
Pause = Callable[[float], Awaitable[None]]


class ModelError(Exception):
    """The endpoint refused, or did not answer after all tries."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the model: its endpoint, its budget of tool calls and of tokens in and out, seconds for an answer.

    `apps` limits the tools to those of some apps; empty means all.
    """

    url: str
    model: str
    key: str = ""
    calls: int = 300
    tokens: int = 2_000_000
    apps: tuple[str, ...] = ()
    answer_s: float = 600.0


@dataclass(slots=True)
class Outcome:
    """Reason why the agent stopped, and the budget it used."""

    why: str = ""
    calls: int = 0
    tokens: int = 0
    turns: int = 0


@dataclass(slots=True)
class Conversation:
    """Messages exchanged with the model, and the budget used so far."""

    messages: list[dict[str, Any]]
    used: Outcome = field(default_factory=Outcome)
    silent: int = 0


def settings_from(environment: Mapping[str, str]) -> Settings:
    """OPENAI_BASE_URL, OPENAI_MODEL, OPENAI_API_KEY, AGENT_CALLS, AGENT_TOKENS, AGENT_APPS, AGENT_ANSWER_S.

    Raises ValueError naming what is missing.
    """
    missing = [name for name in ("OPENAI_BASE_URL", "OPENAI_MODEL") if not environment.get(name)]
    if missing:
        raise ValueError(f"set {' and '.join(missing)}")
    apps = tuple(filter(None, environment.get("AGENT_APPS", "").replace(",", " ").split()))
    key = environment.get("OPENAI_API_KEY", "")
    usual = Settings(environment["OPENAI_BASE_URL"].rstrip("/"), environment["OPENAI_MODEL"], key, apps=apps)
    return replace(
        usual,
        calls=int(environment.get("AGENT_CALLS") or usual.calls),
        tokens=int(environment.get("AGENT_TOKENS") or usual.tokens),
        answer_s=float(environment.get("AGENT_ANSWER_S") or usual.answer_s),
    )


def agent(task: Task) -> Outcome:
    """Work on a task until it is finished or the budget is used up. Raises ValueError, ModelError."""
    outcome = asyncio.run(work(task, settings_from(os.environ)))
    print(f"stopped: {outcome.why}; {outcome.calls} calls, {outcome.turns} turns, {outcome.tokens} tokens")
    return outcome


async def work(task: Task, settings: Settings, *, pause: Pause = asyncio.sleep) -> Outcome:
    """Run the tool loop: ask the model, make its tool calls, return their results to it. Raises ModelError."""
    talk = Conversation([{"role": "system", "content": SYSTEM}, {"role": "user", "content": task.text}])
    headers = {"Authorization": f"Bearer {settings.key}"} if settings.key else {}
    async with (
        _tools(task) as tools,
        httpx2.AsyncClient(headers=headers, timeout=settings.answer_s, trust_env=True) as web,
    ):
        failure = await _loop(tools, web, settings, talk, pause)
    if failure is not None:
        raise failure  # only here: on its way through the client's tasks it would become a group of errors
    return talk.used


async def _loop(
    tools: Client, web: httpx2.AsyncClient, settings: Settings, talk: Conversation, pause: Pause
) -> ModelError | None:
    offered = _render_tools(await _list_tools(tools), settings.apps)
    try:
        while not talk.used.why:
            said = await _ask(web, settings, talk, offered, pause)
            talk.messages.append(said)
            await _turn(tools, settings, talk, said.get("tool_calls") or [])
    except ModelError as error:
        return error
    return None


@asynccontextmanager
async def _tools(task: Task) -> AsyncGenerator[Client, None]:
    headers = {"Authorization": f"Bearer {task.token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=120.0, trust_env=False) as web:
        async with Client(streamable_http_client(f"{task.url}/mcp", http_client=web)) as client:
            yield client


async def _list_tools(client: Client) -> list[Tool]:
    page = await client.list_tools()
    tools = list(page.tools)
    while page.next_cursor is not None:
        page = await client.list_tools(cursor=page.next_cursor)
        tools += page.tools
    return tools


def _render_tools(tools: list[Tool], apps: tuple[str, ...]) -> list[dict[str, Any]]:
    """The tools as chat completions take them; the employee's own (time, waiting, finishing) always among them."""
    kept = [one for one in tools if not apps or one.name.partition("_")[0] in (*apps, "world")]
    return [
        {
            "type": "function",
            "function": {"name": one.name, "description": one.description or "", "parameters": one.input_schema},
        }
        for one in kept
    ]


async def _ask(
    web: httpx2.AsyncClient, settings: Settings, talk: Conversation, tools: list[dict[str, Any]], pause: Pause
) -> dict[str, Any]:
    """The model's next message; counts its tokens."""
    body = {"model": settings.model, "messages": talk.messages, "tools": tools}
    answer = await _post_with_retries(web, f"{settings.url}/chat/completions", body, settings.answer_s, pause)
    said = _message(answer)
    talk.used.turns += 1
    talk.used.tokens += _count_tokens(answer) or len(json.dumps([talk.messages, said])) // 4
    kept = {name: said[name] for name in ("role", "content", "tool_calls") if said.get(name) is not None}
    return {"role": "assistant", "content": None, **kept}


def _message(answer: Mapping[str, Any]) -> dict[str, Any]:
    """The message in an answer. Raises ModelError when it, or a tool call in it, has not the shape of one."""
    try:
        said = dict(answer["choices"][0]["message"])
        shaped = all(isinstance(call["function"], dict) for call in said.get("tool_calls") or ())
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise ModelError(f"no message in {json.dumps(answer)[:500]}") from error
    if not shaped:
        raise ModelError(f"no tool calls in {json.dumps(said)[:500]}")
    return said


def _count_tokens(answer: Mapping[str, Any]) -> int:
    """Tokens as the endpoint counts them; 0 if it does not."""
    try:
        total = answer["usage"]["total_tokens"]
    except (KeyError, TypeError):
        return 0
    return total if isinstance(total, int) else 0


async def _post_with_retries(
    web: httpx2.AsyncClient, url: str, body: Mapping[str, Any], longest_s: float, pause: Pause
) -> dict[str, Any]:
    """Send one request, repeated while the endpoint is busy or away.

    The pause is the endpoint's Retry-After, else twice the last one.
    """
    why = ""
    for attempt in range(TRIES):
        wait = min(2.0**attempt, LONGEST_PAUSE_S)
        try:
            status, retry_after, text = await _post(web, url, body, longest_s)
        except TimeoutError:
            why = f"nothing whole within {longest_s:g} s"
        except httpx2.RequestError as error:
            why = f"{type(error).__name__}: {error}"
        else:
            if status < 400:
                return _parse_answer(text)
            why = f"{status}: {text[:500]}"
            if status not in RETRIED:
                raise ModelError(why)
            wait = _pause_s(retry_after, wait)
        if attempt + 1 < TRIES:
            await pause(wait)
    raise ModelError(f"no answer after {TRIES} tries; {why}")


async def _post(web: httpx2.AsyncClient, url: str, body: Mapping[str, Any], longest_s: float) -> tuple[int, str, str]:
    """Status, Retry-After and text of one answer, which must be whole in time. Raises TimeoutError, RequestError,
    ModelError.
    """
    text = bytearray()
    async with asyncio.timeout(longest_s), web.stream("POST", url, json=body) as answer:
        async for part in answer.aiter_bytes():
            text += part
            if len(text) > MODEL_BYTES:
                raise ModelError(f"an answer of more than {MODEL_BYTES >> 20} MB")
    return answer.status_code, answer.headers.get("retry-after", ""), text.decode("utf-8", "replace")


def _parse_answer(text: str) -> dict[str, Any]:
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModelError(f"no JSON: {text[:500]}") from error
    if not _is_object(answer):
        raise ModelError(f"no object: {text[:500]}")
    return answer


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _pause_s(header: str, otherwise: float) -> float:
    """Seconds of Retry-After; its other form, a date, is not used by such endpoints."""
    return min(float(header), LONGEST_PAUSE_S) if header.replace(".", "", 1).isdigit() else otherwise


async def _turn(tools: Client, settings: Settings, talk: Conversation, calls: list[dict[str, Any]]) -> None:
    """Make the model's tool calls in order. Each is answered, as the next request must carry every answer."""
    used = talk.used
    for call in calls:
        if not used.why and used.calls >= settings.calls:
            used.why = f"its budget of {settings.calls} calls is used up"
        text = "Not done: the run is over." if used.why else await _call_tool(tools, talk, call)
        talk.messages.append({"role": "tool", "tool_call_id": call.get("id", ""), "content": text})
    talk.silent = 0 if calls else talk.silent + 1
    if not calls:
        talk.messages.append({"role": "user", "content": GO_ON})
    if not used.why and talk.silent >= NUDGES:
        used.why = "it calls no tools any more"
    if not used.why and used.tokens >= settings.tokens:
        used.why = f"its budget of {settings.tokens} tokens is used up"


async def _call_tool(tools: Client, talk: Conversation, call: Mapping[str, Any]) -> str:
    """Make one tool call. Errors are returned to the model, which may correct them."""
    talk.used.calls += 1
    asked = call["function"]
    name, given = str(asked.get("name", "")), asked.get("arguments") or "{}"
    try:
        arguments = json.loads(given) if isinstance(given, str) else given
    except (ValueError, RecursionError) as error:
        return f"Error: the arguments of {name} are no JSON: {error}"
    if not _is_object(arguments):
        return f"Error: the arguments of {name} are no JSON object"
    try:
        answer = await tools.call_tool(name, arguments)
    except MCPError as error:
        print(f"{name}: {error}")
        return f"Error: {error}"
    text = "\n".join(part.text for part in answer.content if part.type == "text")
    print(f"{name}: {'refused' if answer.is_error else 'done'}")
    if name == "world_finish" and not answer.is_error:
        talk.used.why = "it has finished"
    return ("Error: " if answer.is_error else "") + (
        text if len(text) <= ANSWER_CHARACTERS else f"{text[:ANSWER_CHARACTERS]}\n[cut]"
    )


def main() -> None:
    """Entry point: a task from a file, as `firm world task` writes it."""
    parser = argparse.ArgumentParser(prog="world.agents.reference", description=__doc__)
    parser.add_argument("task", type=Path, help="file with the task, as `firm world task --out` writes it")
    agent(Task(**json.loads(parser.parse_args().task.read_text(encoding="utf-8"))))


if __name__ == "__main__":
    main()
