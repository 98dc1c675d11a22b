"""`firm mcp`: an app's tools over stdio, or what to paste into a host's configuration."""

import os
from types import ModuleType

import click

from world.core.entry_points import load_part, packages
from world.core.lazy import Lazy


def find_module(name: str) -> ModuleType:
    """A module of the installed tool surfaces: `stdio` launches them, `host_config` words a configuration."""
    for package in packages("firmament.surfaces"):
        return load_part(package, name)
    raise click.ClickException("no tool surfaces are installed")


@click.command("mcp")
@click.argument("app")
@click.option("--surface", help="Which tool surface of the app; default: the app's own.")
@click.option("--scenario", help="Run this scenario inside the process instead of connecting to a server.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--client",
    type=click.Choice(["claude-code", "cursor", "vscode"]),
    default="cursor",
    help="For APP `config`: which client.",
)
@click.option("--url", help="For APP `config`: address of a running server; default: stdio.")
def command(app: str, surface: str | None, scenario: str | None, seed: int, client: str, url: str | None) -> None:
    """Serve APP's tools over stdio: FIRM_URL and FIRM_TOKEN name a running world, --scenario runs one here.

    With APP `config`, print the configuration of an MCP client.
    """
    if app == "config":
        click.echo(find_module("host_config").render_config(client, url=url, token=os.environ.get("FIRM_TOKEN", "")))
    elif scenario is not None:
        Lazy("world.commands.needs").refuse_unmet([scenario])  # a bridge needs none of it
        find_module("stdio").run_embedded(app, surface, scenario, seed)
    elif "FIRM_URL" in os.environ and "FIRM_TOKEN" in os.environ:
        find_module("stdio").run_bridge(app, surface, os.environ["FIRM_URL"], os.environ["FIRM_TOKEN"])
    else:
        raise click.ClickException("set FIRM_URL and FIRM_TOKEN, or give --scenario")
