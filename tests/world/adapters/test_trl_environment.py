"""Methods for TRL: their signatures and docstrings say what the tools' schemas say."""

import inspect
from typing import Any, Literal

import pytest

from world.adapters.trl_environment import CompanyEnvironment, make_method
from world.client import Tool, ToolResult

TOOL = Tool(
    name="send",
    description="Send a\nmessage.",
    inputSchema={
        "properties": {
            "to": {"type": "string", "description": "Whom to\nsend it."},
            "kind": {"type": "string", "enum": ["mail", "chat"]},
            "copies": {"type": "integer"},
            "parts": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "reply-to": {"type": "string"},
            "from": {"type": "string"},
        },
        "required": ["to", "kind"],
    },
)


class Recorder:
    """Keeps what is called."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, name: str, arguments: dict[str, Any]) -> str:
        self.calls.append((name, arguments))
        return "sent"


def test_a_method_has_the_signature_of_its_tool() -> None:
    method = make_method(TOOL)
    parameters = inspect.signature(method).parameters
    assert list(parameters) == ["self", "to", "kind", "copies", "parts"]
    assert [one.annotation for one in list(parameters.values())[1:]] == [str, Literal["mail", "chat"], int | None, Any]
    assert [name for name, one in parameters.items() if one.default is None] == ["copies", "parts"]
    assert method.__name__ == "send" and inspect.signature(method).return_annotation is str


def test_a_method_has_the_description_and_each_argument_on_a_line() -> None:
    told = inspect.getdoc(make_method(TOOL))
    assert told == (
        "Send a message.\n\nArgs:\n    to: Whom to send it.\n    kind: kind\n    copies: copies\n    parts: parts"
    )
    assert inspect.getdoc(make_method(Tool(name="now"))) == "now"


def test_a_method_calls_its_tool() -> None:
    recorder = Recorder()
    assert make_method(TOOL)(recorder, to="x", kind="mail") == "sent"
    assert recorder.calls == [("send", {"to": "x", "kind": "mail"})]


class EchoEpisode:
    """Answers a call with its arguments."""

    def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        return ToolResult(content=[{"type": "text", "text": f"{name} {arguments}"}])


def test_null_is_sent_where_the_model_gives_it() -> None:
    class Environment(CompanyEnvironment):
        _episode: Any = EchoEpisode()

        def __init__(self) -> None:
            """It needs no fleet."""

    method = make_method(TOOL)
    assert method(Environment(), to=None, kind="mail") == "send {'to': None, 'kind': 'mail'}"


@pytest.mark.parametrize("name", ["reply-to", "from"])
def test_a_required_argument_that_no_method_can_take_is_an_error(name: str) -> None:
    tool = Tool(name="send", inputSchema={"properties": {name: {"type": "string"}}, "required": [name]})
    with pytest.raises(LookupError, match=f"send requires {name}"):
        make_method(tool)
