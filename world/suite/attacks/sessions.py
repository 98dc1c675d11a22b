"""A26 to A28: requests used again, keys of others, and quotas used up."""

from collections.abc import Mapping

import httpx

from world.agents.runner import task_of
from world.agents.steps import Scene
from world.core.app import App
from world.gate.crawler import AgentClient
from world.run import episode
from world.suite.attacks.attack_context import Attack, AttackContext

FLOOD = 3_000


def replay(fight: AttackContext) -> None:
    """Requests of a world that is gone, sent again when its name is in use again."""
    assert fight.task is not None
    host, name = fight.run.host, f"{fight.run.world}-again"
    captured: list[httpx.Request] = []
    fight.apart(lambda: host.fork(fight.run.actor, name))
    old = AgentClient(
        fight.apart(lambda: task_of(episode.of_world(fight.run, name), fight.task.url if fight.task else ""))
    )
    old.http.event_hooks["request"].append(captured.append)
    _use(old, host.apps)
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


def _use(reach: AgentClient, apps: Mapping[str, App]) -> None:
    """A little of everything, at every app's API and the world's own."""
    for app in reach.apps:
        reach.http.get(f"/{app}/", headers=reach.cookie)
    for app in reach.apps:
        for method, path in apps[app].probes.own:
            reach.probe(app).ask(method, path)
    reach.http.post("/world/wait", json={"seconds": 1}, headers=reach.bearer(""))


def forge(fight: AttackContext) -> None:
    """Posts under keys that others have used, and under one key many times."""
    assert fight.task is not None
    reach, scene = AgentClient(fight.task), Scene(fight.run, fight.apart)
    posts = [(app, post) for app in reach.apps for post in fight.run.host.apps[app].probes.forged(scene)]
    try:
        for app, post in posts:
            headers = {**reach.bearer(app), "Idempotency-Key": post.key}
            reach.http.post(f"/{app}{post.path}", json=post.body, headers=headers)
        _end(reach, {"status": "done"})
    finally:
        reach.close()


def exhaust(fight: AttackContext) -> None:
    """Calls until no more are taken, and then the excuse."""
    assert fight.task is not None
    reach = AgentClient(fight.task)
    try:
        for app in reach.apps:
            _flood(reach, app, fight.run.host.apps[app].probes.flood)
        _end(reach, {"status": "impossible", "reason": "outage", "evidence": "every call was refused"})
    finally:
        reach.close()


def _flood(reach: AgentClient, app: str, request: tuple[str, str] | None) -> None:
    """One request until it is refused."""
    if request is None:
        return
    method, path = request
    for _ in range(FLOOD):
        answer = reach.http.request(method, f"/{app}{path}", headers=reach.bearer(app))
        if answer.status_code != 200 or '"ok":false' in answer.text[:40]:
            break


def _end(reach: AgentClient, said: dict[str, str]) -> None:
    reach.http.post("/world/finish", json=said, headers=reach.bearer(""))


ATTACKS = (
    Attack("A26", "replays requests", replay, served=True),
    Attack("A27", "forged keys", forge, served=True),
    Attack("A28", "exhausted quotas", exhaust, served=True),
)
