"""A client of Slack's Web API over a world, and calls of it as somebody."""

from collections.abc import Callable
from typing import Any

from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from apps.slack import rest
from tests.apps.slack.receivers import on_loop
from tests.company import as_person
from world.run.host import Host

Ask = Callable[..., dict[str, Any]]


def client_of(host: Host) -> TestClient:
    """A client of the service alone."""
    plane = Starlette(routes=[Mount("/slack", app=Starlette(routes=rest.routes(host)))])
    return TestClient(plane, base_url="http://testserver")


def bearer(token: str) -> dict[str, str]:
    """The header with a token."""
    return {"Authorization": f"Bearer {token}"}


def make_ask(host: Host, client: TestClient, *bots: str) -> Ask:
    """`ask("chat.postMessage", "bo", channel=...)`; Ada unless told. `bots` are handles of those who are no people."""

    def call(method: str, who: str = "ada", **arguments: Any) -> dict[str, Any]:
        kind = "bot" if who in bots else "user"
        token = on_loop(client, lambda: host.tokens.issue(as_person(host, who, kind=kind), "xoxp-{}"))
        return client.post(f"/slack/api/{method}", json=arguments, headers=bearer(token)).json()

    return call
