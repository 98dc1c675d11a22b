"""`firm bench`: the figures of the README."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
@click.option("--part", "parts", multiple=True, help="Measure this part only, such as doors; may be repeated.")
def command(json_file: Path | None, sizes: str, number: int, parts: tuple[str, ...]) -> None:
    """Measure forks, diffs, memory, doors and rollouts; prints a table. A part that is measured alone replaces its figures
    in the file.
    """
    console = Console()
    measures = dict(measurements.measurements([int(size) for size in sizes.split(",")], number))
    if unknown := sorted(set(parts) - set(measures)):
        raise click.UsageError(f"no part {', '.join(unknown)}; the parts are {', '.join(measures)}")
    chosen = {name: measure for name, measure in measures.items() if not parts or name in parts}
    known: dict[str, Any] = (
        json.loads(json_file.read_bytes()) if parts and json_file is not None and json_file.exists() else {}
    )
    figures = measurements.measure_all(console, chosen, known)
    measurements.show(console, figures)
    if json_file is not None:
        json_file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
