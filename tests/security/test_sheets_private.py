"""T3 on the drive: what is in a file is for those it is shared with, and changed by those who may change it, at every door."""

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.mcp_servers.calls import Desk
from tests.security.sheet_vault import EMAIL, OUTSIDE, TYPE, WORD, Drive, Vault, b64, without
from world.core.clock import HOUR, iso
from world.core.operation import Operation

RANGES = (f"'{WORD} tab'!A1:C9", f"{WORD}_name", "A1:Z20")
MUST_SHOW = {
    "spreadsheets.get",
    "spreadsheets.getByDataFilter",
    "spreadsheets.values.get",
    "spreadsheets.values.batchGet",
    "spreadsheets.values.batchGetByDataFilter",
    "spreadsheets.developerMetadata.get",
    "spreadsheets.developerMetadata.search",
    "drive.files.get",
    "drive.files.list",
    "drive.files.export",
    "drive.comments.list",
    "drive.comments.get",
    "drive.replies.list",
    "drive.replies.get",
    "drive.changes.list",
    "drive.revisions.get",
    "web.open",
    "web.cells",
    "web.summary",
    "web.download",
}
QUERIES = (
    f"name contains '{WORD}'",
    f"fullText contains '{WORD}'",
    f"fullText contains '\"{WORD} typed\"'",
    f"name = '{WORD}.txt'",
    "'ada@tiny.example' in owners",
    "'ada@tiny.example' in writers",
    "'bo@tiny.example' in readers",
    "'{folder}' in parents",
    "'root' in parents",
    "sharedWithMe = true",
    "starred = true",
    "trashed = false",
    f"not name contains 'other' and mimeType != '{TYPE}folder'",
    "visibility = 'limited'",
    f"properties has {{ key='secret' and value='{WORD} property' }}",
    "modifiedTime > '2020-01-01T00:00:00'",
    "viewedByMeTime > '2020-01-01T00:00:00'",
    "",
)


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vault]:
    made = Vault(tmp_path_factory.mktemp("vault"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def drive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Drive]:
    made = Drive(tmp_path_factory.mktemp("drive"))
    yield made
    made.close()


def probes(vault: Vault, operation: Operation) -> Iterator[dict[str, Any]]:
    """Arguments that point an operation at what is secret as hard as its params allow."""
    filters = [
        [{"a1Range": RANGES[0]}],
        [{"developerMetadataLookup": {"metadataId": vault.ids["metadataId"][0]}}],
        [{"gridRange": {"sheetId": vault.gid}}],
    ]
    values: dict[str, list[Any]] = {
        **vault.ids,
        "spreadsheetId": [vault.secret, vault.upload, vault.other],
        "fileId": [vault.secret, vault.folder, vault.upload, vault.other],
        "range": list(RANGES),
        "ranges": [list(RANGES)],
        "dataFilters": filters,
        "gid": [vault.gid],
        "row": [0],
        "column": [0],
        "towards": ["down"],
        "text": [WORD],
        "area": [[0, 0, 9, 3]],
        "includeGridData": [True],
        "includeDeleted": [True],
        "includeRemoved": [True],
        "count": [1],
        "mimeType": ["text/csv"],
        "alt": [None, "media"],
        "q": [one.replace("{folder}", vault.folder) for one in QUERIES],
        "format": ["xlsx", "csv"],
        "revisionId": [None, "head", *vault.ids["revisionId"]],
        "corpora": ["user", "allDrives", "domain"],
    }
    if operation.id != "drive.changes.list":
        values.pop("pageToken")
    fields = operation.params.model_fields
    names = [name for name in fields if name in values and (name != "ranges" or operation.id != "spreadsheets.get")]
    for given in itertools.product(*(values[name] for name in names)):
        probe = {name: value for name, value in zip(names, given, strict=True) if value is not None}
        yield probe
    if "includeGridData" in fields:
        yield (
            {"spreadsheetId": vault.secret, "ranges": [RANGES[0]]}
            if "ranges" in fields
            else {"spreadsheetId": vault.secret, "dataFilters": filters[0]}
        )


def test_no_reading_operation_shows_it_to_those_without_access_whatever_is_named(vault: Vault) -> None:
    cases, shown = 0, set[str]()
    for operation in [one for one in vault.operations.values() if not one.writes]:
        for probe in probes(vault, operation):
            for who in OUTSIDE:
                told = vault.answer(who, operation.id, probe)[1]
                cases += 1
                assert WORD not in told, (who, operation.id, probe, told[:400])
            if WORD in without(vault.answer("ada", operation.id, probe)[1], probe):
                shown.add(operation.id)
    assert MUST_SHOW <= shown and cases > 800, (MUST_SHOW - shown, cases)


def test_importrange_gives_what_the_reader_may_read_whoever_computed_before(vault: Vault) -> None:
    formulas = [
        [f'=IMPORTRANGE("{where}", "{range}")']
        for where in (vault.secret, f"https://docs.google.com/spreadsheets/d/{vault.secret}/edit")
        for range in RANGES
    ]
    for who in OUTSIDE:
        key = vault.book("Mine", who, ada="reader")
        for row, formula in enumerate(formulas):
            vault.put(key, f"A{row * 20 + 1}", formula, who=who)
        vault.put(
            key,
            "J1",
            [f'=QUERY(IMPORTRANGE("{vault.secret}","{RANGES[0]}"),"select Col1")'],
            [f'=IFERROR(VLOOKUP("x",IMPORTRANGE("{vault.secret}","{RANGES[0]}"),2,0),"")'],
            who=who,
        )
        reads = [
            ("web.open", {}),
            ("web.cells", {"view": [0, 0, 200, 12]}),
            ("spreadsheets.values.get", {"range": "A1:K200"}),
            ("web.download", {"format": "xlsx"}),
            ("web.download", {"format": "csv"}),
        ]
        for order in (("ada", who), (who,)):
            for reader, (operation, more) in itertools.product(order, reads):
                told = vault.answer(reader, operation, {"spreadsheetId": key, **more})[1]
                assert ("typed" in told or "made" in told) == (reader == "ada"), (reader, operation, told[:400])
    shared = vault.book("Summary", eve="reader")
    vault.put(shared, "A1", [formulas[0][0]])
    assert WORD in str(vault.read(shared, "A1:C9")) and WORD not in str(vault.read(shared, "A1:C9", "eve"))


def addresses(vault: Vault) -> list[str]:
    """Every page that could show something of a file."""
    dialogs = (
        "menu",
        "rename",
        "share",
        "copy",
        "move",
        "details",
        "history",
        "import",
        "download",
        "forever",
        "trash",
        "new-folder",
    )
    keys = (vault.secret, vault.folder, vault.upload)
    return [
        *(
            f"/sheets/{at}"
            for at in (
                "",
                "my-drive",
                "shared-with-me",
                "recent",
                "starred",
                "trash",
                f"search?q={WORD[:5]}",
                "search?q=title",
                "search?q=kept",
                "more",
            )
        ),
        *(
            f"/sheets/?owner={owner}&sort={sort}"
            for owner in ("anyone", "not-me")
            for sort in ("opened", "modified", "title")
        ),
        *(
            f"/sheets/{at}"
            for key in keys
            for at in (
                f"d/{key}",
                f"d/{key}/edit",
                f"folders/{key}",
                f"file/d/{key}/view",
                f"file/d/{key}?export=download",
                f"open?id={key}",
                f"d/{key}/edit?pane=comments&show=all",
                f"d/{key}/edit?gid={vault.gid}&range=A1",
                f"file/d/{key}?export=view",
            )
        ),
        *(
            f"/sheets/d/{key}/export?{how}"
            for key in keys
            for how in ("format=xlsx", "format=csv", f"format=tsv&gid={vault.gid}", "mimeType=text/csv")
        ),
        *(
            f"/sheets/{at}?dialog={name}&file={key}"
            for at in ("my-drive", f"d/{vault.other}/edit")
            for name in dialogs
            for key in keys
        ),
        f"/sheets/d/{vault.secret}/edit?dialog=share",
        f"/sheets/my-drive?dialog=move&file={vault.other}&at={vault.folder}",
    ]


PARTS = ("cells", "summary", "edge", "find", "state", "comments", "overlay", "functions")


def test_no_page_dialog_or_download_shows_it(vault: Vault) -> None:
    shown = 0
    for number, address in enumerate(addresses(vault)):
        shown += WORD in vault.page("ada", address).content.decode("latin-1")
        for who in OUTSIDE if "dialog" not in address else (OUTSIDE[number % len(OUTSIDE)],):
            answer = vault.page(who, address)
            assert answer.status_code < 500 and WORD not in answer.content.decode("latin-1"), (who, address)
            assert not answer.headers.get("content-disposition"), (who, address)
    for part, who in itertools.product(PARTS, OUTSIDE):
        answer = vault.page(
            who,
            f"/sheets/d/{vault.secret}/edit?gid={vault.gid}&bottom=9&right=3&q=typed&pane=comments",
            **{"HX-Request": "true", "HX-Target": part},
        )
        assert answer.status_code < 500 and WORD not in answer.text, (who, part)
    assert shown > 40


def guess(vault: Vault, name: str, schema: Mapping[str, Any]) -> Any:
    """A value for a tool's parameter that points at what is secret."""
    low = name.lower()
    kind = schema.get("type")
    kind = next((one for one in kind if one != "null"), "string") if isinstance(kind, list) else kind
    if kind == "array":
        one = guess(vault, name, schema.get("items") or {"type": "string"})
        return [one]
    if kind in ("integer", "number", "boolean", "object"):
        return {"integer": 1, "number": 1, "boolean": True, "object": {}}[kind]
    if schema.get("enum"):
        return schema["enum"][0]
    known = {
        "range": RANGES[2],
        "query": f"name contains '{WORD}'",
        "find": f"{WORD} typed",
        "folder": vault.folder,
        "file": vault.secret,
        "spreadsheet": vault.secret,
        "sheet": f"{WORD} tab",
        "email": EMAIL("eve"),
        "comment": vault.ids["commentId"][0],
        "permission": vault.ids["permissionId"][0],
    }
    return next((value for part, value in known.items() if part in low), "x")


@pytest.mark.parametrize("surface", ["community", "vendor", "workspace"])
def test_no_tool_shows_it(vault: Vault, surface: str) -> None:
    desk, shown = Desk(vault.host, "sheets", surface), 0
    for name, tool in desk.tools.tools.items():
        properties, required = tool.wire.input_schema["properties"], tool.wire.input_schema.get("required", [])
        every = {one: guess(vault, one, schema) for one, schema in properties.items()}
        reads = all(not one.writes for one in tool.operations.values())
        for given in (
            {one: every[one] for one in required},
            every,
            {
                one: every[one]
                for one in every
                if one in required or "id" in one.lower() or "range" in one or one == "sheet"
            },
        ):
            for who in OUTSIDE:
                told = without(desk.ask(name, who, **given)[1], given)
                assert WORD not in told, (who, name, given, told[:400])
            shown += reads and WORD in without(desk.ask(name, **given)[1], given)
    assert shown >= {"community": 8, "vendor": 2, "workspace": 4}[surface]


def test_nobody_is_told_of_a_file_they_cannot_open(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    app, told = vault.host.apps["drive"], list[dict[str, Any]]()
    monkeypatch.setattr(app, "topics", {**app.topics, "person.notified": lambda call, facts: told.append(dict(facts))})
    everybody = " ".join(f"@{EMAIL(who)}" for who in OUTSIDE)
    comment = vault.say("drive.comments.create", fileId=vault.secret, content=f"{WORD} for {everybody}")["id"]
    vault.say(
        "drive.replies.create",
        fileId=vault.secret,
        commentId=comment,
        content=f"{WORD} again, {everybody}",
        action="resolve",
    )
    vault.say(
        "drive.replies.create", fileId=vault.secret, commentId=vault.ids["commentId"][0], content=f"{WORD} once more"
    )
    for who in OUTSIDE:
        vault.code(
            "ada",
            "drive.comments.create",
            fileId=vault.secret,
            content=f"{WORD} do it",
            assigneeEmailAddress=EMAIL(who),
        )
        vault.code(who, "web.requestAccess", fileId=vault.secret, role="reader", message="please")
    vault.say("world.wait", seconds=60)
    assert {tuple(one["people"]) for one in told if WORD in str(one)} == {("p_ada",)}
    other = vault.say("drive.comments.create", fileId=vault.other, content=f"{EMAIL('dee')} look")
    vault.say("world.wait", seconds=60)
    assert other and not [one for one in told if "p_eve" in one["people"]]


def writes(vault: Drive, key: str, **ids: str) -> dict[str, list[dict[str, Any]]]:
    """Every operation that changes a spreadsheet, with arguments by which its writer would change it."""
    value = {"range": "A1", "valueInputOption": "RAW", "values": [["y"]]}
    area = {"sheetId": 0, "endRowIndex": 1, "endColumnIndex": 1}
    change = {"requests": [{"updateSpreadsheetProperties": {"properties": {"title": "y"}, "fields": "title"}}]}
    paste = {
        "requests": [
            {"pasteData": {"coordinate": {"sheetId": 0}, "data": "y", "delimiter": ",", "type": "PASTE_NORMAL"}}
        ]
    }
    book: dict[str, list[dict[str, Any]]] = {
        "spreadsheets.values.update": [value],
        "spreadsheets.values.append": [value],
        "spreadsheets.values.clear": [{"range": "A1"}],
        "spreadsheets.values.batchUpdate": [{"valueInputOption": "RAW", "data": [{"range": "A1", "values": [["y"]]}]}],
        "spreadsheets.values.batchClear": [{"ranges": ["A1"]}],
        "spreadsheets.values.batchUpdateByDataFilter": [
            {"valueInputOption": "RAW", "data": [{"dataFilter": {"a1Range": "A1"}, "values": [["y"]]}]}
        ],
        "spreadsheets.values.batchClearByDataFilter": [{"dataFilters": [{"a1Range": "A1"}]}],
        "spreadsheets.batchUpdate": [change],
        "web.change": [change],
        "web.paste": [paste],
        "web.fill": [{"requests": [{"autoFill": {"range": {**area, "endRowIndex": 3}}}]}],
        "web.enter": [{"cells": [[0, 0, "y"]]}],
        "web.undo": [{}],
        "web.redo": [{}],
        "web.import": [
            {"name": "a.csv", "content": b64(b"y"), "where": where}
            for where in ("new_sheets", "replace_spreadsheet", "replace_sheet", "append", "replace_at")
        ],
        "spreadsheets.sheets.copyTo": [{"sheetId": 0, "destinationSpreadsheetId": key, "spreadsheetId": ids["mine"]}],
        "web.nameVersion": [{"name": "y"}],
        "web.restoreVersion": [{}],
        "web.copySheet": [{"sheetId": 0, "destinationSpreadsheetId": key, "spreadsheetId": ids["mine"], "title": "y"}],
    }
    of_comment = {"commentId": ids["comment"]}
    file: dict[str, list[dict[str, Any]]] = {
        "drive.files.update": [
            {"name": "y"},
            {"description": "y"},
            {"trashed": True},
            {"content": b64(b"y"), "contentType": "text/csv"},
            {"writersCanShare": False},
            {"properties": {"a": "b"}},
            {"copyRequiresWriterPermission": True},
            {"addParents": ids["folder"]},
            {"addParents": "root"},
            {"modifiedTime": "2026-03-01T00:00:00Z"},
            {"appProperties": {"a": "b"}},
        ],
        "drive.files.delete": [{}],
        "drive.permissions.create": [
            {"type": "anyone", "role": "reader"},
            {"type": "user", "role": "writer", "emailAddress": EMAIL("eve")},
            {"type": "user", "role": "owner", "emailAddress": EMAIL("dee"), "transferOwnership": True},
        ],
        "drive.permissions.update": [
            {"permissionId": ids["permission"], "role": "writer"},
            {"permissionId": ids["permission"], "role": "owner", "transferOwnership": True},
        ],
        "drive.permissions.delete": [{"permissionId": ids["bo"]}],
        "web.share": [{"recipients": [{"type": "anyone"}]}],
        "web.setAccess": [
            {"link": "writer"},
            {"link": "off"},
            {"copyRequiresWriterPermission": True},
            {"writersCanShare": False},
        ],
        "drive.revisions.update": [{"revisionId": "head", "keepForever": True}],
        "drive.revisions.delete": [{"revisionId": "head"}],
        "drive.comments.create": [{"content": "y"}],
        "drive.replies.create": [{**of_comment, "content": "y"}, {**of_comment, "action": "resolve"}],
        "drive.comments.update": [{**of_comment, "content": "y"}],
        "drive.comments.delete": [of_comment],
        "drive.replies.update": [{**of_comment, "replyId": ids["reply"], "content": "y"}],
        "drive.replies.delete": [{**of_comment, "replyId": ids["reply"]}],
    }
    return {
        **{name: [{"spreadsheetId": key, **one} for one in given] for name, given in book.items()},
        **{name: [{"fileId": key, **one} for one in given] for name, given in file.items()},
    }


OWN = {
    "drive.files.copy",
    "drive.files.create",
    "drive.files.emptyTrash",
    "spreadsheets.create",
    "web.create",
    "web.requestAccess",
}  # they change nothing that is another's


def whole(drive: Drive, key: str) -> list[Any]:
    """Everything about a spreadsheet, as its owner sees it."""
    reads = ("drive.files.get", "drive.permissions.list", "drive.comments.list")
    told = [drive.say(one, fileId=key) for one in reads] + [
        drive.say("spreadsheets.get", spreadsheetId=key, includeGridData=True)
    ]
    return [{name: value for name, value in one.items() if name != "viewedByMeTime"} for one in told]


@pytest.mark.parametrize(
    ("who", "role", "may"),
    [
        ("eve", "", set[str]()),
        ("cyrus", "reader", set[str]()),
        ("dee", "commenter", {"drive.comments.create", "drive.replies.create"}),
    ],
)
def test_readers_write_by_no_operation_and_commenters_only_comment(
    drive: Drive, who: str, role: str, may: set[str]
) -> None:
    key = drive.book("Plan", bo="writer", **{who: role} if role else {})
    drive.put(key, "A1", ["x"])
    comment = drive.say("drive.comments.create", fileId=key, content="x")["id"]
    permission = next(
        (
            one["id"]
            for one in drive.say("drive.permissions.list", fileId=key)["permissions"]
            if one["emailAddress"] == EMAIL(who)
        ),
        "1",
    )
    ids = {
        "comment": comment,
        "reply": drive.say("drive.replies.create", fileId=key, commentId=comment, content="x")["id"],
        "mine": drive.book("Mine", who),
        "permission": permission,
        "folder": drive.say("drive.files.create", who, name="f", mimeType=f"{TYPE}folder")["id"],
        "bo": next(
            one["id"]
            for one in drive.say("drive.permissions.list", fileId=key)["permissions"]
            if one["emailAddress"] == EMAIL("bo")
        ),
    }
    known = writes(drive, key, **ids)
    assert {one.id for one in drive.operations.values() if one.writes} == set(known) | OWN
    before = whole(drive, key)
    for operation, one in [
        (operation, one) for operation, given in known.items() if operation not in may for one in given
    ]:
        assert drive.code(who, operation, **one) in ("forbidden", "not_found", "not_the_author"), (operation, one)
    assert whole(drive, key) == before
    assert not [operation for operation in may for one in known[operation] if drive.code(who, operation, **one)]
    assert drive.code(who, "drive.files.copy", fileId=key) == ("" if role else "not_found")


def test_writers_do_not_give_a_file_away_bin_it_or_lock_it(drive: Drive) -> None:
    key = drive.book("Plan", bo="writer", cyrus="reader")
    bo = next(
        one["id"]
        for one in drive.say("drive.permissions.list", "bo", fileId=key)["permissions"]
        if one["emailAddress"] == EMAIL("bo")
    )
    ada = next(
        one["id"]
        for one in drive.say("drive.permissions.list", "bo", fileId=key)["permissions"]
        if one["emailAddress"] == EMAIL("ada")
    )
    for operation, given in [
        (
            "drive.permissions.create",
            {"type": "user", "role": "owner", "emailAddress": EMAIL("bo"), "transferOwnership": True},
        ),
        (
            "drive.permissions.create",
            {"type": "user", "role": "owner", "emailAddress": EMAIL("eve"), "transferOwnership": True},
        ),
        ("drive.permissions.update", {"permissionId": bo, "role": "owner", "transferOwnership": True}),
        ("drive.files.delete", {}),
        ("drive.files.update", {"trashed": True}),
        ("drive.files.update", {"writersCanShare": False}),
        ("web.setAccess", {"writersCanShare": False}),
    ]:
        assert drive.code("bo", operation, fileId=key, **given) == "forbidden", (operation, given)
    for operation, given in [
        ("drive.permissions.delete", {"permissionId": ada}),
        ("drive.permissions.update", {"permissionId": ada, "role": "reader"}),
    ]:
        assert drive.code("bo", operation, fileId=key, **given) == "cannot_remove_owner"
    told = drive.say("web.share", "bo", fileId=key, recipients=[{"emailAddress": EMAIL("bo"), "role": "owner"}])
    assert told["failures"] and drive.say("drive.files.get", fileId=key)["ownedByMe"]
    drive.say("drive.files.update", fileId=key, writersCanShare=False)
    assert drive.code("bo", "drive.permissions.create", fileId=key, type="anyone", role="reader") == "forbidden"
    assert drive.code("bo", "web.setAccess", fileId=key, link="reader") == "forbidden"


def closed(drive: Drive, *, sheet: bool = False) -> str:
    """A book in which A1:B2, or the whole sheet, is Ada's to change."""
    key = drive.book("Closed", bo="writer")
    drive.put(key, "A1", ["b z", "keep"], ["a", "keep"], ["b", "c"])
    drive.batch(key, {"addSheet": {"properties": {"sheetId": 7, "title": "Second"}}})
    range = (
        {"sheetId": 0}
        if sheet
        else {"sheetId": 0, "startRowIndex": 0, "endRowIndex": 2, "startColumnIndex": 0, "endColumnIndex": 2}
    )
    drive.batch(
        key,
        {"addProtectedRange": {"protectedRange": {"protectedRangeId": 5, "range": range}}},
        {"addNamedRange": {"namedRange": {"name": "kept", "range": range}}},
    )
    return key


def area(top: int = 0, left: int = 0, bottom: int = 2, right: int = 2, sheet: int = 0) -> dict[str, int]:
    return {
        "sheetId": sheet,
        "startRowIndex": top,
        "endRowIndex": bottom,
        "startColumnIndex": left,
        "endColumnIndex": right,
    }


def lines(axis: str, start: int, end: int) -> dict[str, Any]:
    return {"sheetId": 0, "dimension": axis, "startIndex": start, "endIndex": end}


CELL = {"userEnteredValue": {"stringValue": "y"}}
AT = {"sheetId": 0, "rowIndex": 0, "columnIndex": 0}
BESIDE = {"sheetId": 0, "rowIndex": 0, "columnIndex": 4}
BREAKING: list[dict[str, Any]] = [
    {"updateCells": {"rows": [{"values": [CELL]}], "fields": "userEnteredValue", "start": AT}},
    {"updateCells": {"range": area(), "fields": "*"}},
    {"updateCells": {"rows": [{"values": [{"note": "y"}]}], "fields": "note", "start": AT}},
    {"repeatCell": {"range": area(0, 0, 9, 9), "cell": CELL, "fields": "userEnteredValue"}},
    {
        "repeatCell": {
            "range": area(1, 1, 2, 2),
            "cell": {"userEnteredFormat": {"textFormat": {"bold": True}}},
            "fields": "userEnteredFormat",
        }
    },
    {"findReplace": {"find": "keep", "replacement": "y", "allSheets": True}},
    {"findReplace": {"find": "keep", "replacement": "y", "sheetId": 0}},
    {"findReplace": {"find": "e", "replacement": "", "range": area()}},
    {"sortRange": {"range": area(0, 0, 3, 2), "sortSpecs": [{"dimensionIndex": 0, "sortOrder": "ASCENDING"}]}},
    {"randomizeRange": {"range": area(0, 0, 3, 2)}},
    {
        "setBasicFilter": {
            "filter": {"range": area(0, 0, 3, 2), "sortSpecs": [{"dimensionIndex": 0, "sortOrder": "ASCENDING"}]}
        }
    },
    {"deleteDuplicates": {"range": area(0, 0, 3, 1)}},
    {"trimWhitespace": {"range": area()}},
    {"textToColumns": {"source": area(0, 0, 3, 1), "delimiterType": "SPACE"}},
    {"cutPaste": {"source": area(), "destination": BESIDE, "pasteType": "PASTE_NORMAL"}},
    {"cutPaste": {"source": area(2, 0, 3, 2), "destination": AT, "pasteType": "PASTE_NORMAL"}},
    {"copyPaste": {"source": area(2, 0, 3, 2), "destination": area(0, 0, 1, 2), "pasteType": "PASTE_NORMAL"}},
    {"copyPaste": {"source": area(2, 0, 3, 1), "destination": area(0, 1, 9, 2), "pasteType": "PASTE_FORMAT"}},
    {"pasteData": {"coordinate": AT, "data": "y", "delimiter": ",", "type": "PASTE_NORMAL"}},
    {
        "pasteData": {
            "coordinate": AT,
            "data": "<table><tr><td>y</td></tr></table>",
            "html": True,
            "type": "PASTE_VALUES",
        }
    },
    {"autoFill": {"sourceAndDestination": {"source": area(2, 0, 3, 1), "dimension": "ROWS", "fillLength": -2}}},
    {"insertRange": {"range": area(0, 0, 1, 1), "shiftDimension": "ROWS"}},
    {"deleteRange": {"range": area(0, 0, 1, 1), "shiftDimension": "ROWS"}},
    {"deleteRange": {"range": area(1, 0, 2, 1), "shiftDimension": "COLUMNS"}},
    {"deleteDimension": {"range": lines("ROWS", 1, 2)}},
    {"deleteDimension": {"range": lines("COLUMNS", 0, 1)}},
    {"insertDimension": {"range": lines("ROWS", 1, 2)}},
    {"moveDimension": {"source": lines("ROWS", 0, 1), "destinationIndex": 5}},
    {"moveDimension": {"source": lines("ROWS", 4, 5), "destinationIndex": 1}},
    {"mergeCells": {"range": area(), "mergeType": "MERGE_ALL"}},
    {"mergeCells": {"range": area(1, 1, 4, 4), "mergeType": "MERGE_ROWS"}},
    {"unmergeCells": {"range": area()}},
    {"updateBorders": {"range": area(), "top": {"style": "SOLID"}}},
    {
        "addBanding": {
            "bandedRange": {
                "range": area(),
                "rowProperties": {"firstBandColor": {"red": 1}, "secondBandColor": {"red": 0.5}},
            }
        }
    },
    {"setDataValidation": {"range": area(), "rule": {"condition": {"type": "BOOLEAN"}}}},
    {"addTable": {"table": {"name": "T", "range": area(0, 0, 3, 2)}}},
    {
        "addConditionalFormatRule": {
            "rule": {
                "ranges": [area()],
                "booleanRule": {"condition": {"type": "NOT_BLANK"}, "format": {"backgroundColor": {"red": 1}}},
            },
            "index": 0,
        }
    },
    {"deleteSheet": {"sheetId": 0}},
    {
        "updateProtectedRange": {
            "protectedRange": {"protectedRangeId": 5, "editors": {"users": [EMAIL("bo")]}},
            "fields": "editors",
        }
    },
    {"updateProtectedRange": {"protectedRange": {"protectedRangeId": 5, "warningOnly": True}, "fields": "warningOnly"}},
    {"deleteProtectedRange": {"protectedRangeId": 5}},
    {
        "updateProtectedRange": {
            "protectedRange": {"protectedRangeId": 5, "range": area(9, 9, 10, 10)},
            "fields": "range",
        }
    },
    {
        "updateSheetProperties": {
            "properties": {"sheetId": 0, "gridProperties": {"rowCount": 1}},
            "fields": "gridProperties.rowCount",
        }
    },
    {
        "updateSheetProperties": {
            "properties": {"sheetId": 0, "gridProperties": {"columnCount": 1}},
            "fields": "gridProperties.columnCount",
        }
    },
    {"addProtectedRange": {"protectedRange": {"range": area(0, 0, 1, 1), "editors": {"users": [EMAIL("bo")]}}}},
]


@pytest.mark.parametrize("sheet", [False, True])
def test_protected_cells_hold_against_every_kind_of_request(drive: Drive, sheet: bool) -> None:
    key = closed(drive, sheet=sheet)
    before = drive.read(key, "Sheet1!A1:Z9")
    for request in BREAKING:
        for operation in ("spreadsheets.batchUpdate", "web.change"):
            assert drive.code("bo", operation, spreadsheetId=key, requests=[request]) == "protected", (
                operation,
                request,
            )
        kind = next(iter(request))
        for operation in [
            one
            for one, kinds in {
                "web.paste": ("copyPaste", "cutPaste", "pasteData"),
                "web.fill": ("autoFill", "copyPaste"),
            }.items()
            if kind in kinds
        ]:
            assert drive.code("bo", operation, spreadsheetId=key, requests=[request]) == "protected", (
                operation,
                request,
            )
    assert drive.read(key, "Sheet1!A1:Z9") == before


def test_protected_cells_hold_at_every_other_door(drive: Drive) -> None:
    key = closed(drive)
    before = drive.read(key, "Sheet1!A1:Z9")
    value = {"valueInputOption": "RAW", "values": [["y"]]}
    tries: list[tuple[str, dict[str, Any]]] = [
        *(("spreadsheets.values.update", {"range": range, **value}) for range in ("A1", "Sheet1!B2", "kept", "R1C1")),
        (
            "spreadsheets.values.batchUpdate",
            {
                "valueInputOption": "RAW",
                "data": [{"range": "H1", "values": [["y"]]}, {"range": "A1", "values": [["y"]]}],
            },
        ),
        (
            "spreadsheets.values.batchUpdateByDataFilter",
            {"valueInputOption": "RAW", "data": [{"dataFilter": {"gridRange": area()}, "values": [["y"]]}]},
        ),
        ("spreadsheets.values.clear", {"range": "Sheet1"}),
        ("spreadsheets.values.batchClear", {"ranges": ["H1", "A2"]}),
        ("spreadsheets.values.batchClearByDataFilter", {"dataFilters": [{"a1Range": "kept"}]}),
        ("web.enter", {"gid": 0, "cells": [[0, 0, "y"]]}),
        ("web.enter", {"gid": 0, "cells": [[8, 8, "y"], [1, 1, ""]]}),
        *(
            ("web.import", {"name": "a.csv", "content": b64(b"y,y"), "where": where})
            for where in ("replace_spreadsheet", "replace_sheet", "replace_at")
        ),
    ]
    for operation, given in tries:
        assert drive.code("bo", operation, spreadsheetId=key, **given) == "protected", (operation, given)
    assert drive.code("bo", "drive.files.update", fileId=key, content=b64(b"y"), contentType="text/csv") == "protected"
    desk = Desk(drive.host, "sheets")
    assert desk.ask("update_cells", "bo", spreadsheet_id=key, sheet="Sheet1", range="A1", data=[["y"]])[0]
    assert [row[:2] for row in drive.read(key, "Sheet1!A1:Z9")[:3]] == before


def test_what_was_done_before_is_not_undone_once_it_is_protected(drive: Drive) -> None:
    key = drive.book("Undo", bo="writer")
    drive.say("web.enter", "bo", spreadsheetId=key, cells=[[0, 0, "bo"], [4, 4, "bo"]])
    drive.batch(key, {"addProtectedRange": {"protectedRange": {"protectedRangeId": 5, "range": area()}}})
    assert drive.code("bo", "web.undo", spreadsheetId=key) == "protected" and drive.read(key, "A1:E5")[0] == ["bo"]
    drive.batch(key, {"deleteProtectedRange": {"protectedRangeId": 5}})
    drive.say("web.undo", "bo", spreadsheetId=key)
    drive.batch(key, {"addProtectedRange": {"protectedRange": {"range": area()}}})
    assert drive.code("bo", "web.redo", spreadsheetId=key) == "protected" and drive.read(key, "A1:E5") == []
    added = drive.book("Lines", bo="writer")
    drive.say("web.change", "bo", spreadsheetId=added, requests=[{"insertDimension": {"range": lines("ROWS", 0, 2)}}])
    drive.put(added, "A1", ["ada"])
    drive.batch(added, {"addProtectedRange": {"protectedRange": {"range": area()}}})
    assert drive.code("bo", "web.undo", spreadsheetId=added) == "protected" and drive.read(added, "A1") == [["ada"]]


def test_who_has_the_link_opens_it_and_finds_it_only_then(drive: Drive) -> None:
    key = drive.book(f"{WORD} linked")
    link = drive.say("drive.permissions.create", fileId=key, type="anyone", role="reader")["id"]
    find = {"q": f"name contains '{WORD}'"}
    assert (
        WORD not in drive.answer("eve", "drive.files.list", find)[1] and WORD not in drive.page("eve", "/sheets/").text
    )
    assert (
        drive.page("eve", f"/sheets/d/{key}/edit").status_code == 200
        and WORD in drive.answer("eve", "drive.files.list", find)[1]
    )
    assert drive.code("eve", "web.enter", spreadsheetId=key, cells=[[0, 0, "y"]]) == "forbidden"
    assert drive.code("eve", "drive.permissions.list", fileId=key) == "forbidden"
    drive.say("drive.permissions.update", fileId=key, permissionId=link, role="writer")
    drive.put(key, "A1", ["eve"], who="eve")
    drive.say("drive.permissions.delete", fileId=key, permissionId=link)
    assert (
        WORD not in drive.answer("eve", "drive.files.list", find)[1]
        and drive.code("eve", "web.open", spreadsheetId=key) == "forbidden"
    )
    assert drive.code("eve", "web.undo", spreadsheetId=key) == "forbidden"


def test_what_the_company_has_is_read_by_employees_and_found_when_it_says_so(drive: Drive) -> None:
    hidden, found = drive.book(f"{WORD} hidden"), drive.book(f"{WORD} found")
    for key, discovery in ((hidden, False), (found, True)):
        drive.say(
            "drive.permissions.create",
            fileId=key,
            type="domain",
            role="commenter",
            domain="tiny.example",
            allowFileDiscovery=discovery,
        )
    told = drive.answer("dee", "drive.files.list", {"q": f"name contains '{WORD}'"})[1]
    assert f"{WORD} found" in told and f"{WORD} hidden" not in told
    for key in (hidden, found):
        assert (
            drive.code("dee", "drive.comments.create", fileId=key, content="x") == ""
            and drive.code("dee", "web.enter", spreadsheetId=key, cells=[[0, 0, "y"]]) == "forbidden"
        )
    assert (
        drive.code("dee", "drive.permissions.create", fileId=found, type="domain", role="reader", domain="acme.example")
        == "forbidden"
    )


def test_a_permission_ends_at_its_time_and_with_the_folder_it_comes_from(drive: Drive) -> None:
    folder = drive.say("drive.files.create", name="f", mimeType=f"{TYPE}folder")["id"]
    key = drive.say("web.create", title="In it", sheetNames=["a"], folderId=folder)["spreadsheetId"]
    drive.share(folder, "dee", "writer", expirationTime=iso(drive.host.actors["w"].now + HOUR))
    drive.put(key, "A1", ["dee"], who="dee")
    drive.say("world.wait", seconds=3601)
    for operation, given in (
        ("web.open", {}),
        ("spreadsheets.values.get", {"range": "A1"}),
        ("web.enter", {"cells": [[0, 0, "y"]]}),
        ("web.undo", {}),
    ):
        assert drive.code("dee", operation, spreadsheetId=key, **given) == "forbidden", operation
    assert drive.code("dee", "drive.files.get", fileId=folder) == "not_found"
