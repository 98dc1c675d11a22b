"""Methods for TRL: their signatures and docstrings say what the tools' schemas say."""

import inspect
from typing import Any, Literal

from world.adapters.trl_environment import make_method
from world.client import Tool

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
