"""An agent of LangGraph with the employee's tools over MCP, and a model that says what a script tells it. Prints a report."""

import asyncio
import json
import os
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_mcp_adapters.client import MultiServerMCPClient


class ScriptedModel(FakeMessagesListChatModel):
    """Gives the messages of its list, whatever tools it is bound to."""

    def bind_tools(self, tools: Any, **_: Any) -> "ScriptedModel":
        return self


def ask(number: int, name: str, **arguments: Any) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": name, "args": arguments, "id": f"call-{number}"}])


async def play() -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {os.environ['FIRM_TOKEN']}"}
    connection = {"transport": "streamable_http", "url": os.environ["FIRM_MCP"], "headers": headers, "timeout": 300}
    tools = await MultiServerMCPClient({"company": connection}).get_tools()
    model = ScriptedModel(
        responses=[
            ask(1, "world_now"),
            ask(2, "world_wait", seconds=60),
            ask(3, "world_finish", status="done"),
            AIMessage("It is done."),
        ]
    )
    agent = create_agent(model, tools)
    ended = await agent.ainvoke({"messages": [{"role": "user", "content": os.environ["FIRM_TASK"]}]})
    answers = [one for one in ended["messages"] if isinstance(one, ToolMessage)]
    return {
        "tools": len(tools),
        "answers": [[one.name, one.status] for one in answers],
        "first": "utc" in str(answers[0].content),
        "last": ended["messages"][-1].content,
    }


print(json.dumps(asyncio.run(play())))
