"""T3 on the drive as one table: every way to have a file x everything that can be read or changed of it, against what Google says each may."""

# ruff: noqa: E501 - one line to a thing of a table
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.company import as_person
from tests.security.sheet_vault import ANCHOR, TYPE, WORD, Drive, b64
from tests.security.sheet_writes import OWN, writes
from world.core.clock import HOUR, iso
from world.core.errors import OperationError

ORDER = ("none", "reader", "commenter", "writer", "owner")
# how Bo has Ada's files -> what that makes him, developers.google.com/workspace/drive/api/guides/ref-roles; `owner` is Ada herself
LEVEL = {
    "owner": "owner",
    "writer": "writer",
    "commenter": "commenter",
    "reader": "reader",
    "group": "reader",
    "link": "reader",
    "linkwriter": "writer",
    "domain": "commenter",
    "found": "reader",
    "folder": "writer",
    "outerfolder": "reader",
    "expired": "none",
    "removed": "none",
    "beside": "none",
    "stranger": "none",
}
OPENED_FIRST = {
    "link",
    "linkwriter",
    "domain",
}  # support.google.com/drive/answer/2494822: in lists and searches once it was opened
# reading, by what it needs
READS: list[tuple[str, str, dict[str, Any]]] = [
    *(
        ("reader", operation, given)
        for operation, given in (
            ("spreadsheets.get", {}),
            ("spreadsheets.get", {"includeGridData": True}),
            ("spreadsheets.getByDataFilter", {"dataFilters": [{"a1Range": "Hidden!A1"}], "includeGridData": True}),
            ("spreadsheets.values.get", {"range": "A1"}),
            ("spreadsheets.values.get", {"range": "Hidden!A1"}),
            ("spreadsheets.values.get", {"range": "named"}),
            ("spreadsheets.values.batchGet", {"ranges": ["A1"]}),
            ("spreadsheets.values.batchGetByDataFilter", {"dataFilters": [{"a1Range": "A1"}]}),
            (
                "spreadsheets.developerMetadata.search",
                {"dataFilters": [{"developerMetadataLookup": {"metadataKey": WORD}}]},
            ),
            ("spreadsheets.developerMetadata.get", {"metadataId": 9}),
            ("web.open", {}),
            ("web.cells", {}),
            ("web.summary", {"gid": 0, "area": [0, 0, 2, 2]}),
            ("web.find", {"gid": 0, "text": WORD}),
            ("web.edge", {"gid": 0, "row": 0, "column": 0, "towards": "end"}),
            ("web.download", {"format": "csv"}),
            ("web.download", {"format": "xlsx"}),
            ("drive.files.get", {}),
            ("drive.files.get", {"fileId": "{folder}"}),
            ("drive.files.get", {"fileId": "{upload}", "alt": "media"}),
            ("drive.files.export", {"mimeType": "text/csv"}),
            ("drive.comments.list", {}),
            ("drive.comments.get", {"commentId": "{comment}"}),
            ("drive.replies.list", {"commentId": "{comment}"}),
            ("drive.replies.get", {"commentId": "{comment}", "replyId": "{reply}"}),
        )
    ),
    *(
        ("writer", operation, given)
        for operation, given in (
            ("drive.permissions.list", {}),
            ("drive.permissions.get", {"permissionId": "{dee}"}),
            ("drive.revisions.list", {}),
            ("drive.revisions.get", {"revisionId": "head"}),
            ("drive.permissions.list", {"fileId": "{folder}"}),
            ("drive.revisions.get", {"fileId": "{upload}", "revisionId": "head", "alt": "media"}),
            ("web.versions", {}),
            ("web.version", {}),
        )
    ),
]
# changing, by what it needs; where it depends on what is changed, that is named after the operation
NEEDS = {
    "commenter": "drive.comments.create drive.replies.create",
    "owner": "drive.files.delete drive.files.update:trashed drive.files.update:writersCanShare drive.files.update:root web.setAccess:writersCanShare drive.permissions.create:owner drive.permissions.update:owner",
    "author": "drive.comments.update drive.replies.update",
    "author or owner": "drive.comments.delete drive.replies.delete",
}
NEEDED = {name: level for level, names in NEEDS.items() for name in names.split()}
TOO_LATE = {"web.undo", "web.redo", "drive.revisions.delete"}  # there is nothing to undo, and no other revision
NO = {"forbidden", "not_found", "not_the_author"}


class Ways(Drive):
    """For every way to have files: a folder with a folder in it, and there a spreadsheet and an upload."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.ids = {way: self.laid(way) for way in LEVEL}
        self.mine, self.place = (
            self.book("Mine", "bo"),
            self.say("drive.files.create", "bo", name="Mine", mimeType=f"{TYPE}folder")["id"],
        )
        self.say("world.wait", seconds=2 * 3600)

    def laid(self, way: str) -> dict[str, str]:
        """The files of one way; all ids by name."""
        outer = self.say("drive.files.create", name=f"{WORD} {way} outer", mimeType=f"{TYPE}folder")["id"]
        folder = self.say("drive.files.create", name=f"{WORD} {way} folder", mimeType=f"{TYPE}folder", parents=[outer])[
            "id"
        ]
        key = self.say("web.create", title=f"{WORD} {way} book", sheetNames=["Shown", "Hidden"], folderId=folder)[
            "spreadsheetId"
        ]
        upload = self.say("drive.files.create", name=f"{WORD} {way}.txt", content=b64(WORD.encode()), parents=[folder])[
            "id"
        ]
        self.fill(key)
        comment = self.say("drive.comments.create", fileId=key, content=WORD, anchor=ANCHOR % 0)["id"]
        reply = self.say("drive.replies.create", fileId=key, commentId=comment, content=WORD)["id"]
        dee = self.share(key, "dee", "reader")
        for one in (folder,) if way in ("folder", "outerfolder") else (folder, upload, key):
            self.give(way, one, outer)
        return {
            "key": key,
            "folder": folder,
            "upload": upload,
            "comment": comment,
            "reply": reply,
            "dee": dee,
            "outer": outer,
        }

    def fill(self, key: str) -> None:
        """Something to read on each sheet."""
        self.put(key, "Shown!A1", [WORD, 5])
        self.put(key, "Hidden!A1", [WORD])
        gid = self.say("spreadsheets.get", spreadsheetId=key)["sheets"][1]["properties"]["sheetId"]
        metadata = {
            "metadataId": 9,
            "metadataKey": WORD,
            "metadataValue": WORD,
            "visibility": "DOCUMENT",
            "location": {"spreadsheet": True},
        }
        self.batch(
            key,
            {"updateSheetProperties": {"properties": {"sheetId": gid, "hidden": True}, "fields": "hidden"}},
            {"createDeveloperMetadata": {"developerMetadata": metadata}},
            {
                "addNamedRange": {
                    "namedRange": {
                        "name": "named",
                        "range": {
                            "sheetId": 0,
                            "startRowIndex": 0,
                            "endRowIndex": 1,
                            "startColumnIndex": 0,
                            "endColumnIndex": 1,
                        },
                    }
                }
            },
        )

    def give(self, way: str, file: str, outer: str) -> None:
        """Let Bo have a file in a way."""
        quiet = {"sendNotificationEmail": False}
        if way in ("writer", "commenter", "reader"):
            self.share(file, "bo", way)
        elif way == "group":
            self.say(
                "drive.permissions.create",
                fileId=file,
                type="group",
                role="reader",
                emailAddress="Everyone@tiny.example",
                **quiet,
            )
        elif way in ("link", "linkwriter"):
            self.say("drive.permissions.create", fileId=file, type="anyone", role=LEVEL[way])
        elif way in ("domain", "found"):
            self.say(
                "drive.permissions.create",
                fileId=file,
                type="domain",
                domain="tiny.example",
                role=LEVEL[way],
                allowFileDiscovery=way == "found",
            )
        elif way in ("folder", "outerfolder"):
            self.share(outer, "bo", LEVEL[way])
        elif way == "expired":
            self.share(file, "bo", "writer", expirationTime=iso(self.host.actors["w"].now + HOUR))
        elif way == "removed":
            self.say("drive.permissions.delete", fileId=file, permissionId=self.share(file, "bo", "writer"))
        elif way == "beside":
            self.share(
                self.say("drive.files.create", name="beside", mimeType=f"{TYPE}folder", parents=[outer])["id"],
                "bo",
                "writer",
            )

    def named(self, way: str, given: dict[str, Any], operation: str) -> dict[str, Any]:
        """Arguments with the ids of a way in them."""
        whole = {("fileId" if operation.startswith("drive.") else "spreadsheetId"): "{key}", **given}
        return {name: self.ids[way].get(one[1:-1], one) if isinstance(one, str) else one for name, one in whole.items()}

    def code_in(self, world: str, who: str, operation: str, given: dict[str, Any]) -> str:
        """How an operation is refused in a world."""
        try:
            self.host.call(as_person(self.host, who, world), "rest", operation, given)
        except OperationError as refusal:
            return refusal.code
        return ""


@pytest.fixture(scope="module")
def ways(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ways]:
    made = Ways(tmp_path_factory.mktemp("ways"))
    yield made
    made.close()


def person(way: str) -> str:
    return "ada" if way == "owner" else "bo"


def reaches(way: str, level: str) -> bool:
    return ORDER.index(LEVEL[way]) >= ORDER.index(level)


def judge_reads(ways: Ways) -> Iterator[tuple[str, str]]:
    """Everything that can be read of a file, had in every way: the case, and what is wrong about it."""
    for way in LEVEL:
        for level, operation, given in READS:
            code, text = ways.answer(person(way), operation, ways.named(way, given, operation))
            hidden = "forbidden" if reaches(way, "reader") or not operation.startswith("drive.") else "not_found"
            expected = "" if reaches(way, level) else hidden
            fine = code == expected and not (code and WORD in text)
            yield f"{way} {operation} {given}", "" if fine else f"{code or 'done'} instead of {expected or 'done'}"


def test_what_is_read_of_a_file_is_what_ones_role_allows(ways: Ways) -> None:
    judged = list(judge_reads(ways))
    assert not [case for case in judged if case[1]]
    assert len(judged) == len(LEVEL) * len(READS) >= 440


def kind_of(operation: str, given: dict[str, Any]) -> str:
    """The name under which a change stands in the table."""
    for name in ("trashed", "writersCanShare"):
        if name in given:
            return f"{operation}:{name}"
    if given.get("addParents") == "root":
        return f"{operation}:root"
    return f"{operation}:owner" if given.get("role") == "owner" else operation


def changing(ways: Ways, way: str) -> list[tuple[str, str, dict[str, Any]]]:
    """What a change needs, its operation and arguments, for the files of a way."""
    ids = ways.ids[way]
    place = ways.place if way != "owner" else ids["outer"]
    known = writes(
        ways,
        ids["key"],
        comment=ids["comment"],
        reply=ids["reply"],
        mine=ways.mine if way != "owner" else ids["key"],
        permission=ids["dee"],
        folder=place,
        bo=ids["dee"],
    )
    found = [
        (NEEDED.get(kind_of(operation, one), "writer"), operation, one)
        for operation, several in known.items()
        if operation not in TOO_LATE
        for one in several
    ]
    return [
        (level, operation, {**one, "removeParents": ids["folder"]} if "addParents" in one else one)
        for level, operation, one in found
    ]


def judge_changes(ways: Ways) -> Iterator[tuple[str, str]]:
    """Everything that can be changed of a file, had in every way: the case, and what is wrong about it."""
    for way in LEVEL:
        for number, (level, operation, given) in enumerate(changing(ways, way)):
            case = f"{way} {operation} {given}"
            if may_change(way, level):
                world = f"{way}-{number}"
                ways.host.fork(ways.host.actor("w"), world)
                code = ways.code_in(world, person(way), operation, given)
                ways.host.drop(world)
                yield case, f"{code} instead of done" if code else ""
            else:
                yield case, find_change(ways, way, operation, given)


def may_change(way: str, level: str) -> bool:
    """Whether one who has a file in a way may make a change that needs a level."""
    if level.startswith("author"):
        return (way == "owner" or level == "author") and LEVEL[way] == "owner"
    return reaches(way, level)


def find_change(ways: Ways, way: str, operation: str, given: dict[str, Any]) -> str:
    """What is wrong about the refusal of a change."""
    raw: Any = ways.host.actors["w"].bound.raw
    before = raw.execute("SELECT count(*) FROM _journal").fetchone()[0]
    code = ways.code_in("w", "bo", operation, given)
    if raw.execute("SELECT count(*) FROM _journal").fetchone()[0] != before:
        return "changed something"
    hidden = "not_found" if operation.startswith(("drive.", "web.set", "web.share")) else "forbidden"
    allowed = NO if reaches(way, "reader") else {hidden}
    return "" if code in allowed else f"{code or 'done'} instead of {sorted(allowed)}"


def test_what_is_changed_of_a_file_is_what_ones_role_allows(ways: Ways) -> None:
    judged = list(judge_changes(ways))
    assert not [case for case in judged if case[1]]
    assert len(judged) >= 700, len(judged)


def test_the_table_is_about_every_change_there_is(ways: Ways) -> None:
    made = {operation for _, operation, _ in changing(ways, "writer")}
    assert made | OWN | TOO_LATE == {one.id for one in ways.operations.values() if one.writes}
    assert set(NEEDED) <= {kind_of(operation, given) for _, operation, given in changing(ways, "writer")}


def listed(ways: Ways, world: str, who: str, **search: Any) -> list[str]:
    """The names of the files somebody finds."""
    told = ways.host.call(as_person(ways.host, who, world), "rest", "drive.files.list", {"pageSize": 1000, **search})
    return sorted(one["name"] for one in told["files"] if WORD in one["name"])


def expected(seen: set[str]) -> list[str]:
    """The names of the files of the ways that are in view."""
    per = {way: [f"{WORD} {way} folder", f"{WORD} {way} book", f"{WORD} {way}.txt"] for way in seen}
    return sorted(
        [name for names in per.values() for name in names]
        + [f"{WORD} {way} outer" for way in seen & {"folder", "outerfolder"}]
    )


@pytest.mark.parametrize("opened", [False, True])
def test_lists_searches_counts_and_changes_hold_what_is_in_view(ways: Ways, opened: bool) -> None:
    world = f"view-{opened}"
    ways.host.fork(ways.host.actor("w"), world)
    seen = {way for way, level in LEVEL.items() if level != "none" and way != "owner"} - OPENED_FIRST
    say = ways.host.call
    bo, ada = (as_person(ways.host, who, world) for who in ("bo", "ada"))
    token = say(bo, "rest", "drive.changes.getStartPageToken", {})["startPageToken"]
    if opened:
        for way in OPENED_FIRST:
            say(bo, "rest", "web.open", {"spreadsheetId": ways.ids[way]["key"]})
    names = expected(seen) + sorted(f"{WORD} {way} book" for way in OPENED_FIRST if opened)
    for q in (
        "",
        f"name contains '{WORD}'",
        f"fullText contains '{WORD}'",
        "'ada@tiny.example' in owners",
        "trashed = false",
        "not name contains 'zzz'",
        "modifiedTime > '2020-01-01T00:00:00'",
    ):
        kept = [one for one in sorted(names) if not q.startswith("fullText") or WORD in one]
        assert listed(ways, world, "bo", q=q) == kept, q
    for way in LEVEL:
        say(ada, "rest", "drive.files.update", {"fileId": ways.ids[way]["key"], "description": "touched"})
    told = say(bo, "rest", "drive.changes.list", {"pageToken": token})
    assert sorted(one["file"]["name"] for one in told["changes"]) == sorted(
        one for one in names if one.endswith("book")
    )
    assert not [one for one in told["changes"] if one["removed"]]
    ways.host.drop(world)


def test_importrange_follows_the_role(ways: Ways) -> None:
    for way in LEVEL:
        who = person(way)
        key = ways.book("Importing", who)
        ways.put(key, "A1", [f'=IMPORTRANGE("{ways.ids[way]["key"]}","Hidden!A1")'], who=who)
        assert (WORD in orjson.dumps(ways.read(key, "A1", who)).decode()) == reaches(way, "reader"), way
        ways.say("drive.files.update", fileId=ways.ids[way]["key"], copyRequiresWriterPermission=True)
        assert (WORD in orjson.dumps(ways.read(key, "A1", who)).decode()) == reaches(way, "writer"), way


TAKING: list[tuple[str, dict[str, Any]]] = [
    ("drive.files.copy", {}),
    ("drive.files.export", {"mimeType": "text/csv"}),
    ("drive.files.get", {"fileId": "{upload}", "alt": "media"}),
    ("drive.files.copy", {"fileId": "{upload}"}),
    ("web.download", {"format": "csv"}),
    ("spreadsheets.sheets.copyTo", {"sheetId": 0, "destinationSpreadsheetId": "{mine}"}),
    ("web.copySheet", {"sheetId": 0, "destinationSpreadsheetId": "{mine}", "title": "{title}"}),
]


def test_readers_take_nothing_away_where_that_is_kept_to_writers(ways: Ways) -> None:
    for way in LEVEL:
        ids = ways.ids[way]
        mine = ways.book("Mine too", person(way))
        for kept in (False, True):
            for file in (ids["key"], ids["upload"]):
                ways.say("drive.files.update", fileId=file, copyRequiresWriterPermission=kept)
            for operation, given in TAKING:
                one = ways.named(
                    way,
                    {
                        name: {"{mine}": mine, "{title}": f"kept {kept}"}.get(str(text), text)
                        for name, text in given.items()
                    },
                    operation,
                )
                code = ways.code(person(way), operation, **one)
                assert (code == "") == reaches(way, "writer" if kept else "reader"), (way, kept, operation, code)
            page = ways.page(person(way), f"/sheets/d/{ids['key']}/export?format=csv")
            assert (page.status_code == 200) == reaches(way, "writer" if kept else "reader"), (way, kept)
