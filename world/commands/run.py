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
from world.script.catalogue import name_injected

if TYPE_CHECKING:
    from world import grading
    from world.agents import branch, program, runner
    from world.grading import errors as grading_errors
    from world.grading import judge
    from world.grading.reasons import public as public_reasons
    from world.run import trajectory_reader
    from world.script import errors as script_errors
else:
    branch = Lazy("world.agents.branch")
    trajectory_reader = Lazy("world.run.trajectory_reader")
    program = Lazy("world.agents.program")
    runner = Lazy("world.agents.runner")
    grading_errors = Lazy("world.grading.errors")
    grading = Lazy("world.grading")
    judge = Lazy("world.grading.judge")
    public_reasons = Lazy("world.grading.reasons.public")
    script_errors = Lazy("world.script.errors")


OF_A_START = ("scenario", "seed", "difficulty", "inject", "company", "max_calls", "horizon", "retry")


@click.command("run")
@click.argument("scenario", required=False)
@click.option(
    "--from",
    "origin",
    metavar="RUN@STEP",
    help="Go on after this step of a stored run (its folder, or its name in FIRM_HOME/runs) instead of starting.",
)
@click.option(
    "--agent", default="oracle", show_default=True, help=f"{', '.join(OURS)}, or MODULE:CALLABLE (called with a Task)."
)
@click.option("--door", type=click.Choice(["mcp", "rest", "ui"]), default="mcp", show_default=True)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the scenario.")
@click.option("--difficulty", help="One of the scenario's difficulties; default: its own.")
@click.option("--inject", metavar="VECTOR", help="Inject a text that orders something else: mail, message, issue.")
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
@click.pass_context
def command(
    context: click.Context,
    scenario: str | None,
    origin: str | None,
    agent: str,
    door: DoorName,
    seed: int,
    difficulty: str | None,
    inject: str | None,
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
    refuse_both(context, scenario, origin)
    settings = {"difficulty": difficulty, "max_calls": max_calls, "retry": retry}
    console = Console()
    if in_process:
        sys.path.insert(0, os.getcwd())
    try:
        launch = runner.ProgramSettings(wall_s, program.find_variables(env), _echo, in_process)
        judging = judge_from(dict(os.environ))

        def tell(text: str) -> None:
            if not public:
                console.print(text, highlight=False, markup=False)

        if origin is not None:
            point = branch.parse_branch_point(Home(), origin)
            chosen = door if _is_given(context, "door") else None
            job = branch.continue_run(
                Home(), point, agent=agent, door=chosen, progress=tell, judge=judging, program=launch
            )
        else:
            name = scenario or "" if inject is None else name_injected(inject, scenario or "")
            refuse_unmet([name])
            job = runner.perform(
                Home(),
                name,
                agent=agent,
                door=door,
                seed=seed,
                company_seed=company,
                judge=judging,
                progress=tell,
                settings={key: value for key, value in settings.items() if value is not None},
                horizon=horizon,
                program=launch,
            )
        finished = asyncio.run(job)
    except (
        program.AgentError,
        program.VariableError,
        script_errors.ScenarioError,
        grading_errors.RubricError,
        judge.JudgeError,
        FileNotFoundError,
        trajectory_reader.TrajectoryError,
    ) as error:
        raise click.ClickException(str(error)) from error
    report(console, finished, public=public)
    if json_file is not None:
        json_file.write_text(json.dumps(runner.as_json(finished, public=public), indent=1) + "\n", encoding="utf-8")
    raise SystemExit(0 if finished.verdict.passed else 1)


def refuse_both(context: click.Context, scenario: str | None, origin: str | None) -> None:
    """Refuse a run without a beginning, and options that the stored run of `--from` decides. Raises UsageError."""
    if origin is None:
        if scenario is None:
            raise click.UsageError("name a SCENARIO, or a step to go on from with --from RUN@STEP")
        return
    given = [name for name in OF_A_START if _is_given(context, name)]
    if given:
        raise click.UsageError(f"{', '.join(given)}: the run of --from has decided that")


def _is_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT


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
