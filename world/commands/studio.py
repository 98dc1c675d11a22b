"""`firm studio`: runs in a browser, on this machine only."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from world.core.lazy import Lazy
from world.run.home import Home

if TYPE_CHECKING:
    from world.agents import program
    from world.studio import studio_server
else:
    program = Lazy("world.agents.program")
    studio_server = Lazy("world.studio.studio_server")


@click.command("studio")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), required=False)
@click.option("--port", type=click.IntRange(0, 65535), default=8410, show_default=True, help="0 picks a free one.")
@click.option(
    "--env",
    multiple=True,
    help="Give programs that go on from a step this variable, or those of a pattern such as OPENAI_*; may be repeated.",
)
def command(folder: Path | None, port: int, env: tuple[str, ...]) -> None:
    """Show the runs below FOLDER (default: those of FIRM_HOME) in a browser until interrupted; prints the link."""
    home = Home()
    try:
        known = program.find_variables(env)
        asyncio.run(studio_server.serve_studio(home, folder or home.runs, port, "", click.echo, known))
    except program.VariableError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"cannot listen on port {port}: {error.strerror}") from error
