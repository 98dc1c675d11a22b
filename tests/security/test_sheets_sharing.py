"""T3, games with sharing: who gives what to whom, takes it back, moves it, lets it end; and that refusals tell nothing."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from tests.conformance.sheets_client import SheetsClient
from tests.security.sheet_vault import EMAIL, TYPE, WORD, Drive, b64
from world.core.clock import DAY, HOUR, iso

NOWHERE = "1Nothing00000000000000000000000000000000000"


@pytest.fixture(scope="module")
def rest(drive: Drive) -> Iterator[SheetsClient]:
    made = SheetsClient(drive.host)
    yield made
    made.http.close()


def folder(drive: Drive, who: str = "ada", **given: Any) -> str:
    return drive.say("drive.files.create", who, name="folder", mimeType=f"{TYPE}folder", **given)["id"]


def permission(drive: Drive, key: str, who: str) -> str:
    return next(
        one["id"]
        for one in drive.say("drive.permissions.list", fileId=key)["permissions"]
        if one.get("emailAddress") == EMAIL(who)
    )


ADDRESSES = (
    ("GET", "/drive/v3/files/{}"),
    ("GET", "/drive/v3/files/{}?alt=media"),
    ("GET", "/drive/v3/files/{}?fields=*"),
    ("GET", "/drive/v3/files/{}/export?mimeType=text/csv"),
    ("GET", "/drive/v3/files/{}/permissions"),
    ("GET", "/drive/v3/files/{}/comments?fields=*"),
    ("GET", "/drive/v3/files/{}/revisions"),
    ("GET", "/drive/v3/files/{}/permissions/anyoneWithLink"),
    ("GET", "/drive/v3/files/{}/comments/x?fields=*"),
    ("DELETE", "/drive/v3/files/{}"),
    ("PATCH", "/drive/v3/files/{}"),
    ("POST", "/drive/v3/files/{}/copy"),
    ("POST", "/drive/v3/files/{}/permissions"),
    ("POST", "/drive/v3/files/{}/comments?fields=*"),
    ("DELETE", "/drive/v3/files/{}/permissions/anyoneWithLink"),
    ("GET", "/drive/v3/files?q='{}' in parents"),
    ("PATCH", "/drive/v3/files/{}?addParents=root"),
    ("HEAD", "/drive/v3/files/{}"),
    ("HEAD", "/drive/v3/files/{}?alt=media"),
)


def test_a_file_one_cannot_see_and_one_that_is_not_there_are_answered_alike(drive: Drive, rest: SheetsClient) -> None:
    book, place = drive.book(f"{WORD} private"), folder(drive)
    upload = drive.say("drive.files.create", name=f"{WORD}.txt", content=b64(b"x"))["id"]
    gone = drive.say("drive.files.create", name="gone", content=b64(b"x"))["id"]
    drive.say("drive.files.delete", fileId=gone)
    for (method, address), one in itertools.product(ADDRESSES, (book, place, upload, gone)):
        body = {"json": {"role": "reader", "type": "anyone", "content": "x"}} if method in ("POST", "PATCH") else {}
        extra = {"X-Goog-Drive-Resource-Keys": f"{one}/0-abc"}
        there, nothing = (
            rest.request(method, address.format(key), who="eve", headers=extra, **body) for key in (one, NOWHERE)
        )
        assert there.status_code == nothing.status_code >= 400, (method, address, there.text)
        assert there.text.replace(one, NOWHERE) == nothing.text, (method, address)
        assert set(there.headers) == set(nothing.headers) and "etag" not in there.headers, (method, address)
    for address in ("/drive/v3/files/{}?fields=parents,permissions", "/drive/v3/files/{}/permissions/{}"):
        assert rest.get(address.format(book, permission(drive, book, "ada")), who="eve").status_code == 404


def test_creating_and_moving_tell_nothing_of_a_folder_one_cannot_see(drive: Drive) -> None:
    place, mine = folder(drive), drive.book("Mine", "eve")
    for key in (place, NOWHERE):
        tries: list[tuple[str, dict[str, Any]]] = [
            ("drive.files.create", {"name": "x", "parents": [key]}),
            ("drive.files.copy", {"fileId": mine, "parents": [key]}),
            ("drive.files.update", {"fileId": mine, "addParents": key}),
            ("web.create", {"title": "x", "folderId": key}),
            ("drive.files.update", {"fileId": mine, "addParents": "root", "removeParents": key}),
            ("drive.files.list", {"q": f"'{key}' in parents"}),
        ]
        assert {drive.code("eve", operation, **given) for operation, given in tries} == {"not_found"}, key


def test_who_may_not_share_shares_by_no_way_round(drive: Drive) -> None:
    key, his, theirs = drive.book("Kept", bo="writer", dee="reader"), folder(drive, "bo"), folder(drive)
    drive.share(theirs, "bo", "writer")
    drive.share(his, "eve", "reader", "bo")
    drive.say("drive.files.update", fileId=key, writersCanShare=False)
    dee, bo = permission(drive, key, "dee"), permission(drive, key, "bo")
    for operation, given in [
        ("drive.permissions.create", {"type": "user", "role": "reader", "emailAddress": EMAIL("eve")}),
        ("drive.permissions.create", {"type": "group", "role": "reader", "emailAddress": "everyone@tiny.example"}),
        ("drive.permissions.create", {"type": "domain", "role": "reader", "domain": "tiny.example"}),
        ("drive.permissions.create", {"type": "user", "role": "writer", "emailAddress": "outside@partner.example"}),
        ("drive.permissions.update", {"permissionId": dee, "role": "writer"}),
        ("drive.permissions.update", {"permissionId": bo, "removeExpiration": True}),
        ("drive.permissions.delete", {"permissionId": dee}),
        ("web.share", {"recipients": [{"emailAddress": EMAIL("eve")}]}),
        ("web.setAccess", {"link": "reader"}),
        ("web.setAccess", {"copyRequiresWriterPermission": True}),
        ("drive.files.update", {"copyRequiresWriterPermission": False}),
        ("drive.files.update", {"viewersCanCopyContent": True}),
        ("drive.files.update", {"writersCanShare": True}),
    ]:
        assert drive.code("bo", operation, fileId=key, **given) == "forbidden", (operation, given)
    told = drive.say("drive.files.get", "bo", fileId=key)
    assert (
        "permissions" not in told
        and not told["capabilities"]["canShare"]
        and not told["capabilities"]["canMoveItemWithinDrive"]
        and not told["capabilities"]["canChangeCopyRequiresWriterPermission"]
    )
    inside = drive.say("web.create", title="Inside", sheetNames=["a"], folderId=theirs)["spreadsheetId"]
    drive.say("drive.files.update", fileId=inside, writersCanShare=False)
    assert drive.code("bo", "drive.files.update", fileId=inside, addParents=his, removeParents=theirs) == "forbidden"
    assert {drive.code("eve", "drive.files.get", fileId=one) for one in (key, inside)} == {"not_found"}
    drive.say("drive.files.update", fileId=inside, writersCanShare=True)
    assert drive.code("bo", "drive.files.update", fileId=inside, addParents=his, removeParents=theirs) == ""
    assert (
        drive.code("bo", "drive.permissions.delete", fileId=key, permissionId=bo) == ""
        and drive.code("bo", "drive.files.get", fileId=key) == "not_found"
    )


def test_a_writer_lowers_themselves_and_does_not_rise_again(drive: Drive) -> None:
    key = drive.book("Lower", bo="writer")
    bo = permission(drive, key, "bo")
    drive.say("drive.permissions.update", "bo", fileId=key, permissionId=bo, role="reader")
    for operation, given in [
        ("drive.permissions.update", {"permissionId": bo, "role": "writer"}),
        ("drive.permissions.create", {"type": "user", "role": "writer", "emailAddress": EMAIL("bo")}),
        ("drive.permissions.update", {"permissionId": bo, "role": "owner", "transferOwnership": True}),
        ("web.share", {"recipients": [{"emailAddress": EMAIL("bo"), "role": "writer"}]}),
    ]:
        assert drive.code("bo", operation, fileId=key, **given) == "forbidden", (operation, given)
    assert drive.code("bo", "web.enter", spreadsheetId=key, cells=[[0, 0, "y"]]) == "forbidden"


def test_a_file_given_away_is_the_new_owners_to_keep(drive: Drive) -> None:
    key = drive.book("Given", bo="reader")
    drive.say(
        "drive.permissions.create",
        fileId=key,
        type="user",
        role="owner",
        emailAddress=EMAIL("bo"),
        transferOwnership=True,
    )
    told = drive.say("drive.files.get", "bo", fileId=key)
    ada = next(one for one in told["permissions"] if one["emailAddress"] == EMAIL("ada"))
    assert told["ownedByMe"] and ada["role"] == "writer"
    for operation, given in [
        (
            "drive.permissions.create",
            {"type": "user", "role": "owner", "emailAddress": EMAIL("ada"), "transferOwnership": True},
        ),
        ("drive.permissions.update", {"permissionId": ada["id"], "role": "owner", "transferOwnership": True}),
        ("drive.files.update", {"trashed": True}),
        ("drive.files.delete", {}),
        ("drive.files.update", {"writersCanShare": False}),
    ]:
        assert drive.code("ada", operation, fileId=key, **given) == "forbidden", (operation, given)
    drive.say("drive.permissions.delete", "bo", fileId=key, permissionId=ada["id"])
    assert drive.code("ada", "drive.files.get", fileId=key) == "not_found"


def test_an_end_is_ahead_within_a_year_of_people_and_groups(drive: Drive) -> None:
    key, now = drive.book("Ends", dee="reader"), drive.host.actors["w"].now
    person = {"type": "user", "role": "reader", "emailAddress": EMAIL("bo")}
    for at in (now - HOUR, now, now + 366 * DAY):
        assert (
            drive.code("ada", "drive.permissions.create", fileId=key, **person, expirationTime=iso(at))
            == "bad_expiration"
        )
    for given in (
        {"type": "anyone", "role": "reader"},
        {"type": "domain", "role": "reader", "domain": "tiny.example"},
        {**person, "role": "owner", "transferOwnership": True},
    ):
        assert (
            drive.code("ada", "drive.permissions.create", fileId=key, **given, expirationTime=iso(now + HOUR))
            == "bad_expiration"
        ), given
    group = drive.say(
        "drive.permissions.create",
        fileId=key,
        type="group",
        role="writer",
        emailAddress="everyone@tiny.example",
        expirationTime=iso(drive.host.actors["w"].now + HOUR),
    )
    assert drive.code("eve", "web.enter", spreadsheetId=key, cells=[[0, 0, "y"]]) == ""
    drive.say("world.wait", seconds=3601)
    assert (
        drive.code("eve", "web.enter", spreadsheetId=key, cells=[[0, 0, "y"]]) == "forbidden"
        and drive.code("eve", "web.undo", spreadsheetId=key) == "forbidden"
    )
    assert drive.code("ada", "drive.permissions.get", fileId=key, permissionId=group["id"]) == "no_permission"
    assert key not in drive.answer("eve", "drive.files.list", {"pageSize": 1000})[1]


def test_what_comes_from_a_folder_goes_with_it(drive: Drive) -> None:
    place, other = folder(drive), folder(drive)
    key = drive.say("web.create", title="Inside", sheetNames=["a"], folderId=place)["spreadsheetId"]
    drive.share(place, "bo", "writer")
    drive.share(other, "dee", "reader")
    assert (
        drive.code("ada", "drive.permissions.delete", fileId=key, permissionId=permission(drive, place, "bo"))
        == "inherited_permission"
    )
    assert (
        drive.code(
            "ada", "drive.permissions.update", fileId=key, permissionId=permission(drive, place, "bo"), role="reader"
        )
        == "inherited_permission"
    )
    assert drive.code("bo", "web.enter", spreadsheetId=key, cells=[[0, 0, "y"]]) == ""
    drive.say("drive.files.update", fileId=key, addParents=other, removeParents=place)
    assert (
        drive.code("bo", "web.cells", spreadsheetId=key) == "forbidden"
        and drive.code("bo", "web.undo", spreadsheetId=key) == "forbidden"
    )
    assert (
        drive.code("dee", "web.cells", spreadsheetId=key) == ""
        and drive.code("dee", "web.enter", spreadsheetId=key, cells=[[0, 0, "y"]]) == "forbidden"
    )
    inner = folder(drive, parents=[other])
    drive.say("drive.files.update", fileId=key, addParents=inner, removeParents=other)
    assert drive.code("dee", "drive.files.get", fileId=key) == ""
    drive.say("drive.files.update", fileId=inner, addParents="root", removeParents=other)
    assert drive.code("dee", "drive.files.get", fileId=key) == "not_found"
    assert "parents" not in drive.say("drive.files.get", "eve", fileId=drive_to(drive, key, "eve"))


def drive_to(drive: Drive, key: str, who: str) -> str:
    """The file, shared with somebody who has not its folder."""
    drive.share(key, who, "reader")
    return key


def test_a_file_of_anothers_is_moved_only_by_who_may_write_where_it_lies_and_where_it_goes(drive: Drive) -> None:
    place, his, readable = folder(drive), folder(drive, "bo"), folder(drive)
    key = drive.say("web.create", title="Moved", sheetNames=["a"], folderId=place)["spreadsheetId"]
    drive.share(key, "bo", "writer")
    drive.share(readable, "bo", "reader")
    for given, code in (
        ({"addParents": his}, "cannot_add_parent"),
        ({"addParents": his, "removeParents": place}, "not_found"),
        ({"addParents": readable}, "forbidden"),
        ({"addParents": "root"}, "cannot_add_parent"),
        ({"removeParents": place}, "not_found"),
    ):
        assert drive.code("bo", "drive.files.update", fileId=key, **given) in (code, "forbidden"), given
    drive.share(place, "bo", "reader")
    assert drive.code("bo", "drive.files.update", fileId=key, addParents=his, removeParents=place) == "forbidden"
    assert drive.say("drive.files.get", fileId=key)["parents"] == [place]


def test_anothers_trash_is_nobody_elses_to_empty_or_take_from(drive: Drive) -> None:
    key = drive.book(f"{WORD} binned", bo="writer", dee="reader")
    drive.say("drive.files.update", fileId=key, trashed=True)
    for who in ("bo", "dee"):
        assert drive.code(who, "drive.files.update", fileId=key, trashed=False) == "forbidden"
        assert (
            drive.code(who, "drive.files.delete", fileId=key) == "forbidden"
            and drive.code(who, "drive.files.emptyTrash") == ""
        )
        assert WORD not in drive.page(who, "/sheets/trash").text and WORD not in drive.page(who, "/sheets/").text
    assert drive.say("drive.files.get", "dee", fileId=key)[
        "trashed"
    ]  # others reach it until it is gone, as the discovery document says
    assert (
        drive.code("eve", "drive.files.get", fileId=key) == "not_found"
        and drive.code("eve", "web.requestAccess", fileId=key) == "not_found"
    )
    drive.say("drive.files.emptyTrash")
    assert drive.code("dee", "drive.files.get", fileId=key) == "not_found"


def test_a_groups_address_is_its_members_and_nobody_elses(drive: Drive) -> None:
    for given in (
        {"type": "group", "emailAddress": "Everyone@TINY.example"},
        {"type": "user", "emailAddress": "everyone@tiny.example"},
    ):
        key = drive.book("Group")
        made = drive.say("drive.permissions.create", fileId=key, role="reader", sendNotificationEmail=False, **given)
        assert (made["type"], made["emailAddress"]) == ("group", "everyone@tiny.example")
        assert [who for who in ("bo", "eve", "pager") if not drive.code(who, "drive.files.get", fileId=key)] == [
            "bo",
            "eve",
        ]
        drive.say("drive.permissions.delete", fileId=key, permissionId=made["id"])
        assert drive.code("bo", "drive.files.get", fileId=key) == "not_found"
    for address in (
        "everyone@other.example",
        "core@tiny.example.evil.example",
        "everyone@tiny.example@x",
        "nobody@tiny.example",
        "gus@tiny.example",
    ):
        drive.code("ada", "drive.permissions.create", fileId=key, type="group", role="reader", emailAddress=address)
        assert drive.code("bo", "drive.files.get", fileId=key) == "not_found", address


def test_mail_about_a_file_goes_to_those_who_get_it_and_to_nobody_when_told_so(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, told = drive.host.apps["drive"], list[dict[str, Any]]()
    monkeypatch.setattr(app, "topics", {**app.topics, "person.notified": lambda call, facts: told.append(dict(facts))})
    key = drive.book("Mailed")
    drive.say(
        "drive.permissions.create",
        fileId=key,
        type="user",
        role="reader",
        emailAddress="outside@partner.example",
        emailMessage="see",
    )
    drive.say(
        "drive.permissions.create",
        fileId=key,
        type="user",
        role="reader",
        emailAddress=EMAIL("bo"),
        emailMessage="not sent",
        sendNotificationEmail=False,
    )
    drive.say("drive.permissions.create", fileId=key, type="anyone", role="reader")
    assert (
        drive.code(
            "ada",
            "drive.permissions.create",
            fileId=key,
            type="user",
            role="reader",
            emailAddress="nobody@tiny.example",
            emailMessage="lost",
        )
        == "unknown_recipient"
    )
    assert (
        drive.code(
            "bo",
            "drive.permissions.create",
            fileId=key,
            type="user",
            role="reader",
            emailAddress=EMAIL("dee"),
            emailMessage="may not",
        )
        == "forbidden"
    )
    drive.say(
        "drive.permissions.create",
        fileId=key,
        type="user",
        role="writer",
        emailAddress=EMAIL("cyrus"),
        emailMessage="sent",
    )
    drive.say("world.wait", seconds=60)
    assert [one["people"] for one in told] == [["p_cy"]] and "sent" in told[0]["text"]


def test_readers_learn_by_no_search_who_else_has_a_file(drive: Drive) -> None:
    key = drive.book(f"{WORD} asked about", bo="writer", cyrus="reader", dee="commenter")
    drive.say(
        "drive.permissions.create",
        fileId=key,
        type="group",
        role="reader",
        emailAddress="core@tiny.example",
        sendNotificationEmail=False,
    )

    def finds(who: str, q: str) -> bool:
        return key in drive.answer(who, "drive.files.list", {"q": q, "pageSize": 1000})[1]

    for who, writes in (("ada", True), ("bo", True), ("cyrus", False), ("dee", False)):
        for role, whom in (("readers", "dee"), ("readers", "cyrus"), ("writers", "bo"), ("readers", "bo")):
            q = f"'{EMAIL(whom)}' in {role}"
            assert finds(who, q) == (writes or who == whom), (who, q)
        assert finds(who, "'core@tiny.example' in readers") == writes, who
        for q in (
            "'me' in readers",
            f"'{EMAIL('ada')}' in owners",
            f"'{EMAIL('ada')}' in writers",
            f"not '{EMAIL('eve')}' in readers",
        ):
            assert finds(who, q), (who, q)
        told = drive.say("drive.files.get", who, fileId=key)
        assert ("permissions" in told, "permissionIds" in told) == (writes, writes), who
        assert writes or not any(EMAIL(one) in str(told) for one in {"bo", "cyrus", "dee"} - {who}), told


def test_comments_are_there_for_everybody_who_reads_and_signed_without_address(drive: Drive) -> None:
    key = drive.book("Talk", bo="commenter", cyrus="reader")
    one = drive.say("drive.comments.create", "bo", fileId=key, content=f"{WORD} said")["id"]
    drive.say("drive.comments.delete", fileId=key, commentId=one)
    two = drive.say("drive.comments.create", "bo", fileId=key, content="there", quotedFileContent={"value": "q"})["id"]
    told = drive.answer("cyrus", "drive.comments.list", {"fileId": key, "includeDeleted": True})[1]
    assert WORD not in told and "there" in told and EMAIL("bo") not in told
    assert drive.code("eve", "drive.comments.get", fileId=key, commentId=two) == "not_found"
    other = drive.book("Other", "eve")
    for operation in ("drive.comments.get", "drive.replies.list"):
        assert drive.code("eve", operation, fileId=other, commentId=two) == "no_comment", operation


MISSED: list[tuple[str, str, dict[str, Any]]] = [
    ("web.create", "parent_not_folder", {"folderId": "{upload}"}),
    ("web.create", "forbidden", {"folderId": "{readable}"}),
    ("web.create", "not_found", {"folderId": NOWHERE}),
    ("web.create", "bad_request", {"sheetNames": ["a", "A"]}),
    ("web.create", "bad_request", {"sheetNames": ["x" * 101]}),
    ("web.create", "hierarchy_too_deep", {"folderId": "{deep}"}),
    ("web.copySheet", "not_found", {"spreadsheetId": NOWHERE}),
    ("web.copySheet", "forbidden", {"spreadsheetId": "{hers}"}),
    ("web.copySheet", "forbidden", {"destinationSpreadsheetId": "{readable book}"}),
    ("web.copySheet", "not_a_spreadsheet", {"spreadsheetId": "{upload}"}),
    ("web.copySheet", "no_sheet", {"sheetId": 5}),
    ("web.copySheet", "bad_request", {"title": "Sheet1"}),
    ("web.copySheet", "bad_request", {"title": " "}),
    ("web.setAccess", "not_found", {"fileId": NOWHERE}),
    ("web.setAccess", "forbidden", {"fileId": "{readable book}"}),
]


def test_what_is_done_in_one_go_is_refused_as_its_parts_are_and_leaves_nothing(drive: Drive) -> None:
    place, mine = folder(drive), drive.book("Mine", "bo")
    deep = ""
    for _ in range(100):
        deep = folder(drive, "bo", **({"parents": [deep]} if deep else {}))
    drive.share(place, "bo", "reader")
    ids = {
        "{upload}": drive.say("drive.files.create", "bo", name="x", content=b64(b"x"))["id"],
        "{readable}": place,
        "{deep}": deep,
        "{hers}": drive.book("Hers"),
        "{readable book}": drive.book("Readable", bo="reader"),
    }
    usual: dict[str, dict[str, Any]] = {
        "web.create": {"title": "y"},
        "web.copySheet": {"spreadsheetId": mine, "sheetId": 0, "destinationSpreadsheetId": mine, "title": "y"},
        "web.setAccess": {"link": "reader"},
    }
    raw: Any = drive.host.actors["w"].bound.raw
    before = (
        raw.execute("SELECT count(*) FROM drive_file").fetchone(),
        raw.execute("SELECT count(*) FROM sheets_sheet").fetchone(),
    )
    for operation, code, given in MISSED:
        assert (
            drive.code(
                "bo", operation, **{**usual[operation], **{name: ids.get(str(one), one) for name, one in given.items()}}
            )
            == code
        ), (operation, given)
    assert (
        raw.execute("SELECT count(*) FROM drive_file").fetchone(),
        raw.execute("SELECT count(*) FROM sheets_sheet").fetchone(),
    ) == before
    assert {code for operation, code, _ in MISSED if operation == "web.copySheet"} == {
        *drive.operations["web.copySheet"].codes
    }
    assert drive.say("web.copySheet", "bo", **usual["web.copySheet"])["title"] == "y"
