"""`firm demo`: the company, then the scripted solver over MCP and in a real browser, graded line by line."""

import asyncio
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from world.core.clock import wall_seconds
from world.core.lazy import Lazy
from world.run.home import Home

if TYPE_CHECKING:
    from world.agents import runner
    from world.agents.options import DoorName
    from world.agents.runner import RunResult
    from world.commands import needs, run
    from world.run import images
    from world.script import loader
else:  # the first line is printed before these are imported
    runner, run = Lazy("world.agents.runner"), Lazy("world.commands.run")
    needs = Lazy("world.commands.needs")
    images, loader = Lazy("world.run.images"), Lazy("world.script.loader")

BUILD_S = 20  # expected on two cores, as the figures of a door
DOOR_S = {"mcp": 40, "rest": 40, "ui": 90}


@click.command("demo")
@click.option("--scenario", default="us_east_1_outage", show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--door", "doors", multiple=True, type=click.Choice(["mcp", "rest", "ui"]), default=("mcp", "ui"), show_default=True
)
def command(scenario: str, seed: int, doors: "tuple[DoorName, ...]") -> None:
    """Build the company, solve SCENARIO through each door, print the verdicts. Exit code 0 if all score 1.0."""
    console, begin = Console(), wall_seconds()
    needs.refuse_unmet([scenario])
    _print(console, f"about {_minutes(BUILD_S + sum(DOOR_S[door] for door in doors))} in all")
    _print(console, f"[1/{len(doors) + 1}] building the company, about {BUILD_S} s unless it is kept from before ...")
    home = Home()
    title = loader.find_scenario(scenario).card.title
    image = images.get_image(home)
    _print(console, f"company sealed in {wall_seconds() - begin:.1f} s: {image}")
    results: list[RunResult] = []
    for number, door in enumerate(doors, start=2):
        heading = f"[{number}/{len(doors) + 1}] {title} - oracle over {door}, about {_minutes(DOOR_S[door])}"
        console.rule(heading, characters="-", align="left")
        results.append(_perform(console, home, scenario, seed, door))
    console.rule("demo", characters="-", align="left")
    for door, finished in zip(doors, results, strict=True):
        score = finished.verdict.score or 0.0
        _print(console, f"{door:<5} score {score:.2f}  {'pass' if finished.verdict.passed else 'FAIL'}")
    _print(console, f"done in {wall_seconds() - begin:.0f} s; keep a world up for yourself with `make serve`")
    raise SystemExit(0 if all(one.verdict.passed and one.verdict.score == 1.0 for one in results) else 1)


def _minutes(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 60 else f"{seconds / 60:.1f} minutes"


def _print(console: Console, text: str) -> None:
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def _perform(console: Console, home: Home, scenario: str, seed: int, door: "DoorName") -> "RunResult":
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("starting", total=None)
        finished = asyncio.run(
            runner.perform(
                home,
                scenario,
                agent="oracle",
                door=door,
                seed=seed,
                progress=lambda text: _advance(progress, task, text),
            )
        )
    run.report(console, finished)
    return finished


def _advance(progress: Progress, task: TaskID, text: str) -> None:
    progress.update(task, description=text)
    _print(progress.console, text)
