"""`firm seed`: the company, built from one integer."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from world.core.lazy import Lazy

if TYPE_CHECKING:
    from world.run import home as homes
    from world.run import host as hosts
    from world.run import images
    from world.store import queries
else:
    homes, hosts, images = Lazy("world.run.home"), Lazy("world.run.host"), Lazy("world.run.images")
    queries = Lazy("world.store.queries")


@click.group("seed")
def command() -> None:
    """Build the company; say why a row is there."""


@command.command("build")
@click.option("--size", type=click.Choice(["XS", "S"]), default="S", show_default=True)
@click.option("--seed", type=int, default=7, show_default=True)
def build(size: str, seed: int) -> None:
    """Build and seal the company of a size and seed; prints the image's path. The same seed gives the same bytes."""
    path = images.get_image(homes.Home(), size, seed)
    click.echo(f"{path}  {path.stat().st_size / 1e6:.1f} MB")


@command.command("why")
@click.argument("table")
@click.argument("row")
@click.option(
    "--image", type=click.Path(exists=True, path_type=Path), help="An image file; default: the default company."
)
def why(table: str, row: str, image: Path | None) -> None:
    """Say which story a row of TABLE belongs to."""
    home = homes.Home()
    host = hosts.open_host(image or images.get_image(home), home.folder("scratch"))
    try:
        world = host.create("why")
        sql = "SELECT story, part, event_id FROM story_ref WHERE table_name = ? AND row_id = ? ORDER BY event_id"
        found = queries.rows(world.bound, sql, table, row)
    finally:
        host.store.close()
    if not found:
        raise click.ClickException(f"no story tells of {table} {row}")
    for story, part, event in found:
        click.echo(f"{story}{'.' + part if part else ''}  {event}")
