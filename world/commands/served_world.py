"""Worlds that stay up for people and agents, as `firm serve` keeps them."""

import asyncio
import os
import signal
import ssl
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from socket import AF_UNIX, socket
from typing import TYPE_CHECKING

import click

from world.commands.judge import judge_from
from world.commands.scenario_show import find_scenario
from world.core.lazy import Lazy
from world.core.principal import Principal
from world.run.home import Home
from world.run.host import Host, open_host
from world.run.images import adopt_image, get_image
from world.script import loader
from world.script.errors import ScenarioError
from world.server.control_state import token_form
from world.server.delivery_tasks import parse_receivers
from world.server.retention_limits import RetentionLimits
from world.server.serve import RunningServer, TlsListener, listening, run, tcp, unix
from world.server.world_trajectories import WorldTrajectories
from world.store import StoreError
from world.store.queries import row, value
from world.web.rest_door import Receivers

if TYPE_CHECKING:
    from world.agents import runner, tool_lists
    from world.run import episode
    from world.studio import studio_server
else:
    episode, runner = Lazy("world.run.episode"), Lazy("world.agents.runner")
    tool_lists = Lazy("world.agents.tool_lists")
    studio_server = Lazy("world.studio.studio_server")


def serve(
    address: str,
    control: str,
    scenario: str | None,
    seed: int,
    max_calls: int | None,
    company: int,
    size: str,
    image: Path | None,
    who: str,
    realtime: int | None,
    allow_host: tuple[str, ...],
    proxy: str,
    tls: str,
    tls_files: tuple[Path, Path] | None,
    receivers: tuple[str, ...],
    limits: RetentionLimits,
) -> None:
    """Keep a world up until interrupted. Raises ClickException."""
    home = Home()
    if scenario is not None:
        find_scenario(scenario)
    try:
        allowed = parse_receivers(receivers)
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    if tls_files is not None:
        check_certificate(*tls_files)
    try:
        base = adopt_image(home, image) if image else get_image(home, size, company)
        book = home.folder("secrets") / "issued"
        host = open_host(base, home.folder("worlds"), secret=home.secret("tokens"), book=book)
    except (StoreError, FileNotFoundError) as error:
        raise click.ClickException(str(error)) from error
    try:
        run(
            _serve(
                home,
                host,
                address,
                control,
                scenario,
                seed,
                max_calls,
                who,
                realtime,
                allow_host,
                proxy,
                tls,
                tls_files,
                allowed,
                limits,
            )
        )
    except (ScenarioError, LookupError, OSError) as error:
        raise click.ClickException(str(error)) from error
    finally:
        host.store.close()


async def _serve(
    home: Home,
    host: Host,
    address: str,
    control: str,
    scenario: str | None,
    seed: int,
    max_calls: int | None,
    who: str,
    realtime: int | None,
    allow_host: tuple[str, ...],
    proxy: str,
    tls: str,
    tls_files: tuple[Path, Path] | None,
    receivers: Receivers,
    limits: RetentionLimits,
) -> None:
    agent, port = address.rsplit(":", 1)
    steering = tcp(*split_address(control)) if control else unix(home.control_socket)
    door = tcp(*split_address(proxy)) if proxy else None
    secure = TlsListener(tcp(*split_address(tls)), tls_files) if tls else None
    settings = {"max_calls": max_calls}
    async with listening(
        host,
        tcp(agent, int(port)),
        steering,
        secret=home.secret("control"),
        allow_hosts=allow_host,
        judge=judge_from(dict(os.environ)),
        proxy=door,
        tls=secure,
        keys=home.folder("proxy"),
        receivers=receivers,
        limits=limits,
    ) as up:
        stop = stop_on_signals()
        up.plane.trajectories = WorldTrajectories(host, home.folder("trajectories"))
        name, person = _first_world(up, scenario, seed, who, settings)
        up.plane.retention.begin(name, None)
        if realtime:
            up.plane.speeds[name] = realtime
        show_links(host, name, person)
        if secure is not None:
            click.echo(f"  https    https://{address_of(secure.socket)}")
        if up.authority is not None:
            show_authority(up.authority)
        if door is not None:
            click.echo(f"  export HTTPS_PROXY=http://{address_of(door)}")
        host.end_watchers.append(show_end)
        warming = asyncio.create_task(up.warm())
        try:
            with announce(home, steering), _record_run(home, up, name, scenario or "", settings):
                async with studio_server.studio_listening(home, home.runs, 0, up.plane) as make_link:
                    click.echo(f"  studio   {make_link()}  (opens once)")
                    await stop.wait()
        finally:
            warming.cancel()


@contextmanager
def announce(home: Home, steering: socket) -> Generator[None, None, None]:
    """Let `firm world` of the same home find the control plane while it runs, and say where it is."""
    secret = home.path / "secrets" / "control"
    if steering.family == AF_UNIX:
        home.control_address.unlink(missing_ok=True)
        click.echo(f"  control  {home.control_socket}  (secret in {secret})")
        yield
        return
    url = f"http://{address_of(steering)}"
    home.control_address.write_text(url, encoding="ascii")
    click.echo(f"  control  {url}  (secret in {secret})")
    try:
        yield
    finally:
        if home.control_address.exists() and home.control_address.read_text(encoding="ascii") == url:
            home.control_address.unlink()


def address_of(listener: socket) -> str:
    """HOST:PORT at which this machine reaches a listening socket."""
    host, port = listener.getsockname()[:2]
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(str(host)) or str(host)
    return f"[{here}]:{port}" if ":" in here else f"{here}:{port}"


def show_end(world: str, ending: str) -> None:
    """Say on the console that an episode ended, why, and what to do now."""
    click.echo(f"{world}: {ending}")
    click.echo(f"  `firm world grade {world}` shows the verdict; its pages and tools now answer with this reason")


@contextmanager
def _record_run(
    home: Home, up: RunningServer, world: str, scenario: str, settings: Mapping[str, int | None]
) -> Generator[None, None, None]:
    """Keep a run folder of the served episode: `firm replay` repeats it, however fast its time ran."""
    run = up.plane.episodes.get(world)
    if run is None:
        yield
        return
    folder = episode.run_folder(home.runs, f"{run.scenario.name}-served-{run.seed}")
    plan = runner.Plan(scenario, "served", "mcp", settings)
    trajectory = runner.record(run, folder, plan, tool_lists.recall_tool_lists(home, run.host))
    if up.plane.trajectories is not None:
        up.plane.trajectories.adopt(world, trajectory)
    try:
        yield
    finally:
        trajectory.close()
        finished = runner.close(run, folder, trajectory.steps, trust=Lazy("world.grading.verdict").SERVED)
        click.echo(f"score {finished.verdict.score}, run kept in {folder}")


def split_address(address: str) -> tuple[str, int]:
    """Host and port of HOST:PORT."""
    host, port = address.rsplit(":", 1)
    return host, int(port)


def _first_world(
    up: RunningServer, scenario: str | None, seed: int, who: str, settings: Mapping[str, int | None]
) -> tuple[str, str]:
    taken = {*up.host.store.names(), *up.host.tokens.worlds}
    name = next(candidate for n in range(1, 10_000) if (candidate := f"main-{n}") not in taken)
    if scenario is not None:
        run = episode.start(up.host, loader.find_scenario(scenario), seed=seed, world=name, **settings)
        up.plane.episodes[name] = run
        person = up.host.principal(name, who).person if who else run.agent
        return name, person
    up.host.create(name)
    if up.plane.trajectories is not None:
        up.plane.trajectories.begin(name, None)
    return name, up.host.principal(name, who).person if who else first_employee(up.host, name)


def first_employee(host: Host, world: str) -> str:
    """Somebody ordinary to look at the company as: the first active employee, one with a manager if there is any."""
    sql = "SELECT id FROM person WHERE kind = 'employee' AND status = 'active' ORDER BY manager_id IS NULL, id LIMIT 1"
    return value(host.actors[world].bound, sql)


def show_links(host: Host, world: str, person: str) -> None:
    """A log-in link and a tool address per app, for one employee."""
    host.keep(world)
    name = row(host.actors[world].bound, "SELECT full_name, email FROM person WHERE id = ?", person) or (person, "")
    generation = host.actors[world].generation
    login = host.tokens.issue(Principal(world, person, "user", "", generation=generation))
    click.echo(f"world {world}, as {name[0]} <{name[1]}>")
    for app in sorted(host.apps):
        if app == "world":
            continue
        click.echo(f"  {host.apps[app].title:<8} {host.public_url}/login/{login}?next=/{app}/")
    for app in sorted(host.apps):
        if app != "world" and host.apps[app].token_forms:
            token = host.tokens.issue(
                Principal(world, person, "user", app, generation=generation), token_form(host, app, "user")
            )
            click.echo(f"  {app} token {token}")
    click.echo(f"  tools    {host.public_url}/mcp  (Authorization: Bearer {login})")


def check_certificate(certificate: Path, key: Path) -> None:
    """Check that a certificate and a key can be served. Raises ClickException."""
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(certificate, key, password="")
    except ssl.SSLError as error:
        raise click.ClickException(f"{certificate} and {key} are no certificate and its key: {error}") from error


def show_authority(authority: Path) -> None:
    """Print the variables that make clients trust the certificates of this run."""
    trust = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "HTTPLIB2_CA_CERTS", "NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO")
    for name in trust:
        click.echo(f"  export {name}={authority}")


def stop_on_signals() -> asyncio.Event:
    """Set when the process is asked to end."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop
