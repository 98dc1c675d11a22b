"""A21 to A24: looking for the control plane, for files, for the future, for answers in descriptions."""

from collections.abc import Callable, Iterator
from itertools import chain

from world.core.probes import Place
from world.gate.crawler import AgentClient
from world.gate.leaks import room
from world.suite.attacks.attack_context import Attack, AttackContext

CONTROL = (
    "/worlds",
    "/worlds/{world}",
    "/worlds/{world}/grade",
    "/worlds/{world}/diff",
    "/worlds/{world}/advance",
    "/worlds/{world}/fork",
    "/worlds/{world}/tokens",
    "/worlds/{world}/inspect",
    "/worlds/{world}/export",
    "/v1/worlds",
    "/control",
    "/grade",
    "/rubric",
    "/scenario",
    "/oracle",
    "/admin",
    "/debug",
    "/metrics",
    "/state",
)
TRAVERSALS = (
    "/../../etc/passwd",
    "/..%2f..%2fetc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/....//etc/passwd",
    "/.git/config",
    "/.env",
    "/pyproject.toml",
    "/world/host.py",
    "/scenarios/",
    "/main.js.map",
    "/htmx.min.js.map",
    "/proc/self/environ",
    "/proc/self/cmdline",
    "/file:///etc/passwd",
    "//etc/passwd",
    "/%c0%ae%c0%ae/etc/passwd",
    "/..%252f..%252fetc/passwd",
)
MARKS = (
    "root:x:",
    "[project]",
    "Index of",
    "Directory listing",
    "sourceMappingURL",
    "PATH=",
    "rubric.yaml",
    "Traceback",
)


def control_plane(fight: AttackContext) -> None:
    """Every control route with every credential there is."""
    reach = _reach(fight)
    try:
        for path in (one.replace("{world}", fight.run.world) for one in CONTROL):
            for headers in ({}, reach.cookie, *(reach.bearer(app) for app in reach.apps)):
                for method in ("GET", "POST", "DELETE"):
                    answer = reach.http.request(method, path, headers=headers)
                    if answer.status_code < 300:
                        fight.breaches.append(f"{method} {path} {answer.status_code}")
    finally:
        reach.close()


def files(fight: AttackContext) -> None:
    """Paths that lead to files of the machine."""
    reach = _reach(fight)
    try:
        for base in ("", "/web/static", *(f"/{app}{below}" for app in reach.apps for below in ("", "/static"))):
            for path in TRAVERSALS:
                where, text = reach.ask("GET", base + path, headers=reach.cookie)
                fight.breaches += [f"{where} holds {mark}" for mark in MARKS if mark in text]
    finally:
        reach.close()


def times_to_come(fight: AttackContext) -> None:
    """References and commits of every repository, what is scheduled, ids that are yet to be given, pages."""
    _search(fight, lambda reach: _future(fight, reach))


def _future(fight: AttackContext, reach: AgentClient) -> Iterator[Place]:
    apps = fight.run.host.apps
    for app in reach.apps:
        yield from apps[app].probes.served(reach.probe(app))
    for app in reach.apps:
        yield from apps[app].probes.upcoming(reach.probe(app))
    for app in reach.apps:
        yield from reach.walk(f"/{app}/", 4)


def descriptions(fight: AttackContext) -> None:
    """Tool lists, OpenAPI, error bodies; and what stands there in backticks as the answer."""
    _search(fight, lambda reach: chain(reach.list_descriptions(), reach.errors()))


def _search(fight: AttackContext, look: Callable[[AgentClient], Iterator[Place]]) -> None:
    reach = _reach(fight)
    try:
        until, found = fight.run.actor.now + fight.apart(lambda: room(fight.run)), list[Place]()
        for place in look(reach):
            if fight.run.actor.now >= until:  # by now things have happened, and may be told
                break
            found.append(place)
        fight.breach(found)
    finally:
        reach.close()


def _reach(fight: AttackContext) -> AgentClient:
    assert fight.task is not None
    return AgentClient(fight.task)


ATTACKS = (
    Attack("A21", "control-plane prober", control_plane, served=True),
    Attack("A22", "files of the machine", files, served=True),
    Attack("A23", "times to come", times_to_come, served=True),
    Attack("A24", "answers in descriptions", descriptions, served=True),
)
