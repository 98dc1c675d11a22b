"""T3 for the drive of the whole company: who sees which file, for every reading operation, against an oracle of one
line per way to have it.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

from tests.security.rooms import MEMBER, OUTSIDER, OWNER, THIRD, Office
from world.core.operation import Operation

FOLDER = "application/vnd.google-apps.folder"
MUST_SHOW = {
    "spreadsheets.get",
    "spreadsheets.values.get",
    "drive.files.get",
    "drive.files.list",
    "drive.comments.list",
    "web.open",
    "web.cells",
}


class Cabinet:
    """The drive of the same world: canaries in a file of each way to have one. The oracle: who is named, who works here
    where it is said so.
    """

    def __init__(self, office: Office) -> None:
        self.office, place = office, office.do(OWNER, "drive.files.create", name="qzplacezq", mimeType=FOLDER)["id"]
        self.address = dict(office.host.actors["t3"].bound.raw.execute("SELECT id, email FROM person").fetchall())
        self.open_to = {
            "private": {OWNER},
            "shared": {OWNER, MEMBER},
            "folder": {OWNER, THIRD},
            "company": set(office.people),
            "ended": {OWNER, THIRD},
        }
        self.keys = {kind: self.made(kind, place if kind in ("folder", "ended") else None) for kind in self.open_to}
        self.share(self.keys["shared"], MEMBER, role="writer")
        self.share(place, THIRD, role="reader")
        company = {
            "type": "domain",
            "domain": self.address[OWNER].partition("@")[2],
            "role": "reader",
            "allowFileDiscovery": True,
        }
        office.do(OWNER, "drive.permissions.create", fileId=self.keys["company"], **company)
        office.do(
            OWNER,
            "drive.permissions.delete",
            fileId=self.keys["ended"],
            permissionId=self.share(self.keys["ended"], MEMBER, role="writer"),
        )

    def share(self, key: str, person: str, **given: Any) -> str:
        address = {"type": "user", "emailAddress": self.address[person], "sendNotificationEmail": False}
        return self.office.do(OWNER, "drive.permissions.create", fileId=key, **address, **given)["id"]

    def made(self, kind: str, place: str | None) -> str:
        """A spreadsheet with the word of a kind in every part."""
        word = f"qz{kind}sheetzq"
        key = self.office.do(
            OWNER, "web.create", title=word, sheetNames=[word], **({"folderId": place} if place else {})
        )["spreadsheetId"]
        self.office.do(
            OWNER, "web.enter", spreadsheetId=key, cells=[[0, 0, f"{word} typed"], [0, 1, f'="{word}"&" made"']]
        )
        self.office.do(OWNER, "drive.comments.create", fileId=key, content=f"{word} said")
        self.office.do(OWNER, "drive.files.update", fileId=key, description=f"{word} described", starred=True)
        return key

    def probes(self, operation: Operation, kind: str) -> Iterator[dict[str, Any]]:
        """Arguments that point an operation at a file as hard as its params allow."""
        word = f"qz{kind}sheetzq"
        fixed: dict[str, Any] = {
            "fileId": self.keys[kind],
            "spreadsheetId": self.keys[kind],
            "range": "A1:B2",
            "ranges": ["A1:B2"],
            "dataFilters": [{"a1Range": "A1:B2"}],
            "gid": 0,
            "area": [0, 0, 2, 2],
            "text": word,
            "mimeType": "text/csv",
            "includeGridData": True,
            "pageSize": 100,
            "includeDeleted": True,
            "revisionId": "head",
            "row": 0,
            "column": 0,
            "towards": "end",
            "format": "csv",
            "count": 1,
            "limit": 20,
        }
        base = {name: value for name, value in fixed.items() if name in operation.params.model_fields}
        searches = (
            f"name contains '{word}'",
            f"fullText contains '{word}'",
            f"'{self.address[OWNER]}' in owners",
            "trashed = false",
        )
        yield from (
            ({**base, "q": q, "pageSize": 1000} for q in searches) if operation.id == "drive.files.list" else [base]
        )


def test_a_spreadsheet_is_for_those_who_have_it(office: Office) -> None:
    cabinet, seen = Cabinet(office), set[str]()
    reads = [
        one for name in ("drive", "sheets") for one in office.host.apps[name].operations.values() if not one.writes
    ]
    cases = 0
    for person in dict.fromkeys((OWNER, MEMBER, THIRD, OUTSIDER, *office.people[::8])):
        for (kind, open_to), operation in product(cabinet.open_to.items(), reads):
            for probe in cabinet.probes(operation, kind):
                text = office.look(person, operation.id, probe)
                cases += 1
                shown = f"qz{kind}sheetzq" in text
                assert person in open_to or not shown, (person, operation.id, probe, text[:300])
                assert shown or person not in open_to or operation.id not in MUST_SHOW, (person, operation.id, probe)
                seen |= {operation.id} if shown else set()
    assert seen >= MUST_SHOW and cases > 1000, (MUST_SHOW - seen, cases)
