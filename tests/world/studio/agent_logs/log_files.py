"""Logs written by hand."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def write_lines(path: Path, *lines: object) -> Path:
    """A file with a line for each text or JSON value."""
    texts = [one if isinstance(one, str) else json.dumps(one) for one in lines]
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def request(id: int, name: str, arguments: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A request of an MCP client."""
    params = {"name": name, "arguments": arguments or {}}
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}


def result(id: int, *texts: str) -> dict[str, Any]:
    """A result of an MCP server."""
    return {"jsonrpc": "2.0", "id": id, "result": {"content": [{"type": "text", "text": text} for text in texts]}}


def ask(id: str, name: str, arguments: object) -> dict[str, Any]:
    """A message of an assistant that calls a tool."""
    function = {"name": name, "arguments": arguments}
    return {"role": "assistant", "tool_calls": [{"id": id, "type": "function", "function": function}]}


def answer(id: str, text: str) -> dict[str, Any]:
    """The message of a tool."""
    return {"role": "tool", "tool_call_id": id, "content": text}
