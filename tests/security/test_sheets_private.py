"""T3 on the drive: what is in a file is for those it is shared with, at every door."""

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.mcp_servers.calls import Desk
from tests.security.sheet_vault import EMAIL, OUTSIDE, TYPE, WORD, Drive, Vault, without
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


@pytest.mark.full
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
