"""What the API tells of itself, and what strangers are told: docs.github.com/rest/meta, .../emojis, .../markdown."""

import base64

from tests.conformance.github_client import HubClient


def test_constants_of_the_service_are_told(client: HubClient) -> None:
    assert client.get("/zen").text.endswith(".") and client.get("/zen").headers["content-type"].startswith("text/plain")
    assert client.get("/versions").json() == ["2022-11-28"]
    assert client.get("/meta").json()["verifiable_password_authentication"] is False
    emojis = client.get("/emojis").json()
    assert emojis["+1"] == emojis["thumbsup"] and "1f44d" in emojis["+1"]


def test_markdown_with_a_context_links_what_it_refers_to(client: HubClient) -> None:
    given = {"text": "see #1", "mode": "gfm"}
    linked = client.post("/markdown", json={**given, "context": "tiny/app"}).text
    assert 'href="https://github.com/tiny/app/issues/1"' in linked
    for other in ({}, {"context": "tiny/none"}, {"context": "tiny/app", "mode": "markdown"}):
        assert "href" not in client.post("/markdown", json={**given, **other}).text


def test_a_stranger_finds_no_repository_and_is_told_the_limit(client: HubClient) -> None:
    for path, status in (("/repos/tiny/app", 404), ("/user", 401), ("/nothing", 404)):
        answer = client.get(path, who="")
        assert answer.status_code == status and answer.headers["x-ratelimit-limit"] == "60", path


def test_licences_and_gitignore_templates_are_offered(client: HubClient) -> None:
    keys = [one["key"] for one in client.get("/licenses").json()]
    assert {"mit", "apache-2.0"} < set(keys) and len(client.get("/licenses?featured=true").json()) == 2
    mit = client.get("/licenses/MIT").json()
    assert (mit["spdx_id"], mit["conditions"]) == ("MIT", ["include-copyright"]) and "[year]" in mit["body"]
    assert client.get("/licenses/nothing").status_code == 404
    names = client.get("/gitignore/templates").json()
    assert "Python" in names and names == sorted(names, key=str.lower)
    assert "__pycache__/" in client.get("/gitignore/templates/Python").json()["source"]
    assert client.get("/gitignore/templates/Nothing").status_code == 404


def test_a_repository_begins_with_a_licence_and_a_gitignore(client: HubClient) -> None:
    chosen = {"name": "kit", "license_template": "mit", "gitignore_template": "Go"}
    made = client.post("/orgs/tiny/repos", json=chosen).json()
    assert made["license"]["name"] == "MIT License"
    assert [one["name"] for one in client.get("/repos/tiny/kit/contents").json()] == [".gitignore", "LICENSE"]
    found = client.get("/repos/tiny/kit/license").json()
    text = base64.b64decode(found["content"]).decode()
    assert (
        (found["path"], found["license"]["spdx_id"]) == ("LICENSE", "MIT") and "Tiny" in text and "[year]" not in text
    )
    shown = '{ repository(owner: "tiny", name: "kit") { licenseInfo { spdxId featured } } }'
    info = client.query(shown).json()["data"]["repository"]["licenseInfo"]
    assert info == {"spdxId": "MIT", "featured": True}
    for field in ("license_template", "gitignore_template"):
        assert client.post("/orgs/tiny/repos", json={"name": "odd", field: "nothing"}).status_code == 422


def test_the_licence_of_a_repository_follows_its_main_branch(client: HubClient) -> None:
    assert client.get("/repos/tiny/app/license").status_code == 404
    assert client.get("/repos/tiny/app").json()["license"] is None
    own = {"message": "Own terms", "content": base64.b64encode(b"All rights reserved.").decode()}
    client.put("/repos/tiny/app/contents/LICENSE.md", json=own)
    assert client.get("/repos/tiny/app").json()["license"]["spdx_id"] == "NOASSERTION"
    assert client.get("/repos/tiny/app/license").json()["license"]["key"] == "other"
    told = client.get("/repos/tiny/app/community/profile").json()["files"]["license"]
    assert told["spdx_id"] == "NOASSERTION" and told["html_url"].endswith("/blob/main/LICENSE.md")
    info = client.query('{ repository(owner: "tiny", name: "app") { licenseInfo { spdxId } } }').json()
    assert info["data"]["repository"]["licenseInfo"] == {"spdxId": "NOASSERTION"}
    assert client.patch("/repos/tiny/app", json={"default_branch": "feature"}).json()["license"] is None
