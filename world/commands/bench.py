"""`firm bench`: the figures of the README."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from world.core.lazy import Lazy

if TYPE_CHECKING:
    from world.bench import measurements
else:
    measurements = Lazy("world.bench.measurements")


@click.command("bench")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures here.")
@click.option("--sizes", default="5,50,500", show_default=True, help="Sizes of the base in MB for fork and diff.")
@click.option("--worlds", "number", type=int, default=100_000, show_default=True, help="Worlds to hold at once.")
def command(json_file: Path | None, sizes: str, number: int) -> None:
    """Measure forks, diffs, memory, doors and rollouts; prints a table."""
    console = Console()
    figures = measurements.measure_all(console, [int(size) for size in sizes.split(",")], number)
    measurements.show(console, figures)
    if json_file is not None:
        json_file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
