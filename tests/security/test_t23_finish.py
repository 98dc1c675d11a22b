"""Who ends an episode: the employee whose task it is, with a key of their own. Any other key leaves it as it is."""

from collections.abc import Iterator

import httpx
import pytest

from tests.conftest import Server
from world.client import Client
from world.core import discovery

SCENARIO = "flapping_alert"
APPS = [app.name for app in discovery.apps()]


@pytest.fixture
def control(served: Server) -> Iterator[Client]:
    with Client(secret="control secret", url=served.control_url) as client:
        yield client


def finish(served: Server, token: str) -> httpx.Response:
    return httpx.post(f"{served.url}/world/finish", json={}, headers={"Authorization": f"Bearer {token}"})


def test_a_key_to_one_app_ends_nothing(served: Server, control: Client) -> None:
    world = control.create(scenario=SCENARIO).world
    for app in APPS:
        answer = finish(served, control.token(world, app=app).token)
        assert (answer.status_code, answer.json()["error"]) == (403, "not_yours"), app
    assert control.describe(world).ended is None
    assert finish(served, control.token(world).token).status_code == 200


def test_nobody_ends_anybody_elses_episode(served: Server, control: Client) -> None:
    world = control.create(scenario=SCENARIO).world
    fork = control.fork(world).world
    for name in (world, fork):
        agent = control.describe(name).agent
        other = next(one for one in ("p_0001", "p_0002") if one != agent)
        assert finish(served, control.token(name, person=other).token).status_code == 403
        assert control.describe(name).ended is None


def test_a_key_with_scopes_ends_nothing(served: Server, control: Client) -> None:
    world = control.create(scenario=SCENARIO).world
    agent = str(control.describe(world).agent)
    limited = served.do(lambda: issue_limited(served, world, agent))
    assert finish(served, limited).status_code == 403


def issue_limited(served: Server, world: str, person: str) -> str:
    """A token of somebody's that is limited to some scopes."""
    host = served.up.host
    return host.tokens.issue(host.principal(world, person, scopes=["users:read"]))


def test_where_nobody_has_a_task_anybody_may_finish(served: Server, control: Client) -> None:
    world = control.create().world
    assert finish(served, control.token(world, person="p_0002").token).status_code == 200
