"""`firm seed`: the company, built from one integer."""

import json
import shutil
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from world.core.json_types import is_array, is_object
from world.core.lazy import Lazy

if TYPE_CHECKING:
    from world.run import home as homes
    from world.run import host as hosts
    from world.run import images, imports
    from world.store import queries
else:
    homes, hosts, images = Lazy("world.run.home"), Lazy("world.run.host"), Lazy("world.run.images")
    imports, queries = Lazy("world.run.imports"), Lazy("world.store.queries")


IMAGE = click.option(
    "--image", type=click.Path(exists=True, path_type=Path), help="An image file; default: the default company."
)
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group("seed")
def command() -> None:
    """Build a company or import one; describe it, export it; say why a row is there."""


@command.command("build")
@click.option("--size", type=click.Choice(["XS", "S"]), default="S", show_default=True)
@click.option("--seed", type=int, default=7, show_default=True)
def build(size: str, seed: int) -> None:
    """Build and seal the company of a size and seed; prints the image's path. The same seed gives the same bytes."""
    path = images.get_image(homes.Home(), size, seed)
    click.echo(f"{path}  {path.stat().st_size / 1e6:.1f} MB")


@command.command("import")
@click.argument("sources", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Copy the image and its report here.")
@click.option("--name", default="", help="Name of the company; default: from the archives.")
@click.option("--domain", default="", help="Mail domain of the company; default: the most frequent one.")
@click.option("--pseudonymise", is_flag=True, help="Replace names, addresses, numbers and secrets, everywhere alike.")
@AS_JSON
def import_company(
    sources: tuple[Path, ...], out: Path | None, name: str, domain: str, pseudonymise: bool, as_json: bool
) -> None:
    """Import SOURCES, archives of real services, into one sealed image; prints its path and what was done.

    The same archives give the same bytes. A malformed or hostile archive is refused whole, with file and place.
    """
    run, home = images.get_builder().import_company, homes.Home()
    if run is None:
        raise click.ClickException("the installed image builder imports no archives")
    key = home.secret("pseudonyms") if pseudonymise else ""
    try:
        outcome = run(imports.ImportRequest(sources, home.images, name, domain, key))
    except imports.ImportRefused as error:
        raise click.ClickException(str(error)) from error
    path = _hand_over(outcome, out) if out else outcome.image
    _print({"image": str(path), **outcome.report}, as_json)


def _hand_over(outcome: "imports.ImportOutcome", folder: Path) -> Path:
    """Copy an image, the facts sealed with it, and the report of its import."""
    folder.mkdir(parents=True, exist_ok=True)
    for suffix in (".db", ".json"):
        target = folder / outcome.image.with_suffix(suffix).name
        target.unlink(missing_ok=True)  # an image is read-only
        shutil.copyfile(outcome.image.with_suffix(suffix), target)
    report = json.dumps(outcome.report, ensure_ascii=False, indent=1)
    (folder / "report.json").write_text(f"{report}\n", encoding="utf-8")
    return folder / outcome.image.name


@command.command("export")
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
@IMAGE
def export(out: Path, image: Path | None) -> None:
    """Write a company as archives into the folder OUT, in the formats that `firm seed import` reads."""
    run = images.get_builder().export_company
    if run is None:
        raise click.ClickException("the installed image builder exports no archives")
    for path in run(image or images.get_image(homes.Home()), out):
        click.echo(path)


@command.command("describe")
@IMAGE
@AS_JSON
def describe(image: Path | None, as_json: bool) -> None:
    """People, teams, services, channels, projects, repositories, files of tables and customers, by name."""
    _print(_describe(image, "company", ""), as_json)


@command.command("who")
@click.argument("handle")
@IMAGE
@AS_JSON
def who(handle: str, image: Path | None, as_json: bool) -> None:
    """Team, accounts, channels, issues and customers of the person with a HANDLE."""
    _print(_describe(image, "person", handle), as_json)


@command.command("story")
@click.argument("name")
@IMAGE
@AS_JSON
def story(name: str, image: Path | None, as_json: bool) -> None:
    """The rows that the story NAME owns, in the order of its events. `firm seed why` names stories."""
    _print({name: _describe(image, "story", name)}, as_json)


@command.command("why")
@click.argument("table")
@click.argument("row")
@IMAGE
def why(table: str, row: str, image: Path | None) -> None:
    """Say which story a row of TABLE belongs to."""
    sql = "SELECT story, part, event_id FROM story_ref WHERE table_name = ? AND row_id = ? ORDER BY event_id"
    with _open_company(image) as rows:
        found = rows(sql, table, row)
    if not found:
        raise click.ClickException(f"no story tells of {table} {row}")
    for story, part, event in found:
        click.echo(f"{story}{'.' + part if part else ''}  {event}")


@command.command("check")
@IMAGE
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Write card.html and card.json into this folder."
)
def check(image: Path | None, out: Path | None) -> None:
    """Measure a company: figures against their bands, facts across apps, conversations beside real ones, broken rules.

    Exit code 1 if a band or a rule does not hold.
    """
    judge = images.get_builder().check
    if judge is None:
        raise click.ClickException("the installed image builder checks no company")
    try:
        sound, lines = judge(image or images.get_image(homes.Home()), out)
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    click.echo("\n".join(lines))
    sys.exit(0 if sound else 1)


@contextmanager
def _open_company(image: Path | None) -> "Generator[images.Rows]":
    """A function that runs queries over a company."""
    home = homes.Home()
    host = hosts.open_host(image or images.get_image(home), home.folder("scratch"))
    try:
        bound = host.create("described").bound
        yield partial(queries.rows, bound)
    finally:
        host.store.close()


def _describe(image: Path | None, what: str, name: str) -> Any:
    describe = images.get_builder().describe
    if describe is None:
        raise click.ClickException("the installed image builder describes no company")
    with _open_company(image) as rows:
        try:
            return describe(rows, what, name)
        except LookupError as error:
            raise click.ClickException(str(error)) from error


def _print(found: Mapping[str, Any], as_json: bool) -> None:
    """Print sections of rows, or one row, as JSON or as text."""
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False, indent=1))
        return
    for name, value in found.items():
        listed: list[Any] = value if is_array(value) else []
        if listed and is_object(listed[0]):
            click.echo(f"{name}: {', '.join(listed[0])}")
            for row in listed:
                click.echo("  " + " | ".join(map(_render, row.values())))
        else:
            click.echo(f"{name:<18} {_render(value)}")


def _render(value: object) -> str:
    if is_object(value):
        return ", ".join(f"{key} {one}" for key, one in value.items())
    if is_array(value):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)
