"""Tool calls made from declared operations and changed in their structure."""

import json

from tests.campaign.callers import Callers, find_examples, list_operations, open_plane
from tests.campaign.mutation import Mutator
from tests.campaign.part import Figures, Ground, Part, Tally, chance_of

ODD_BODY = 0.03  # of the calls have a body that is no call
BODIES = (
    b"",
    b"{",
    b"[]",
    b"[{}]",
    b"null",
    b"\xff",
    b'{"jsonrpc":"2.0","id":1}',
    b'{"a":' * 3_000,
    b'{"jsonrpc":"2.0","id":1e999,"method":"x"}',
)


def run(ground: Ground) -> Figures:
    """Calls until the share is done."""
    tally, chance = Tally(), chance_of("tools")
    with open_plane(ground, "tools") as plane:
        callers, mutator, examples = Callers(plane), Mutator(chance), find_examples(plane.host)
        operations = list_operations(plane.host)
        for _ in range(ground.share(100_000)):
            operation = chance.choice(operations)
            name, surface = operation.snake, "/operations"
            if operation.app == "world":
                name, surface = operation.id.partition(".")[2], ""
            at = callers.of(operation.app)
            if chance.random() < ODD_BODY:
                body = chance.choice(BODIES)
                tally.add(at.tool_body(body, name, surface), f"tool {name} {body[:60]!r}")
                continue
            given = mutator.mutate(chance.choice(examples[operation.id]), list(operation.params.model_fields))
            text = json.dumps(given)
            answer = at.tool(name, text, surface)
            tally.add(answer, f"tool {operation.app} {name} {text[:300]}", text)
            if b'"code":-32603' in answer.body:
                tally.note("internal_errors", f"{name} {text[:300]} -> {answer.text[:200]}")
    return {
        **tally.figures("five_hundreds", "internal_errors", "foreign_words", "long_holds"),
        "worlds_closed": callers.closed,
    }


part = Part("tools", 100_000, "MCP calls", ("five_hundreds", "internal_errors", "foreign_words", "worlds_closed"), run)
