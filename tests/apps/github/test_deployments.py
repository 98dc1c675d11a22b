"""How a deployment goes: states, and links that lead somewhere."""

import pytest

from tests.apps.github.conftest import Say
from tests.conformance.github_client import HubClient

APP = "/repos/tiny/app"


@pytest.mark.parametrize("name", ["target_url", "log_url", "environment_url"])
def test_a_status_takes_links_of_the_web_only(client: HubClient, say: Say, name: str) -> None:
    deployment = say("repos/create-deployment", ref="main", environment="staging", required_contexts=[])
    place = f"{APP}/deployments/{deployment['id']}/statuses"
    refused = client.post(place, json={"state": "success", name: "9999999999"})
    assert refused.status_code == 422
    assert refused.json()["errors"] == [
        {
            "resource": "DeploymentStatus",
            "field": name,
            "code": "custom",
            "message": f"{name} must use http(s) scheme",
        }
    ]
    assert client.get(place).json() == []
    taken = client.post(place, json={"state": "success", name: "https://ci.example/1"})
    assert taken.status_code == 201 and taken.json()["log_url" if name == "target_url" else name].endswith("/1")
