#!/usr/bin/env python3
"""The employee's tools on the command line, for an agent in a container of its own. Needs Python and nothing else."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

TASK = Path("/task/task.json")  # written by `firm world task`


def ask_tools(address: str, body: object = None) -> Any:
    """The answer of an address below /tools. Exits with the server's message for a tool or a list that is not there."""
    task = json.loads(TASK.read_text(encoding="utf-8"))
    headers = {"Authorization": f"Bearer {task['tokens']['']}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    url = f"{task['url']}/tools/{address}".rstrip("/")
    try:
        with urlopen(Request(url, data, headers), timeout=600) as answer:
            return json.load(answer)
    except HTTPError as error:
        sys.exit(read_message(error.read().decode(errors="replace")) or f"{error.code} {error.reason}")


def read_message(body: str) -> str:
    """The message of a refusal; the whole body where it is no JSON object with one."""
    try:
        return str(json.loads(body)["message"])
    except (ValueError, KeyError, TypeError):
        return body.strip()


def list_tools(asked: argparse.Namespace) -> int:
    """Print each tool and the first line of its description."""
    for tool in ask_tools(asked.at):
        print(f"{tool['name']}: {tool.get('description', '').partition(chr(10))[0]}")
    return 0


def show_tool(asked: argparse.Namespace) -> int:
    """Print a tool whole, with the schema of its arguments."""
    found = [tool for tool in ask_tools(asked.at) if tool["name"] == asked.name]
    print(json.dumps(found[0], indent=1) if found else f"There is no tool {asked.name}.")
    return 0 if found else 1


def call_tool(asked: argparse.Namespace) -> int:
    """Call a tool and print its answer; 1 if the app refused."""
    try:
        arguments = json.loads(asked.arguments)
    except ValueError as error:
        sys.exit(f"The arguments are no JSON: {error}")
    result = ask_tools(asked.at, {"name": asked.name, "arguments": arguments})
    print("\n".join(str(part.get("text", "")) for part in result["content"]))
    return 1 if result.get("isError") else 0


def main(given: Sequence[str] | None = None) -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(prog="company", description="The tools of your job.")
    verbs = parser.add_subparsers(required=True)
    listing = verbs.add_parser("tools", help="list the tools")
    listing.add_argument("at", nargs="?", default="", metavar="APP", help="only those of this app")
    listing.set_defaults(do=list_tools)
    showing = verbs.add_parser("tool", help="show a tool and its arguments")
    showing.set_defaults(do=show_tool)
    calling = verbs.add_parser("call", help="call a tool")
    calling.set_defaults(do=call_tool)
    for verb in (showing, calling):
        verb.add_argument("name", metavar="TOOL")
        verb.add_argument("--at", default="", metavar="APP/SURFACE", help="the tool list, if not the usual one")
    calling.add_argument("arguments", nargs="?", default="{}", metavar="JSON")
    asked = parser.parse_args(given)
    return int(asked.do(asked))


if __name__ == "__main__":
    sys.exit(main())
