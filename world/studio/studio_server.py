"""Serves the studio on a loopback port of its own: alone, or beside the planes of a served host."""

import asyncio
import signal
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from world.core.lazy import Lazy
from world.run.home import Home
from world.server.control_state import Plane
from world.server.lazy_app import LazyApplication
from world.server.serve import server, tcp, url_of
from world.studio.access import StudioAccess

if TYPE_CHECKING:
    from world.studio import run_world, studio_app
else:
    run_world, studio_app = Lazy("world.studio.run_world"), Lazy("world.studio.studio_app")

ADDRESS = "127.0.0.1"


@asynccontextmanager
async def studio_listening(
    home: Home, root: Path, port: int, plane: Plane | None = None, env: tuple[str, ...] = ()
) -> AsyncGenerator[Callable[[], str], None]:
    """A function that makes links which open the studio once; it is up meanwhile. Raises OSError.

    `plane` serves the worlds of this process, which are shown too. `env` names the variables that programs of branches
    are given. The pages are loaded when somebody comes.
    """
    listener, opened = tcp(ADDRESS, port), list[Any]()

    def load() -> Any:
        opened.append(studio_app.Studio(home, root, run_world.RunWorlds(home, plane), env))
        return studio_app.build_studio(opened[-1])

    guard = StudioAccess(LazyApplication(load), home.secret("control"))
    served = server(guard, lifespan="off")
    task = asyncio.create_task(served.serve(sockets=[listener]))
    try:
        while not served.started:
            if task.done():
                task.result()
            await asyncio.sleep(0.005)
        yield lambda: url_of(listener) + guard.issue_link()
    finally:
        served.should_exit = True
        await asyncio.gather(task, return_exceptions=True)
        for studio in opened:
            await studio.close()


async def serve_studio(
    home: Home, root: Path, port: int, path: str, tell: Callable[[str], object], env: tuple[str, ...] = ()
) -> None:
    """Serve the studio until the process is asked to end; `path` is where the printed link leads. Raises OSError."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with studio_listening(home, root, port, env=env) as make_link:
        tell(f"studio  {make_link()}{f'?next={path}' if path else ''}  (opens once)")
        await stop.wait()
