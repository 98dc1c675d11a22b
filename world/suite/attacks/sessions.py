"""A26 to A28: requests used again, keys of others, and quotas used up."""

from typing import Any

import httpx

from world.agents.runner import task_of
from world.agents.steps import Scene
from world.gate.crawler import Reach
from world.run import episode
from world.suite.attacks.attack_context import Attack, Fight

FLOOD = 3_000


def replay(fight: Fight) -> None:
    """Requests of a world that is gone, sent again when its name is in use again."""
    assert fight.task is not None
    host, name = fight.run.host, f"{fight.run.world}-again"
    captured: list[httpx.Request] = []
    fight.apart(lambda: host.fork(fight.run.actor, name))
    old = Reach(fight.apart(lambda: task_of(episode.of_world(fight.run, name), fight.task.url if fight.task else "")))
    old.http.event_hooks["request"].append(captured.append)
    _use(old)
    old.http.event_hooks["request"].clear()
    fight.apart(lambda: host.drop(name))
    fight.apart(lambda: host.fork(fight.run.actor, name))
    try:
        before = fight.apart(lambda: host.actors[name].version)
        for request in captured:
            answer = old.http.send(request)
            if answer.status_code < 300 and '"ok":false' not in answer.text[:40]:
                fight.breaches.append(f"{request.method} {request.url.path} accepted again")
        if fight.apart(lambda: host.actors[name].version) != before:
            fight.breaches.append("a replayed request reached the new world")
    finally:
        old.close()
        fight.apart(lambda: host.drop(name))


def _use(reach: Reach) -> None:
    """A little of everything, at every app's API and the world's own."""
    for app in reach.apps:
        reach.http.get(f"/{app}/", headers=reach.cookie)
    for path, app in (
        ("/slack/api/auth.test", "slack"),
        ("/slack/api/conversations.list", "slack"),
        ("/jira/rest/api/3/myself", "jira"),
        ("/gmail/gmail/v1/users/me/profile", "gmail"),
        ("/github/user", "github"),
    ):
        if app in reach.apps:
            reach.http.request("POST" if app == "slack" else "GET", path, headers=reach.bearer(app))
    reach.http.post("/world/wait", json={"seconds": 1}, headers=reach.bearer(""))


def forge(fight: Fight) -> None:
    """Posts under keys that others have used, and under one key many times."""
    assert fight.task is not None
    reach, scene = Reach(fight.task), Scene(fight.run, fight.apart)
    keys = [str(row["client_msg_id"]) for row in scene.rows("slack_message")[-200:] if row.get("client_msg_id")] or [
        "key"
    ]
    places = [row["channel_id"] for row in scene.rows("slack_member", person_id=scene.me)][:5]
    try:
        for number, (key, place) in enumerate((key, place) for key in [*keys[:5], "same", "same"] for place in places):
            body: dict[str, Any] = {"channel": place, "text": f"Done. {number}", "client_msg_id": key}
            reach.http.post(
                "/slack/api/chat.postMessage", json=body, headers={**reach.bearer("slack"), "Idempotency-Key": key}
            )
        _end(reach, {"status": "done"})
    finally:
        reach.close()


def exhaust(fight: Fight) -> None:
    """Calls until no more are taken, and then the excuse."""
    assert fight.task is not None
    reach = Reach(fight.task)
    try:
        for _ in range(FLOOD):
            answer = reach.http.post("/slack/api/conversations.list", headers=reach.bearer("slack"))
            if answer.status_code != 200 or '"ok":false' in answer.text[:40]:
                break
        _end(reach, {"status": "impossible", "reason": "outage", "evidence": "every call was refused"})
    finally:
        reach.close()


def _end(reach: Reach, said: dict[str, str]) -> None:
    reach.http.post("/world/finish", json=said, headers=reach.bearer(""))


ATTACKS = (
    Attack("A26", "replays requests", replay, served=True),
    Attack("A27", "forged keys", forge, served=True),
    Attack("A28", "exhausted quotas", exhaust, served=True),
)
