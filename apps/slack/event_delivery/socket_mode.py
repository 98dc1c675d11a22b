"""Socket Mode: events go to an app over a WebSocket that it opens, and come again until they are acknowledged.

Which events there are is read from the journal, so a connection changes nothing in the world. When an event is told
again goes by simulated time. Source: docs.slack.dev/apis/events-api/using-socket-mode, docs.slack.dev/apis/events-api
"""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import orjson
from pydantic import Field
from starlette.websockets import WebSocket, WebSocketDisconnect

from apps.slack.app import app
from apps.slack.event_delivery.events import Event, EventSender
from apps.slack.manifests import find_manifest, takes_sockets
from world.core.call import Call
from world.core.clock import SECOND
from world.core.errors import OperationError
from world.core.journal import last_change
from world.core.json_types import JsonObject
from world.core.operation import Operation
from world.core.params import Params
from world.core.principal import Principal
from world.core.rng import digest
from world.run.actor import Actor
from world.run.host import Host

log = logging.getLogger("firmament")
LINK_SCOPE = "socket:link"  # what the ticket inside a connection's address is good for
SOURCE = "docs.slack.dev/apis/events-api/using-socket-mode"
REFUSED = 1008
WAITS_US = (3 * SECOND, 60 * SECOND, 300 * SECOND, 3 * SECOND)  # after each attempt, until the next or the end
LOOK_S = 0.2  # how often simulated time is looked at
MOST = 10  # connections of one app
CONNECTION_S = 18_060


class ReadEvents(Params):
    """Range of events to read."""

    after: int = Field(default=0, description="The journal id after which they happened.")


def _read_settings(call: Call, params: ReadEvents) -> JsonObject:
    teller = EventSender(call)
    return {"app_id": teller.me.app_id, "is_on": takes_sockets(find_manifest(call, teller.me.app_id))}


def _read_events(call: Call, params: ReadEvents) -> list[Event]:
    return EventSender(call).list_events(params.after)


SETTINGS = Operation("socket.settings", app.name, _read_settings, ReadEvents, False, SOURCE)
EVENTS = Operation("socket.events", app.name, _read_events, ReadEvents, False, SOURCE)


@dataclass(slots=True)
class Delivery:
    """An event on its way. `attempt` counts from 0; it is told when `due` has come."""

    event: Event
    due: int
    attempt: int = 0


class EventOutbox:
    """One app of one world: what it has not acknowledged yet, whichever of its connections takes it."""

    def __init__(self, actor: Actor, principal: Principal) -> None:
        self.actor, self.principal = actor, principal
        self.connections = 0
        self._read_to = last_change(actor.bound)
        self._waiting: dict[str, Delivery] = {}
        self._names: dict[str, str] = {}

    def collect(self) -> None:
        """Take in what happened since the last time."""
        last = last_change(self.actor.bound)
        if last == self._read_to:
            return
        for event in self.actor.peek(self.principal, "rest", EVENTS, {"after": self._read_to}):
            self._waiting[f"{event.key[0]} {event.key[1]}"] = Delivery(event, self.actor.now)
        self._read_to = last

    def take_due(self) -> Iterator[JsonObject]:
        """The envelopes that are to be sent now; an event that was told four times in vain is given up."""
        now = self.actor.now
        for id, one in list(self._waiting.items()):
            if one.due > now:
                continue
            if one.attempt == len(WAITS_US):
                del self._waiting[id]
                continue
            yield self._seal(id, one)
            one.due, one.attempt = now + WAITS_US[one.attempt], one.attempt + 1

    def _seal(self, id: str, one: Delivery) -> JsonObject:
        mark = digest("slack envelope", id, one.attempt).hex()
        name = f"{mark[:8]}-{mark[8:12]}-4{mark[13:16]}-8{mark[17:20]}-{mark[20:32]}"
        self._names[name] = id
        return {
            "envelope_id": name,
            "payload": one.event.payload,
            "type": one.event.envelope,
            "accepts_response_payload": one.event.payload.get("type") == "view_submission",
            "retry_attempt": one.attempt,
            "retry_reason": "timeout" if one.attempt else "",
        }

    def acknowledge(self, envelope: str) -> Event | None:
        """The app has an event; it is not told again. Returns which it was, None if it is known to have it."""
        id = self._names.pop(envelope, None)
        found = self._waiting.pop(id, None) if id is not None else None
        return None if found is None else found.event


OUTBOXES: WeakKeyDictionary[Actor, dict[str, EventOutbox]] = WeakKeyDictionary()


def issue_ticket(host: Host, principal: Principal) -> str:
    """The secret of a connection's address."""
    return host.tokens.issue(replace(principal, app=app.name, scopes=frozenset({LINK_SCOPE})), "{}")


async def serve(host: Host, socket: WebSocket) -> None:
    """One connection, from its ticket to its end."""
    principal = host.tokens.resolve(socket.query_params.get("ticket", ""))
    if principal is None or principal.scopes != {LINK_SCOPE}:
        await socket.close(REFUSED)
        return
    actor, speaker = host.actor(principal.world), replace(principal, scopes=frozenset())
    outbox = OUTBOXES.setdefault(actor, {}).setdefault(principal.person, EventOutbox(actor, speaker))
    try:
        settings = actor.peek(speaker, "rest", SETTINGS, {})
    except OperationError:
        await socket.close(REFUSED)
        return
    await socket.accept()
    if not settings["is_on"] or outbox.connections >= MOST:
        await _disconnect(socket, "link_disabled" if not settings["is_on"] else "too_many_websockets")
        return
    await _hold(host, socket, outbox, str(settings["app_id"]))


async def _hold(host: Host, socket: WebSocket, outbox: EventOutbox, app_id: str) -> None:
    changed = asyncio.Event()

    def watch(version: int, tables: frozenset[str]) -> None:
        changed.set()

    outbox.connections += 1
    outbox.actor.watchers.append(watch)
    telling = asyncio.create_task(_tell(host, socket, outbox, changed, app_id))
    try:
        while True:
            _hear(host, outbox, await socket.receive_text())
    except WebSocketDisconnect:
        return
    finally:
        outbox.connections -= 1
        outbox.actor.watchers.remove(watch)
        telling.cancel()


def _hear(host: Host, outbox: EventOutbox, text: str) -> None:
    try:
        said = orjson.loads(text)
    except orjson.JSONDecodeError:
        return
    event = outbox.acknowledge(str(said.get("envelope_id", ""))) if isinstance(said, dict) else None
    if event is not None:
        answer_submission(host, outbox.principal, event, said.get("payload"))


def answer_submission(host: Host, principal: Principal, event: Event, response: object) -> None:
    """Record an app's answer to a submitted view as a call of its own, so that runs repeat."""
    if event.payload.get("type") != "view_submission":
        return
    arguments = {
        "trigger_id": event.payload["trigger_id"],
        "response": response if isinstance(response, dict) else None,
    }
    try:
        host.call(principal, "control", "views.answer", arguments)
    except OperationError as refusal:
        log.warning("the answer of %s to a submitted view is refused: %s", event.payload["api_app_id"], refusal.code)


async def _tell(host: Host, socket: WebSocket, outbox: EventOutbox, changed: asyncio.Event, app_id: str) -> None:
    hello = {
        "type": "hello",
        "num_connections": outbox.connections,
        "debug_info": {"host": "applink-1", "approximate_connection_time": CONNECTION_S},
        "connection_info": {"app_id": app_id},
    }
    await _send(socket, hello)
    while outbox.actor.ended is None and host.actors.get(outbox.principal.world) is outbox.actor:
        changed.clear()
        with suppress(OperationError):  # the service fails: what happened is told once it answers again
            outbox.collect()
            for envelope in outbox.take_due():
                await _send(socket, envelope)
        with suppress(TimeoutError):
            await asyncio.wait_for(changed.wait(), LOOK_S)
    await _disconnect(socket, "link_disabled")


async def _send(socket: WebSocket, message: JsonObject) -> None:
    await socket.send_text(orjson.dumps(message).decode())


async def _disconnect(socket: WebSocket, reason: str) -> None:
    await _send(socket, {"type": "disconnect", "reason": reason, "debug_info": {"host": "applink-1"}})
    await socket.close()
