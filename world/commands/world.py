"""`firm world`: steer the running server of this home."""

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import httpx

from world.agents.task import Task
from world.client import Client, ControlError
from world.commands.amounts import parse_span
from world.core.json_types import is_dict
from world.core.lazy import Lazy
from world.run.home import Home

if TYPE_CHECKING:
    from world.core import discovery
else:
    discovery = Lazy("world.core.discovery")


TAKEN = {"scenario", "seed", "name", "idle_ttl_s"}  # arguments of `Client.create` beside the settings


@click.group("world")
@click.option("--url", help="Control plane of another server; default: the one running in FIRM_HOME.")
@click.pass_context
def command(ctx: click.Context, url: str | None) -> None:
    """Make, fork, advance, inspect, grade and drop worlds of a running server."""
    home = Home()
    url = url or _address(home)
    if url is None and not home.control_socket.exists():
        raise click.ClickException(f"no server is running in {home.path}; start one with `firm serve`")
    secret = home.secret("control")
    ctx.obj = Client(secret=secret, url=url) if url else Client(secret=secret, socket=home.control_socket)
    ctx.call_on_close(ctx.obj.close)


def _address(home: Home) -> str | None:
    """Return the TCP address of this home's server; None when it listens on its unix socket."""
    path = home.control_address
    return path.read_text(encoding="ascii").strip() if path.exists() else None


def _show(value: Any) -> None:
    click.echo(json.dumps(value if not hasattr(value, "model_dump") else value.model_dump(), indent=1))


def _try(job: Callable[[], Any]) -> None:
    _show(_ask(job))


def _ask(job: Callable[[], Any]) -> Any:
    """Run a request to the control plane. A refusal or an abandoned socket becomes an error of one line."""
    try:
        return job()
    except ControlError as error:
        raise click.ClickException(str(error)) from error
    except httpx.TransportError as error:
        raise click.ClickException(f"no server answers: {error}; start one with `firm serve`") from error


@command.command("list")
@click.option("--older", type=parse_span, metavar="DURATION", help="Only worlds that nobody has used for so long.")
@click.pass_obj
def list_worlds(client: Client, older: float | None) -> None:
    """All worlds: whether each is open, quarantined (and why) or slowed, its longest hold of the thread, how long nobody
    used it, and its size on disk.
    """
    _try(lambda: [one for one in client.status() if older is None or one["idle_s"] >= older])


@command.command("open")
@click.argument("world")
@click.pass_obj
def open_world(client: Client, world: str) -> None:
    """Open a world that an earlier server left on disk, and show it."""
    _try(lambda: client.describe(world))


@command.command("release")
@click.argument("world")
@click.pass_obj
def release(client: Client, world: str) -> None:
    """Let the callers of a quarantined world in again."""
    _try(lambda: client.release(world))


def parse_settings(text: str) -> dict[str, Any]:
    """Settings of a world as a JSON object, none of them by the name of what else a world is made of. Raises BadParameter."""
    try:
        found: object = json.loads(text)
    except ValueError as error:
        raise click.BadParameter(f"no JSON: {error}") from None
    if not is_dict(found):
        raise click.BadParameter("no JSON object")
    if taken := sorted(TAKEN & found.keys()):
        raise click.BadParameter(f"{', '.join(taken)} cannot be settings")
    return found


@command.command("create")
@click.option("--scenario")
@click.option("--seed", type=int, default=0)
@click.option("--name")
@click.option("--settings", type=parse_settings, default="{}", metavar="JSON", help='Such as {"difficulty": "hard"}.')
@click.pass_obj
def create(client: Client, scenario: str | None, seed: int, name: str | None, settings: dict[str, Any]) -> None:
    """Make a world; with a scenario, at its first moment."""
    _try(lambda: client.create(scenario=scenario, seed=seed, name=name, **settings))


@command.command("salvage")
@click.argument("world")
@click.option("--name", help="Name of the new world.")
@click.pass_obj
def salvage(client: Client, world: str, name: str | None) -> None:
    """Make a new world from the calls before the damage of a world's log, and say where the damage is."""
    _try(lambda: client.salvage(world, name=name))


@command.command("token")
@click.argument("world")
@click.option("--app", default="", help="Name of an app; nothing for log-in and tools.")
@click.option("--person", help="Id, handle or address; default: the scenario's agent.")
@click.pass_obj
def token(client: Client, world: str, app: str, person: str | None) -> None:
    """A credential of an employee, with the addresses to use it at."""
    _try(lambda: client.token(world, app, person=person))


@command.command("task")
@click.argument("world", required=False)
@click.option("--url", help="Where the agent reaches its plane, if not at the address the server knows.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Write it to this file, readable by you only."
)
@click.pass_obj
def task(client: Client, world: str | None, url: str | None, out: Path | None) -> None:
    """Print the task for an agent that runs elsewhere: its text, tokens and addresses. WORLD may be left out when there is
    only one.
    """
    made = json.dumps(asdict(_ask(lambda: task_for(client, world or _only(client), url))))
    if out is None:
        click.echo(made)
        return
    out.unlink(missing_ok=True)
    with os.fdopen(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(made + "\n")


def _only(client: Client) -> str:
    worlds = client.worlds()
    if len(worlds) != 1:
        raise click.UsageError(f"name one of {', '.join(worlds)}" if worlds else "there is no world")
    return worlds[0]


def task_for(client: Client, world: str, url: str | None = None) -> Task:
    """Build the task for an agent in this world; `url` replaces the address the server knows.

    Raises ControlError, ClickException.
    """
    text = client.describe(world).task
    if text is None:
        raise click.ClickException(f"{world} was made without a scenario; there is no task in it")
    apps = [app.name for app in discovery.apps() if app.name != "world"]
    granted = {app: client.token(world, app) for app in (*apps, "")}
    tokens = {app: one.token for app, one in granted.items()}
    at = (url or granted[""].rest).rstrip("/")
    return Task(text, at, tokens, f"{at}/login/{tokens['']}", {app: f"{at}/mcp/{app}" for app in (*apps, "world")})


@command.command("fork")
@click.argument("world")
@click.option("--at", type=int, help="After this call; default: the last one.")
@click.option("--name")
@click.pass_obj
def fork(client: Client, world: str, at: int | None, name: str | None) -> None:
    """A new world that goes on from a call of this one."""
    _try(lambda: client.fork(world, at=at, name=name))


@command.command("advance")
@click.argument("world")
@click.argument("duration")
@click.pass_obj
def advance(client: Client, world: str, duration: str) -> None:
    """Let simulated time pass: 20m, 2h."""
    _try(lambda: client.advance(world, duration))


@command.command("diff")
@click.argument("world")
@click.option("--since", type=int, default=0, help="Changes after this call.")
@click.pass_obj
def diff(client: Client, world: str, since: int) -> None:
    """Rows that are different in the end."""
    _try(lambda: client.diff(world, since))


@command.command("grade")
@click.argument("world")
@click.option("--public", is_flag=True, help="Show only what tells nothing of the rubric.")
@click.pass_obj
def grade(client: Client, world: str, public: bool) -> None:
    """The verdict of the episode as it stands."""
    _try(lambda: client.grade(world, public=public))


@command.command("drop")
@click.argument("worlds", nargs=-1)
@click.option(
    "--older", type=parse_span, metavar="DURATION", help="All worlds that nobody has used for so long: 2h, 7d."
)
@click.pass_obj
def drop(client: Client, worlds: tuple[str, ...], older: float | None) -> None:
    """Forget worlds and their tokens, by name or by how long nobody has used them."""
    if bool(worlds) == (older is not None):
        raise click.UsageError("name worlds, or give --older")
    idle: Callable[[], list[str]] = lambda: [one["world"] for one in client.status() if one["idle_s"] >= (older or 0)]  # noqa: E731
    chosen = list(worlds) or _ask(idle)
    for world in chosen:
        _ask(lambda world=world: client.drop(world))
    if older is not None:
        click.echo(f"dropped {len(chosen)} world{'' if len(chosen) == 1 else 's'}")
