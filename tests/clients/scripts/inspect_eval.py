"""Inspect's own evaluation with a scripted model. Prints a report."""

import json
import os
import sys
import types

from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, get_model

from world.adapters.inspect_tasks import company
from world.client import Task

# counts tokens, and would fetch a table for it
encoding = types.SimpleNamespace(encode=lambda text, **_: list(text), encode_ordinary=lambda text: list(text))
sys.modules["tiktoken"] = types.SimpleNamespace(get_encoding=lambda _: encoding, encoding_for_model=lambda _: encoding)

address = {"socket": os.environ["FIRM_CONTROL"], "secret": os.environ["FIRM_SECRET"]}
call = ModelOutput.for_tool_call
outputs = [
    call("mockllm/model", "slack_search_channels", {"query": "alerts"}),
    call("mockllm/model", "world_wait", {"seconds": 60}),
    call("mockllm/model", "slack_send_message", {"channel_id": "C0NOWHERE", "message": "x"}),
    call("mockllm/model", "world_finish", {"status": "done"}),
    ModelOutput.from_content("mockllm/model", "Done."),
]
task = company(address, [Task.of("flapping_alert", 1), Task.of("flapping_alert", 2)])
(log,) = evaluate(
    task,
    model=get_model("mockllm/model", custom_outputs=outputs * 2),
    display="none",
    log_dir=os.environ["FIRM_LOGS"],
    max_samples=1,
)
samples = log.samples or []
tools = [message for message in samples[0].messages if message.role == "tool"]
print(
    json.dumps(
        {
            "status": log.status,
            "error": str(log.error.message) if log.error else "",
            "ids": [sample.id for sample in samples],
            "prompt": samples[0].messages[0].text[:7],
            "answers": [message.error is None for message in tools],
            "scores": [sample.scores["verdict"].value for sample in samples],
            "unmet": [sample.scores["verdict"].metadata["unmet"] for sample in samples],
        }
    )
)
