"""`firm suite leaderboard`: folders of results on one page, the best first."""

from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from world.suite.leaderboard import Leaderboard, rank_results, write_leaderboard
from world.suite.suite_files import SuiteError

FOLDER = click.Path(path_type=Path, file_okay=False, exists=True)


@click.command("leaderboard")
@click.argument("folders", nargs=-1, required=True, type=FOLDER)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("leaderboard.html"),
    show_default=True,
    help="The page; its figures go beside it as .json.",
)
@click.option("--anyway", is_flag=True, help="Rank although suite, version or company differ, by names of tasks.")
def command(folders: tuple[Path, ...], out: Path, *, anyway: bool) -> None:
    """Rank FOLDERS of results on one page: pass rates with 95 % intervals, by split, and what the runs cost."""
    if out.suffix != ".html":
        raise click.BadParameter("the page is an .html file", param_hint="--out")
    try:
        found = rank_results(folders, anyway=anyway)
        write_leaderboard(found, out)
    except SuiteError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {error.strerror}") from error
    console = Console()
    console.print(_tabulate(found))
    console.print(f"page {out}, figures {out.with_suffix('.json')}", highlight=False, markup=False, soft_wrap=True)


def _tabulate(found: Leaderboard) -> Table:
    table = Table("results", "agent", "pass, 95 % interval", "to the first", "score", "calls")
    for one in found.standings:
        row, difference = one.row, "" if one.difference is None else str(one.difference)
        cells = (one.folder, one.manifest.agent, str(row.passed), difference, f"{row.score:.3f}", f"{row.steps:.0f}")
        table.add_row(*map(Text, cells))
    return table
