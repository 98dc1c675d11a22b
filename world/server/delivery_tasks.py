"""Delivery of what worlds send to programs outside: only to receivers on this machine that the operator has named."""

import asyncio
from weakref import WeakKeyDictionary

from world.core.app import App
from world.core.loopback import is_loopback
from world.run.actor import Actor
from world.run.host import Host
from world.store.queries import row
from world.web.rest_door import Receivers, find_rest_door


def parse_receivers(names: tuple[str, ...]) -> Receivers:
    """HOST:PORT of each receiver. Raises ValueError for one that is not on this machine."""
    return frozenset(map(_parse_receiver, names))


def _parse_receiver(name: str) -> str:
    host, _, port = name.rpartition(":")
    if not port.isdecimal() or not is_loopback(host):
        raise ValueError(f"{name} is not HOST:PORT of this machine (127.0.0.1:3000, localhost:3000, [::1]:3000)")
    return name


class DeliveryTasks:
    """Starts a task for each app of a world that has something to send. It needs the running event loop."""

    def __init__(self, host: Host, receivers: Receivers) -> None:
        self._host, self._receivers = host, receivers
        self._loop = asyncio.get_running_loop()
        self._apps = [app for app in host.apps.values() if app.outgoing]
        self._tasks: WeakKeyDictionary[Actor, dict[str, asyncio.Task[None]]] = WeakKeyDictionary()
        host.actor_watchers.append(self.attend)

    def attend(self, actor: Actor) -> None:
        """See to it that what a world has to send is sent."""
        tasks = self._tasks.setdefault(actor, {})
        for app in self._apps:
            if (app.name not in tasks or tasks[app.name].done()) and row(actor.bound, app.outgoing):
                self._start(actor, app, tasks)

    def _start(self, actor: Actor, app: App, tasks: dict[str, asyncio.Task[None]]) -> None:
        door = find_rest_door(app.name)
        if door is not None and door.deliver is not None:
            tasks[app.name] = self._loop.create_task(door.deliver(self._host, actor, self._receivers))

    async def close(self) -> None:
        """Stop sending."""
        self._host.actor_watchers.remove(self.attend)
        tasks = [task for of_actor in self._tasks.values() for task in of_actor.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
