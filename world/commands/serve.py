"""`firm serve`: a world for people and agents."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from world.commands.amounts import parse_size, parse_span
from world.commands.needs import refuse_unmet
from world.core.lazy import Lazy
from world.server.retention_limits import RetentionLimits

if TYPE_CHECKING:
    from world.commands import served_fleet, served_world
else:
    served_fleet, served_world = Lazy("world.commands.served_fleet"), Lazy("world.commands.served_world")

ONE_WORLD = ("scenario", "seed", "max_calls", "who", "realtime", "proxy", "tls", "tls_files", "receivers")


def parse_call_budget(text: str) -> int | None:
    """A number of calls, or None for `none`. Raises BadParameter."""
    if text.lower() == "none":
        return None
    if not text.isdecimal() or int(text) < 1:
        raise click.BadParameter(f"{text!r} is neither a number of calls nor `none`")
    return int(text)


def refuse_options(context: click.Context) -> None:
    """Refuse the options about one world where several processes serve. Raises UsageError."""
    given = [
        option.opts[0]
        for option in context.command.params
        if option.name in ONE_WORLD
        and context.get_parameter_source(option.name) is not click.core.ParameterSource.DEFAULT
    ]
    if given:
        raise click.UsageError(f"{', '.join(given)} is about one world; with --workers make it on the control plane")


@click.command("serve")
@click.option(
    "--listen", "address", default="127.0.0.1:8400", show_default=True, help="HOST:PORT of the agents' plane."
)
@click.option("--control", default="", help="HOST:PORT of the control plane; default: a unix socket in FIRM_HOME.")
@click.option("--scenario", help="Start this scenario in the world.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--max-calls",
    type=parse_call_budget,
    metavar="N|none",
    default="none",
    show_default=True,
    help="End the episode after this many calls of employees; `none` never does.",
)
@click.option("--company", type=int, default=7, show_default=True, help="Seed of the company.")
@click.option("--size", type=click.Choice(["XS", "S"]), default="S", show_default=True)
@click.option(
    "--image",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Serve this company, such as an imported one, instead of a built one.",
)
@click.option(
    "--as", "who", default="", help="Log-in links for this person (handle or address) instead of the scenario's agent."
)
@click.option(
    "--realtime",
    type=click.IntRange(1, 3600),
    help="Let simulated time run by itself, this many times as fast as real time.",
)
@click.option("--allow-host", multiple=True, help="Another host name to answer to.")
@click.option(
    "--proxy",
    default="",
    help="HOST:PORT of a proxy on which the vendors' own host names lead here; prints what clients must set.",
)
@click.option(
    "--tls", default="", help="HOST:PORT of the agents' plane over TLS too; prints what clients must set to trust it."
)
@click.option(
    "--tls-certificate",
    "tls_files",
    nargs=2,
    metavar="CERTIFICATE KEY",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="PEM files for --tls; default: a certificate by an authority that is made for this run.",
)
@click.option(
    "--receiver",
    "receivers",
    multiple=True,
    help="HOST:PORT of a program on this machine that apps may send events to; nobody is sent anything otherwise.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Processes behind the address, one per core; from 2 on, worlds are made on the control plane only.",
)
@click.option(
    "--idle-ttl",
    type=parse_span,
    metavar="DURATION",
    help="Drop worlds that nobody has used for so long in real time, such as 2h; default: none, but for worlds that were"
    " made with a time of their own.",
)
@click.option(
    "--max-worlds", type=click.IntRange(1), help="Refuse new worlds beyond so many, with 429; default: no limit."
)
@click.option(
    "--max-disk",
    type=parse_size,
    metavar="SIZE",
    help="Drop the longest unused worlds while the logs of all take more than this, such as 20GB; default: no limit.",
)
@click.pass_context
def command(
    context: click.Context,
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
    workers: int,
    idle_ttl: float | None,
    max_worlds: int | None,
    max_disk: int | None,
) -> None:
    """Keep a world up until interrupted; prints a log-in link and a tool address per app."""
    limits = RetentionLimits(idle_ttl, max_worlds, max_disk)
    if workers > 1:
        refuse_options(context)
        served_fleet.serve(
            address,
            control,
            company,
            size,
            image=image,
            allow_hosts=allow_host,
            workers=workers,
            limits=limits.share(workers),
        )
        return
    if tls_files is not None and not tls:
        raise click.UsageError("--tls-certificate is about --tls")
    if scenario is not None:
        refuse_unmet([scenario])
    served_world.serve(
        address,
        control,
        scenario,
        seed,
        max_calls,
        company,
        size,
        image,
        who,
        realtime,
        allow_host,
        proxy,
        tls,
        tls_files,
        receivers,
        limits,
    )
