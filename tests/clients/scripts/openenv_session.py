"""OpenEnv's own clients against the server: an episode, several at once, and tools beside a connection. Prints a report."""

import asyncio
import json
import os
from time import perf_counter

from openenv.core import GenericEnvClient
from openenv.core.mcp_client import CallToolAction, MCPToolClient

ADDRESS, SECRET = os.environ["FIRM_OPENENV"], os.environ["FIRM_SECRET"]
WITH_PASSWORD = ADDRESS.replace("://", f"://any:{SECRET}@")
TASK = {"scenario": "flapping_alert", "seed": 1}
NOW = {"tool_name": "world_now", "arguments": {}}
FINISH = {"tool_name": "world_finish", "arguments": {"status": "done"}}


async def play() -> dict[str, object]:
    async with GenericEnvClient(base_url=ADDRESS, headers={"Authorization": f"Bearer {SECRET}"}) as env:
        begun = await env.reset(**TASK, episode_id="mine")
        step = await env.step(NOW)
        times = []
        for _ in range(200):
            began = perf_counter()
            await env.step(NOW)
            times.append(perf_counter() - began)
        state = await env.state()
        end = await env.step(FINISH)
        return {
            "prompt": begun.observation["prompt"][:7],
            "reset": [begun.reward, begun.done],
            "step": [step.reward, step.done, step.observation["error"]],
            "state": [state["episode_id"], state["step_count"]],
            "end": [end.reward, end.done],
            "step_ms": sorted(times)[100] * 1000,
        }


async def play_at_once() -> list[int]:
    async def one(seed: int) -> int:
        async with GenericEnvClient(base_url=WITH_PASSWORD) as env:
            await env.reset(scenario="flapping_alert", seed=seed)
            for _ in range(seed):
                await env.step(NOW)
            return (await env.state())["step_count"]

    return list(await asyncio.gather(*(one(seed) for seed in range(1, 7))))


async def call_tools() -> dict[str, object]:
    async with MCPToolClient(base_url=WITH_PASSWORD) as env:
        await env.reset(**TASK)
        tools = await env.list_tools()
        said = await env.call_tool("world_now")
        step = await env.step(CallToolAction(tool_name="world_now", arguments={}))
        refused = ""
        try:
            await env.call_tool("slack_read_channel", channel_id="C0")
        except RuntimeError as error:
            refused = str(error)[:33]
        return {
            "tools": len(tools),
            "schema": bool(next(one for one in tools if one.name == "world_wait").input_schema["properties"]),
            "said": "utc" in str(said) or "time" in str(said),
            "step": [step.reward, step.observation.error],
            "refused": refused,
        }


async def main() -> None:
    print(json.dumps({"played": await play(), "at_once": await play_at_once(), "called": await call_tools()}))


asyncio.run(main())
