"""The `firm` command. Subcommands are modules of world/commands, imported when they are asked for."""

import logging
import sys
from collections.abc import Sequence

import click

from world.commands.lazy_group import LazyGroup
from world.core.garbage import collect_rarely

COMMANDS = {
    "run": "Run an agent on a scenario, record it, grade it.",
    "replay": "Repeat a stored run and compare every byte.",
    "regrade": "Grade a stored run again, offline.",
    "scenario": "List scenarios, show one, check that its grader is sound.",
    "suite": "Run fixed sets of tasks on all cores and report on them.",
    "new": "Write a small working scenario or app to start from.",
    "studio": "Look at runs, step by step, and go on from any step.",
    "view": "The same for one run.",
    "export": "Write runs as data for training and analysis.",
    "import": "Repeat the log of an agent that acted elsewhere as a run.",
    "serve": "Keep a world up for people and agents.",
    "demo": "The whole path in one go: company, server, scenario over MCP and in a browser, verdict.",
    "seed": "Build the company; say why a row is there.",
    "bench": "Measure, each figure against a reference in the same run.",
    "mcp": "Serve an app's tools over stdio, or print a host's configuration.",
    "world": "Make, fork, advance, inspect, grade and drop worlds of a running server.",
    "doctor": "Explain what is wrong with a set-up.",
}
MODULES = {"import": "import_log"}  # whose names are no words of Python's


@click.group(cls=LazyGroup, modules={name: (MODULES.get(name, name), text) for name, text in COMMANDS.items()})
@click.version_option(package_name="firmament")
def firm() -> None:
    """A simulated company that AI agents work in."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point of the console script."""
    collect_rarely()
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    firm.main(args=list(arguments) if arguments is not None else None, prog_name="firm")
