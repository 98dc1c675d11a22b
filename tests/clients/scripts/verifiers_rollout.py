"""A rollout of verifiers' own agent and harness on a task of this company, with a scripted model. Prints a report."""

import asyncio
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # uv, which runs the harness
os.environ["OPENAI_API_KEY"] = "scripted"

import verifiers.v1 as vf
from verifiers.v1.harnesses.null import NullHarnessConfig
from verifiers.v1.utils.loaders import load_taskset

from world.adapters.verifiers_tasks import CompanyConfig

CALLS = [("world_now", {}), ("slack_read_channel", {"channel_id": "C0"}), ("world_finish", {"status": "done"})]
asked: list[dict] = []


class Model(BaseHTTPRequestHandler):
    """An OpenAI-compatible endpoint that makes the calls in order, streamed, then says that it is done."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        asked.append(body)
        number = sum(message["role"] == "tool" for message in body["messages"])
        message: dict = {"role": "assistant", "content": "Done."}
        if number < len(CALLS):
            name, arguments = CALLS[number]
            called = {"name": name, "arguments": json.dumps(arguments)}
            message = {
                **message,
                "content": None,
                "tool_calls": [{"id": f"c{number}", "type": "function", "function": called}],
            }
        end = "tool_calls" if number < len(CALLS) else "stop"
        for index, one in enumerate(message.get("tool_calls", [])):
            one["index"] = index
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for delta, reason in ((message, None), ({}, end)):
            choice = {"index": 0, "delta": delta, "finish_reason": reason}
            made = {
                "id": "x",
                "object": "chat.completion.chunk",
                "created": 0,
                "model": "scripted",
                "choices": [choice],
            }
            self.wfile.write(f"data: {json.dumps(made)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


async def main() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    chosen = CompanyConfig(id="firmament-v1", scenarios=["flapping_alert"], first_seed=1, seeds=2)
    tasks = list(load_taskset(chosen))
    config = vf.AgentConfig(
        model="scripted",
        runtime=vf.SubprocessConfig(),
        harness=NullHarnessConfig(id="null"),
        client=vf.EvalClientConfig(base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key_var="OPENAI_API_KEY"),
    )
    async with vf.Agent(config) as agent:
        trace = await agent.run(tasks[0])
    server.shutdown()
    tools = {one["function"]["name"]: one["function"] for one in asked[0]["tools"]}
    schema = tools["world_wait"]["parameters"]["properties"]["seconds"]
    report = {
        "tasks": [task.data.id for task in tasks],
        "prompt": tasks[0].data.prompt[:7],
        "errors": [str(one) for one in trace.errors],
        "rewards": {name: one.value if one else None for name, one in trace.rewards.items()},
        "unmet": trace.info["verdict"]["unmet"],
        "tools": len(tools),
        "schema": [schema["type"], bool(schema["description"])],
        "answers": [read_text(one) for one in asked[-1]["messages"] if one["role"] == "tool"],
    }
    print(json.dumps(report))


def read_text(message: dict) -> str:
    """The text of a message, however it is sent."""
    content = message["content"]
    return content if isinstance(content, str) else content[0]["text"]


asyncio.run(main())
