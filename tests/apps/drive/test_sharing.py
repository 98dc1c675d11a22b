"""Who may share a file with whom, in which role, until when, and who is told."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import apps.drive
import apps.gmail
import apps.sheets
from apps.gmail.models import Mailbox
from tests.apps.sheets.conftest import BUDGET, NOTES, SECRET, Say, sheet_rows
from tests.company import PEOPLE, START, as_person, image
from world.core.access import Tokens
from world.core.settings import Settings
from world.run.host import Host
from world.script.scenario import Script, compile_script
from world.store import Base, Store

FOLDER = "application/vnd.google-apps.folder"
BO, DEE, EVE = "bo@tiny.example", "dee@tiny.example", "eve@tiny.example"


def share(say: Say, file: str = SECRET, whom: str = DEE, role: str = "reader", who: str = "ada", **more: Any) -> Any:
    return say("drive.permissions.create", who, fileId=file, type="user", role=role, emailAddress=whom, **more)


def roles(say: Say, file: str = BUDGET, who: str = "ada") -> dict[str, str]:
    listed = say("drive.permissions.list", who, fileId=file)["permissions"]
    return {one.get("emailAddress", one["type"]).partition("@")[0]: one["role"] for one in listed}


def test_each_role_opens_what_it_says(say: Say, refused: Say) -> None:
    share(say)
    assert refused("drive.comments.create", "dee", fileId=SECRET, content="x") == "forbidden"
    share(say, role="commenter")
    say("drive.comments.create", "dee", fileId=SECRET, content="x")
    value = {"spreadsheetId": SECRET, "range": "A9", "values": [["x"]], "valueInputOption": "RAW"}
    assert refused("spreadsheets.values.update", "dee", **value) == "forbidden"
    share(say, role="writer")
    say("spreadsheets.values.update", "dee", **value)


def test_a_permission_has_one_id_on_every_file_and_tells_its_person(say: Say) -> None:
    one, two = share(say), share(say, file=BUDGET)
    assert one["id"] == two["id"] == say("drive.about.get", "dee")["user"]["permissionId"]
    assert (one["emailAddress"], one["displayName"], one["type"], one["deleted"], one["pendingOwner"]) == (
        DEE,
        "Dee Okafor",
        "user",
        False,
        False,
    )
    assert say("drive.permissions.get", fileId=SECRET, permissionId=one["id"])["role"] == "reader"
    seen = say("drive.files.get", "dee", fileId=SECRET)
    assert (seen["sharingUser"]["emailAddress"], seen["sharedWithMeTime"] >= "2026-03-02T08:00") == (
        "ada@tiny.example",
        True,
    )


def test_sharing_again_widens_and_an_update_narrows(say: Say) -> None:
    share(say, file=BUDGET, whom=BO, role="reader")
    assert roles(say)["bo"] == "writer"
    bo = say("drive.about.get", "bo")["user"]["permissionId"]
    assert say("drive.permissions.update", fileId=BUDGET, permissionId=bo, role="reader")["role"] == "reader"
    assert roles(say) == {"ada": "owner", "bo": "reader", "cyrus": "reader"}


def test_an_address_says_whose_it_is(say: Say) -> None:
    assert share(say, whom="B.Lindqvist@tiny.example")["emailAddress"] == BO
    assert (
        say("drive.permissions.create", fileId=SECRET, type="group", role="reader", emailAddress=DEE)["type"] == "user"
    )
    assert share(say, whom="everyone@tiny.example")["type"] == "group"
    outside = share(say, whom="zoe@acme.example")
    assert (outside["type"], outside["emailAddress"]) == ("user", "zoe@acme.example")


def test_writers_share_unless_the_owner_keeps_it(say: Say, refused: Say) -> None:
    share(say, file=BUDGET, who="bo")
    assert refused("drive.permissions.create", "cyrus", fileId=BUDGET, type="anyone", role="reader") == "forbidden"
    assert refused("drive.permissions.list", "cyrus", fileId=BUDGET) == "forbidden"
    assert refused("drive.files.update", "bo", fileId=BUDGET, writersCanShare=False) == "forbidden"
    say("drive.files.update", fileId=BUDGET, writersCanShare=False)
    assert refused("drive.permissions.create", "bo", fileId=BUDGET, type="anyone", role="reader") == "forbidden"
    assert not say("drive.files.get", "bo", fileId=BUDGET)["capabilities"]["canShare"]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({}, "required"),
        ({"type": "user"}, "required"),
        ({"type": "robot", "role": "reader"}, "invalid_value"),
        ({"type": "user", "role": "king", "emailAddress": DEE}, "invalid_value"),
        ({"type": "user", "role": "organizer", "emailAddress": DEE}, "role_not_applicable"),
        ({"type": "anyone", "role": "owner"}, "role_not_applicable"),
        ({"type": "user", "role": "reader"}, "bad_email"),
        ({"type": "anyone", "role": "reader", "emailAddress": DEE}, "bad_email"),
        ({"type": "user", "role": "reader", "emailAddress": "dee"}, "bad_email"),
        ({"type": "user", "role": "reader", "emailAddress": "d" * 250 + "@acme.example"}, "bad_email"),
        ({"type": "domain", "role": "reader"}, "bad_domain"),
        ({"type": "domain", "role": "reader", "domain": "acme.example"}, "bad_domain"),
        ({"type": "user", "role": "reader", "emailAddress": "nobody@tiny.example"}, "unknown_recipient"),
        ({"type": "user", "role": "reader", "emailAddress": "gus@tiny.example"}, "unknown_recipient"),
        ({"type": "user", "role": "owner", "emailAddress": DEE}, "transfer_unacknowledged"),
        (
            {
                "type": "user",
                "role": "owner",
                "emailAddress": DEE,
                "transferOwnership": True,
                "sendNotificationEmail": False,
            },
            "notification_required",
        ),
        (
            {"type": "user", "role": "owner", "emailAddress": "zoe@acme.example", "transferOwnership": True},
            "transfer_outside",
        ),
        (
            {"type": "user", "role": "reader", "emailAddress": DEE, "expirationTime": "2026-03-01T00:00:00Z"},
            "bad_expiration",
        ),
        (
            {"type": "user", "role": "reader", "emailAddress": DEE, "expirationTime": "2028-03-01T00:00:00Z"},
            "bad_expiration",
        ),
        ({"type": "anyone", "role": "reader", "expirationTime": "2026-04-01T00:00:00Z"}, "bad_expiration"),
        ({"type": "user", "role": "reader", "emailAddress": DEE, "expirationTime": "soon"}, "invalid_value"),
    ],
)
def test_what_cannot_be_shared_so(say: Say, refused: Say, given: dict[str, Any], code: str) -> None:
    assert refused("drive.permissions.create", fileId=SECRET, **given) == code
    assert roles(say, SECRET) == {"ada": "owner"}


def test_a_permission_ends_when_it_is_said_to(say: Say, refused: Say) -> None:
    made = share(say, expirationTime="2026-03-03T08:00:00Z")
    assert made["expirationTime"] == "2026-03-03T08:00:00.000Z"
    assert say("drive.files.list", "dee")["files"]
    say("world.wait", "dee", seconds=2 * 86400)
    assert refused("drive.files.get", "dee", fileId=SECRET) == "not_found"
    assert say("drive.files.list", "dee")["files"] == []
    assert roles(say, SECRET) == {"ada": "owner"}


def test_an_owner_hands_a_file_over_and_may_write_it_then(say: Say, refused: Say) -> None:
    assert (
        refused(
            "drive.permissions.create",
            "bo",
            fileId=BUDGET,
            type="user",
            role="owner",
            emailAddress=BO,
            transferOwnership=True,
        )
        == "forbidden"
    )
    share(say, file=BUDGET, role="owner", transferOwnership=True)
    assert roles(say) == {"ada": "writer", "bo": "writer", "cyrus": "reader", "dee": "owner"}
    assert say("drive.files.get", "dee", fileId=BUDGET)["ownedByMe"]
    assert refused("drive.files.delete", fileId=BUDGET) == "forbidden"
    ada = say("drive.about.get")["user"]["permissionId"]
    assert (
        refused("drive.permissions.update", "dee", fileId=BUDGET, permissionId=ada, role="owner")
        == "transfer_unacknowledged"
    )
    say("drive.permissions.update", "dee", fileId=BUDGET, permissionId=ada, role="owner", transferOwnership=True)
    assert roles(say)["ada"] == "owner"


def test_the_owner_stays_and_others_may_leave(say: Say, refused: Say) -> None:
    ids = {who: say("drive.about.get", who)["user"]["permissionId"] for who in ("ada", "bo", "cyrus", "dee")}
    assert refused("drive.permissions.delete", "bo", fileId=BUDGET, permissionId=ids["ada"]) == "cannot_remove_owner"
    assert refused("drive.permissions.delete", fileId=BUDGET, permissionId=ids["ada"]) == "cannot_remove_owner"
    assert (
        refused("drive.permissions.update", fileId=BUDGET, permissionId=ids["ada"], role="reader")
        == "cannot_remove_owner"
    )
    assert refused("drive.permissions.delete", "cyrus", fileId=BUDGET, permissionId=ids["bo"]) == "forbidden"
    assert refused("drive.permissions.delete", fileId=BUDGET, permissionId=ids["dee"]) == "no_permission"
    assert refused("drive.permissions.delete", fileId="root", permissionId=ids["ada"]) == "forbidden"
    say("drive.permissions.delete", "cyrus", fileId=BUDGET, permissionId=ids["cyrus"])
    assert refused("drive.files.get", "cyrus", fileId=BUDGET) == "not_found"


def test_what_comes_from_a_folder_is_told_so_and_only_widened(say: Say, refused: Say) -> None:
    folder = say("drive.files.create", name="F", mimeType=FOLDER)["id"]
    dee = share(say, file=folder, role="commenter")["id"]
    say("drive.files.update", fileId=SECRET, addParents=folder, removeParents="root")
    told = say("drive.permissions.get", fileId=SECRET, permissionId=dee)
    assert told["permissionDetails"] == [
        {"permissionType": "file", "role": "commenter", "inheritedFrom": folder, "inherited": True}
    ]
    assert refused("drive.permissions.update", fileId=SECRET, permissionId=dee, role="reader") == "inherited_permission"
    assert refused("drive.permissions.delete", fileId=SECRET, permissionId=dee) == "inherited_permission"
    assert say("drive.permissions.update", fileId=SECRET, permissionId=dee, role="writer")["role"] == "writer"
    say("drive.permissions.delete", fileId=SECRET, permissionId=dee)
    assert roles(say, SECRET)["dee"] == "commenter"


def test_permissions_come_in_pages(say: Say, refused: Say) -> None:
    first = say("drive.permissions.list", fileId=BUDGET, pageSize=2)
    second = say("drive.permissions.list", fileId=BUDGET, pageSize=2, pageToken=first["nextPageToken"])
    assert sorted(one["role"] for one in (*first["permissions"], *second["permissions"])) == [
        "owner",
        "reader",
        "writer",
    ]
    assert "nextPageToken" not in second
    assert refused("drive.permissions.list", fileId=SECRET, pageToken=first["nextPageToken"]) == "bad_page_token"


# who is told


@pytest.fixture(scope="module")
def posted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An image with mailboxes beside the spreadsheets."""
    boxes = [Mailbox(person_id=id, email=f"{handle}@tiny.example") for id, _, handle, *_ in PEOPLE]
    return image(
        tmp_path_factory.mktemp("posted"),
        [apps.drive.app, apps.sheets.app, apps.gmail.app],
        lambda: [*sheet_rows(), *boxes],
    )


@pytest.fixture
def mailed(posted: Path, tmp_path: Path) -> Iterator[Host]:
    """A world where Bo shares his notes with Ada after five minutes, and mail is delivered."""
    made = Host(
        Store(tmp_path / "mailed", Base(posted)),
        [apps.drive.app, apps.sheets.app, apps.gmail.app],
        Tokens("test secret"),
    )
    given = {
        "fileId": NOTES,
        "type": "user",
        "role": "writer",
        "emailAddress": "ada@tiny.example",
        "emailMessage": "Have a look.",
    }
    script = Script("share", START, "Europe/Berlin")
    script.at("+5m", lambda w: w.act("p_bo", "drive.permissions.create", **given), name="share")
    made.create("w", Settings(limits="off"), compile_script(script, horizon="2d"))
    yield made


def called(host: Host, operation: str, who: str = "ada", **arguments: Any) -> Any:
    return host.call(as_person(host, who), "rest", operation, arguments, base_url="http://sheets.test")


def letters(host: Host, who: str) -> list[dict[str, Any]]:
    listed = called(host, "users.messages.list", who, userId="me").get("messages", [])
    return [called(host, "users.messages.get", who, userId="me", id=one["id"]) for one in listed]


def subject(letter: dict[str, Any]) -> str:
    return next(one["value"] for one in letter["payload"]["headers"] if one["name"] == "Subject")


def test_who_is_given_a_file_is_woken_and_mailed(mailed: Host) -> None:
    happened = called(mailed, "world.wait", seconds=3600)["happened"]
    assert happened[0] == 'Bo Lindqvist shared the spreadsheet "Notes" with you: you may edit it'
    (letter,) = letters(mailed, "ada")
    assert subject(letter) == 'Spreadsheet shared with you: "Notes"'
    assert "Have a look." in letter["snippet"]
    assert letters(mailed, "bo") == []


def test_nobody_is_mailed_when_asked_not_to_and_groups_are_but_for_the_sharer(mailed: Host) -> None:
    called(
        mailed,
        "drive.permissions.create",
        fileId=SECRET,
        type="user",
        role="reader",
        emailAddress=EVE,
        sendNotificationEmail=False,
    )
    called(
        mailed,
        "drive.permissions.create",
        fileId=SECRET,
        type="group",
        role="reader",
        emailAddress="core@tiny.example",
        emailMessage="Team",
    )
    called(mailed, "world.wait", seconds=1)
    assert [len(letters(mailed, who)) for who in ("eve", "dee", "ada")] == [1, 1, 0]


def test_a_comment_tells_its_owner_and_those_it_names_and_no_edit_tells_anybody(mailed: Host) -> None:
    value = {"spreadsheetId": BUDGET, "range": "A9", "values": [["x"]], "valueInputOption": "RAW"}
    called(mailed, "spreadsheets.values.update", "bo", **value)
    made = called(
        mailed,
        "drive.comments.create",
        "bo",
        fileId=BUDGET,
        content="Is this right, @cyrus@tiny.example and @dee@tiny.example?",
    )
    assert made["mentionedEmailAddresses"] == ["cyrus@tiny.example", "dee@tiny.example"]
    called(mailed, "world.wait", seconds=1)
    assert [len(letters(mailed, who)) for who in ("ada", "cyrus", "dee", "bo")] == [
        1,
        1,
        0,
        0,
    ]  # Dee may not see the budget
    assert subject(letters(mailed, "cyrus")[0]) == "Budget - Bo Lindqvist added a comment"


def test_who_is_in_a_group_has_its_role_and_whoever_joins_too(host: Host, say: Say) -> None:
    people = [{"emailAddress": "core@tiny.example", "role": "commenter"}, {"emailAddress": "x@tiny.example"}]
    told = say("web.share", fileId=SECRET, recipients=people)
    assert [(one["type"], one["role"], one["displayName"]) for one in told["permissions"]] == [
        ("group", "commenter", "Core")
    ]
    assert [(one["emailAddress"], one["code"]) for one in told["failures"]] == [("x@tiny.example", "unknown_recipient")]

    def may(who: str) -> tuple[bool, bool] | None:
        found = [one for one in say("drive.files.list", who, q="name = 'Secret'")["files"]]
        return (found[0]["capabilities"]["canComment"], found[0]["capabilities"]["canEdit"]) if found else None

    def join(team: str) -> None:
        host.actor("w").bound.raw.execute("UPDATE person SET team_id = ? WHERE id = 'p_eve'", (team,))

    assert may("bo") == may("eve") == (True, False)
    join("")
    assert may("eve") is None
    join("t_core")
    assert may("eve") == (True, False)
