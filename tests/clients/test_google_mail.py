"""google-api-python-client, unmodified, against the mail service: by token, by refresh token, and as a service account."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.clients.day import WORLD as DAY
from tests.clients.day import ask, interpreter, new_world, run, touched, urgent
from tests.conftest import Server
from world.server.control_state import Grant

ME, PEER = "dkowalski", "karolina.lis@quayline.example"
ARRIVED = (
    "SELECT count(*) FROM gmail_message m JOIN person p ON p.id = m.person_id JOIN gmail_mail c ON c.id = m.mail_id"
    " WHERE p.email = ? AND c.subject LIKE '%zephyrine%'"
)


def credentials(server: Server, kind: str, folder: Path) -> Path:
    """A file with what the control plane hands out."""
    named = {"token": "", "refresh": "refresh_token", "service": "service_account"}[kind]
    grant = Grant.model_validate({"person": ME, "app": "gmail", "credential": named})
    made = server.do(lambda: server.plane.grant(DAY, grant))
    file = folder / "credentials.json"
    file.write_text(json.dumps(made["credentials"]) if named else made["token"])
    return file


@pytest.fixture
def proxied(company: Path, tmp_path: Path) -> Iterator[Server]:
    """A running server that the vendor's own host names lead to."""
    running = Server(company, tmp_path, proxied=True)
    yield running
    running.stop()


def day(server: Server, kind: str, folder: Path, **environment: str) -> dict[str, Any]:
    """What the script tells of its day."""
    me = ask(server, "SELECT email FROM person WHERE handle = ?", ME)[0][0]
    file = credentials(server, kind, folder)
    report = run(
        interpreter("google"),
        "google_mail_day.py",
        kind,
        FIRM_CREDENTIALS=str(file),
        FIRM_ME=me,
        FIRM_PEER=PEER,
        **environment,
    )
    assert urgent("gmail", least=20) - touched(server, "rest") == set()
    assert report["refused"] == {
        "unknown": [404, "notFound"],
        "foreign": [403, "forbidden"],
        "nobody": [400, "invalidArgument"],
        "label": [400, "invalidArgument"],
    }
    assert report["batch"] == 3 and report["history"] > 10
    arrived = ask(server, ARRIVED, PEER)
    assert arrived == [(3 + len(report["uploaded"]),)]
    return report


@pytest.mark.parametrize("kind", ["token", "refresh", "service"])
def test_a_day_at_the_vendors_own_addresses_reaches_every_method_of_the_first_tier(
    proxied: Server, kind: str, tmp_path: Path
) -> None:
    new_world(proxied)
    proxy, trusted = proxied.proxy, str(proxied.up.authority)
    report = day(proxied, kind, tmp_path, HTTPS_PROXY=proxy, HTTPLIB2_CA_CERTS=trusted)
    assert len(report["uploaded"]) == 2


def test_a_day_at_an_address_of_ones_own_needs_no_proxy(server: Server, tmp_path: Path) -> None:
    new_world(server)
    day(server, "refresh", tmp_path, FIRM_URL=f"{server.url}/gmail")


def test_the_proxy_leads_nowhere_else(proxied: Server) -> None:
    with pytest.raises(httpx.ProxyError, match="403"):
        httpx.get("https://example.org/", proxy=proxied.proxy, timeout=10)
