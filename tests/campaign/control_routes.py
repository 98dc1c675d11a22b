"""Every route of the control plane with every credential of an employee: at every door of the agents' plane, where it does
not exist, and on the control planes themselves, which refuse it.
"""

from collections.abc import Iterable

import httpx
from fastapi.routing import APIRoute
from starlette.types import ASGIApp

from tests.campaign.callers import ME, open_plane
from tests.campaign.part import Figures, Ground, Part, Tally
from tests.security.test_t01_control_plane import DOORS, VENDORS
from world.bench.attacker import Attacker
from world.bench.local_plane import Answer, LocalPlane
from world.core import discovery
from world.core.access import Tokens
from world.core.settings import Settings
from world.server.control_plane import control_plane
from world.server.control_state import Plane
from world.server.workers.fleet_plane import OWN, fleet_plane
from world.server.workers.routing import RoutingTable
from world.server.workers.supervisor import Supervisor

SECRET = "control secret"
FRAMEWORK = ("/openapi.json", "/docs", "/redoc")
Route = tuple[str, str]
Lines = list[tuple[str, str]]


def run(ground: Ground) -> Figures:
    """All of them at every scale: it takes seconds."""
    tally = Tally()
    with open_plane(ground, "control") as plane:
        plane.host.create("t1", Settings(limits="off"))
        control = control_plane(Plane(plane.host, SECRET))
        routes = list_routes(control.routes)
        credentials = list_credentials(plane)
        before = sorted(plane.host.actors)
        ask_agents_plane(plane, routes, [*credentials, [("Authorization", f"Bearer {SECRET}")], []], tally)
        plane.run(ask_control_planes(control, routes, [*credentials, []], tally))
        changed = sorted(plane.host.actors) != before or plane.host.actors["t1"].ended is not None
    return {
        **tally.figures("successes", "five_hundreds"),
        "routes": len(routes),
        "credentials": len(credentials) + 2,
        "changed_worlds": int(changed),
    }


def list_routes(routes: Iterable[object]) -> list[Route]:
    """Method and path of every control route, of the fleet's own, and of those the framework would add."""
    found = [
        (method, one.path.replace("{world}", "t1"))
        for one in routes
        if isinstance(one, APIRoute)
        for method in sorted(one.methods)
    ]
    return list(dict.fromkeys([*found, *(("GET", path) for path in (*sorted(OWN), *FRAMEWORK))]))


def list_credentials(plane: LocalPlane) -> list[Lines]:
    """The token of every app, and the log-in."""
    people = [Attacker(plane, "t1", ME, app) for app in (*(one.name for one in discovery.apps()), "world")]
    return [
        *([("Authorization", f"Bearer {one.bearer}")] for one in people),
        [("Cookie", f"firm_session={people[0].cookie}")],
    ]


def ask_agents_plane(plane: LocalPlane, routes: list[Route], credentials: list[Lines], tally: Tally) -> None:
    """No door has a control route."""
    for method, path in routes:
        for lines in credentials:
            for door in DOORS:
                answer = plane.send(method, door + path, [*lines, ("Content-Type", "application/json")], b"{}")
                tally.add(answer, f"{method} {door}{path}")
                if answer.status < 300 and '"ok":false' not in answer.text and door + path not in VENDORS:
                    tally.note("successes", f"{method} {door}{path} {answer.text[:100]}")


async def ask_control_planes(control: ASGIApp, routes: list[Route], credentials: list[Lines], tally: Tally) -> None:
    """The control plane, and the parent's own of several workers, refuse every credential of an employee."""
    fleet = fleet_plane(Supervisor((), (), RoutingTable(Tokens("tokens"))), SECRET)
    for app in (control, fleet):
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
            for method, path in routes:
                for lines in credentials:
                    got = await client.request(method, path, headers=lines, content=b"{}")
                    tally.add(Answer(got.status_code, dict(got.headers), got.content, 0.0), f"control {method} {path}")
                    if got.status_code not in (401, 404):
                        tally.note("successes", f"control {method} {path} {got.status_code} {got.text[:100]}")


part = Part("control_routes", 0, "requests of control routes", ("successes", "five_hundreds", "changed_worlds"), run)
