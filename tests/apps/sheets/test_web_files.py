"""What the pages of files ask for: whom to share with, access, tables in and out."""

import base64
from typing import Any

from tests.apps.sheets.conftest import BUDGET, NOTES, SECRET, Say
from world.core.call import Call
from world.run.host import Host


def told(host: Host) -> list[dict[str, Any]]:
    """Mails asked for, from now on."""
    found: list[dict[str, Any]] = []

    def hear(call: Call, facts: Any) -> None:
        found.append(dict(facts))

    host.apps["sheets"].topics["person.notified"] = hear
    return found


def test_people_and_groups_are_found_by_the_beginning_of_a_name(say: Say) -> None:
    assert [one["email"] for one in say("web.people", q="LIND")["people"]] == ["bo@tiny.example"]
    assert [one["name"] for one in say("web.people", q="@e")["people"]] == ["Eve Martin", "Everyone"]
    assert {one["type"] for one in say("web.people", q="core")["people"]} == {"group"}
    assert say("web.people", q="gus")["people"] == [] and len(say("web.people", q="", limit=3)["people"]) == 3


def test_an_owner_is_mailed_that_somebody_wants_access(say: Say, refused: Say, host: Host, monkeypatch: Any) -> None:
    monkeypatch.setattr(host.apps["sheets"], "topics", dict(host.apps["sheets"].topics))
    mails = told(host)
    say("web.requestAccess", "cyrus", fileId=SECRET, role="writer", message="For the audit")
    say("web.requestAccess", "cyrus", fileId=BUDGET)
    say("world.wait", "ada", seconds=1)
    assert [(one["people"], one["subject"]) for one in mails] == [(["p_ada"], 'Share request for "Secret"')]
    assert "For the audit" in mails[0]["text"] and "to edit it" in mails[0]["text"]
    assert refused("web.requestAccess", "cyrus", fileId="1Nothing") == "not_found"


def csv(text: str) -> str:
    """A table as it travels."""
    return base64.urlsafe_b64encode(text.encode()).decode()


def test_a_table_is_taken_in_where_it_is_wanted(say: Say, refused: Say) -> None:
    made = say("web.import", spreadsheetId=BUDGET, name="towns.csv", content=csv("Town,Size\nUlm,120000\n"))
    assert made == {"sheets": [{"sheetId": made["gid"], "title": "towns"}], "gid": made["gid"]}
    say(
        "web.import",
        spreadsheetId=BUDGET,
        name="a.csv",
        content=csv("x,007"),
        where="replace_at",
        gid=0,
        row=6,
        column=1,
        typed=False,
    )
    assert say("spreadsheets.values.get", spreadsheetId=BUDGET, range="Sheet1!B7:C7")["values"] == [["x", "007"]]
    say("web.import", spreadsheetId=BUDGET, name="b.tsv", content=csv("new\tsheet"), where="replace_spreadsheet")
    assert [one["properties"]["title"] for one in say("spreadsheets.get", spreadsheetId=BUDGET)["sheets"]] == ["b"]
    assert refused("web.import", "cyrus", spreadsheetId=BUDGET, name="a.csv", content=csv("x")) == "forbidden"
    assert refused("web.import", spreadsheetId=BUDGET, name="a.pdf", content=csv("x")) == "conversion_unsupported"
    assert (
        refused("web.import", spreadsheetId=BUDGET, name="a.csv", content=csv("x"), where="append", gid=99)
        == "no_sheet"
    )


def test_a_sheet_is_given_out_under_its_name(say: Say, refused: Say) -> None:
    found = say("web.download", "cyrus", spreadsheetId=BUDGET, format="tsv")
    assert (found["name"], found["mimeType"]) == ("Budget - Sheet1.tsv", "text/tab-separated-values")
    assert base64.urlsafe_b64decode(found["content"]).splitlines()[0] == b"Team\tQ1\tQ2\tTotal"
    assert say("web.download", spreadsheetId=BUDGET)["name"] == "Budget.xlsx"
    assert refused("web.download", "cyrus", spreadsheetId=NOTES) == "forbidden"
    say("drive.files.update", fileId=BUDGET, copyRequiresWriterPermission=True)
    assert refused("web.download", "cyrus", spreadsheetId=BUDGET) == "cannot_download"
    assert say("web.download", "bo", spreadsheetId=BUDGET, format="csv")["name"] == "Budget - Sheet1.csv"


def test_activity_tells_who_did_what_and_whom_a_file_was_shared_with_to_its_writers(say: Say, refused: Say) -> None:
    say("drive.files.update", "bo", fileId=BUDGET, name="Plan")
    say("drive.permissions.create", fileId=BUDGET, type="group", role="commenter", emailAddress="core@tiny.example")
    say("drive.permissions.create", fileId=BUDGET, type="user", role="reader", emailAddress="dee@tiny.example")
    say("drive.comments.create", fileId=BUDGET, content="Final?")
    say("spreadsheets.values.update", "bo", spreadsheetId=BUDGET, range="A1", values=[["x"]], valueInputOption="RAW")
    found = say("web.activity", fileId=BUDGET)["activity"]
    assert [(one["who"]["displayName"].split()[0], one["said"], one["more"]) for one in found] == [
        ("Bo", "edited an item", ""),
        ("Ada", "commented on an item", "Final?"),
        ("Ada", "shared an item", "Dee Okafor · viewer"),
        ("Ada", "shared an item", "Core · commenter"),
        ("Bo", "renamed an item", "Budget → Plan"),
        ("Ada", "created an item", ""),
    ]
    assert [one["said"] for one in say("web.activity", "cyrus", fileId=BUDGET)["activity"]] == [
        "edited an item",
        "commented on an item",
        "renamed an item",
        "created an item",
    ]
    assert refused("web.activity", "cyrus", fileId=SECRET) == "not_found"
