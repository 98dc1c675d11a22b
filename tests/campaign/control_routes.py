"""Every route of the control plane, asked for with every credential of an employee, at every door of the agents' plane."""

from fastapi.routing import APIRoute

from tests.campaign.callers import ME, open_plane
from tests.campaign.part import Figures, Ground, Part, Tally
from tests.security.test_t01_control_plane import DOORS, VENDORS
from world.bench.attacker import Attacker
from world.core import discovery
from world.core.settings import Settings
from world.server.control_plane import control_plane
from world.server.control_state import Plane


def run(ground: Ground) -> Figures:
    """All of them at every scale: it takes seconds."""
    tally = Tally()
    with open_plane(ground, "control") as plane:
        plane.host.create("t1", Settings(limits="off"))
        routes = [one for one in control_plane(Plane(plane.host, "control secret")).routes if isinstance(one, APIRoute)]
        asked = [(method, one.path.replace("{world}", "t1")) for one in routes for method in sorted(one.methods)]
        people = [Attacker(plane, "t1", ME, app) for app in (*(one.name for one in discovery.apps()), "world")]
        credentials = [[("Authorization", f"Bearer {one.bearer}")] for one in people]
        credentials += [
            [("Cookie", f"firm_session={people[0].cookie}")],
            [("Authorization", "Bearer control secret")],
            [],
        ]
        before = sorted(plane.host.actors)
        for method, path in [*asked, ("GET", "/openapi.json"), ("GET", "/docs"), ("GET", "/redoc")]:
            for lines in credentials:
                for door in DOORS:
                    answer = plane.send(method, door + path, [*lines, ("Content-Type", "application/json")], b"{}")
                    tally.add(answer, f"{method} {door}{path}")
                    if answer.status < 300 and '"ok":false' not in answer.text and door + path not in VENDORS:
                        tally.note("successes", f"{method} {door}{path} {answer.text[:100]}")
        changed = sorted(plane.host.actors) != before or plane.host.actors["t1"].ended is not None
    return {
        **tally.figures("successes", "five_hundreds"),
        "routes": len(asked),
        "credentials": len(credentials),
        "changed_worlds": int(changed),
    }


part = Part("control_routes", 0, "requests of control routes", ("successes", "five_hundreds", "changed_worlds"), run)
