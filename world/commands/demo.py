"""`firm demo`: company, server, links, then the scripted solver over MCP and in a real browser, graded line by line."""

import asyncio
import tempfile
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from world.agents.runner import DoorName, Finished, perform
from world.commands.run import report
from world.commands.serve import first_employee, show_links
from world.core.clock import wall_seconds
from world.run.home import Home
from world.run.host import open_host
from world.run.images import get_image
from world.script import loader
from world.server.serve import listening, tcp


@click.command("demo")
@click.option("--scenario", default="us_east_1_outage", show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--door", "doors", multiple=True, type=click.Choice(["mcp", "rest", "ui"]), default=("mcp", "ui"), show_default=True
)
def command(scenario: str, seed: int, doors: tuple[DoorName, ...]) -> None:
    """Build the company, start a server, solve SCENARIO through each door, print the verdicts. Exit code 0 if all score
    1.0.
    """
    console, home = Console(), Home()
    begin = wall_seconds()
    image = get_image(home)
    console.print(
        f"company sealed in {wall_seconds() - begin:.1f} s: {image}", highlight=False, markup=False, soft_wrap=True
    )
    asyncio.run(_links(home, image))
    results = [_perform(console, home, scenario, seed, door) for door in doors]
    console.rule("demo")
    for door, finished in zip(doors, results, strict=True):
        score = finished.verdict.score or 0.0
        console.print(
            f"{door:<5} score {score:.2f}  {'pass' if finished.verdict.passed else 'FAIL'}",
            highlight=False,
            markup=False,
        )
    console.print("Keep a world up for yourself with `make serve`.", highlight=False, markup=False)
    raise SystemExit(0 if all(one.verdict.passed and one.verdict.score == 1.0 for one in results) else 1)


async def _links(home: Home, image: Path) -> None:
    """Start the server once and show what a person would open."""
    with tempfile.TemporaryDirectory(dir=home.folder("scratch")) as scratch:
        host = open_host(image, Path(scratch))
        try:
            async with listening(host, tcp("127.0.0.1", 0)):
                host.create("look")
                show_links(host, "look", first_employee(host, "look"))
        finally:
            host.store.close()


def _perform(console: Console, home: Home, scenario: str, seed: int, door: DoorName) -> Finished:
    console.rule(f"{loader.find(scenario).card.title} - oracle over {door}")
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("starting", total=None)
        finished = asyncio.run(
            perform(
                home,
                scenario,
                agent="oracle",
                door=door,
                seed=seed,
                progress=lambda text: _advance(progress, task, text),
            )
        )
    report(console, finished)
    return finished


def _advance(progress: Progress, task: object, text: str) -> None:
    progress.update(task, description=text)  # type: ignore[arg-type]
    progress.console.print(text, highlight=False, markup=False)
