"""`firm scenario lock`: which items of a rubric are true when nobody acts."""

import tempfile
from pathlib import Path

import click

from world.commands.needs import refuse_unmet
from world.commands.scenario_show import find_scenario
from world.gate.variant_runner import VariantRunner
from world.grading import Evidence, RubricError, lock_of, write_lock
from world.grading.rubric_loader import LOCK
from world.run import episode
from world.run.home import Home
from world.run.host import open_host
from world.run.images import get_image
from world.run.run_evidence import collect_run_record
from world.script.errors import ScenarioError


@click.command("lock")
@click.argument("name")
@click.option("--seeds", type=click.IntRange(1, 50), default=5, show_default=True)
def command(name: str, seeds: int) -> None:
    """Store which items are true when nobody acts (rubric.lock), alike at every difficulty; grading refuses a rubric
    whose labels have moved.
    """
    refuse_unmet([name])
    path, home = find_scenario(name).folder / LOCK, Home()
    path.unlink(missing_ok=True)
    scenario = find_scenario(name)
    with tempfile.TemporaryDirectory(dir=home.folder("scratch")) as scratch:
        host = open_host(get_image(home, scenario.card.size), Path(scratch) / "worlds")
        try:
            benches = [
                VariantRunner(host, scenario, seed, level) for level in scenario.card.levels for seed in range(seeds)
            ]
            write_lock(path, lock_of(benches[0].rubric, [_idle(bench) for bench in benches]))
        except (ScenarioError, RubricError) as error:
            raise click.ClickException(str(error)) from error
        finally:
            host.store.close()
    click.echo(f"{path}")


def _idle(bench: VariantRunner) -> Evidence:
    run = bench.fork()
    episode.finish(run)
    return episode.evidence(run, collect_run_record(run.actor), bench.quiet)
