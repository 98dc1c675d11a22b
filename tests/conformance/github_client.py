"""A client of the code host's REST door whose every answer is compared with the published descriptions."""

from typing import Any

import httpx2
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from apps.github import rest
from tests.company import as_person
from tests.conformance.github import Checked
from tests.conformance.verbs import Verbs
from world.run.host import Host


class HubClient(Verbs):
    """An HTTP client that speaks as anybody: `client.get("/repos/tiny/app", who="bo")`; Ada unless told, nobody for
    `who=""`.
    """

    def __init__(self, host: Host, base: str = "http://127.0.0.1/github/api/v3") -> None:
        self.host = host
        app = Starlette(routes=rest.routes(host))
        self.http = TestClient(
            Checked(Starlette(routes=[Mount("/github", app=app), Mount("", app=app)])), base_url=base
        )

    def token(self, who: str) -> str:
        """A person's token."""
        return self.host.tokens.issue(as_person(self.host, who, app="github"), "ghp_{}")

    def request(self, method: str, path: str, *, who: str = "ada", **more: Any) -> httpx2.Response:
        """One request."""
        caller = {"Authorization": f"token {self.token(who)}"} if who else {}
        return self.http.request(
            method, path, headers={**caller, **more.pop("headers", {})}, follow_redirects=False, **more
        )

    def query(self, text: str, *, who: str = "ada", **variables: Any) -> httpx2.Response:
        """A GraphQL request."""
        address = str(self.http.base_url).rstrip("/").removesuffix("/v3") + "/graphql"
        return self.request("POST", address, who=who, json={"query": text, "variables": variables})
