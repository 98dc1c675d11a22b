"""A drive with private files whose every part holds a word, and people at every distance from them."""

import base64
import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx2
import orjson
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

import apps.drive
import apps.sheets
from apps.sheets import pages as sheet_pages
from tests.company import START, as_person, image
from world.core.access import Tokens
from world.core.clock import HOUR, iso
from world.core.errors import OperationError
from world.core.principal import Principal
from world.core.settings import Settings
from world.run.host import Host
from world.store import Base, Store
from world.web import build_missing_route, page_routes, site_routes
from world.web.session import COOKIE

WORD, TYPE = "qzsheetzq", "application/vnd.google-apps."
NOT_BO = ("cyrus", "dee", "eve")
OUTSIDE = ("bo", *NOT_BO)  # access withdrawn; expired; a reader of another file of the owner's; nothing at all
EMAIL = "{}@tiny.example".format
BASE64 = re.compile(r'"content": ?"([A-Za-z0-9_=-]+)"')
ANCHOR = '{"sheetId": %s, "rowIndex": 0, "columnIndex": 0}'


def chart(gid: int, title: str = f"{WORD} chart") -> dict[str, Any]:
    """A chart's spec, over two cells of a sheet."""
    cells = {"sheetId": gid, "startRowIndex": 0, "endRowIndex": 2, "startColumnIndex": 0, "endColumnIndex": 1}
    return {
        "title": title,
        "basicChart": {"chartType": "COLUMN", "series": [{"series": {"sourceRange": {"sources": [cells]}}}]},
    }


def b64(data: bytes) -> str:
    """Bytes as they travel."""
    return base64.urlsafe_b64encode(data).decode()


def opened(text: str) -> str:
    """An answer with the files inside it."""
    return text + "".join(
        unpacked(base64.urlsafe_b64decode(found)) for found in BASE64.findall(text) if len(found) % 4 == 0
    )


def unpacked(data: bytes) -> str:
    """The text of a file, of a workbook's parts."""
    if not data.startswith(b"PK"):
        return data.decode("utf-8", "replace")
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        return "".join(parts.read(name).decode("utf-8", "replace") for name in parts.namelist())


class Drive:
    """A world with the app's operations, tools and pages."""

    def __init__(self, folder: Path) -> None:
        self.host = Host(
            Store(folder / "worlds", Base(image(folder, [apps.drive.app, apps.sheets.app]))),
            [apps.drive.app, apps.sheets.app],
            Tokens("test secret"),
        )
        self.host.create("w", Settings(limits="off"))
        self.operations = {**self.host.apps["drive"].operations, **self.host.apps["sheets"].operations}
        pages = Mount(
            "/sheets",
            app=Starlette(routes=[*page_routes(self.host, sheet_pages), build_missing_route(self.host, sheet_pages)]),
        )
        self.http = TestClient(Starlette(routes=[*site_routes(self.host), pages]), follow_redirects=False)

    def close(self) -> None:
        """Let go of the world."""
        self.http.close()
        self.host.store.close()

    def say(self, operation: str, who: str = "ada", /, **arguments: Any) -> Any:
        """Call an operation."""
        return self.host.call(as_person(self.host, who), "rest", operation, arguments)

    def answer(self, who: str, operation: str, arguments: Mapping[str, Any]) -> tuple[str, str]:
        """The code of a refusal and the text of an answer, without what was sent."""
        call = self.host.call if self.operations[operation].writes else self.host.peek
        try:
            return "", opened(orjson.dumps(call(as_person(self.host, who), "rest", operation, arguments)).decode())
        except OperationError as refusal:
            return refusal.code, without(str(dict(refusal.detail)), arguments)

    def code(self, who: str, operation: str, /, **arguments: Any) -> str:
        """How an operation is refused; empty when it is not."""
        return self.answer(who, operation, arguments)[0]

    def page(self, who: str, address: str, **headers: str) -> httpx2.Response:
        """A page as somebody sees it."""
        me = as_person(self.host, who)
        key = self.host.tokens.issue(Principal(me.world, me.person, "session", generation=me.generation))
        return self.http.get(address, headers={"Cookie": f"{COOKIE}={key}", **headers})

    def book(self, title: str = "Open", who: str = "ada", **roles: str) -> str:
        """A new spreadsheet that is shared with people."""
        key = self.say("spreadsheets.create", who, properties={"title": title})["spreadsheetId"]
        for person, role in roles.items():
            self.share(key, person, role, who)
        return key

    def share(self, key: str, person: str, role: str, who: str = "ada", **more: Any) -> str:
        """Share a file with somebody."""
        given = {"type": "user", "role": role, "emailAddress": EMAIL(person), "sendNotificationEmail": False}
        return self.say("drive.permissions.create", who, fileId=key, **given, **more)["id"]

    def batch(self, key: str, *requests: Mapping[str, Any], who: str = "ada") -> list[dict[str, Any]]:
        """Changes of a spreadsheet."""
        return self.say("spreadsheets.batchUpdate", who, spreadsheetId=key, requests=list(requests))["replies"]

    def put(self, key: str, range: str, *rows: list[Any], who: str = "ada") -> None:
        """Type into cells."""
        self.say(
            "spreadsheets.values.update",
            who,
            spreadsheetId=key,
            range=range,
            valueInputOption="USER_ENTERED",
            values=list(rows),
        )

    def read(self, key: str, range: str, who: str = "ada") -> list[list[Any]]:
        """What cells display."""
        return self.say("spreadsheets.values.get", who, spreadsheetId=key, range=range).get("values", [])


def without(text: str, sent: Any) -> str:
    """A text without what a caller sent, which a refusal may repeat."""
    for one in sorted(texts(sent), key=len, reverse=True):
        text = text.replace(one, "")
    return text


def texts(value: Any) -> Iterator[str]:
    """The texts inside arguments."""
    if isinstance(value, str) and value:
        yield value
    for one in value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ():
        yield from texts(one)


class Vault(Drive):
    """Ada's secret folder with a spreadsheet and an uploaded file in it; `ids` names what is there, by parameter."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.ids: dict[str, list[Any]] = {"pageToken": [self.say("drive.changes.getStartPageToken")["startPageToken"]]}
        self.folder = self.say("drive.files.create", name=f"{WORD} folder", mimeType=f"{TYPE}folder")["id"]
        self.secret = self.say(
            "web.create", title=f"{WORD} title", sheetNames=[f"{WORD} tab", "Plain"], folderId=self.folder
        )["spreadsheetId"]
        self.upload = self.say(
            "drive.files.create", name=f"{WORD}.txt", content=b64(f"{WORD} kept".encode()), parents=[self.folder]
        )["id"]
        self.other = self.book("Other", dee="reader")
        self.fill()
        self.give_and_take()

    def fill(self) -> None:
        """The word in every part of the spreadsheet."""
        self.gid = gid = self.say("spreadsheets.get", spreadsheetId=self.secret)["sheets"][0]["properties"]["sheetId"]
        at = {"sheetId": gid, "startRowIndex": 0, "endRowIndex": 1, "startColumnIndex": 0, "endColumnIndex": 1}
        cell = {
            "note": f"{WORD} noted",
            "dataValidation": {"condition": {"type": "ONE_OF_LIST", "values": [{"userEnteredValue": f"{WORD} one"}]}},
        }
        self.put(self.secret, f"'{WORD} tab'!A1", [f"{WORD} typed", 5], ["x", f'="{WORD}"&" made"'])
        made = self.batch(
            self.secret,
            {"updateCells": {"rows": [{"values": [cell]}], "fields": "note,dataValidation", "range": at}},
            {"addNamedRange": {"namedRange": {"name": f"{WORD}_name", "range": at}}},
            {"addFilterView": {"filter": {"title": f"{WORD} view", "range": at}}},
            {"addProtectedRange": {"protectedRange": {"description": f"{WORD} closed", "range": at}}},
            {
                "addChart": {
                    "chart": {"spec": chart(gid), "position": {"overlayPosition": {"anchorCell": {"sheetId": gid}}}}
                }
            },
            {
                "createDeveloperMetadata": {
                    "developerMetadata": {
                        "metadataKey": WORD,
                        "metadataValue": f"{WORD} meta",
                        "visibility": "DOCUMENT",
                        "location": {"spreadsheet": True},
                    }
                }
            },
        )
        self.say(
            "drive.files.update",
            fileId=self.secret,
            description=f"{WORD} described",
            properties={"secret": f"{WORD} property"},
        )
        comment = self.say("drive.comments.create", fileId=self.secret, content=f"{WORD} said", anchor=ANCHOR % gid)[
            "id"
        ]
        reply = self.say("drive.replies.create", fileId=self.secret, commentId=comment, content=f"{WORD} answered")[
            "id"
        ]
        self.ids |= {
            "commentId": [comment],
            "replyId": [reply],
            "metadataId": [made[-1]["createDeveloperMetadata"]["developerMetadata"]["metadataId"]],
            "revisionId": [one["id"] for one in self.say("drive.revisions.list", fileId=self.upload)["revisions"][:1]],
        }

    def give_and_take(self) -> None:
        """Bo had everything and has it no more; Cyrus had it for an hour."""
        soon = iso(self.host.actors["w"].now + HOUR)
        for key in (self.folder, self.secret, self.upload):
            permission = self.share(key, "bo", "writer")
            self.share(key, "cyrus", "reader", expirationTime=soon)
            for who in ("bo", "cyrus"):
                self.say("drive.files.update", who, fileId=key, starred=True)
                self.say("drive.files.get", who, fileId=key)
            if key == self.secret:
                self.say("web.open", "bo", spreadsheetId=key)
                self.say("web.open", "cyrus", spreadsheetId=key)
                self.say("web.enter", "bo", spreadsheetId=key, gid=self.gid, cells=[[8, 0, f"{WORD} of Bo"]])
            self.ids.setdefault("permissionId", []).append(permission)
        for key in (self.folder, self.secret, self.upload):
            self.say("drive.permissions.delete", fileId=key, permissionId=self.ids["permissionId"][0])
        self.say("world.wait", seconds=2 * 3600)
        assert self.host.actors["w"].now >= START + 2 * HOUR
