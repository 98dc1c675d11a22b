"""An agent of the OpenAI Agents SDK with the employee's tools over MCP, and a model that says what a script tells it.
Prints a report.
"""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from typing import Any

from agents import Agent, Model, ModelResponse, RunConfig, Runner, Usage
from agents.items import ToolCallOutputItem
from agents.mcp import MCPServerStreamableHttp
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

CALLS = [("world_now", {}), ("world_wait", {"seconds": 60}), ("world_finish", {"status": "done"})]


class ScriptedModel(Model):
    """Calls the tools of a list one after another, then says that it is done."""

    def __init__(self) -> None:
        self._turn, self.tools = 0, 0

    async def get_response(
        self, system_instructions: Any, input: Any, model_settings: Any, tools: Any, *_: Any, **__: Any
    ):
        self._turn, self.tools = self._turn + 1, len(tools)
        return ModelResponse(output=[self._say()], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        raise NotImplementedError("this model is not streamed")

    def _say(self) -> Any:
        if self._turn <= len(CALLS):
            name, arguments = CALLS[self._turn - 1]
            return ResponseFunctionToolCall(
                type="function_call", call_id=f"call-{self._turn}", name=name, arguments=json.dumps(arguments)
            )
        text = ResponseOutputText(type="output_text", text="It is done.", annotations=[])
        return ResponseOutputMessage(id="m1", type="message", role="assistant", status="completed", content=[text])


async def play() -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {os.environ['FIRM_TOKEN']}"}
    params = {"url": os.environ["FIRM_MCP"], "headers": headers, "timeout": 300}
    model = ScriptedModel()
    async with MCPServerStreamableHttp(params, name="company", client_session_timeout_seconds=300) as company:
        agent = Agent(name="employee", instructions="Do the task.", mcp_servers=[company], model=model)
        ended = await Runner.run(agent, os.environ["FIRM_TASK"], run_config=RunConfig(tracing_disabled=True))
    answers = [str(one.output) for one in ended.new_items if isinstance(one, ToolCallOutputItem)]
    return {"tools": model.tools, "answers": len(answers), "first": "utc" in answers[0], "last": ended.final_output}


print(json.dumps(asyncio.run(play())))
