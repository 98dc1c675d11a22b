"""Several processes behind one address, as `firm serve --workers` keeps them."""

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from world.commands.served_world import announce, split_address, stop_on_signals
from world.run.home import Home
from world.run.images import adopt_image, get_image
from world.server.retention_limits import RetentionLimits
from world.server.serve import more_files, run, tcp, unix, url_of
from world.server.workers.front import open_front
from world.server.workers.supervisor import WorkerProcess
from world.server.workers.worker import WorkerSettings
from world.store import StoreError
from world.store.folder import list_names

COMMAND = (sys.executable, "-m", "world.commands.worker_process")


def serve(
    address: str,
    control: str,
    company: int,
    size: str,
    *,
    image: Path | None,
    allow_hosts: tuple[str, ...],
    workers: int,
    limits: RetentionLimits,
) -> None:
    """Keep the workers up until interrupted; `limits` are those of each. Raises ClickException."""
    home = Home()
    refuse_stranded(home, workers)
    try:
        base = adopt_image(home, image) if image else get_image(home, size, company)
    except (StoreError, FileNotFoundError) as error:
        raise click.ClickException(str(error)) from error
    try:
        run(_serve(home, base, address, control, allow_hosts, workers, limits))
    except (OSError, RuntimeError) as error:
        raise click.ClickException(str(error)) from error


def folder_of(home: Home, number: int) -> Path:
    """The folder with the worlds of a worker; the first has that of a server without workers."""
    return home.path / (f"worlds-{number}" if number else "worlds")


def refuse_stranded(home: Home, workers: int) -> None:
    """Refuse to leave worlds behind that only more workers would open. Raises ClickException."""
    numbers = [int(path.name.removeprefix("worlds-")) for path in home.path.glob("worlds-[0-9]*")]
    left = [number for number in numbers if number >= workers and list_names(folder_of(home, number), ".log")]
    if left:
        raise click.ClickException(
            f"{folder_of(home, max(left))} holds worlds of worker {max(left)}: serve with --workers {max(left) + 1},"
            " or remove that folder"
        )


def list_settings(
    home: Home, image: Path, url: str, allow_hosts: tuple[str, ...], workers: int, limits: RetentionLimits
) -> list[WorkerSettings]:
    """Settings of each worker."""
    secrets = home.folder("secrets")
    return [
        WorkerSettings(
            number=number,
            image=str(image),
            worlds=str(folder_of(home, number)),
            book=str(secrets / (f"issued-{number}" if number else "issued")),
            tokens_secret=home.secret("tokens"),
            control_secret=home.secret("control"),
            public_url=url,
            allow_hosts=allow_hosts,
            limits=limits,
        )
        for number in range(workers)
    ]


async def _serve(
    home: Home,
    image: Path,
    address: str,
    control: str,
    allow_hosts: tuple[str, ...],
    workers: int,
    limits: RetentionLimits,
) -> None:
    agent = tcp(*split_address(address))
    steering = tcp(*split_address(control)) if control else unix(home.control_socket)
    more_files()
    settings: Sequence[WorkerSettings] = list_settings(home, image, url_of(agent), allow_hosts, workers, limits)
    async with open_front(COMMAND, settings, agent, steering, tell_studio) as supervisor:
        stop = stop_on_signals()
        click.echo(f"{workers} workers at {url_of(agent)}, process {os.getpid()}")
        with announce(home, steering):
            for worker in supervisor.workers:
                show_studio(worker)
            await asyncio.shield(stop.wait())


def show_studio(worker: WorkerProcess) -> None:
    """Print the link to the studio of a worker's worlds."""
    click.echo(f"  studio   {worker.studio}  (worker {worker.settings.number}, opens once)")


def tell_studio(worker: WorkerProcess) -> None:
    """Print the link again for a worker that was started again."""
    if worker.restarts:
        show_studio(worker)
