"""Quotas by resource: searches, code searches, GraphQL and all else are counted apart, and refused apart."""

import httpx2
import pytest

from tests.company import as_person
from tests.conformance.github_client import HubClient
from world.core.settings import Settings
from world.run.host import Host


@pytest.fixture
def client(host: Host) -> HubClient:
    """In a world whose calls take no time."""
    host.drop("w")
    host.create("w", Settings(read_s=0, write_s=0))
    return HubClient(host)


def left(answer: httpx2.Response) -> tuple[str, int, int]:
    """What an answer says of its resource."""
    told = answer.headers
    return told["x-ratelimit-resource"], int(told["x-ratelimit-limit"]), int(told["x-ratelimit-remaining"])


def test_each_resource_has_a_count_of_its_own(client: HubClient) -> None:
    assert left(client.get("/user")) == ("core", 5000, 4999)
    assert left(client.get("/search/issues?q=slow")) == ("search", 30, 29)
    assert left(client.get("/search/users?q=bo")) == ("search", 30, 28)
    assert left(client.get("/search/code?q=count+repo:tiny/app")) == ("code_search", 10, 9)
    asked = client.query("{rateLimit {limit remaining used}}")
    assert left(asked) == ("graphql", 5000, 4999)
    assert asked.json()["data"]["rateLimit"] == {"limit": 5000, "remaining": 4999, "used": 1}
    assert left(client.get("/search/issues")) == ("search", 30, 27)
    told = client.get("/rate_limit").json()
    used = {name: one["used"] for name, one in told["resources"].items()}
    assert used == {"core": 1, "search": 3, "code_search": 1, "graphql": 1}
    assert told["rate"] == told["resources"]["core"]
    assert {one["used"] for one in client.get("/rate_limit", who="bo").json()["resources"].values()} == {0}


def test_searches_are_refused_when_their_minute_is_used_up_and_nothing_else_is(host: Host, client: HubClient) -> None:
    for _ in range(30):
        assert client.get("/search/issues?q=slow").status_code == 200
    refused = client.get("/search/users?q=bo")
    assert (refused.status_code, refused.json()["message"]) == (403, "API rate limit exceeded.")
    assert left(refused) == ("search", 30, 0) and "retry-after" not in refused.headers
    assert int(refused.headers["x-ratelimit-reset"]) - host.actors["w"].now // 1_000_000 in (60, 61)
    assert client.get("/search/code?q=count+repo:tiny/app").status_code == client.get("/user").status_code == 200
    assert client.get("/search/issues?q=slow", who="bo").status_code == 200
    host.actors["w"].advance(host.actors["w"].now + 61_000_000)
    assert left(client.get("/search/issues?q=slow")) == ("search", 30, 29)


def test_searches_on_the_pages_count_nowhere(host: Host, client: HubClient) -> None:
    for _ in range(40):
        host.call(as_person(host), "page", "search/code", {"q": "count repo:tiny/app"})
    assert left(client.get("/search/code?q=count+repo:tiny/app")) == ("code_search", 10, 9)
