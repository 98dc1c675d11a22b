"""Arguments no client means: nothing but a refusal or an answer that can be told again."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import apps.slack
from tests.apps.slack.rows import CORE, ts
from tests.company import as_person
from tests.examples import examples
from world.agents.examples import Examples
from world.core.errors import OperationError, Outage
from world.run.host import Host

ODD: list[Any] = [
    "",
    " ",
    "\x00",
    "\ud800",
    "²",
    "9" * 30,
    "-1",
    -1,
    2**70,
    1e400,
    float("nan"),
    True,
    None,
    [],
    {},
    [[]],
    {"a": {}},
    "null",
    "[",
    "{}",
    "[" * 200,
    "a" * 5000,
    "<@U0BO>",
    "U0BO",
    CORE,
    ts(11),
    "D0ADABO001",
    "%_*?",
    "';--",
    '"',
    "*",
    "-",
    "in:",
    ":",
    "🎉",
    "0" * 20 + ".1",
]
NAMES = sorted({name for operation in apps.slack.app.operations.values() for name in operation.params.model_fields})
ARGUMENTS = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(ODD), max_size=5)
DEEP: Any = "x"
for _ in range(80):
    DEEP = [DEEP]


@settings(max_examples=examples(600), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(operation=st.sampled_from(sorted(apps.slack.app.operations)), odd=ARGUMENTS, base=st.booleans())
def test_odd_arguments_are_refused_or_answered(host: Host, operation: str, odd: dict[str, Any], base: bool) -> None:
    def done(name: str, arguments: Mapping[str, Any]) -> Any:
        return host.call(as_person(host), "mcp", name, arguments)

    example: dict[str, Any] = {}
    if base:
        with suppress(OperationError):
            example = Examples(host.operations, done).of(operation)[0]
    try:
        answer = host.call(as_person(host), "mcp", operation, {**example, **odd})
    except OperationError as refusal:
        assert refusal.code and not isinstance(refusal, Outage)
        return
    assert orjson.loads(orjson.dumps(answer)) is not None


@pytest.mark.parametrize(
    "bad",
    [
        [{"type": "section", "x": DEEP}],
        [{"n": 2**70}],
        [{"n": float("inf")}],
        [{"t": "\ud800"}],
        [{"\x00": 1}],
        "[" * 5000,
    ],
)
def test_blocks_that_could_not_be_told_again_are_refused(host: Host, bad: Any) -> None:
    with pytest.raises(OperationError):
        host.call(as_person(host), "mcp", "chat.postMessage", {"channel": CORE, "text": "x", "attachments": bad})


def test_thousands_of_mentions_are_one_message(host: Host) -> None:
    text = " ".join(f"<@U0X{n}> <!subteam^S0X{n}>" for n in range(1200)) + " <@U0BO>"
    sent = host.call(as_person(host), "mcp", "chat.postMessage", {"channel": CORE, "text": text})
    rows = host.actor("w").bound.raw.execute("SELECT target FROM slack_mention WHERE ts = ?", (sent["ts"],)).fetchall()
    assert rows == [("p_bo",)]
