"""What the API tells of itself, and what strangers are told: docs.github.com/rest/meta, .../emojis, .../markdown."""

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
