"""Runs the campaign: `python -m tests.campaign --scale 0.01 --part rest --json docs/reliability.json`."""

import argparse
import resource
import shutil
import sys
import tempfile
from importlib import import_module
from pathlib import Path

from tests.campaign.part import Ground, Part
from tests.campaign.record import RESULTS, describe, write
from world.bench.timing import loop_ms
from world.run.home import Home
from world.run.images import get_image

PARTS = (
    "bombs",
    "control_routes",
    "forms",
    "git",
    "graphql",
    "kills",
    "permissions",
    "power_cuts",
    "replays",
    "rest",
    "scripts",
    "soak",
    "tools",
    "workers",
    "worlds",
)


def find_part(name: str) -> Part:
    """The part of a module of this folder."""
    return import_module(f"tests.campaign.{name}").part


def measure_cpu() -> float:
    """Seconds of the processor that this process and its ended children have used."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def run_part(name: str, scale: float, results: Path) -> bool:
    """Run one part and write its figures; whether nothing happened that must never happen."""
    part, before, speed = find_part(name), measure_cpu(), loop_ms()
    scratch = Path(tempfile.mkdtemp(prefix=f"campaign-{name}-"))
    try:
        figures = part.run(Ground(get_image(Home()), scratch, scale))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    entry = describe(part, scale, figures, measure_cpu() - before, speed)
    write(results, name, entry)
    print(name, figures, f"{entry['cpu_s']} s of the processor", flush=True)
    return not any(figures[one] for one in part.never)


def main() -> int:
    """Run the parts that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaign", description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="how much of the whole is done; 1 is all")
    parser.add_argument("--part", action="append", choices=PARTS, help="one part; may be given again; all by default")
    parser.add_argument("--json", type=Path, default=RESULTS, help="where the figures are written")
    asked = parser.parse_args()
    fine = [run_part(name, asked.scale, asked.json) for name in asked.part or PARTS]
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
