"""google-api-python-client, unmodified, against sheets and the drive: by token, by refresh token, and as a service
account.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.clients.day import WORLD as DAY
from tests.clients.day import ask, interpreter, new_world, run, token, touched, urgent
from tests.clients.test_google_mail import proxied
from tests.conftest import Server
from world.core.settings import Settings
from world.script.faults import Fault
from world.script.scenario import Script, compile_script
from world.server.control_state import Grant

__all__ = ["proxied"]
ME, PEER = "dkowalski", "karolina.lis@quayline.example"
LEFT_OUT: set[str] = set()


def credentials(server: Server, kind: str, folder: Path) -> Path:
    """A file with what the control plane hands out."""
    named = {"token": "", "refresh": "refresh_token", "service": "service_account"}[kind]
    grant = Grant.model_validate({"person": ME, "app": "sheets", "credential": named})
    made = server.do(lambda: server.plane.grant(DAY, grant))
    file = folder / "credentials.json"
    file.write_text(json.dumps(made["credentials"]) if named else made["token"])
    return file


def day(server: Server, kind: str, folder: Path, **environment: str) -> dict[str, Any]:
    """What the script tells of its day."""
    me = ask(server, "SELECT email FROM person WHERE handle = ?", ME)[0][0]
    file = credentials(server, kind, folder)
    report = run(
        interpreter("google"),
        "google_sheets_day.py",
        kind,
        FIRM_CREDENTIALS=str(file),
        FIRM_ME=me,
        FIRM_PEER=PEER,
        **environment,
    )
    assert (urgent("sheets", least=8) | urgent("drive", least=5)) - touched(server, "rest") == LEFT_OUT
    assert report["written"] == [12, ["Core", "$1,200.50", "$120.05", "$1,080.45"]]
    assert report["got"]["UNFORMATTED_VALUE"] == [
        ["Core", 1200.5, pytest.approx(120.05), pytest.approx(1080.45)],
        ["Support", 800, 0.45, 46083],
    ]
    assert report["got"]["FORMULA"][0] == ["Core", 1200.5, "=B2*10%", "=B2-C2"]
    assert (report["table"], report["added"]) == ("'It''s Q1'!A1:D3", "'It''s Q1'!A4:B4")
    assert report["read"] == [[["x", 2]], [["Sales"], [5]]] or report["read"] == [[["x", "2"]], [["Sales"], ["5"]]]
    assert (
        report["batch"]["replies"] == 24
        and report["batch"]["title"] == "Quince budget 2026"
        and report["batch"]["replaced"] == 2
    )
    assert report["batch"]["first"] == ["Team", "Support", "Sales", "Kernel"] and report["batch"]["bold"] is True
    drive = report["drive"]
    assert drive["found"] == ["Quince budget 2026"] and drive["mine"] and drive["edit"] and drive["moved"]
    assert drive["grants"] == [[False, "owner"], [True, "writer"]] and drive["talk"] == [
        {"resolved": True, "replies": [{"content": "Yes."}]}
    ]
    assert drive["csv"] == "Team,Plan,Spent,Left,,,,"[: len(drive["csv"])] and report["same"]
    assert report["refused"]["range"] == [400, "Unable to parse range: Nope!A1"]
    assert report["refused"]["unknown"] == [404, "Requested entity was not found."]
    assert report["refused"]["file"] == [404, "File not found: 1nope."]
    assert report["refused"]["option"] == [400, "'valueInputOption' is required but not specified"]
    assert report["answered"] == [True, True, False]
    return report


@pytest.mark.parametrize("kind", ["token", "refresh", "service"])
def test_a_day_at_the_vendors_own_addresses_reaches_every_method_of_the_first_tier(
    proxied: Server, kind: str, tmp_path: Path
) -> None:
    new_world(proxied)
    day(proxied, kind, tmp_path, HTTPS_PROXY=proxied.proxy, HTTPLIB2_CA_CERTS=str(proxied.up.authority))


def test_a_day_at_an_address_of_ones_own_needs_no_proxy(server: Server, tmp_path: Path) -> None:
    new_world(server)
    day(server, "refresh", tmp_path, FIRM_URL=f"{server.url}/sheets")


MINE = (
    "SELECT f.key FROM drive_file f JOIN person p ON p.id = f.owner_id WHERE p.handle = ? AND f.mime_type LIKE"
    " '%spreadsheet' AND f.trashed_at IS NULL ORDER BY f.id"
)
LIMITED = "SELECT operation, status FROM _call WHERE door = 'rest' ORDER BY seq"


def limited(server: Server, retry: Any) -> str:
    """The world of the day, in which sheets takes no requests for most of a minute and the drive for most of two; a
    spreadsheet.
    """
    now = server.do(lambda: server.plane.host.create("before").now)
    script = Script("faults", now)
    for name, operations, end in (("sheets", ("spreadsheets.*",), "+50s"), ("drive", ("drive.*",), "+115s")):
        script.fault(Fault(name, name, "ratelimit", operations=operations, retry_after_s=60), start="+0s", end=end)
    server.do(lambda: server.plane.host.create(DAY, Settings(retry=retry), compile_script(script, horizon="8h")))
    return ask(server, MINE, ME)[0][0]


@pytest.mark.parametrize("retry", ["patient", "strict"])
def test_the_retries_of_the_library_outlast_a_limit_in_a_patient_world_only(server: Server, retry: str) -> None:
    key = limited(server, retry)
    given = {"FIRM_URL": f"{server.url}/sheets", "FIRM_TOKEN": token(server, "sheets", ME)}
    report = run(interpreter("google"), "google_sheets_patience.py", key, **given)
    (status, sentence, wait), drive = report["hasty"]
    assert (status, wait) == (
        429,
        "60",
    ) and "'Read requests per minute per user' of service 'sheets.googleapis.com'" in sentence
    assert drive == [403, "User Rate Limit Exceeded", "60"]
    calls = [
        (name, status)
        for name, status in ask(server, LIMITED)
        if name in ("spreadsheets.values.get", "drive.files.list")
    ]
    again = ["ok"] if retry == "patient" else ["early_retry"] * 2
    assert calls == [
        (name, status) for name in ("spreadsheets.values.get", "drive.files.list") for status in ("ratelimit", *again)
    ]
    if retry == "patient":
        assert report["patient"][0]["range"].endswith("!A1") and report["patient"][1] == {"kind": "drive#fileList"}
    else:
        assert [one[0] for one in report["patient"]] == [429, 403]
