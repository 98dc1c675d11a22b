"""Groups of commands whose modules are imported when a command is asked for."""

import importlib
from collections.abc import Mapping
from typing import Any

import click


class LazyGroup(click.Group):
    """Subcommands by name: the module of `world.commands` whose `command` it is, and one line of help."""

    def __init__(self, *given: Any, modules: Mapping[str, tuple[str, str]] | None = None, **more: Any) -> None:
        super().__init__(*given, **more)
        self.modules = dict(modules or {})

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.commands, *self.modules]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.modules:
            return super().get_command(ctx, cmd_name)
        module, _ = self.modules[cmd_name]
        command: click.Command = importlib.import_module(f"world.commands.{module}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        lines = [(name, command.get_short_help_str(limit=100)) for name, command in self.commands.items()]
        with formatter.section("Commands"):
            formatter.write_dl([*lines, *((name, text) for name, (_, text) in self.modules.items())])
