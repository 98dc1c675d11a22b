"""A world with a few spreadsheets of the small company's people, and a short way to call operations in it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import SQLModel

import apps.drive
import apps.sheets
from apps.drive.models import File, Permission
from apps.drive.new_files import permission_key
from apps.sheets.models import CellRow, Sheet, Spreadsheet
from tests.company import PEOPLE, START, image, unmetered
from tests.conformance.sheets_client import SheetsClient
from world.core.app import App
from world.run.host import Host

Say = Callable[..., Any]
BUDGET = "1Budget-Ada-0000000000000000000000000000001"
NOTES = "1Notes-Bo-000000000000000000000000000000002"
SECRET = "1Secret-Ada-000000000000000000000000000003"
EMAIL = {id: f"{handle}@tiny.example" for id, _, handle, *_ in PEOPLE}
TABLE = [
    ["Team", "Q1", "Q2", "Total"],
    ["Core", "1200", "1350.5", "=B2+C2"],
    ["Support", "300", "280", "=B3+C3"],
    [],
    ["All", "=SUM(B2:B3)", "=SUM(C2:C3)", "=SUM(D2:D3)"],
]


def cells(sheet: int, file: int, lines: list[list[str]]) -> list[SQLModel]:
    """Rows of typed text as cells: formulas, numbers, texts."""
    made: list[SQLModel] = []
    for row, line in enumerate(lines):
        for column, text in enumerate(line):
            kind = "formula" if text.startswith("=") else "number" if text.replace(".", "", 1).isdigit() else "text"
            made.append(CellRow(sheet_id=sheet, row=row, col=column, file_id=file, kind=kind, input=text))
    return made


def shared(file: int, person: str, role: str) -> Permission:
    """A permission of one person."""
    return Permission(
        file_id=file,
        key=permission_key("user", EMAIL[person]),
        type="user",
        role=role,
        person_id=person,
        email=EMAIL[person],
    )


def book(number: int, key: str, name: str, owner: str) -> list[SQLModel]:
    """A spreadsheet with one sheet, which has the number of the file."""
    return [
        File(
            id=number,
            key=key,
            name=name,
            mime_type="application/vnd.google-apps.spreadsheet",
            owner_id=owner,
            created_at=START,
            modified_at=START,
            modified_by=owner,
        ),
        shared(number, owner, "owner"),
        Spreadsheet(file_id=number, state=f"seed-{key}"),
        Sheet(id=number, file_id=number, gid=0, title="Sheet1"),
    ]


def sheet_rows() -> list[SQLModel]:
    """Ada's budget, which Bo may write and Cy read; Bo's notes, empty; Ada's secret."""
    return [
        *book(1, BUDGET, "Budget", "p_ada"),
        shared(1, "p_bo", "writer"),
        shared(1, "p_cy", "reader"),
        *cells(1, 1, TABLE),
        *book(2, NOTES, "Notes", "p_bo"),
        *book(3, SECRET, "Secret", "p_ada"),
        *cells(3, 3, [["Salary", "90000"]]),
    ]


@pytest.fixture
def app() -> App:
    """The app under test."""
    return apps.sheets.app


@pytest.fixture(scope="session")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sealed image of the small company's spreadsheets."""
    return image(tmp_path_factory.mktemp("sheets"), [apps.drive.app, apps.sheets.app], sheet_rows)


@pytest.fixture
def host(sealed: Path, tmp_path: Path) -> Iterator[Host]:
    """A host with one world, `w`, without quotas: spreadsheets, and the drive they lie in."""
    made = unmetered(sealed, tmp_path, apps.drive.app, apps.sheets.app)
    yield made
    made.store.close()


@pytest.fixture
def client(host: Host) -> Iterator[SheetsClient]:
    """An HTTP client of the REST door whose every answer must be as published."""
    made = SheetsClient(host)
    with made.http:
        yield made


@pytest.fixture
def budget(say: Say) -> Any:
    """Ada's budget, to be asked for changes."""
    from tests.apps.sheets.requests.change_requests import Asking  # noqa: PLC0415  # it names this module

    return Asking(say)
