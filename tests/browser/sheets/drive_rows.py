"""A lively drive for the browser tests of its pages: Ada's spreadsheets, folders and files, and what others share with
her.
"""

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

import apps.drive
import apps.sheets
from apps.drive.models import File, Permission, Star, Visit
from apps.drive.new_files import permission_key
from tests.apps.sheets.conftest import BUDGET, NOTES, SECRET, book, cells, shared, sheet_rows
from tests.browser.conftest import Office, Site
from tests.company import START, host
from world.core.clock import DAY, HOUR
from world.core.directory import Blob
from world.core.settings import Settings
from world.run.host import Host

PLANS = "1Folder-Plans-00000000000000000000000000001"
OLD = "1Folder-Old-0000000000000000000000000000002"
TEAM = "1Folder-Team-000000000000000000000000000003"
DESKS = "1Desks-Ada-00000000000000000000000000000004"
TRIPS = "1Trips-Dee-00000000000000000000000000000005"
GONE = "1Gone-Ada-000000000000000000000000000000006"
TABLE = "1Csv-Ada-0000000000000000000000000000000007"
README = "1Readme-Bo-00000000000000000000000000000008"
PICTURE = "1Picture-Ada-000000000000000000000000000009"
OPEN = "1Open-Eve-00000000000000000000000000000000a"
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)
CSV = b"City,Desks\nBerlin,12\nLisbon,4\n"
FOLDER = "application/vnd.google-apps.folder"


def plain(number: int, key: str, name: str, owner: str, kind: str, data: bytes | None = None, **more: Any) -> list[Any]:
    """A folder, or a file with bytes."""
    made = File(
        id=number,
        key=key,
        name=name,
        mime_type=kind,
        owner_id=owner,
        created_at=START - 9 * DAY,
        modified_at=START - DAY,
        modified_by=owner,
        sha256=sha256(data).hexdigest() if data else None,
        size=len(data or b""),
        **more,
    )
    blob = [Blob(sha256=sha256(data).hexdigest(), size=len(data), data=data)] if data else []
    return [made, shared(number, owner, "owner"), *blob]


def moved(rows: list[Any], **more: Any) -> list[Any]:
    """The same rows, with other words about the file."""
    for name, value in more.items():
        setattr(rows[0], name, value)
    return rows


def drive_rows() -> list[Any]:
    """Folders in folders, spreadsheets opened lately and long ago, files of other kinds, a trash, and things of others."""
    return [
        *sheet_rows(),
        *moved(book(4, DESKS, "Desk plan", "p_ada"), modified_at=START - 3 * DAY),
        *cells(4, 4, [["City", "Desks"], ["Berlin", "12"]]),
        *moved(book(5, TRIPS, "Trips of the support team", "p_dee"), modified_at=START - 20 * DAY),
        shared(5, "p_ada", "commenter"),
        *moved(book(6, GONE, "Old budget", "p_ada"), trashed_at=START - HOUR, trashed_by="p_ada"),
        *plain(7, PLANS, "Plans", "p_ada", FOLDER),
        *plain(8, OLD, "Archive", "p_ada", FOLDER, parent_id=7),
        *plain(9, TEAM, "Team files", "p_bo", FOLDER),
        shared(9, "p_ada", "writer"),
        *plain(10, TABLE, "offices.csv", "p_ada", "text/csv", CSV, parent_id=7),
        *plain(
            11,
            README,
            "readme.txt",
            "p_bo",
            "text/plain",
            b"Read the budget first.\n<b>Then</b> ask Ada.\n",
            parent_id=9,
        ),
        *plain(12, PICTURE, "floor.png", "p_ada", "image/png", PIXEL),
        *moved(book(13, OPEN, "Lunch menu", "p_eve"), modified_at=START - 40 * DAY),
        Permission(file_id=13, key=permission_key("anyone", ""), type="anyone", role="reader"),
        Star(person_id="p_ada", file_id=1),
        Star(person_id="p_ada", file_id=7),
        *(
            Visit(person_id="p_ada", file_id=file, at=START - ago)
            for file, ago in ((1, HOUR), (4, DAY), (3, 5 * DAY), (5, 20 * DAY), (13, 35 * DAY))
        ),
    ]


def drive_host(folder: Path) -> Host:
    """A host over that drive, with one world, `w`."""
    return host(folder, [apps.drive.app, apps.sheets.app], drive_rows)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server over Ada's drive."""
    folder = tmp_path_factory.mktemp("drive")
    made = Site(lambda: drive_host(folder), [apps.drive, apps.sheets])
    yield made
    made.stop()


@pytest.fixture
def office(site: Site, office_of: Callable[..., Office]) -> Office:
    """A fresh world."""
    return office_of(site, Settings(limits="off"))


def dialog(page: Page) -> Locator:
    """The open dialog."""
    return page.locator("#overlay [role=dialog], #overlay [role=alertdialog]")


__all__ = [
    "BUDGET",
    "CSV",
    "DESKS",
    "GONE",
    "NOTES",
    "OLD",
    "OPEN",
    "PICTURE",
    "PLANS",
    "README",
    "SECRET",
    "TABLE",
    "TEAM",
    "TRIPS",
    "drive_host",
]
