"""The control plane through the public client: worlds, forks, tokens, grades, and what it refuses."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.conftest import Server
from world.client import Client, ControlError

SCENARIO = "us_east_1_outage"


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with Client(secret="control secret", url=server.control_url) as made:
        yield made


def slack(server: Server, token: str, method: str, **arguments: object) -> dict[str, object]:
    answer = httpx.post(
        f"{server.url}/slack/api/{method}", json=arguments, headers={"Authorization": f"Bearer {token}"}
    )
    return answer.json()


@pytest.mark.full
def test_an_outside_agent_is_given_a_token_works_and_is_graded(server: Server, client: Client) -> None:
    world = client.create(scenario=SCENARIO, seed=1)
    assert world.agent is not None and "on call for Payments" in str(world.task)
    token = client.token(world.world, "slack")
    assert token.token.startswith("xoxp-")
    who = slack(server, token.token, "auth.test")
    assert who["ok"] is True
    posted = slack(server, token.token, "chat.postMessage", channel="#random", text="hello")
    assert posted["ok"] is True
    changed = {row["table"] for row in client.diff(world.world)}
    assert "slack_message" in changed
    verdict = client.grade(world.world)
    assert (verdict["pass"], verdict["score"]) == (False, 0.0)
    assert [row["change"] for row in verdict["unclaimed"]] == ["insert"]
    public = client.grade(world.world, public=True)
    assert public["charges"][0]["text"] == "hello" and public["charges"][0]["step"]["operation"] == "chat.postMessage"
    assert set(public) == {"pass", "score", "unmet", "charges"} and public["unmet"] == sum(
        item["share"] < 1 for item in verdict["items"]
    )
    assert client.describe(world.world).ended is None


def test_forks_go_on_from_any_call_and_know_nothing_of_each_other(server: Server, client: Client) -> None:
    parent = client.create(name="parent").world
    token = client.token(parent, "slack", person=_somebody(server, parent)).token
    for text in ("one", "two"):
        slack(server, token, "chat.postMessage", channel="#random", text=text)
    child = client.fork(parent, at=1).world
    assert client.state_hash(child) != client.state_hash(parent)
    texts = [row["after"]["text"] for row in client.diff(child) if row["table"] == "slack_message"]
    assert texts == ["one"]
    assert slack(server, client.token(child, "slack", person=_somebody(server, child)).token, "auth.test")["ok"] is True


def test_an_apps_token_opens_that_apps_api_and_the_login_link_beside_it_all_pages(
    server: Server, client: Client
) -> None:
    world = client.create().world
    given = client.token(world, "slack", person=_somebody(server, world))

    def page(key: str, app: str) -> int:
        return httpx.get(
            f"{server.url}/{app}/", headers={"Cookie": f"firm_session={key}"}, follow_redirects=False
        ).status_code

    assert (page(given.token, "slack"), page(given.token, "jira")) == (303, 303)
    assert httpx.get(f"{server.url}/login/{given.token}").status_code == 403
    key = given.login.rpartition("/")[2]
    assert page(key, "jira") == 200 and slack(server, key, "auth.test")["ok"] is True


def test_a_vendors_other_credentials_come_with_the_token(server: Server, client: Client) -> None:
    world = client.create().world
    me = _somebody(server, world)
    assert client.token(world, "gmail", person=me).credentials == {}
    key = client.token(world, "gmail", person=me, credential="service_account", subjects=["dkowalski"]).credentials
    assert key["type"] == "service_account" and key["token_uri"] == f"{server.url}/gmail/token"
    with pytest.raises(ControlError, match="422: slack has no credential 'service_account'; it has app_token"):
        client.token(world, "slack", person=me, credential="service_account")
    with pytest.raises(ControlError, match="404"):
        client.token(world, "gmail", person=me, credential="service_account", subjects=["nobody at all"])


def test_a_dropped_world_is_gone_with_its_tokens(server: Server, client: Client) -> None:
    world = client.create().world
    token = client.token(world, "slack", person=_somebody(server, world)).token
    client.drop(world)
    assert slack(server, token, "auth.test") == {"ok": False, "error": "invalid_auth"}
    with pytest.raises(ControlError, match="404"):
        client.describe(world)


def test_injected_operations_and_advances_are_journaled_as_the_control_door(server: Server, client: Client) -> None:
    world = client.create().world
    who = _somebody(server, world)
    client.inject(world, who, "chat.postMessage", channel="#random", text="from outside")
    client.advance(world, "2h")
    calls = [(call["door"], call["operation"]) for call in client.history(world)["calls"]]
    assert calls == [("control", "chat.postMessage"), ("world", "advance")]


@pytest.mark.parametrize(
    ("call", "status"),
    [
        (lambda c: c.create(scenario="us_east_1_outag"), 422),
        (lambda c: c.create(name="Not A Name"), 422),
        (lambda c: c.create(nonsense=1), 422),
        (lambda c: c.advance("nobody", "1h"), 404),
        (lambda c: c.grade(c.create().world), 409),
        (lambda c: c.fork(c.create().world, at=99), 404),
        (lambda c: c.token(c.create().world, person="nobody"), 404),
        (lambda c: c.advance(c.create().world, "soon"), 422),
        (lambda c: c.inject(c.create().world, "nobody", "chat.postMessage"), 404),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(client: Client, call: object, status: int) -> None:
    with pytest.raises(ControlError) as refused:
        call(client)  # type: ignore[operator]
    assert refused.value.status == status
    assert refused.value.message


def test_without_the_secret_nothing_answers(server: Server) -> None:
    for path in ("/worlds", "/openapi.json", "/health", "/worlds/x/grade"):
        answer = httpx.get(server.control_url + path, headers={"Authorization": "Bearer wrong"})
        assert answer.status_code in (401, 404, 405), path
        assert "worlds" not in answer.text


def test_the_agents_plane_knows_no_control_route(server: Server, client: Client) -> None:
    world = client.create(scenario=SCENARIO).world
    token = client.token(world).token
    for path in ("/worlds", f"/worlds/{world}", f"/worlds/{world}/grade", "/scenarios", "/openapi.json", "/health"):
        for method in ("GET", "POST", "DELETE"):
            answer = httpx.request(
                method, server.url + path, headers={"Authorization": f"Bearer {token}"}, cookies={"firm_session": token}
            )
            assert answer.status_code in (404, 405), (method, path, answer.status_code)


def _somebody(server: Server, world: str) -> str:
    query = (
        "SELECT m.person_id FROM slack_member m JOIN slack_channel c ON c.id = m.channel_id JOIN person p ON p.id ="
        " m.person_id WHERE c.name = 'random' AND p.status = 'active' AND p.kind = 'employee' ORDER BY 1 LIMIT 1"
    )
    return server.do(lambda: server.up.host.actors[world].bound.raw.execute(query).fetchone()[0])


def test_worlds_of_an_earlier_process_open_by_name_and_names_do_not_collide(company: Path, tmp_path: Path) -> None:
    before = Server(company, tmp_path)
    with Client(secret="control secret", url=before.control_url) as client:
        world, plain = client.create(scenario=SCENARIO, seed=1).world, client.create().world
        for name in (world, plain):
            token = client.token(name, "slack", person=_somebody(before, name)).token
            assert slack(before, token, "chat.postMessage", channel="#random", text="kept")["ok"] is True
        known = {name: (client.describe(name), client.state_hash(name)) for name in (world, plain)}
    before.stop()
    after = Server(company, tmp_path)
    with Client(secret="control secret", url=after.control_url) as client:
        assert {world, plain} <= set(client.worlds())
        assert client.create().world not in (world, plain)
        assert {name: (client.describe(name), client.state_hash(name)) for name in (world, plain)} == known
        later = client.advance(world, "2h")
        assert later.now > known[world][0].now and later.calls > known[world][0].calls + 1  # its events go on
        with pytest.raises(ControlError, match="no world 'nowhere'"):
            client.describe("nowhere")
    after.stop()
