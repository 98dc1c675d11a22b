"""gspread, unmodified: it knows one address, so it comes through the proxy."""

from pathlib import Path

from tests.clients.day import ask, interpreter, new_world, run, touched
from tests.clients.test_google_mail import proxied
from tests.clients.test_google_sheets import LIMITED, ME, PEER, credentials, limited
from tests.conftest import Server

__all__ = ["proxied"]
USED = {
    "spreadsheets.get",
    "spreadsheets.batchUpdate",
    "spreadsheets.values.get",
    "spreadsheets.values.update",
    "spreadsheets.values.append",
    "spreadsheets.values.batchUpdate",
    "spreadsheets.values.batchClear",
    "drive.files.list",
    "drive.files.create",
    "drive.files.copy",
    "drive.files.delete",
    "drive.files.export",
    "drive.permissions.create",
    "drive.permissions.list",
}


def test_a_day_with_gspread(proxied: Server, tmp_path: Path) -> None:
    new_world(proxied)
    me = ask(proxied, "SELECT email FROM person WHERE handle = ?", ME)[0][0]
    file, trusted = credentials(proxied, "service", tmp_path), str(proxied.up.authority)
    report = run(
        interpreter("gspread"),
        "gspread_day.py",
        FIRM_CREDENTIALS=str(file),
        FIRM_ME=me,
        FIRM_PEER=PEER,
        HTTPS_PROXY=proxied.proxy,
        REQUESTS_CA_BUNDLE=trusted,
    )
    assert report["same"] and report["title"] == "Plum sales 2026" and report["listed"] == ["Plum sales 2026"]
    assert report["formulas"] == [["East", 1, 10], ["West", 2, 90], ["North", 3, 1200], ["South", 5, "=B5*400"]]
    assert report["records"][-1] == {"Region": "South", "Deals": 5, "Value": 2000, "Note": "", "Mark": 2}
    assert report["found"] == [5, 1] and report["row"] == ["Region", "Deals", "Value", "", "Mark"]
    assert report["column"] == ["Mark", "4", "3", "1", "2"] and report["cell"] == "1"
    assert report["tabs"] == ["Plans", "Sheet1", "Backup"] and report["shared"] == [[False, "owner"], [True, "writer"]]
    assert report["csv"].startswith("Region,Deals,Value")
    assert report["refused"] == {
        "title": "SpreadsheetNotFound",
        "tab": "WorksheetNotFound",
        "range": "Unable to parse range: 'Sheet1'!Nope!A1",
        "grid": "Range (Sheet1!ZZ5000) exceeds grid limits. Max rows: 1000, max columns: 26",
    }
    assert USED - touched(proxied, "rest") == set()


def test_the_client_of_gspread_that_backs_off_outlasts_a_limit_in_a_patient_world(
    proxied: Server, tmp_path: Path
) -> None:
    key = limited(proxied, "patient")
    me = ask(proxied, "SELECT email FROM person WHERE handle = ?", ME)[0][0]
    file, trusted = credentials(proxied, "service", tmp_path), str(proxied.up.authority)
    given = {"FIRM_CREDENTIALS": str(file), "FIRM_ME": me, "HTTPS_PROXY": proxied.proxy, "REQUESTS_CA_BUNDLE": trusted}
    report = run(interpreter("gspread"), "gspread_patience.py", key, **given)
    assert report == {"rows": 1, "listed": True}
    calls = ask(proxied, LIMITED)
    assert calls[:2] == [("spreadsheets.get", "ratelimit"), ("spreadsheets.get", "ok")]
    assert [status for name, status in calls if name == "drive.files.list"][:2] == ["ratelimit", "ok"]
