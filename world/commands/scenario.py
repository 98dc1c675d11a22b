"""`firm scenario`: list, show, and the validity gate."""

import asyncio
import json
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import click
from rich.console import Console

from world.agents.runner import DoorName, perform
from world.core.clock import wall_seconds
from world.gate.checks import CHECKS, ONCE
from world.gate.workbench import Finding, Workbench, excused
from world.grading import Evidence, RubricError, lock_of, write_lock
from world.grading.rubric_loader import LOCK
from world.run import episode
from world.run.home import Home, open_host
from world.run.run_evidence import past
from world.script import loader
from world.script.errors import ScenarioError
from world.script.loader import Scenario


@click.group("scenario")
def command() -> None:
    """List scenarios, show one, check that its grader is sound."""


@command.command("list")
def listed() -> None:
    """Installed scenarios."""
    for name in loader.folders():
        click.echo(f"{name:<28} {loader.find(name).card.title}")


@command.command("show")
@click.argument("name")
def show(name: str) -> None:
    """A scenario's card and the task as its author wrote it."""
    found = _find(name)
    click.echo(f"{found.card.title}  [{', '.join(found.card.apps)}]  horizon {found.card.horizon}\n\n{found.task}")


@command.command("check")
@click.argument("name")
@click.option("--difficulty", "levels", multiple=True, help="Only these of its difficulties.")
@click.option(
    "--only",
    multiple=True,
    type=click.Choice([*sorted(CHECKS, key=lambda n: int(n[1:])), "doors"]),
    help="Only these checks.",
)
@click.option(
    "--seeds", type=click.IntRange(1, 50), default=5, show_default=True, help="How many seeds the solution must win on."
)
@click.option(
    "--doors/--no-doors", default=True, show_default=True, help="Also through real servers: REST, MCP and the browser."
)
@click.option(
    "--ui-seeds", type=click.IntRange(0, 50), default=5, show_default=True, help="How many of the seeds in the browser."
)
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write every finding here.")
def check(
    name: str,
    levels: tuple[str, ...],
    only: tuple[str, ...],
    seeds: int,
    doors: bool,
    ui_seeds: int,
    json_file: Path | None,
) -> None:
    """Prove that NAME's grader cannot be fooled cheaply and does not fail honest work, at each difficulty. Exit code 0
    if everything holds.
    """
    scenario, console, begin = _find(name), Console(), wall_seconds()
    findings: list[Finding] = []
    try:
        for level in levels or scenario.card.levels:
            for found in _findings(name, scenario, level, only, seeds, doors, ui_seeds):
                findings.append(
                    replace(excused(found, scenario), difficulty=level if len(scenario.card.levels) > 1 else "")
                )
                _tell(console, findings[-1])
    except (ScenarioError, RubricError) as error:
        raise click.ClickException(str(error)) from error
    _summary(console, findings, wall_seconds() - begin)
    if json_file is not None:
        json_file.write_text(json.dumps([asdict(f) for f in findings], indent=1) + "\n", encoding="utf-8")
    raise SystemExit(0 if findings and all(f.ok for f in findings) else 1)


def _tell(console: Console, finding: Finding) -> None:
    """What does not hold, and what is said of live runs, as it is found."""
    if not finding.ok or finding.check == "V22":
        failed, level = "" if finding.ok else "FAIL ", f"{finding.difficulty}: " if finding.difficulty else ""
        console.print(f"{failed}{finding.check:<4} {level}{finding.what}: {finding.why}", highlight=False, markup=False)


@command.command("lock")
@click.argument("name")
@click.option("--seeds", type=click.IntRange(1, 50), default=5, show_default=True)
def lock(name: str, seeds: int) -> None:
    """Store which items are true when nobody acts (rubric.lock), alike at every difficulty; grading refuses a rubric
    whose labels have moved.
    """
    scenario, home = _find(name), Home()
    path = scenario.folder / LOCK
    path.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=home.folder("scratch")) as scratch:
        host = open_host(home.image(scenario.card.size), Path(scratch) / "worlds")
        try:
            benches = [
                Workbench(host, scenario, seed, level) for level in scenario.card.levels for seed in range(seeds)
            ]
            write_lock(path, lock_of(benches[0].rubric, [_idle(bench) for bench in benches]))
        except (ScenarioError, RubricError) as error:
            raise click.ClickException(str(error)) from error
        finally:
            host.store.close()
    click.echo(f"{path}")


def _idle(bench: Workbench) -> Evidence:
    run = bench.fork()
    episode.finish(run)
    return episode.evidence(run, past(run.actor), bench.quiet)


def _find(name: str) -> Scenario:
    try:
        return loader.find(name)
    except ScenarioError as error:
        raise click.ClickException(str(error)) from error


def _findings(
    name: str, scenario: Scenario, level: str, only: tuple[str, ...], seeds: int, doors: bool, ui_seeds: int
) -> Iterator[Finding]:
    home = Home()
    with tempfile.TemporaryDirectory(dir=home.folder("scratch")) as scratch:
        host = open_host(home.image(scenario.card.size), Path(scratch) / "worlds")
        try:
            for seed in range(seeds):
                bench = Workbench(host, scenario, seed, level)
                for label, run in CHECKS.items():
                    if (not only or label in only) and (seed == 0 or label not in ONCE):
                        yield from run(bench)
        finally:
            host.store.close()
    if doors and (not only or "doors" in only):
        yield from _through_doors(home, name, level, seeds, ui_seeds)


def _through_doors(home: Home, name: str, level: str, seeds: int, ui_seeds: int) -> Iterator[Finding]:
    limits: dict[DoorName, int] = {"mcp": seeds, "rest": seeds, "ui": min(seeds, ui_seeds)}
    wanted: list[tuple[DoorName, int]] = [(door, seed) for door, limit in limits.items() for seed in range(limit)]
    for door, seed in wanted:
        finished = asyncio.run(
            perform(home, name, agent="oracle", door=door, seed=seed, settings={"difficulty": level})
        )
        fine = finished.verdict.passed and finished.verdict.score == 1.0
        why = "" if fine else f"score {finished.verdict.score}; {'; '.join(finished.refused)}; see {finished.folder}"
        yield Finding("V2", f"oracle through {door}, seed {seed}", fine, why)


def _summary(console: Console, findings: list[Finding], seconds: float) -> None:
    for label in sorted({f.check for f in findings}, key=lambda text: int(text[1:])):
        mine = [f for f in findings if f.check == label]
        console.print(f"{label:<4} {sum(f.ok for f in mine)}/{len(mine)}", highlight=False, markup=False)
    console.print(
        f"{sum(f.ok for f in findings)}/{len(findings)} findings hold, {seconds:.0f} s", highlight=False, markup=False
    )
