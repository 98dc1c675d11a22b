"""`firm studio`: runs in a browser, on this machine only."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from world.core.lazy import Lazy
from world.run.home import Home

if TYPE_CHECKING:
    from world.studio import studio_server
else:
    studio_server = Lazy("world.studio.studio_server")


@click.command("studio")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), required=False)
@click.option("--port", type=click.IntRange(0, 65535), default=8410, show_default=True, help="0 picks a free one.")
def command(folder: Path | None, port: int) -> None:
    """Show the runs below FOLDER (default: those of FIRM_HOME) in a browser until interrupted; prints the link."""
    home = Home()
    try:
        asyncio.run(studio_server.serve_studio(home, folder or home.runs, port, "", click.echo))
    except OSError as error:
        raise click.ClickException(f"cannot listen on port {port}: {error.strerror}") from error
