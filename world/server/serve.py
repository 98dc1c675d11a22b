"""Listens: one event loop, two sockets, one store thread."""

import asyncio
import gc
import logging
import os
import resource
import socket
from collections.abc import AsyncGenerator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import uvicorn

from world.core import discovery
from world.core.lazy import Lazy
from world.run.host import Host
from world.server.agent_plane import agent_plane, vendor_hosts
from world.server.clock_speed import run_time
from world.server.control_state import Plane
from world.server.delivery_tasks import DeliveryTasks
from world.server.gateway import tunnels
from world.server.lazy_app import LazyApplication, LazySurfaces
from world.server.retention_limits import RetentionLimits
from world.web.rest_door import Receivers

TLS_KEYS = Lazy("world.server.tls_keys")
log = logging.getLogger("firmament")
APART_S = 0.5  # between two doors that are loaded ahead of their first request
KEEP_ALIVE_S = 75  # longer than clients keep an idle connection, so that none is closed while a request is on its way


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A running server: the agents' address and, if asked for, the control plane's; what clients of the proxy and over
    TLS must trust.
    """

    url: str
    host: Host
    plane: Plane
    servers: tuple[uvicorn.Server, ...]
    authority: Path | None = None
    late: tuple[LazyApplication | LazySurfaces, ...] = ()

    async def warm(self) -> None:
        """Load, one after another, the doors nobody came to so far; requests are served in between."""
        for door in self.late:
            await asyncio.sleep(APART_S)
            await door.ready()
        if self.plane.episodes:
            await self.plane.grader.warm()


@dataclass(frozen=True, slots=True)
class TlsListener:
    """A listening socket that speaks TLS. Without `files`, certificate and key, this run's authority stands for it."""

    socket: socket.socket
    files: tuple[Path, Path] | None = None


def surfaces_module() -> ModuleType | None:
    """The module that serves tool surfaces over HTTP, if installed."""
    for package in discovery.packages("firmament.surfaces"):
        front = discovery.part(package, "http")
        if front is not None:
            return front
    return None


def tcp(address: str, port: int) -> socket.socket:
    """A listening TCP socket; port 0 picks a free one."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # head and body go in two writes; connections inherit it
    made.bind((address, port))
    made.listen(1024)
    made.setblocking(False)
    return made


def url_of(listener: socket.socket) -> str:
    """The address at which this machine reaches a listening TCP socket."""
    address, port = listener.getsockname()[:2]
    shown = "127.0.0.1" if address in ("0.0.0.0", "::") else address
    return f"http://{shown}:{port}"


def unix(path: Path) -> socket.socket:
    """A listening unix socket that only this user can open."""
    path.unlink(missing_ok=True)
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        made.bind(str(path))
    finally:
        os.umask(before)
    made.listen(128)
    made.setblocking(False)
    return made


def server(app: Any, *, lifespan: str = "on", tls: tuple[Path, Path] | None = None) -> uvicorn.Server:
    """A uvicorn server that sends no wall-clock Date and names no software; with a certificate and its key, over TLS."""
    config = uvicorn.Config(
        app,
        http="httptools",
        ws="websockets-sansio",
        log_level="warning",
        access_log=False,
        date_header=False,
        server_header=False,
        lifespan="on" if lifespan == "on" else "off",
        timeout_graceful_shutdown=3,
        timeout_keep_alive=KEEP_ALIVE_S,
        h11_max_incomplete_event_size=None,
        ssl_certfile=tls[0] if tls else None,
        ssl_keyfile=tls[1] if tls else None,
    )
    return uvicorn.Server(config)


def run(main: Coroutine[Any, Any, None]) -> None:
    """Run to the end on the event loop that uvicorn picks for this system."""
    with asyncio.Runner(loop_factory=uvicorn.Config("", loop="auto").get_loop_factory()) as runner:
        runner.run(main)


def more_files() -> None:
    """Raise the limit of open files to what the system allows: logs of worlds are opened on demand."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


@asynccontextmanager
async def listening(
    host: Host,
    agent: socket.socket | None,
    control: socket.socket | None = None,
    *,
    secret: str = "",
    public_url: str = "",
    allow_hosts: tuple[str, ...] = (),
    judge: Any = None,
    proxy: socket.socket | None = None,
    tls: TlsListener | None = None,
    keys: Path | None = None,
    receivers: Receivers = frozenset(),
    limits: RetentionLimits | None = None,
) -> AsyncGenerator[RunningServer, None]:
    """Serve while the context is open; sockets are closed with it. `proxy` stands for the vendors' hosts, `tls` for the
    agents' plane; the certificates of both go to `keys`. Without `receivers` nothing is sent to anybody. Without
    `agent` both planes serve connections that somebody else accepts, at `public_url`.
    """
    more_files()
    host.public_url = public_url if agent is None else url_of(agent)
    plane = Plane(host, secret, judge=judge, limits=limits)
    agents = agent_plane(host, discovery.app_packages(), allow_hosts=allow_hosts, surfaces=surfaces_module)
    running = [(server(agents), [agent] if agent is not None else [])]
    secure = tcp("127.0.0.1", 0) if proxy is not None else None
    vouched = [one for one in (secure, tls.socket if tls is not None and tls.files is None else None) if one]
    trusted = TLS_KEYS.certificates(keys, _list_names(host, allow_hosts)) if vouched and keys is not None else None
    if trusted is not None:
        running.append((server(agents, lifespan="off", tls=(trusted.certificate, trusted.key)), vouched))
    if tls is not None and tls.files is not None:
        running.append((server(agents, lifespan="off", tls=tls.files), [tls.socket]))
    if control is not None or agent is None:
        steering = LazyApplication(lambda: Lazy("world.server.control_plane").control_plane(plane))
        running.append((server(steering, lifespan="off"), [control] if control is not None else []))
    tasks = [asyncio.create_task(one.serve(sockets=sockets)) for one, sockets in running]
    beside = [asyncio.create_task(plane.retention.run()), asyncio.create_task(run_time(plane))]
    deliveries = DeliveryTasks(host, receivers) if receivers else None
    try:
        await _wait_until_started([one for one, _ in running], tasks)
        # objects of the start live on: collecting them again and again is the longest pause a request can meet
        gc.freeze()
        async with AsyncExitStack() as stack:
            if proxy is not None and secure is not None and agent is not None:
                ports = {"https": secure.getsockname()[1], "http": agent.getsockname()[1]}
                await stack.enter_async_context(tunnels(proxy, vendor_hosts(host), ports))
            authority = trusted.authority if trusted else None
            yield RunningServer(
                host.public_url, host, plane, tuple(one for one, _ in running), authority, tuple(agents.state.late)
            )
    finally:
        for task in beside:
            task.cancel()
        if deliveries is not None:
            await deliveries.close()
        for one, _ in running:
            one.should_exit = True
        await asyncio.gather(*tasks, return_exceptions=True)
        await plane.close()
        gc.unfreeze()


def _list_names(host: Host, allow_hosts: tuple[str, ...]) -> list[str]:
    """List the names that a certificate of ours stands for: the vendors', each app's own, and those allowed."""
    return [*vendor_hosts(host), *(f"{name}.localhost" for name in sorted(host.apps)), *allow_hosts]


async def _wait_until_started(servers: list[uvicorn.Server], tasks: list[asyncio.Task[None]]) -> None:
    while not all(one.started for one in servers):
        for task in tasks:
            if task.done():
                task.result()
                raise RuntimeError("a server stopped before it listened")
        await asyncio.sleep(0.005)
