"""`firm view`: one run in a browser, on this machine only."""

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from world.core.lazy import Lazy
from world.run.home import Home

if TYPE_CHECKING:
    from world.agents import branch
    from world.run import trajectory_reader
    from world.studio import studio_server
else:
    branch, studio_server = Lazy("world.agents.branch"), Lazy("world.studio.studio_server")
    trajectory_reader = Lazy("world.run.trajectory_reader")


@click.command("view")
@click.argument("run")
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="0 picks a free one.")
def command(run: str, port: int) -> None:
    """Show RUN (a folder, or a name in FIRM_HOME/runs) in a browser until interrupted; prints the link."""
    home = Home()
    try:
        folder = branch.find_run(home, run).resolve()
        trajectory_reader.read_header(folder)
        path = f"/runs/{quote(folder.name)}"
        asyncio.run(studio_server.serve_studio(home, folder.parent, port, path, click.echo))
    except trajectory_reader.TrajectoryError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"cannot listen on port {port}: {error.strerror}") from error
