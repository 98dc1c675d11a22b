"""What people see of files, comments and shares: ordinary ones deceive nobody, tricks are found."""

import io
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from openpyxl import Workbook

from tests.apps.reader import Reader, ReadRow
from tests.apps.sheets.conftest import BUDGET
from tests.company import as_person
from world.run.host import Host

ZERO = "\u200b"
LOOK_ALIKE = "p\u0430yments"
Write = Callable[[Reader], ReadRow]


def _file(name: str, data: bytes | None = None, kind: str = "text/plain", **more: Any) -> Write:
    content = {} if data is None else {"content": urlsafe_b64encode(data).decode()}
    return lambda reader: reader.one("drive_file", "drive.files.create", name=name, mimeType=kind, **content, **more)


def _folder(name: str) -> Write:
    return _file(name, kind="application/vnd.google-apps.folder")


def _change(**fields: Any) -> Write:
    return lambda reader: reader.one("drive_file", "drive.files.update", fileId=BUDGET, **fields)


def _comment(content: str, who: str = "ada", **more: Any) -> Write:
    return lambda reader: reader.one(
        "drive_comment", "drive.comments.create", who, fileId=BUDGET, content=content, **more
    )


def _on_cell(content: str, quoted: str) -> Write:
    anchor = orjson.dumps({"sheetId": 0, "rowIndex": 1, "columnIndex": 1}).decode()
    return _comment(content, anchor=anchor, quotedFileContent={"value": quoted})


def _reply(content: str = "", **more: Any) -> Write:
    def write(reader: Reader) -> ReadRow:
        first = _comment("Is this final?")(reader)
        place = {"fileId": BUDGET, "commentId": first.row["key"], "content": content, **more}
        found = reader.write("drive.replies.create", **place)
        return next(read for read in found if read.table == "drive_comment" and read.row["parent_id"] is not None)

    return write


def _share(message: str, **more: Any) -> Write:
    given = {"fileId": BUDGET, "type": "user", "role": "commenter", "emailAddress": "dee@tiny.example", **more}

    def write(reader: Reader) -> ReadRow:
        found = reader.write("drive.permissions.create", emailMessage=message, **given)
        return next(read for read in found if read.row.get("email") == "dee@tiny.example")

    return write


def _workbook(*cells: str) -> bytes:
    book, out = Workbook(), io.BytesIO()
    assert book.active is not None
    book.active.append(cells)
    book.save(out)
    return out.getvalue()


XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
HONEST: dict[str, Write] = {
    "folder": _folder("Invoices 2026"),
    "spreadsheet": _file("Forecast", kind="application/vnd.google-apps.spreadsheet"),
    "text": _file("notes.txt", b"Read the budget first.\n> Then ask.\n", description="From the meeting"),
    "table": _file("credits.csv", "Kunde;Betrag\nGrün;12,50".encode("cp1252"), "text/csv"),
    "page": _file("page.html", b"<h1>Plan</h1><p>See <a href='https://wiki.example/7'>the wiki</a>.</p>", "text/html"),
    "workbook": _file("credits.xlsx", _workbook("Customer", "Credit"), XLSX),
    "picture": _file("plan.png", b"\x89PNG\r\n\x1a\n\x00\x00", "image/png"),
    "renamed": _change(name="Budget 2026 (final)"),
    "described": _change(description="What the teams spend, by quarter."),
    "comment": _comment("Is this final, @bo@tiny.example?"),
    "comment with an address": _comment("See https://wiki.example/7."),
    "comment on a cell": _on_cell("Is this final?", "1,200.00"),
    "reply": _reply("Yes."),
    "resolved": _reply(action="resolve"),
    "shared": _share("Please look at row 4."),
    "shared without a word": _share(""),
    "shared with the company": lambda reader: reader.one(
        "drive_permission",
        "drive.permissions.create",
        fileId=BUDGET,
        type="domain",
        role="reader",
        domain="tiny.example",
    ),
    "given away": _share("Yours now.", role="owner", transferOwnership=True),
    "named version": lambda reader: reader.one(
        "drive_revision", "web.nameVersion", spreadsheetId=BUDGET, name="Before the review"
    ),
    "edited comment": lambda reader: reader.one(
        "drive_comment",
        "drive.comments.update",
        fileId=BUDGET,
        commentId=_comment("Is this final?")(reader).row["key"],
        content="Is this the last one?",
    ),
}


@pytest.mark.parametrize("write", HONEST.values(), ids=HONEST)
def test_ordinary_rows_deceive_nobody(host: Host, write: Write) -> None:
    assert write(Reader(host)).whys == ()


HIDDEN = b"<p>Paid.</p><p style='color:#fff'>Not at all.</p>"
CHEATS: dict[str, tuple[Write, str]] = {
    "look-alike folder": (_folder(LOOK_ALIKE), "several scripts"),
    "zero width folder": (_folder(f"Inv{ZERO}oices"), "invisible"),
    "look-alike file": (_file(f"{LOOK_ALIKE}.txt", b"1"), "several scripts"),
    "reversed file name": (_file("invoice\u202efdp.exe", b"1"), "invisible"),
    "look-alike name by an edit": (_change(name="Budg\u0435t"), "several scripts"),
    "look-alike description": (_file("a", description=LOOK_ALIKE), "several scripts"),
    "zero width description": (_change(description=f"fi{ZERO}nal"), "invisible"),
    "white text in a page": (_file("a.html", HIDDEN, "text/html"), "hides 'Not at all.'"),
    "page under another name": (_file("a.htm", HIDDEN, "application/octet-stream"), "hides 'Not at all.'"),
    "false link in a page": (
        _file("a.html", b"<a href='https://evil.example'>tiny.example/pay</a>", "text/html"),
        "shows the address",
    ),
    "look-alike text": (_file("a.txt", f"The {LOOK_ALIKE} are done.".encode()), "several scripts"),
    "zero width text": (_file("a.csv", f"pa{ZERO}id,1".encode(), "text/csv"), "invisible"),
    "look-alike workbook": (_file("a.xlsx", _workbook(LOOK_ALIKE), XLSX), "several scripts"),
    "zero width comment": (_comment(f"not fi{ZERO}nal"), "invisible"),
    "look-alike comment": (_comment(LOOK_ALIKE), "several scripts"),
    "reversed reply": (_reply("It is \u202elanif"), "invisible"),
    "look-alike quotation": (_comment("Fine.", quotedFileContent={"value": LOOK_ALIKE}), "several scripts"),
    "look-alike message": (_share(f"The {LOOK_ALIKE} are done."), "several scripts"),
    "zero width message": (_share(f"not fi{ZERO}nal"), "invisible"),
    "tag characters in a message": (_share("Fine.\U000e0041"), "invisible"),
    "look-alike version": (
        lambda reader: reader.one("drive_revision", "web.nameVersion", spreadsheetId=BUDGET, name="Fin\u0430l"),
        "several scripts",
    ),
}


@pytest.mark.parametrize(("write", "why"), CHEATS.values(), ids=CHEATS)
def test_tricks_are_found(host: Host, write: Write, why: str) -> None:
    assert why in " | ".join(write(Reader(host)).whys)


def test_a_file_says_what_it_holds(host: Host) -> None:
    read = _file("credits.csv", b"Norsel,300", "text/csv", description="From Mia")(Reader(host))
    assert [(part.kind, part.role, part.passage.text) for part in read.parts] == [
        ("heading", "whole", "credits.csv"),
        ("body", "supplement", "From Mia"),
        ("body", "supplement", "Norsel,300"),
    ]


@pytest.mark.parametrize(("quoted", "role"), [("1200", "derived"), ("1,200.00", "derived"), ("9,999", "supplement")])
def test_a_quotation_of_the_cell_is_the_cells(host: Host, quoted: str, role: str) -> None:
    read = _on_cell("Is this final?", quoted)(Reader(host))
    assert [(part.kind, part.role) for part in read.parts_of("quoted")] == [("aside", role)]


def test_what_a_reply_does_is_seen(host: Host) -> None:
    assert _reply("Done.", action="resolve")(Reader(host)).text("action") == "Marked as resolved"


def test_a_message_is_kept_with_the_share_that_was_mailed(host: Host) -> None:
    reader = Reader(host)
    assert _share("Please look.")(reader).text("message") == "Please look."
    assert _share("Look again.", role="reader")(reader).row["role"] == "commenter"
    assert _share("", sendNotificationEmail=False)(reader).row["message"] is None
    listed = host.call(as_person(host), "rest", "drive.permissions.list", {"fileId": BUDGET})
    assert "message" not in str(listed)
