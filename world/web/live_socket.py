"""The live socket: one per tab, telling only that an app of this world changed, never what."""

import asyncio
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from world.run.actor import Actor
from world.run.host import Host
from world.web import session
from world.web.mount import place_of

REFUSED = 1008  # policy violation, RFC 6455 section 7.4.1
ENDED = 4000  # our own: the episode ended, and a page that is fetched again says why


async def serve(host: Host, socket: WebSocket) -> None:
    """Send `{topic, version}` for every app whose tables a call changed, and those of its suite, until the tab goes away."""
    principal = session.principal_of(socket, host)
    if principal is None or not session.same_origin(socket, place_of(socket, "")):
        await socket.close(REFUSED)
        return
    await socket.accept()
    actor, changed = host.actor(principal.world), asyncio.Queue[tuple[int, frozenset[str]]](maxsize=1000)

    def watch(version: int, tables: frozenset[str]) -> None:
        with suppress(asyncio.QueueFull):
            changed.put_nowait((version, tables))

    actor.watchers.append(watch)
    talking = asyncio.create_task(_tell(host, socket, actor, changed))
    try:
        while True:
            await socket.receive_text()
    except WebSocketDisconnect:
        return
    finally:
        actor.watchers.remove(watch)
        talking.cancel()


async def _tell(
    host: Host, socket: WebSocket, actor: Actor, changed: "asyncio.Queue[tuple[int, frozenset[str]]]"
) -> None:
    while actor.ended is None:
        version, tables = await changed.get()
        for topic in list_topics(host, tables):
            await socket.send_json({"topic": topic, "version": version})
    await socket.close(ENDED)


def list_topics(host: Host, tables: frozenset[str]) -> list[str]:
    """The apps whose pages show rows of these tables: those that own them, and the others of their suites."""
    owners = {table.split("_", 1)[0] for table in tables}
    suites = {host.apps[name].suite for name in owners if name in host.apps} - {""}
    return sorted(owners | {app.name for app in host.apps.values() if app.suite in suites})
