"""Spreadsheets from xlsx and csv files: read as the Sheets app reads uploads, kept as files everybody in the company edits."""

import re
from collections.abc import Sequence

from apps.drive import models as d
from apps.drive.access import SPREADSHEET
from apps.drive.new_files import permission_key
from apps.sheets import models as m
from apps.sheets.files.content import Content, Sheet, fit_sheet
from apps.sheets.files.workbook_in import read_workbook
from seeds.imports.intake import Landing
from seeds.spec import START
from world.core.clock import DAY
from world.core.errors import OperationError
from world.core.ids import Ids
from world.core.rng import digest
from world.run.imports import ImportRefused

NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?")
LEFT_OUT = frozenset({"protected_range", "conditional_format"})  # they name people, or ranges on other sheets


def read_xlsx(data: bytes, file: str) -> Content:
    """A workbook. Raises ImportRefused."""
    try:
        return read_workbook(data)
    except OperationError as error:
        raise ImportRefused(file, "", f"no sound workbook: {error}") from error


def read_table(lines: Sequence[Sequence[str]], file: str) -> Content:
    """A csv file as one sheet; a cell that begins like a formula stays a text. Raises ImportRefused."""
    sheet = Sheet(file.rpartition(".")[0][:100] or "Sheet1")
    for row, line in enumerate(lines):
        for column, text in enumerate(line):
            if text:
                kind = "number" if NUMBER.fullmatch(text) else "text"
                sheet.cells.append((row, column, kind, text, 0))
    try:
        fit_sheet(sheet)
    except OperationError as error:
        raise ImportRefused(file, "", f"too large a table: {error}") from error
    return Content([sheet])


def add_sheet_rows(landing: Landing, books: dict[str, Content]) -> None:
    """Files of the drive with their sheets and cells, owned by the first active employee."""
    active = [id for id, one in sorted(landing.individuals.items()) if one.kind == "employee" and one.is_active]
    owner = (active or sorted(landing.individuals))[0]
    sheets, things = 0, 0
    for number, (file, content) in enumerate(sorted(books.items()), 1):
        _add_file(landing, number, file, owner)
        state = digest("content", *(f"{sheet.title}{sheet.cells}" for sheet in content.sheets)).hex()
        landing.sink.add(m.Spreadsheet, file_id=number, locale=content.locale or "en_US", state=state)
        for position, sheet in enumerate(content.sheets):
            sheets += 1
            _add_sheet(landing, number, sheets, position, sheet)
            _add_cells(landing, number, sheets, sheet, content.formats)
            things = _add_things(landing, number, sheets, sheet, things)


def _add_file(landing: Landing, number: int, file: str, owner: str) -> None:
    made = START - DAY
    landing.sink.add(
        d.File,
        id=number,
        key="1" + Ids(0, f"import:sheet:{file}", 0).base62(43),
        name=file.rpartition(".")[0],
        mime_type=SPREADSHEET,
        owner_id=owner,
        created_at=made,
        modified_at=made,
        modified_by=owner,
    )
    email = landing.individuals[owner].email
    common = {"file_id": number, "shared_at": made, "shared_by": owner}
    landing.sink.add(
        d.Permission, key=permission_key("user", email), role="owner", person_id=owner, email=email, **common
    )
    landing.sink.add(
        d.Permission,
        key=permission_key("domain", landing.domain),
        type="domain",
        role="writer",
        domain=landing.domain,
        discoverable=True,
        **common,
    )


def _add_sheet(landing: Landing, file: int, number: int, position: int, sheet: Sheet) -> None:
    landing.sink.add(
        m.Sheet,
        id=number,
        file_id=file,
        gid=0 if position == 0 else int(Ids(0, f"import:gid:{file}:{position}", 0).digits(9)),
        title=sheet.title,
        position=position,
        rows=sheet.rows,
        columns=sheet.columns,
        frozen_rows=sheet.frozen_rows,
        frozen_columns=sheet.frozen_columns,
        hidden=sheet.hidden,
    )
    for size in sheet.sizes:
        landing.sink.add(m.Dimension, sheet_id=number, axis=size.axis, at=size.at, size=size.size, hidden=size.hidden)


def _add_cells(landing: Landing, file: int, number: int, sheet: Sheet, formats: Sequence[str | None]) -> None:
    placed = {cell[:2]: cell for cell in sheet.cells}
    for at in sorted({*placed, *sheet.extras}):
        row, column, kind, text, style = placed.get(at, (*at, "", "", 0))
        extra = sheet.extras.get(at)
        landing.sink.add(
            m.CellRow,
            sheet_id=number,
            row=row,
            col=column,
            file_id=file,
            kind=kind,
            input=text,
            format=formats[style] if style < len(formats) else None,
            note=extra.note if extra else None,
            validation=extra.validation if extra else None,
        )


def _add_things(landing: Landing, file: int, number: int, sheet: Sheet, count: int) -> int:
    """Merges, names and filters of a sheet; how many there are so far."""
    for thing in sheet.things:
        if thing.kind in LEFT_OUT:
            landing.intake.drop(f"rules of sheets that are not imported: {thing.kind}")
            continue
        count += 1
        area = thing.area
        landing.sink.add(
            m.Object,
            id=count,
            file_id=file,
            sheet_id=number,
            kind=thing.kind,
            key=Ids(0, f"import:thing:{count}", 0).digits(9),
            name=thing.name,
            top=area.top,
            left=area.left,
            bottom=area.bottom,
            right=area.right,
            spec=dict(thing.spec),
        )
    return count
