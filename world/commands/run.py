"""`firm run`: one agent, one scenario, one door, one seed."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from world.agents.options import OURS, WALL_S, DoorName
from world.commands.horizon import horizon_option
from world.commands.judge import judge_from
from world.commands.needs import refuse_unmet
from world.core.lazy import Lazy
from world.run.home import Home

if TYPE_CHECKING:
    from world import grading
    from world.agents import program, runner
    from world.grading import errors as grading_errors
    from world.grading import judge
    from world.grading.reasons import public as public_reasons
    from world.script import errors as script_errors
else:
    program = Lazy("world.agents.program")
    runner = Lazy("world.agents.runner")
    grading_errors = Lazy("world.grading.errors")
    grading = Lazy("world.grading")
    judge = Lazy("world.grading.judge")
    public_reasons = Lazy("world.grading.reasons.public")
    script_errors = Lazy("world.script.errors")


@click.command("run")
@click.argument("scenario")
@click.option(
    "--agent", default="oracle", show_default=True, help=f"{', '.join(OURS)}, or MODULE:CALLABLE (called with a Task)."
)
@click.option("--door", type=click.Choice(["mcp", "rest", "ui"]), default="mcp", show_default=True)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the scenario.")
@click.option("--difficulty", help="One of the scenario's difficulties; default: its own.")
@click.option("--company", type=int, default=7, show_default=True, help="Seed of the company.")
@click.option("--max-calls", type=int, help="End the episode after this many calls.")
@horizon_option
@click.option("--retry", type=click.Choice(["strict", "patient"]), help="Whether an early retry is refused or waits.")
@click.option(
    "--wall",
    "wall_s",
    type=click.FloatRange(1),
    default=WALL_S,
    show_default=True,
    help="Seconds MODULE:CALLABLE may take.",
)
@click.option(
    "--env",
    multiple=True,
    help="Give MODULE:CALLABLE this variable, or those of a pattern such as OPENAI_*; may be repeated.",
)
@click.option(
    "--in-process", is_flag=True, help="Call MODULE:CALLABLE in the grader's process; the verdict is not trusted."
)
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the verdict here as JSON.")
@click.option("--public", is_flag=True, help="Print a public verdict, which shows nothing of the rubric.")
def command(
    scenario: str,
    agent: str,
    door: DoorName,
    seed: int,
    difficulty: str | None,
    company: int,
    max_calls: int | None,
    horizon: str | None,
    retry: str | None,
    wall_s: float,
    env: tuple[str, ...],
    in_process: bool,
    json_file: Path | None,
    public: bool,
) -> None:
    """Run an agent on SCENARIO (a name, or the path of a folder), record it and grade it. Exit code 0 if it passed."""
    settings = {"difficulty": difficulty, "max_calls": max_calls, "retry": retry}
    console = Console()
    if in_process:
        sys.path.insert(0, os.getcwd())
    try:
        given = program.find_variables(env)
        refuse_unmet([scenario])
        finished = asyncio.run(
            runner.perform(
                Home(),
                scenario,
                agent=agent,
                door=door,
                seed=seed,
                company_seed=company,
                judge=judge_from(dict(os.environ)),
                progress=lambda text: None if public else console.print(text, highlight=False, markup=False),
                settings={key: value for key, value in settings.items() if value is not None},
                horizon=horizon,
                program=runner.ProgramSettings(wall_s, given, _echo, in_process),
            )
        )
    except (
        program.AgentError,
        program.VariableError,
        script_errors.ScenarioError,
        grading_errors.RubricError,
        judge.JudgeError,
        FileNotFoundError,
    ) as error:
        raise click.ClickException(str(error)) from error
    report(console, finished, public=public)
    if json_file is not None:
        json_file.write_text(json.dumps(runner.as_json(finished, public=public), indent=1) + "\n", encoding="utf-8")
    raise SystemExit(0 if finished.verdict.passed else 1)


def _echo(text: bytes) -> None:
    """Print the agent's output as it comes."""
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()


def report(console: Console, finished: "runner.RunResult", *, public: bool = False) -> None:
    """Print the agent's error, the verdict line by line, and the paths of the run's files.

    With `public`, nothing of rubric and solution is printed.
    """
    if finished.raised:
        console.print(f"the agent failed; what it had done is graded\n{finished.raised}", highlight=False, markup=False)
    said = (
        public_reasons.explain_public(public_reasons.to_public(finished.verdict.as_json()))
        if public
        else grading.explain(finished.verdict)
    )
    for text in said:
        console.print(text, highlight=False, markup=False)
    for text in () if public else finished.refused:
        console.print(f"  refused: {text}", highlight=False, markup=False)
    for text in finished.missed:
        console.print(f"  not there: {text}", highlight=False, markup=False)
    console.print(f"report      {finished.folder / 'grade.json'}", highlight=False, markup=False, soft_wrap=True)
    console.print(f"trajectory  {finished.folder / 'trajectory.jsonl'}", highlight=False, markup=False, soft_wrap=True)
