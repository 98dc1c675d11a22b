"""Rows of spreadsheets: tabs, cells, objects on ranges, comments on cells, and planted errors."""

from apps.drive.access import SPREADSHEET
from apps.sheets import models as m
from seeds.company import Company
from seeds.content_packs import PackEntry
from seeds.events import Event
from seeds.rows import sheets_customers as customers
from seeds.rows import sheets_money as money
from seeds.rows import sheets_people as people
from seeds.rows import sheets_work as work
from seeds.rows.drive import FOLDERS, Drive
from seeds.rows.references import References
from seeds.rows.row_collector import Sink
from seeds.rows.sheets_builder import Paper, Remark, TabBuilder, look
from seeds.rows.sheets_facts import SheetFacts
from seeds.spec import Spec
from world.core.clock import DAY, HOUR
from world.core.rng import digest

MAKERS = (
    customers.accounts,
    customers.revenue,
    customers.credits,
    customers.quotas,
    customers.copy_of_accounts,
    work.rota,
    work.releases,
    work.incidents,
    money.budget,
    money.vendors,
    people.offsite,
    people.hiring,
    people.salaries,
    money.copy_of_budget,
    money.berlin,
    money.expenses,
    money.open_items,
    money.terms,
    people.shifts,
    money.payouts,
    people.untitled,
)
GIDS = 1_999_999_999  # a tab after the first has a number below it


def project(spec: Spec, company: Company, events: list[Event], refs: References, sink: Sink) -> None:
    """Everything the drive holds: folders, workbooks, files of mails."""
    known = SheetFacts(spec, company, events, refs, sink)
    drive = Drive(known)
    workbooks = Workbooks(known, drive)
    papers = [paper for maker in MAKERS for paper in [maker(known)] if paper is not None]
    for name, above, owner, shared in FOLDERS:
        if any(paper.folder in (name, *(inner for inner, outer, *_ in FOLDERS if outer == name)) for paper in papers):
            drive.add_folder(name, above, owner, shared)
    for remark in known.pack["comments"]:
        _add_comment(known, papers, remark)
    for paper in papers:
        workbooks.keep(paper)
    for one in known.pack["files"]:
        if known.seat(one["owner"]) == one["owner"]:
            drive.add_attachments(one["story"], one["owner"], one["folder"])


def _add_comment(known: SheetFacts, papers: list[Paper], said: PackEntry) -> None:
    """Put a comment of the pack on the first cell of its column whose row has the words, if its speakers work here."""
    page = next(
        (
            page
            for paper in papers
            if paper.handle == said["book"]
            for page in paper.pages
            if page.title == said["page"]
        ),
        None,
    )
    seats = {said["by"], *(seat for seat, *_ in said.get("answers", ()))}
    if page is None or not seats <= known.company.staff.keys():
        return
    row = next((row for (row, _), cell in sorted(page.cells.items()) if said["match"] in cell.input), None)
    if row is not None:
        answers = tuple((seat, days, text) for seat, days, text in said.get("answers", ()))
        page.remarks.append(
            Remark((row, said["column"]), said["by"], said["days"], said["text"], answers, said.get("resolved", False))
        )


class Workbooks:
    """Papers in their rows, files of the drive."""

    def __init__(self, known: SheetFacts, drive: Drive) -> None:
        self.known, self.sink, self.spec, self.drive = known, known.sink, known.spec, drive
        self.placed: dict[tuple[str, str], int] = {}  # tabs by workbook and title
        self.sheets = self.things = 0

    def keep(self, paper: Paper) -> None:
        """A workbook with all it holds."""
        number = self.drive.add_file(paper, SPREADSHEET)
        zone = self.known.company.staff[paper.owner].tz
        kept = [self._page(number, place, page, paper) for place, page in enumerate(paper.pages)]
        state = digest("content", paper.handle, *(text for _, text in kept)).hex()
        self.sink.add(m.Spreadsheet, file_id=number, locale=paper.locale, time_zone=zone, state=state)
        for place, (page, (sheet, _)) in enumerate(zip(paper.pages, kept, strict=True)):
            self._blemishes(paper, page, sheet)
            self._remarks(paper, page, number, sheet, place)

    def _page(self, number: int, place: int, page: TabBuilder, paper: Paper) -> tuple[int, str]:
        """A tab's rows; its id, and its content as text."""
        self.sheets += 1
        self.placed[paper.handle, page.title] = self.sheets
        gid = 0 if place == 0 else self.known.draw("gid", paper.handle, place).integer(1_000_000, GIDS)
        tall, wide = max(1000, page.height + 200), max(26, page.width + 3)
        self.sink.add(
            m.Sheet,
            id=self.sheets,
            file_id=number,
            gid=gid,
            title=page.title,
            position=place,
            rows=tall,
            columns=wide,
            frozen_rows=page.frozen,
            frozen_columns=page.frozen_columns,
            hidden=page.hidden,
        )
        for (row, column), cell in sorted(page.cells.items()):
            self.sink.add(
                m.CellRow,
                sheet_id=self.sheets,
                row=row,
                col=column,
                file_id=number,
                kind=cell.kind,
                input=cell.input,
                format=look(cell.look),
                note=cell.note,
                validation=cell.validation,
            )
            if column == 0 and row in page.events:
                self.sink.refer("sheets_cell", f"{self.sheets},{row},0", *page.events[row])
        for column in sorted(page.widths.keys() | page.covered):
            size, hidden = page.widths.get(column), column in page.covered
            self.sink.add(m.Dimension, sheet_id=self.sheets, axis="COLUMNS", at=column, size=size, hidden=hidden)
        self._things(number, gid, page, paper)
        text = "\n".join(f"{at}{cell.kind}{cell.input}" for at, cell in sorted(page.cells.items()))
        return self.sheets, f"{page.title}\n{text}"

    def _things(self, number: int, gid: int, page: TabBuilder, paper: Paper) -> None:
        ranks: dict[str, int] = {}
        for thing in page.things:
            self.things += 1
            ranks[thing.kind] = rank = ranks.get(thing.kind, -1) + 1
            top, left, bottom, right = thing.area
            spec = dict(thing.spec)
            if thing.kind == "conditional_format":
                spec["ranges"] = [
                    {
                        "sheetId": gid,
                        "startRowIndex": top,
                        "endRowIndex": bottom,
                        "startColumnIndex": left,
                        "endColumnIndex": right,
                    }
                ]
            self.sink.add(
                m.Object,
                id=self.things,
                file_id=number,
                sheet_id=self.sheets,
                kind=thing.kind,
                key=str(self.known.draw("thing", paper.handle, self.things).integer(100_000_000, 999_999_999)),
                name=thing.name,
                position=rank if thing.kind == "conditional_format" else 0,
                top=top,
                left=left,
                bottom=bottom,
                right=right,
                spec=spec,
            )

    def _remarks(self, paper: Paper, page: TabBuilder, number: int, sheet: int, place: int) -> None:
        for remark in page.remarks:
            row, column = remark.at
            at = self.spec.start - int(remark.days * DAY)
            answers = [(who, self.spec.start - int(days * DAY), text) for who, days, text in remark.answers]
            common = {"file_id": number, "sheet_id": sheet, "row": row, "col": column}
            first = self.drive.add_comment(paper, remark.by, at, remark.text, **common)
            first["modified_at"] = max((when for _, when, _ in answers), default=at)
            first["quoted"] = page.cells[row, column].input if page.cells[row, column].kind == "text" else ""
            first["resolved"] = remark.resolved
            if remark.resolved and not answers:
                common_answer = {"action": "resolve"}
                self.drive.add_comment(
                    paper, paper.owner, at + 3 * HOUR, "", file_id=number, parent_id=first["id"], **common_answer
                )
                first["modified_at"] = at + 3 * HOUR
            for who, when, text in answers:
                self.drive.add_comment(paper, who, when, text, file_id=number, parent_id=first["id"])

    def _cell(self, place: str) -> str:
        """The id of a cell given as `book:tab:row:column`."""
        handle, title, row, column = place.split(":")
        return f"{self.placed[handle, title]},{row},{column}"

    def _blemishes(self, paper: Paper, page: TabBuilder, sheet: int) -> None:
        for number, one in enumerate(page.blemishes):
            event = f"e.blemish.{paper.handle}.{number}"
            table, row = one.witness
            row = self._cell(row) if table == "sheets_cell" else row
            assert row, f"{paper.handle}: {one.kind} has no witness"
            self.sink.refer("sheets_cell", f"{sheet},{one.at[0]},{one.at[1]}", event, "blemish", one.kind)
            self.sink.refer(table, row, event, "blemish", f"witness of {one.kind}")
