"""Two steps of GRPO with a tiny model of random weights whose answers are scripted. Prints a report."""

import json
import os
from pathlib import Path

import torch
import trl
from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, PrinterCallback, Qwen3Config, Qwen3ForCausalLM
from transformers.utils import get_json_schema

from world.adapters.trl_environment import make_environment
from world.client import Fleet, Task

TOOLS = ["world_now", "world_wait", "slack_send_message", "world_finish"]
SPECIAL = ["<|im_start|>", "<|im_end|>", "<tool_call>", "</tool_call>", "<think>", "</think>"]
ANSWERS = [
    '<tool_call>\n{"name": "world_wait", "arguments": {"seconds": 60}}\n</tool_call>',
    '<tool_call>\n{"name": "slack_send_message", "arguments": {"channel_id": "C0NOWHERE", "message": "x"}}\n</tool_call>',
    '<tool_call>\n{"name": "world_finish", "arguments": {"status": "done"}}\n</tool_call>',
    "Done.",
]


def make_tokenizer() -> PreTrainedTokenizerFast:
    """A token for every byte, with the chat template of a model that calls tools."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    bare = Tokenizer(models.BPE({letter: number for number, letter in enumerate(letters)}, []))
    bare.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bare.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(tokenizer_object=bare, eos_token="<|im_end|>", pad_token="<|im_end|>")
    made.add_tokens(SPECIAL, special_tokens=False)
    made.chat_template = (Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja").read_text()
    return made


class ScriptedModel(Qwen3ForCausalLM):
    """Says one answer after another to each batch of prompts; everything else is the model."""

    said = 0

    def generate(self, input_ids=None, **_):
        """The prompts with the next answer behind each."""
        text = ANSWERS[self.said % len(ANSWERS)] + "<|im_end|>"
        self.said += 1
        answer = torch.tensor(tokenizer.encode(text)).expand(len(input_ids), -1)
        return torch.cat([input_ids, answer], dim=1)


def rank(completions, **_):
    """Another reward for each of a group: without a difference there is nothing to learn."""
    return [float(number % 2) for number in range(len(completions))]


tokenizer = make_tokenizer()
shape = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
config = Qwen3Config(vocab_size=len(tokenizer), num_key_value_heads=1, head_dim=8, **shape)
with Fleet(socket=os.environ["FIRM_CONTROL"], secret=os.environ["FIRM_SECRET"]) as fleet:
    factory = make_environment(fleet, Task.of("flapping_alert", 1), TOOLS)
    schemas = {name: get_json_schema(getattr(factory(), name))["function"] for name in TOOLS}
    rows = [
        {"prompt": [{"role": "user", "content": ""}], "scenario": "flapping_alert", "seed": seed} for seed in range(2)
    ]
    trainer = trl.GRPOTrainer(
        model := ScriptedModel(config),
        reward_funcs=rank,
        args=trl.GRPOConfig(
            output_dir=os.environ["FIRM_OUT"],
            max_steps=2,
            per_device_train_batch_size=2,
            num_generations=2,
            max_completion_length=4096,
            report_to="none",
            save_strategy="no",
            logging_steps=1,
            use_cpu=True,
            disable_tqdm=True,
        ),
        processing_class=tokenizer,
        train_dataset=Dataset.from_list(rows),
        environment_factory=factory,
    )
    trainer.remove_callback(PrinterCallback)
    before = [weights.detach().clone() for weights in model.parameters()]
    trainer.train()
    left = fleet.client.worlds()
logged = [one for one in trainer.state.log_history if "reward" in one]
print(
    json.dumps(
        {
            "steps": trainer.state.global_step,
            "scores": [one["rewards/CompanyEnvironment/mean"] for one in logged],
            "moved": any(not torch.equal(old, new) for old, new in zip(before, model.parameters(), strict=True)),
            "calls": [one["tools/call_frequency"] for one in logged],
            "failures": [round(one["tools/failure_frequency"], 2) for one in logged],
            "required": schemas["slack_send_message"]["parameters"]["required"],
            "seconds": schemas["world_wait"]["parameters"]["properties"]["seconds"]["type"],
            "left": left,
        }
    )
)
