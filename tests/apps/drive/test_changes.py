"""What changed in a drive since a moment, the drive as a whole, and revisions."""

from typing import Any

from tests.apps.sheets.conftest import BUDGET, NOTES, SECRET, Say

FOLDER = "application/vnd.google-apps.folder"


def start(say: Say, who: str) -> str:
    return say("drive.changes.getStartPageToken", who)["startPageToken"]


def since(say: Say, who: str, token: str, **more: Any) -> list[tuple[str, bool]]:
    listed = say("drive.changes.list", who, pageToken=token, **more)
    return [(one["file"]["name"] if "file" in one else one["fileId"], one["removed"]) for one in listed["changes"]]


def test_changes_tell_each_file_once_as_it_is_now(say: Say) -> None:
    token, hers = start(say, "bo"), start(say, "ada")
    assert since(say, "bo", token) == []
    for name in ("B", "C"):
        say("drive.files.update", fileId=BUDGET, name=name)
    say("drive.files.update", "bo", fileId=NOTES, description="x")
    say("spreadsheets.values.update", spreadsheetId=SECRET, range="A1", values=[["x"]], valueInputOption="RAW")
    assert since(say, "bo", token) == [("C", False), ("Notes", False)]
    assert since(say, "bo", token, restrictToMyDrive=True) == [("Notes", False)]
    assert since(say, "ada", hers) == [("C", False), ("Secret", False)]


def test_what_is_lost_to_somebody_is_told_as_removed_to_them_only(say: Say) -> None:
    token = start(say, "bo")
    bo = say("drive.about.get", "bo")["user"]["permissionId"]
    say("drive.permissions.delete", fileId=BUDGET, permissionId=bo)
    assert since(say, "bo", token) == [(BUDGET, True)]
    assert since(say, "bo", token, includeRemoved=False) == []
    token, his = start(say, "ada"), start(say, "bo")
    say("drive.files.delete", fileId=SECRET)
    assert since(say, "ada", token) == [(SECRET, True)]
    assert since(say, "bo", his) == []


def test_what_happens_elsewhere_and_after_a_loss_moves_nothing(say: Say, refused: Say) -> None:
    token = start(say, "bo")
    say("drive.permissions.delete", fileId=BUDGET, permissionId=say("drive.about.get", "bo")["user"]["permissionId"])
    lost = say("drive.changes.list", "bo", pageToken=token)
    say("world.wait", seconds=3600)
    say("drive.files.update", fileId=BUDGET, name="Hers alone")
    say("drive.files.update", fileId=SECRET, name="Hers too")
    assert say("drive.changes.list", "bo", pageToken=token) == lost
    assert start(say, "bo") == lost["newStartPageToken"]
    assert refused("drive.changes.list", pageToken=token) == "bad_page_token"


def test_what_a_link_opens_is_no_change_of_strangers(say: Say) -> None:
    token = start(say, "dee")
    say("drive.permissions.create", fileId=SECRET, type="anyone", role="reader")
    assert since(say, "dee", token) == []


def test_changes_come_in_pages_up_to_a_new_beginning(say: Say, refused: Say) -> None:
    token = start(say, "ada")
    for number in range(3):
        say("drive.files.create", name=str(number), mimeType=FOLDER)
    first = say("drive.changes.list", pageToken=token, pageSize=2)
    second = say("drive.changes.list", pageToken=first["nextPageToken"], pageSize=2)
    assert [one["file"]["name"] for one in (*first["changes"], *second["changes"])] == ["0", "1", "2"]
    assert say("drive.changes.list", pageToken=second["newStartPageToken"])["changes"] == []
    assert refused("drive.changes.list") == "required"
    assert [refused("drive.changes.list", pageToken=one) for one in ("x", "-1", "²", "9" * 30, "999999")] == [
        "bad_page_token"
    ] * 5
    assert refused("drive.changes.list", pageToken=token, driveId="0A") == "no_drive"


def test_the_drive_says_whose_it_is_and_how_full(say: Say, refused: Say) -> None:
    kept = say("drive.files.create", name="x.bin", content="AAAA")
    about = say("drive.about.get")
    assert (about["user"]["emailAddress"], about["user"]["me"], about["storageQuota"]["usage"]) == (
        "ada@tiny.example",
        True,
        "3",
    )
    say("drive.files.update", fileId=kept["id"], trashed=True)
    assert say("drive.about.get")["storageQuota"]["usageInDriveTrash"] == "3"
    assert say("drive.drives.list") == {"kind": "drive#driveList", "drives": []}
    assert refused("drive.files.emptyTrash", driveId="0A") == "no_drive"


def test_a_file_has_one_revision_the_last(say: Say, refused: Say) -> None:
    made = say("drive.files.create", name="x.bin", content="AAAA")["id"]
    (one,) = say("drive.revisions.list", fileId=made)["revisions"]
    assert say("drive.revisions.get", fileId=made, revisionId=one["id"])["md5Checksum"] == one["md5Checksum"]
    assert say("drive.revisions.get", fileId=made, revisionId="head", alt="media")["content"] == "AAAA"
    assert refused("drive.revisions.get", fileId=made, revisionId="7") == "no_revision"
    assert refused("drive.revisions.list", "cyrus", fileId=BUDGET) == "forbidden"
    folder = say("drive.files.create", name="F", mimeType=FOLDER)["id"]
    assert refused("drive.revisions.list", fileId=folder) == "no_revisions"
