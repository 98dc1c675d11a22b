"""Request URLs: events go to a program on this machine by signed POST, and come again until it takes them.

Which events there are is read from the journal, so a delivery changes nothing in the world; what the program does then
are calls like any others. When an event is sent again goes by simulated time.
Source: docs.slack.dev/apis/events-api/using-http-request-urls,
docs.slack.dev/authentication/verifying-requests-from-slack
"""

import asyncio
import hmac
import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import parse_qs, quote_plus

import httpx
import orjson

from apps.slack.app import find_signing_secret
from apps.slack.event_delivery.events import Event
from apps.slack.event_delivery.socket_mode import EVENTS, LOOK_S, answer_submission
from apps.slack.manifests import URLS, find_request_url, takes_sockets
from world.core.clock import SECOND, wall_epoch_seconds
from world.core.errors import OperationError
from world.core.journal import last_change
from world.core.json_types import JsonObject
from world.core.loopback import find_receiver
from world.core.principal import Principal
from world.core.rng import digest
from world.run.actor import Actor
from world.run.host import Host
from world.store.queries import rows
from world.web.rest_door import Receivers

log = logging.getLogger("firmament")
TIMEOUT_S = 3  # in which a program must answer
WAITS_US = (0, 60 * SECOND, 300 * SECOND)  # after each failure, until the next attempt
AGENT = "Slackbot 1.0 (+https://api.slack.com/robots)"
JSON = "application/json"
APPS = """SELECT s.app_id, s.manifest, p.person_id FROM slack_app s JOIN slack_profile p ON p.app_id = s.app_id
    ORDER BY s.app_id"""


@dataclass(slots=True)
class PendingEvent:
    """An event on its way; `failed` counts the attempts so far, `reason` is why the last one failed."""

    event: Event
    due: int
    failed: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Attempt:
    """Outcome of a POST: an empty `reason` is success, `final` asks for no repetition."""

    reason: str = ""
    final: bool = False
    body: bytes = b""


def sign(secret: str, body: bytes, at: int) -> dict[str, str]:
    """The headers that prove who sent a body. `at` is seconds since the epoch."""
    mark = hmac.new(secret.encode(), b"v0:%d:" % at + body, sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": str(at), "X-Slack-Signature": f"v0={mark}"}


class EventSender:
    """One app of one world: what its program has not taken yet."""

    def __init__(self, host: Host, actor: Actor, app_id: str, principal: Principal, receivers: Receivers) -> None:
        self.host, self.actor, self.principal, self.receivers = host, actor, principal, receivers
        self.app_id = app_id
        self.manifest: JsonObject = {}
        self.waiting: list[PendingEvent] = []
        self._verified: set[str] = set()
        self._complained: set[str] = set()
        self._read_to = last_change(actor.bound)

    async def deliver(self, client: httpx.AsyncClient) -> None:
        """Send what is due now, in the order it happened."""
        self._collect()
        for pending in [one for one in self.waiting if one.due <= self.actor.now]:
            self.waiting.remove(pending)
            began = self.actor.now
            attempt = await self._send(client, pending)
            if attempt.reason and not attempt.final and pending.failed < len(WAITS_US):
                due = began + WAITS_US[pending.failed]
                self.waiting.append(PendingEvent(pending.event, due, pending.failed + 1, attempt.reason))

    async def verify(self, client: httpx.AsyncClient) -> None:
        """Ask the address for events that was not asked yet whether it is the app's."""
        url = find_request_url(self.manifest, "event_subscriptions")
        if url and not takes_sockets(self.manifest) and url not in self._complained:
            await self._is_verified(client, url)

    def _collect(self) -> None:
        last = last_change(self.actor.bound)
        if last == self._read_to:
            return
        with suppress(OperationError):  # the service fails: what happened is sent once it answers again
            for event in self.actor.peek(self.principal, "rest", EVENTS, {"after": self._read_to}):
                self.waiting.append(PendingEvent(event, self.actor.now))
            self._read_to = last

    async def _send(self, client: httpx.AsyncClient, pending: PendingEvent) -> Attempt:
        if pending.event.envelope == "interactive":
            return await self._send_interaction(client, pending.event)
        url = find_request_url(self.manifest, "event_subscriptions")
        if not url or takes_sockets(self.manifest):
            return Attempt()
        if not await self._is_verified(client, url):
            return Attempt("connection_failed")
        again = {"X-Slack-Retry-Num": str(pending.failed), "X-Slack-Retry-Reason": pending.reason}
        return await self.post(client, url, orjson.dumps(pending.event.payload), JSON, again if pending.failed else {})

    async def _send_interaction(self, client: httpx.AsyncClient, event: Event) -> Attempt:
        """Send an interaction once, as a form: docs.slack.dev/interactivity/handling-user-interaction."""
        url = find_request_url(self.manifest, "interactivity")
        if not url or takes_sockets(self.manifest):
            return Attempt()
        body = b"payload=" + quote_plus(orjson.dumps(event.payload)).encode()
        attempt = await self.post(client, url, body, "application/x-www-form-urlencoded", {})
        if not attempt.reason:
            answer_submission(self.host, self.principal, event, _read_object(attempt.body))
        return Attempt()

    async def _is_verified(self, client: httpx.AsyncClient, url: str) -> bool:
        """Whether an address has given back a challenge: docs.slack.dev/reference/events/url_verification."""
        if url in self._verified:
            return True
        challenge = digest("slack challenge", self.principal.world, url, size=26).hex()
        asked = {
            "token": digest("slack verification token", self.app_id).hex()[:24],
            "challenge": challenge,
            "type": "url_verification",
        }
        attempt = await self.post(client, url, orjson.dumps(asked), JSON, {})
        if not attempt.reason and read_challenge(attempt.body) == challenge:
            self._verified.add(url)
            return True
        if url not in self._complained:
            self._complained.add(url)
            log.warning(
                "%s did not respond with the value of the challenge parameter (%s)", url, attempt.reason or "200"
            )
        return False

    async def post(
        self, client: httpx.AsyncClient, url: str, body: bytes, kind: str, headers: Mapping[str, str]
    ) -> Attempt:
        """One signed POST. Only receivers that were allowed are sent anything, and redirects are not followed."""
        if find_receiver(url) not in self.receivers:
            if url not in self._complained:
                self._complained.add(url)
                log.warning("nothing is sent to %s: start the server with --receiver %s", url, find_receiver(url))
            return Attempt("connection_failed")
        signed = sign(find_signing_secret(self.host, self.principal), body, wall_epoch_seconds())
        sent = {"Content-Type": kind, "User-Agent": AGENT, **signed, **headers}
        try:
            answer = await client.post(url, content=body, headers=sent)
        except httpx.TimeoutException:
            return Attempt("http_timeout")
        except httpx.HTTPError:
            return Attempt("connection_failed")
        if answer.is_success:
            return Attempt(body=answer.content)
        return Attempt("http_error", answer.headers.get("X-Slack-No-Retry") == "1")


def _read_object(body: bytes) -> object:
    with suppress(orjson.JSONDecodeError):
        return orjson.loads(body)
    return None


def read_challenge(body: bytes) -> str:
    """The challenge in an answer: as plain text, as a form or as JSON."""
    text = body.decode("utf-8", "replace").strip()
    if text.startswith("{"):
        with suppress(orjson.JSONDecodeError):
            return str(orjson.loads(text).get("challenge", ""))
    return parse_qs(text).get("challenge", [text])[0]


async def deliver(host: Host, actor: Actor, receivers: Receivers) -> None:
    """Send what happens in a world to the request URLs of its apps, until it is gone or no app has one."""
    senders: dict[str, EventSender] = {}
    changed = asyncio.Event()

    def watch(version: int, tables: frozenset[str]) -> None:
        changed.set()

    actor.watchers.append(watch)
    try:
        async with httpx.AsyncClient(timeout=TIMEOUT_S, trust_env=False, follow_redirects=False) as client:
            while actor.ended is None and host.actors.get(actor.world_name) is actor:
                changed.clear()
                _read_apps(host, actor, receivers, senders)
                if not senders:
                    return
                for sender in senders.values():
                    await sender.verify(client)
                    await sender.deliver(client)
                with suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), LOOK_S)
    finally:
        actor.watchers.remove(watch)


def _read_apps(host: Host, actor: Actor, receivers: Receivers, senders: dict[str, EventSender]) -> None:
    """Bring the apps up to date that have an address."""
    manifests = {app: (orjson.loads(text), bot) for app, text, bot in rows(actor.bound, APPS)}
    wanted = {app: one for app, one in manifests.items() if any(find_request_url(one[0], part) for part in URLS)}
    for app in senders.keys() - wanted.keys():
        del senders[app]
    for app, (manifest, bot) in wanted.items():
        if app not in senders:
            speaker = host.principal(actor.world_name, str(bot), app="slack", kind="bot")
            senders[app] = EventSender(host, actor, app, speaker, receivers)
        senders[app].manifest = manifest
