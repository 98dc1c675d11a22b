"""Configuration that an MCP host needs to reach the tools."""

import json
import os
import shlex
from typing import Any

from world.core.json_types import JsonObject

NAME = "firmament"
COMBINED = "all"  # name for the list of all default surfaces, in place of an app


def address(url: str, app: str, surface: str | None) -> str:
    """Return the address of a surface on a running server; app "all" is the combined list."""
    path = "/mcp" if app == COMBINED else f"/mcp/{app}{'/' + surface if surface else ''}"
    return url.rstrip("/") + path


def render_config(
    client: str, *, url: str | None = None, token: str = "", app: str = COMBINED, surface: str | None = None
) -> str:
    """Render the text for a host's configuration: an HTTP server with `url`, else the stdio launcher."""
    token = token or "TOKEN"
    if client == "claude-code":
        return _command(url, token, app, surface)
    shape = _http(address(url, app, surface), token) if url else _launcher(token, app, surface)
    if client == "vscode":
        return _json({"servers": {NAME: {"type": "http" if url else "stdio", **shape}}})
    return _json({"mcpServers": {NAME: shape}})


def _command(url: str | None, token: str, app: str, surface: str | None) -> str:
    if url:
        words = ["claude", "mcp", "add", "--transport", "http", NAME, address(url, app, surface)]
        return shlex.join([*words, "--header", f"Authorization: Bearer {token}"])
    shape = _launcher(token, app, surface)
    given = [part for name, value in shape["env"].items() for part in ("--env", f"{name}={value}")]
    return shlex.join(["claude", "mcp", "add", NAME, *given, "--", shape["command"], *shape["args"]])


def _http(url: str, token: str) -> JsonObject:
    return {"url": url, "headers": {"Authorization": f"Bearer {token}"}}


def _launcher(token: str, app: str, surface: str | None) -> dict[str, Any]:
    arguments = ["mcp", app, *(["--surface", surface] if surface else [])]
    environment = {"FIRM_URL": os.environ.get("FIRM_URL", "http://127.0.0.1:8400"), "FIRM_TOKEN": token}
    return {"command": "firm", "args": arguments, "env": environment}


def _json(value: object) -> str:
    return json.dumps(value, indent=2)
