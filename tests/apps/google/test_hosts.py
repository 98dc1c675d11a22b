"""One host name of Google's stands for several services: the path says for which."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

import apps.gmail
from tests.apps.google import shelf
from tests.company import as_person, image
from world.core.access import Tokens
from world.core.settings import Settings
from world.run.host import Host
from world.server.agent_plane import agent_plane, vendor_hosts
from world.store import Base, Store

MAIL, FILES, VALUES = "/gmail/v1/users/me/profile", "/drive/v3/files", "/v4/spreadsheets/s1/values/A1"


@pytest.fixture(scope="module")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """The agents' plane with mail and the shelf, for a client that is known to both."""
    folder, served = tmp_path_factory.mktemp("plane"), [apps.gmail.app, shelf.app]
    host = Host(Store(folder / "worlds", Base(image(folder, served, list))), served, Tokens("secret"))
    host.create("w", Settings(limits="off"))
    token = host.tokens.issue(as_person(host, "ada", app=""), "ya29.{}")
    assert {"www.googleapis.com", "sheets.googleapis.com", "gmail.googleapis.com"} <= set(vendor_hosts(host))
    assert not any("/" in name for name in vendor_hosts(host))
    plane, headers = (
        agent_plane(host, [apps.gmail, shelf], allow_hosts=["world.test"]),
        {"Authorization": f"Bearer {token}"},
    )
    with TestClient(plane, base_url="http://testserver", headers=headers) as client:
        yield client


@pytest.mark.parametrize(
    ("host", "path", "service"),
    [
        ("sheets.googleapis.com", VALUES, "shelf"),
        ("drive.googleapis.com", FILES, "shelf"),
        ("www.googleapis.com", FILES, "shelf"),
        ("www.googleapis.com", MAIL, "mail"),
        ("gmail.googleapis.com", MAIL, "mail"),
        ("gmail.googleapis.com", FILES, "nobody"),
        ("sheets.world.test", VALUES, "shelf"),
        ("drive.world.test", FILES, "shelf"),
        ("www.world.test", FILES, "shelf"),
        ("gmail.world.test", MAIL, "mail"),
        ("testserver", "/sheets" + FILES, "shelf"),
        ("testserver", "/gmail" + MAIL, "mail"),
        ("www.googleapis.com.evil.example", FILES, "misdirected"),
        ("drive.evil.example", FILES, "misdirected"),
    ],
)
def test_host_and_path_name_the_service(plane: TestClient, host: str, path: str, service: str) -> None:
    answer = plane.get(path, headers={"Host": host})
    if service == "misdirected":
        assert answer.status_code == 421
    elif service == "shelf":
        assert answer.status_code == 200 and ("drive#fileList" in answer.text or "majorDimension" in answer.text)
    else:
        assert ("Mail service not enabled" in answer.text) == (service == "mail") and "drive#" not in answer.text


def test_batches_uploads_and_tokens_of_the_shared_host_go_where_they_belong(plane: TestClient) -> None:
    shared = {"Host": "www.googleapis.com"}
    made = plane.post(
        "/upload/drive/v3/files?uploadType=media", content=b"x", headers={**shared, "Content-Type": "text/plain"}
    )
    assert made.json()["kind"] == "drive#file"
    begun = plane.post("/resumable/upload/drive/v3/files?uploadType=resumable", json={}, headers=shared)
    assert begun.headers["location"].startswith("http://www.googleapis.com/resumable/upload/drive/v3/files?")
    part = f"--c\r\nContent-Type: application/http\r\n\r\nGET {FILES} HTTP/1.1\r\n\r\n\r\n--c--\r\n"
    batch = {**shared, "Content-Type": "multipart/mixed; boundary=c"}
    assert "HTTP/1.1 200 OK" in plane.post("/batch/drive/v3", content=part, headers=batch).text
    assert "HTTP/1.1 404 Not Found" in plane.post("/batch", content=part, headers=batch).text
    assert (
        plane.post("/token", data={"grant_type": "x"}, headers={"Host": "oauth2.googleapis.com"}).json()["error"]
        == "unsupported_grant_type"
    )
