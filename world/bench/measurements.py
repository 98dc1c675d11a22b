"""Every figure of the README, measured against references of the same run."""

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import apsw
from rich.console import Console
from rich.table import Table

from world.bench import doors, fairness, fleet, grading_cost, oracles, studio_views, suites, trainer_doors, worlds
from world.bench.app_bench import AppBench, BenchSetting, Figures, app_benches
from world.bench.server_process import serve_process
from world.bench.timing import loop_ms
from world.core.json_types import is_object
from world.run.home import Home
from world.run.host import open_host
from world.run.images import get_image

Measure = Callable[[Path], Mapping[str, object]]

KERNEL_TARGETS: dict[str, tuple[str, float]] = {
    "fork_us": ("<=", 50),
    "fork_at_step_1000_us": ("<=", 100),
    "diff_us_20_changes": ("<=", 200),
    "idle_world_kb": ("<=", 8),
    "worlds_held": (">=", 100_000),
    "worlds_held_mb": ("<=", 800),
    "rest_read_x_echo": ("<=", 4),
    "rest_write_x_echo": ("<=", 5),
    "mcp_call_x_sdk_echo": ("<=", 1.4),
    "episodes_per_s": (">=", 100),
    "episodes_per_s_inprocess": (">=", 500),
    "hostile_hold_ms_max": ("<=", 250),
    "calm_p99_x_quiet": ("<=", 2),
    "cold_start_s": ("<=", 2),
    "grade_ms_200": ("<=", 20),
    "grade_over_http_ms": ("<=", 25),
    "grade_over_http_ms_largest": ("<=", 80),
    "graded_episodes_per_s": (">=", 60),
    "graded_episodes_per_s_workers2": (">=", 60),
    "workers2_x_one_worker": (">=", 1.7),
    "openenv_step_ms": ("<=", 1),
    "inprocess_call_us": ("<=", 300),
    "mcp_episodes_per_s": (">=", 15),
    "restart_10000_worlds_s": ("<=", 2),
    "gate_s": ("<=", 60),
    "suite_null_s": ("<=", 30),
    "suite_core_null_s": ("<=", 15),
    "suite_core_oracle_s": ("<=", 120),
    "pool_episodes_per_s": (">=", 100),
    "oracle_mcp_s": ("<=", 5),
    "oracle_ui_s": ("<=", 90),
    "studio_open_ms_5000_steps": ("<=", 400),
    "studio_scrub_ms": ("<=", 60),
    "fork_and_continue_ms": ("<=", 30),
}


def measure_all(console: Console, measures: Mapping[str, Measure], known: Mapping[str, Any]) -> dict[str, Any]:
    """Every figure, each said on the console before it is measured; those in `known` stay unless measured again."""
    figures: dict[str, Any] = {**known, "machine": machine(), "loop_ms": dict(known.get("loop_ms", {}))}
    with tempfile.TemporaryDirectory() as scratch:
        for name, measure in measures.items():
            figures["loop_ms"][name] = loop_ms()
            console.print(
                f"measuring {name} ... (a million additions take {figures['loop_ms'][name]:.0f} ms now)",
                highlight=False,
            )
            figures |= measure(Path(scratch))
    return figures


def measurements(sizes: list[int], number: int) -> Iterator[tuple[str, Measure]]:
    """Yield the measurements by name, in the order they run."""
    yield "worlds", lambda scratch: in_process(scratch, sizes, number)
    yield "doors", at_doors
    for name, bench in app_benches().items():
        yield name, of_app(name, bench, max(sizes))
    yield "bombs", measure_bombs
    yield "fairness", lambda scratch: fairness.measure_fairness(Home(), scratch / "fairness")
    yield "suites", lambda scratch: suites.figures(Home(), scratch / "suites", os.cpu_count() or 1)
    yield "verdicts", lambda scratch: grading_cost.figures(Home(), scratch / "verdicts", os.cpu_count() or 1)
    yield "fleet", lambda scratch: fleet.figures(Home(), scratch / "fleet")
    yield "trainers", lambda scratch: trainer_doors.figures(Home(), scratch / "trainers", os.cpu_count() or 1)
    yield "studio", lambda scratch: studio_views.measure_studio(Home(), scratch / "studio")
    yield "oracles", lambda scratch: oracles.figures(Home(), scratch / "oracles")


def measure_bombs(scratch: Path) -> dict[str, Any]:
    """The longest hold of the store's thread over all bombs, in a process of its own."""
    command = [sys.executable, "-m", "world.bench.bombs", str(get_image(Home())), str(scratch / "bombs")]
    (scratch / "bombs").mkdir()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return {"hostile_hold_ms_max": json.loads(done.stdout.splitlines()[-1])["hostile_hold_ms_max"]}


def machine() -> dict[str, Any]:
    """Describe the machine on which the figures were measured."""
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "sqlite": apsw.sqlite_lib_version(),
    }


def in_process(scratch: Path, sizes: list[int], number: int) -> dict[str, Any]:
    """Fork and diff at every base size; memory and rollouts on the S company."""
    home = Home()
    found: dict[str, Any] = {"fork_us": {}, "diff_us_20_changes": {}}
    for size in sizes:
        image = get_image(home, "bench", 7, mb=size)
        host = open_host(image, scratch / f"worlds{size}")
        megabytes = str(round(image.stat().st_size / 1e6))
        parent = host.create("parent")
        parent.advance(parent.now + 1)
        found["fork_us"][megabytes] = worlds.fork_us(host, parent)
        host.create("changed")
        found["diff_us_20_changes"][megabytes] = worlds.diff_us(host, "changed")
        host.store.close()
    host = open_host(get_image(home), scratch / "worlds-s")
    host.create("long")
    found["idle_world_kb"] = worlds.idle_kb(host)
    found["fork_at_step_1000_us"] = worlds.step_1000_us(host, "long")
    found["worlds_held"], found["worlds_held_mb"] = worlds.hold_at_once(host, number)
    host.store.close()
    return found


def at_doors(scratch: Path) -> dict[str, Any]:
    """REST, MCP and rollouts over HTTP, against echoes."""
    home = Home()
    image = get_image(home)
    (scratch / "target").mkdir()
    with (
        serve_process("world.bench.target", str(image), str(scratch / "target")) as target,
        serve_process("world.bench.echo") as echo,
    ):
        found: dict[str, Any] = {**doors.rest(target, echo), **doors.mcp(target, echo)}
    found["episodes_per_s_inprocess"] = doors.episodes_in_process(image, scratch, os.cpu_count() or 1)
    found["episodes_per_s"] = doors.episodes(image, scratch, os.cpu_count() or 1)
    found["cold_start_s"] = doors.cold_start_s(home.path)
    return found


def of_app(name: str, bench: AppBench, largest: int) -> Measure:
    """The measuring of what one app declares, over the usual and the largest company."""

    def measure(scratch: Path) -> Figures:
        large = get_image(Home(), "bench", 7, mb=largest)
        with serve_process("world.bench.echo") as echo:
            return bench.figures(BenchSetting(get_image(Home()), large, echo, scratch / name))

    return measure


def targets() -> dict[str, tuple[str, float]]:
    """Every figure that has a target: the kernel's, then those of the apps."""
    return {**KERNEL_TARGETS, **{name: one for bench in app_benches().values() for name, one in bench.targets.items()}}


def show(console: Console, figures: dict[str, Any]) -> None:
    """The figures that have a target, and whether they reach it."""
    table = Table("figure", "measured", "target", "")
    for name, (sign, target) in targets().items():
        if name not in figures:
            table.add_row(name, "-", f"{sign} {target:g}", "not measured")
            continue
        measured = figures[name]
        values: list[float] = list(measured.values()) if is_object(measured) else [measured]
        fine: Callable[[float], bool] = (lambda v: v <= target) if sign == "<=" else (lambda v: v >= target)  # noqa: B023
        text = (
            ", ".join(f"{size} MB: {value:.1f}" for size, value in measured.items())
            if is_object(measured)
            else f"{measured:.4g}"
        )
        table.add_row(name, text, f"{sign} {target:g}", "ok" if all(fine(v) for v in values) else "missed")
    console.print(table)
