"""`firm export`: runs as data for training and analysis."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from world.core.lazy import Lazy
from world.run.home import Home

if TYPE_CHECKING:
    from world.run import trajectory_reader
    from world.studio import tool_lists
    from world.studio.exports import chat, grpo, har, harbor, parquet, preferences, selection, sft
else:
    trajectory_reader, tool_lists = Lazy("world.run.trajectory_reader"), Lazy("world.studio.tool_lists")
    chat, grpo, har = (Lazy(f"world.studio.exports.{name}") for name in ("chat", "grpo", "har"))
    harbor = Lazy("world.studio.exports.harbor")
    parquet, preferences = Lazy("world.studio.exports.parquet"), Lazy("world.studio.exports.preferences")
    selection, sft = Lazy("world.studio.exports.selection"), Lazy("world.studio.exports.sft")

F = TypeVar("F", bound=Callable[..., Any])


@click.group("export")
def command() -> None:
    """Write runs as data: conversations, pairs, groups, tables, HTTP archives.

    RUNS are run folders, folders that hold some, such as a suite's, or names in FIRM_HOME/runs.
    """


def choose_runs(what: str) -> Callable[[F], F]:
    """The arguments of every export; `what` describes its output."""

    def add(function: F) -> F:
        for option in reversed(
            (
                click.argument("runs", nargs=-1, required=True),
                click.option("--out", type=click.Path(path_type=Path), required=True, help=what),
                click.option(
                    "--scenario", multiple=True, help="Only runs of this scenario, or pattern; may be repeated."
                ),
                click.option("--agent", multiple=True, help="Only runs of this agent, or pattern; may be repeated."),
                click.option("--min-score", type=click.FloatRange(0, 1), help="Only runs with at least this score."),
                click.option("--passed", is_flag=True, help="Only runs that passed."),
            )
        ):
            function = option(function)
        return function

    return add


@command.command("sft")
@choose_runs("The file to write, a JSON line a run.")
def export_sft(out: Path, **chosen: Any) -> None:
    """Conversations with tools, exactly as the agent saw them, for supervised training."""
    with report_export(out, "rows", **chosen) as (source, tell):
        tell(sft.export_conversations(source, open_chat(), out))


@command.command("preferences")
@choose_runs("The file to write, a JSON line a pair.")
@click.option(
    "--margin",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="Only pairs whose scores differ by more than this.",
)
def export_preferences(out: Path, margin: float, **chosen: Any) -> None:
    """Pairs of ways from one step, or from one start, the better one first."""
    with report_export(out, "pairs", **chosen) as (source, tell):
        tell(preferences.export_preferences(source, open_chat(), out, margin))


@command.command("grpo")
@choose_runs("The file to write, a JSON line a run.")
def export_grpo(out: Path, **chosen: Any) -> None:
    """Groups of ways from one step, or from one start, with scores and advantages."""
    with report_export(out, "rows", **chosen) as (source, tell):
        tell(grpo.export_groups(source, open_chat(), out))


@command.command("parquet")
@choose_runs("The folder for runs.parquet, steps.parquet, calls.parquet and changes.parquet.")
def export_parquet(out: Path, **chosen: Any) -> None:
    """Tables of runs, steps, calls and changed rows; needs the extra `parquet`."""
    with report_export(out, "runs", **chosen) as (source, tell):
        try:
            tell(parquet.export_tables(source, out))
        except ModuleNotFoundError as error:
            raise click.ClickException(f"{error}; install firmament[parquet]") from error


@command.command("har")
@choose_runs("The file to write.")
def export_har(out: Path, **chosen: Any) -> None:
    """An HTTP archive of runs at the REST door or in a browser."""
    with report_export(out, "requests", **chosen) as (source, tell):
        tell(har.export_archive(source, out))


@command.command("harbor")
@choose_runs("The folder to write, with a folder in it for each task.")
def export_harbor(out: Path, **chosen: Any) -> None:
    """The tasks of runs as Harbor's task folders; runs that passed give the solutions."""
    with report_export(out, "tasks", **chosen) as (source, tell):
        tell(harbor.export_tasks(source, open_chat(), out))


def open_chat() -> "chat.ChatWriter":
    """A writer of conversations with the installed tools."""
    return chat.ChatWriter(tool_lists.open_local_tools())


@contextmanager
def report_export(
    out: Path,
    unit: str,
    *,
    runs: tuple[str, ...],
    scenario: tuple[str, ...],
    agent: tuple[str, ...],
    min_score: float | None,
    passed: bool,
) -> Generator[tuple["selection.RunSource", Callable[[int], None]]]:
    """The chosen runs, and what to tell the count to. Exit code 1 if runs were left out and nothing was written."""
    wanted = selection.Selection(scenario, agent, min_score, passed)
    source = selection.RunSource(Home(), runs, wanted, lambda text: click.echo(f"left out: {text}", err=True))
    counts = list[int]()
    try:
        yield source, counts.append
    except trajectory_reader.TrajectoryError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {error.strerror}") from error
    click.echo(f"{sum(counts)} {unit} in {out}" + (f", {source.skipped} runs left out" if source.skipped else ""))
    raise SystemExit(1 if source.skipped and not sum(counts) else 0)
