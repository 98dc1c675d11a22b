"""Logs of MCP clients: JSON-RPC messages, one a line, bare or after a prefix such as `2026-03-02 [mail] [info]`."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from world.core.json_types import is_array, is_object
from world.studio.agent_logs.logged_call import LogError, LoggedCall, join_texts, read_bounded_lines

MARK = b'"jsonrpc"'
METHOD = "tools/call"
SERVER = re.compile(rb"\[([A-Za-z][\w-]*)\]")
MAX_OPEN = 1000  # calls that wait for their results


@dataclass(slots=True)
class _Open:
    """A call whose result may come later in the log."""

    key: tuple[str, object]
    call: LoggedCall
    is_answered: bool = False


def read_mcp_log(path: Path) -> Iterator[LoggedCall]:
    """The calls of a log in the order of their requests. Raises LogError for a line that is cut off or holds no JSON
    where it says `"jsonrpc"`, or for a log without a call; OSError.
    """
    waiting, count = list[_Open](), 0
    for server, place, message in _list_messages(path):
        if message.get("method") == METHOD:
            waiting.append(_Open((server, message.get("id")), parse_request(place, server, message)))
            count += 1
        elif "result" in message or "error" in message:
            _answer(waiting, (server, message.get("id")), message)
        while waiting and (waiting[0].is_answered or len(waiting) > MAX_OPEN):
            yield waiting.pop(0).call
    yield from (one.call for one in waiting)
    if not count:
        raise LogError(f"{path} holds no {METHOD} request of an MCP client")


def parse_request(place: str, server: str, message: Mapping[str, Any]) -> LoggedCall:
    """The call that a request makes; one that names no tool has a problem."""
    params = message.get("params")
    name = params.get("name") if is_object(params) else None
    arguments = params.get("arguments") if is_object(params) else None
    if not isinstance(name, str) or not (arguments is None or is_object(arguments)):
        return LoggedCall(place, "?", problem="is no call with a name and arguments")
    return LoggedCall(place, name, arguments or {}, server)


def _answer(waiting: list[_Open], key: tuple[str, object], message: Mapping[str, Any]) -> None:
    """Note a result with the last call of its id; ids are used again when a client connects anew."""
    found = next((one for one in reversed(waiting) if one.key == key and not one.is_answered), None)
    if found is not None:
        found.call, found.is_answered = replace(found.call, seen=read_result(message)), True


def read_result(message: Mapping[str, Any]) -> str:
    """The text that a client shows of a result or an error."""
    result, error = message.get("result"), message.get("error")
    if is_object(error):
        return str(error.get("message", ""))
    return join_texts(result.get("content")) if is_object(result) else ""


def _list_messages(path: Path) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """(server, place, message) of every message of the protocol."""
    for number, text in read_bounded_lines(path):
        start = min((place for mark in (b"{", b"[{") if (place := text.find(mark)) >= 0), default=-1)
        if MARK not in text or start < 0:
            continue
        try:
            found: object = orjson.loads(text[start:])
        except orjson.JSONDecodeError as error:
            raise LogError(f"{path}:{number}: the message is cut off or no JSON: {error}") from None
        named = SERVER.search(text[:start])
        server = named.group(1).decode() if named else ""
        for message in unwrap_messages(found):
            yield server, f"line {number}", message


def unwrap_messages(value: object, depth: int = 3) -> Iterator[Mapping[str, Any]]:
    """The messages of the protocol in what a line holds: one, a list of them, or one inside an object of the logger's."""
    if is_object(value) and "jsonrpc" in value:
        yield value
    elif depth and (is_object(value) or is_array(value)):
        for one in value.values() if is_object(value) else value:
            yield from unwrap_messages(one, depth - 1)
