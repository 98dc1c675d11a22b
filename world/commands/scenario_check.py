"""`firm scenario check`: the validity gate."""

import asyncio
import json
import tempfile
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from world.commands.needs import refuse_unmet
from world.commands.scenario_show import find_scenario
from world.core.clock import wall_seconds
from world.core.lazy import Lazy
from world.run.home import Home
from world.script.errors import ScenarioError

if TYPE_CHECKING:
    from world.agents import runner
    from world.agents.options import DoorName
    from world.gate import checks, gate_run, variant_runner
    from world.gate.variant_runner import CheckResult
    from world.grading import errors
    from world.run import host as hosts
    from world.run import images
    from world.script.loader import Scenario
else:
    runner, errors = Lazy("world.agents.runner"), Lazy("world.grading.errors")
    checks, gate_run, variant_runner = (
        Lazy("world.gate.checks"),
        Lazy("world.gate.gate_run"),
        Lazy("world.gate.variant_runner"),
    )
    hosts, images = Lazy("world.run.host"), Lazy("world.run.images")


STRIDE, STRIDE_OF_CHORES = 3, 12  # of `--quick`


def parse_checks(_: click.Context, __: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Names of checks, or `doors`. Raises BadParameter."""
    known = [*sorted(checks.CHECKS, key=lambda name: int(name[1:])), "doors"] if names else []
    for name in names:
        if name not in known:
            raise click.BadParameter(f"{name!r} is not one of {', '.join(known)}")
    return names


@click.command("check")
@click.argument("name")
@click.option("--difficulty", "levels", multiple=True, help="Only these of its difficulties.")
@click.option("--only", multiple=True, callback=parse_checks, help="Only these checks: V0 to V28, or doors.")
@click.option(
    "--seeds", type=click.IntRange(1, 50), default=5, show_default=True, help="How many seeds the solution must win on."
)
@click.option(
    "--doors/--no-doors", default=True, show_default=True, help="Also through real servers: REST, MCP and the browser."
)
@click.option(
    "--ui-seeds", type=click.IntRange(0, 50), default=5, show_default=True, help="How many of the seeds in the browser."
)
@click.option("--quick", is_flag=True, help="Fewer variants: docs/gate.md says which.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write every finding here, and counts.")
def command(
    name: str,
    levels: tuple[str, ...],
    only: tuple[str, ...],
    seeds: int,
    doors: bool,
    ui_seeds: int,
    quick: bool,
    json_file: Path | None,
) -> None:
    """Prove that NAME's grader cannot be fooled cheaply and does not fail honest work, at each difficulty. Exit code 0
    if everything holds.
    """
    refuse_unmet([name])
    scenario, console, begin = find_scenario(name), Console(), wall_seconds()
    findings: list[CheckResult] = []
    try:
        with console.status("") as status:
            for level in levels or scenario.card.levels:
                once = (
                    gate_run.TEXTUAL if level != scenario.card.difficulty and not (levels or only) else frozenset[str]()
                )
                left = once | (gate_run.SLOW if quick and scenario.file else frozenset[str]())
                stride = (STRIDE_OF_CHORES if scenario.file else STRIDE) if quick else 1
                for found in _findings(name, scenario, level, only, seeds, doors, ui_seeds, left, stride):
                    named = level if len(scenario.card.levels) > 1 else ""
                    findings.append(replace(variant_runner.excuse_survivor(found, scenario), difficulty=named))
                    _print_finding(console, findings[-1])
                    status.update(_count(findings, found.check))
    except (ScenarioError, errors.RubricError) as error:
        raise click.ClickException(str(error)) from error
    finally:
        if json_file is not None:
            json_file.write_text(json.dumps(gate_run.to_json(findings), indent=1) + "\n", encoding="utf-8")
    _summary(console, findings, wall_seconds() - begin)
    raise SystemExit(0 if gate_run.holds(findings) else 1)


def _print_finding(console: Console, finding: "CheckResult") -> None:
    """Print at once a finding that does not hold, and what is said of live runs."""
    if not finding.ok or finding.check == "V22":
        failed, level = "" if finding.ok else "FAIL ", f"{finding.difficulty}: " if finding.difficulty else ""
        console.print(f"{failed}{finding.check:<4} {level}{finding.what}: {finding.why}", highlight=False, markup=False)


def _count(findings: "list[CheckResult]", check: str) -> str:
    """Return the progress of a check in one line."""
    counts = gate_run.tally(findings)[check].items()
    return f"{check:<4} " + "; ".join(
        f"{half}: {one['run'] - one['failed']}/{one['run']} hold"
        + (f", {one['left_out']} left out" * bool(one["left_out"]))
        for half, one in counts
    ).removeprefix("all: ")


def _findings(
    name: str,
    scenario: "Scenario",
    level: str,
    only: tuple[str, ...],
    seeds: int,
    doors: bool,
    ui_seeds: int,
    skipped: Collection[str],
    stride: int,
) -> "Iterator[CheckResult]":
    home = Home()
    with tempfile.TemporaryDirectory(dir=home.folder("scratch")) as scratch:
        host = hosts.open_host(images.get_image(home, scenario.card.size), Path(scratch) / "worlds")
        host.strict = True
        try:
            for seed in range(seeds):
                yield from gate_run.run_checks(
                    variant_runner.VariantRunner(host, scenario, seed, level, stride=stride), only, skipped
                )
        finally:
            host.store.close()
    if doors and (not only or "doors" in only):
        yield from _through_doors(home, name, level, seeds, ui_seeds)


def _through_doors(home: Home, name: str, level: str, seeds: int, ui_seeds: int) -> "Iterator[CheckResult]":
    limits: dict[DoorName, int] = {"mcp": seeds, "rest": seeds, "ui": min(seeds, ui_seeds)}
    wanted: list[tuple[DoorName, int]] = [(door, seed) for door, limit in limits.items() for seed in range(limit)]
    for door, seed in wanted:
        finished = asyncio.run(
            runner.perform(home, name, agent="oracle", door=door, seed=seed, settings={"difficulty": level})
        )
        fine = finished.verdict.passed and finished.verdict.score == 1.0
        why = "" if fine else f"score {finished.verdict.score}; {'; '.join(finished.refused)}; see {finished.folder}"
        yield variant_runner.CheckResult("V2", f"oracle through {door}, seed {seed}", fine, why)


def _summary(console: Console, findings: "list[CheckResult]", seconds: float) -> None:
    for label in sorted({f.check for f in findings}, key=lambda text: int(text[1:])):
        console.print(_count(findings, label), highlight=False, markup=False)
    failed = dict.fromkeys(f.key for f in findings if not f.ok)
    if failed:
        console.print("as they stand in survivors.yaml, with a reason each:", highlight=False, markup=False)
    for key in failed:
        console.print(f'{json.dumps(key, ensure_ascii=False)}: ""', highlight=False, markup=False, soft_wrap=True)
    console.print(
        f"{sum(f.ok for f in findings)}/{len(findings)} findings hold, {seconds:.0f} s", highlight=False, markup=False
    )
