"""google-api-python-client, unmodified, against the mail service: by token, by refresh token, and as a service account."""

import json
from pathlib import Path

import pytest

from tests.clients.day import WORLD as DAY
from tests.clients.day import ask, interpreter, new_world, run, touched, urgent
from tests.conftest import Server
from world.server.control_plane import Grant

ME, PEER = "dkowalski", "karolina.lis@quayline.example"


def credentials(server: Server, kind: str, folder: Path) -> Path:
    """A file with what the control plane hands out."""
    named = {"token": "", "refresh": "refresh_token", "service": "service_account"}[kind]
    grant = Grant.model_validate({"person": ME, "app": "gmail", "credential": named})
    made = server.do(lambda: server.plane.grant(DAY, grant))
    file = folder / "credentials.json"
    file.write_text(json.dumps(made["credentials"]) if named else made["token"])
    return file


@pytest.mark.parametrize("kind", ["token", "refresh", "service"])
def test_a_day_with_the_google_client_reaches_every_method_of_the_first_tier(server: Server, kind: str, tmp_path: Path) -> None:
    python = interpreter("google")
    new_world(server)
    me = ask(server, "SELECT email FROM person WHERE handle = ?", ME)[0][0]
    file = credentials(server, kind, tmp_path)
    report = run(
        python, "google_mail_day.py", kind, FIRM_URL=f"{server.url}/gmail", FIRM_CREDENTIALS=str(file), FIRM_ME=me, FIRM_PEER=PEER,
    )  # fmt: skip
    assert urgent("gmail", least=20) - touched(server, "rest") == set()
    assert report["refused"] == {
        "unknown": [404, "notFound"], "foreign": [403, "forbidden"], "nobody": [400, "invalidArgument"], "label": [400, "invalidArgument"],
    }  # fmt: skip
    arrived = ask(server, "SELECT count(*) FROM gmail_message m JOIN person p ON p.id = m.person_id WHERE p.email = ? AND m.mail_id IN"
                  " (SELECT id FROM gmail_mail WHERE subject LIKE '%zephyrine%')", PEER)  # fmt: skip
    assert arrived == [(5,)]
    assert report["batch"] == 3 and report["history"] > 10 and report["listed"] >= 7
