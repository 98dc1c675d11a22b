"""Errors of the client. Refusals of an app are no errors: they are results of a tool call."""

from typing import Any

from pydantic import TypeAdapter, ValidationError

_BODY = TypeAdapter(dict[str, Any])


class ControlError(Exception):
    """The control plane refused; `status` is the HTTP status, the message says why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"{status}: {message}")
        self.status, self.message = status, message


class ToolDoorError(ControlError):
    """The agents' plane refused a request itself: no such tool, a token that no longer holds, a body that is no call."""


def read_message(text: str) -> str:
    """The sentence of an error's body."""
    try:
        said = _BODY.validate_json(text)
    except ValidationError:
        return text
    return str(said.get("message") or said.get("detail") or said)
