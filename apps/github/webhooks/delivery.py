"""Webhook deliveries: payload and signatures are stored as a delivery; nothing leaves the world.

Source: docs.github.com/webhooks/webhook-events-and-payloads,
docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
"""

import hmac
from collections.abc import Mapping
from hashlib import sha1, sha256
from urllib.parse import quote_plus

import orjson
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.models import Hook, HookDelivery, Repository
from apps.github.views.accounts import repo_json, user_json
from world.core.app import Facts
from world.core.call import Call
from world.core.clock import SECOND
from world.core.json_types import JsonObject
from world.core.rng import Stream, digest

DELIVER = "github.webhook"  # a delivery: faults may hold it back, lose it or repeat it
DELAY_US = SECOND
DURATION_MS = (40, 400)
MOST_KEPT = 1_000  # deliveries of a hook
AGENT = "GitHub-Hookshot/044aadd"


def hooks_for(context: GithubContext, repo: Repository, event: str) -> list[Hook]:
    """Return the active hooks that subscribe to an event."""
    rows = context.call.session.exec(
        select(Hook).where(Hook.repo_id == repo.id, col(Hook.active).is_(True)).order_by(col(Hook.id))
    ).all()
    return [row for row in rows if event in row.events or "*" in row.events]


def queue_deliveries(
    context: GithubContext, repo: Repository, event: str, action: str | None, payload: Mapping[str, object]
) -> None:
    """Queue a delivery to every hook that subscribes to an event; `payload` is without the common fields."""
    wanted = hooks_for(context, repo, event)
    if not wanted:
        return
    whole = {**({"action": action} if action else {}), **payload, **common_payload(context, repo)}
    for hook in wanted:
        send(context, hook, event, action, whole)


def common_payload(context: GithubContext, repo: Repository) -> JsonObject:
    """Return the fields common to all payloads."""
    owner = context.account(repo.owner_id)
    shown: JsonObject = {"repository": repo_json(context, repo), "sender": user_json(context, context.me)}
    if owner.kind == "Organization":
        shown["organization"] = {
            "login": owner.login,
            "id": owner.id,
            "url": f"{context.api}/orgs/{owner.login}",
            "description": None,
        }
    return shown


def send(
    context: GithubContext,
    hook: Hook,
    event: str,
    action: str | None,
    payload: Mapping[str, object],
    *,
    again: str | None = None,
) -> None:
    """Queue one delivery; `again` is the guid of a repeated one."""
    guid = again or _guid(context, hook)
    text = orjson.dumps(payload).decode()
    context.call.later(
        DELIVER,
        context.call.now + DELAY_US,
        hook=hook.id,
        event=event,
        action=action,
        payload=text,
        guid=guid,
        again=again is not None,
    )


def _guid(context: GithubContext, hook: Hook) -> str:
    text = digest("delivery", context.call.rng.seed, hook.id, context.next_id("github_hook_guid")).hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:32]}"


@app.on(DELIVER, delivery=True)
def keep_delivery(call: Call, facts: Facts) -> None:
    """Store a delivery to a hook, as it would arrive now."""
    hook = call.session.get(Hook, int(str(facts["hook"])))
    if hook is None:
        return
    context = GithubContext(call)
    payload = orjson.loads(str(facts["payload"]))
    event, guid = str(facts["event"]), str(facts["guid"])
    row = HookDelivery(
        id=context.next_id("github_hook_delivery"),
        hook_id=hook.id,
        guid=guid,
        event=event,
        action=None if facts["action"] is None else str(facts["action"]),
        redelivery=bool(facts["again"]),
        duration_ms=Stream("hook", guid, call.now).integer(*DURATION_MS),
        headers=headers(hook, event, guid, payload),
        payload=payload,
        delivered_at=call.now,
    )
    context.add(row)
    call.flush()
    _forget_oldest(context, hook)


def _forget_oldest(context: GithubContext, hook: Hook) -> None:
    context.call.execute(
        "DELETE FROM github_hook_delivery WHERE hook_id = :hook AND id <= (SELECT id FROM github_hook_delivery WHERE"
        " hook_id = :hook ORDER BY id DESC LIMIT 1 OFFSET :kept)",
        {"hook": hook.id, "kept": MOST_KEPT},
    )


def body_of(hook: Hook, payload: Mapping[str, object]) -> bytes:
    """Return the bytes that would be sent."""
    text = orjson.dumps(payload)
    return text if hook.content_type == "json" else b"payload=" + quote_plus(text).encode()


def headers(hook: Hook, event: str, guid: str, payload: Mapping[str, object]) -> dict[str, str]:
    """Return the headers that would be sent, signed when the hook has a secret."""
    kind = "application/json" if hook.content_type == "json" else "application/x-www-form-urlencoded"
    shown = {
        "Accept": "*/*",
        "Content-Type": kind,
        "User-Agent": AGENT,
        "X-GitHub-Delivery": guid,
        "X-GitHub-Event": event,
        "X-GitHub-Hook-ID": str(hook.id),
        "X-GitHub-Hook-Installation-Target-ID": str(hook.repo_id),
        "X-GitHub-Hook-Installation-Target-Type": "repository",
    }
    if hook.secret:
        body = body_of(hook, payload)
        shown["X-Hub-Signature"] = "sha1=" + hmac.new(hook.secret.encode(), body, sha1).hexdigest()
        shown["X-Hub-Signature-256"] = "sha256=" + hmac.new(hook.secret.encode(), body, sha256).hexdigest()
    return shown


def ping(context: GithubContext, repo: Repository, hook: Hook, shown: Mapping[str, object]) -> None:
    """Queue a ping."""
    zen = Stream("zen", hook.id, context.call.now).choice(ZEN)
    send(
        context,
        hook,
        "ping",
        None,
        {"zen": zen, "hook_id": hook.id, "hook": dict(shown), **common_payload(context, repo)},
    )


ZEN = (
    "Responsive is better than fast.",
    "It's not fully shipped until it's fast.",
    "Anything added dilutes everything else.",
    "Practicality beats purity.",
    "Approachable is better than simple.",
    "Mind your words, they are important.",
    "Speak like a human.",
    "Half measures are as bad as nothing at all.",
    "Encourage flow.",
    "Non-blocking is better than blocking.",
    "Favor focus over features.",
    "Avoid administrative distraction.",
    "Design for failure.",
    "Keep it logically awesome.",
)
