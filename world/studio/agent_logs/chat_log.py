"""Transcripts in OpenAI's forms: messages of chat completions, or items of responses; one document, or one a line."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson

from world.core.json_types import is_array, is_object
from world.studio.agent_logs.logged_call import LogError, LoggedCall, join_texts, read_bounded_lines

MAX_DOCUMENT = 256 << 20  # bytes
KEYS = ("messages", "input", "items", "output")


@dataclass(slots=True)
class Conversation:
    """The calls of one transcript in order; `metadata` is what an export says of its run."""

    place: str
    calls: Sequence[LoggedCall]
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])


def read_conversations(path: Path) -> Iterator[Conversation]:
    """The transcripts of a file. Raises LogError for what is none, or is cut off; OSError."""
    if _is_document(path):
        if path.stat().st_size > MAX_DOCUMENT:
            raise LogError(f"{path} is one document of more than {MAX_DOCUMENT} bytes; give a line for each transcript")
        yield parse_conversation(str(path), _load(str(path), path.read_bytes()))
        return
    for number, text in read_bounded_lines(path, MAX_DOCUMENT):
        if text.strip():
            yield parse_conversation(f"{path}:{number}", _load(f"{path}:{number}", text))


def _is_document(path: Path) -> bool:
    """Whether a file is one JSON value over several lines: then its first line alone is none."""
    _, first = next(read_bounded_lines(path, MAX_DOCUMENT), (0, b""))
    try:
        orjson.loads(first)
    except orjson.JSONDecodeError:
        return first.strip() in (b"{", b"[")
    return False


def _load(place: str, text: bytes) -> object:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise LogError(f"{place}: the transcript is cut off or no JSON: {error}") from None


def parse_conversation(place: str, value: object) -> Conversation:
    """A transcript: a list of messages, or an object that holds one. Raises LogError."""
    messages = next((value[key] for key in KEYS if key in value), None) if is_object(value) else value
    if not is_array(messages) or not all(is_object(one) for one in messages):
        raise LogError(f"{place} is no transcript: it has no list of messages")
    metadata = value.get("metadata") if is_object(value) else None
    return Conversation(place, list_calls(messages), metadata if is_object(metadata) else {})


def list_calls(messages: Sequence[Mapping[str, Any]]) -> list[LoggedCall]:
    """The calls of a list of messages, with their results where these follow."""
    calls, places = list[LoggedCall](), dict[str, int]()
    for number, message in enumerate(messages, 1):
        for id, function in _list_functions(message):
            places[id] = len(calls)
            calls.append(parse_function(f"message {number}", function))
        answered = _find_result(message)
        if answered is not None and answered[0] in places:
            place = places.pop(answered[0])
            calls[place] = replace(calls[place], seen=answered[1])
    return calls


def _list_functions(message: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """(id, function) of each call that a message makes."""
    if message.get("type") == "function_call":
        yield str(message.get("call_id")), message
    if message.get("role") != "assistant":
        return
    tool_calls = message.get("tool_calls")
    for one in tool_calls if is_array(tool_calls) else []:
        yield (str(one.get("id")), one.get("function")) if is_object(one) else ("", None)
    if message.get("function_call") is not None:
        yield "", message["function_call"]


def _find_result(message: Mapping[str, Any]) -> tuple[str, str] | None:
    """(id, text) of the result in a message, or None."""
    if message.get("type") == "function_call_output":
        return str(message.get("call_id")), join_texts(message.get("output"))
    if message.get("role") == "tool":
        return str(message.get("tool_call_id")), join_texts(message.get("content"))
    return ("", join_texts(message.get("content"))) if message.get("role") == "function" else None


def parse_function(place: str, function: object) -> LoggedCall:
    """A call by name and arguments, which are an object or its text; anything else has a problem."""
    name = function.get("name") if is_object(function) else None
    if not is_object(function) or not isinstance(name, str):
        return LoggedCall(place, "?", problem="is no call with a name")
    given: object = function.get("arguments") or "{}"
    try:
        arguments: object = json.loads(given) if isinstance(given, str) else given
    except ValueError:
        arguments = None
    if not is_object(arguments):
        return LoggedCall(place, name, problem="has arguments that are no JSON object")
    return LoggedCall(place, name, arguments)
