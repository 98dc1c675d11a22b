"""Rows of the drive: folders, workbooks with their cells, who may see them, what was said on them, and what is wrong in
them.
"""

from collections.abc import Mapping
from hashlib import md5, sha1, sha256
from typing import Any

from apps.drive import models as d
from apps.drive.access import FOLDER, SPREADSHEET
from apps.drive.new_files import permission_key
from apps.sheets import models as m
from seeds.attachments import attached
from seeds.company import Company, Staff
from seeds.events import Event, Mailed
from seeds.rows import sheets_customers as customers
from seeds.rows import sheets_money as money
from seeds.rows import sheets_people as people
from seeds.rows import sheets_work as work
from seeds.rows.references import References, sheet_key
from seeds.rows.row_collector import Sink
from seeds.rows.sheets_builder import Page, Paper, Remark, look
from seeds.rows.sheets_facts import Known
from seeds.spec import Spec
from world.core.clock import DAY, HOUR, MINUTE
from world.core.directory import Blob
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
# name, the folder around it, owner, who may what
FOLDERS = (
    ("Finance", "", "finance", (("ceo", "writer"),)),
    ("Customers", "", "success-head", (("@customers", "writer"),)),
    ("Engineering", "", "cto", (("@engineering", "writer"), ("@support", "reader"))),
    ("On-call", "Engineering", "platform-lead", ()),
    ("People & office", "", "people", (("company", "reader"),)),
    ("Hiring", "", "people", (("cto", "writer"),)),
)
OLD = 30  # days
GIDS = 1_999_999_999  # a tab after the first has a number below it


def project(spec: Spec, company: Company, events: list[Event], refs: References, sink: Sink) -> None:
    """Everything the drive holds."""
    known = Known(spec, company, events, refs, sink)
    drive = Drive(known)
    papers = [paper for maker in MAKERS for paper in [maker(known)] if paper is not None]
    for name, above, owner, shared in FOLDERS:
        if any(paper.folder in (name, *(inner for inner, outer, *_ in FOLDERS if outer == name)) for paper in papers):
            drive.folder(name, above, owner, shared)
    for remark in known.pack["comments"]:
        _remarked(known, papers, remark)
    for paper in papers:
        drive.keep(paper)
    for one in known.pack["files"]:
        if known.seat(one["owner"]) == one["owner"]:
            drive.put_up(one["story"], one["owner"], one["folder"])


def _remarked(known: Known, papers: list[Paper], said: Mapping[str, Any]) -> None:
    """Put a comment of the pack on the first cell of its column whose row has the words, where all who speak are here."""
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


class Drive:
    """Puts papers into their rows."""

    def __init__(self, known: Known) -> None:
        self.known, self.sink, self.spec = known, known.sink, known.spec
        self.folders: dict[str, int] = {}
        self.placed: dict[tuple[str, str], int] = {}  # tabs by workbook and title
        self.files = self.sheets = self.things = self.remarks = 0

    def folder(self, name: str, above: str, owner: str, shared: tuple[tuple[str, str], ...]) -> None:
        """A folder, younger than the one around it."""
        made = Paper(
            f"folder-{name}", name, self.known.seat(owner), above, [], 700, 120 if not above else 90, shared=shared
        )
        self.folders[name] = self._file(made, FOLDER)

    def keep(self, paper: Paper) -> None:
        """A workbook with all it holds."""
        number = self._file(paper, SPREADSHEET)
        zone = self.known.company.staff[paper.owner].tz
        kept = [self._page(number, place, page, paper) for place, page in enumerate(paper.pages)]
        state = digest("content", paper.handle, *(text for _, text in kept)).hex()
        self.sink.add(m.Spreadsheet, file_id=number, locale=paper.locale, time_zone=zone, state=state)
        for place, (page, (sheet, _)) in enumerate(zip(paper.pages, kept, strict=True)):
            self._blemishes(paper, page, sheet)
            self._remarks(paper, page, number, sheet, place)

    def put_up(self, story: str, owner: str, folder: str) -> None:
        """Files of a story's mails, as its owner put them on the drive."""
        for event in self.known.stories.get(story, []):
            for name, text in event.facts.files if isinstance(event.facts, Mailed) else ():
                since = self.known.since(event.at)
                made = attached(name, text)
                paper = Paper(f"file-{event.id}-{name}", name, owner, folder, [], since, since, event=event.id)
                self._file(paper, made.mime_type)
                self._bytes(made.data)

    def _bytes(self, data: bytes) -> None:
        """Keep the bytes of a file."""
        name = sha256(data).hexdigest()
        sums = [md5(data, usedforsecurity=False).hexdigest(), sha1(data, usedforsecurity=False).hexdigest()]
        self.sink.rows[d.File][-1].update(sha256=name, size=len(data), settings={"sums": sums})
        if not any(row["sha256"] == name for row in self.sink.rows.get(Blob, [])):
            self.sink.add(Blob, sha256=name, size=len(data), data=data)

    # the file

    def _made(self, paper: Paper) -> int:
        """When a file was made: so long ago, on the minute only where that is recent, or soon after its owner came."""
        wait = self.known.draw("made", paper.handle).integer(30, 500) * MINUTE if paper.made_days >= OLD else 0
        came = self.known.company.staff[paper.owner].joined_at + DAY
        at = self.spec.start - int(paper.made_days * DAY) + wait
        return max(at, came) // 1000 * 1000

    def _file(self, paper: Paper, kind: str) -> int:
        self.files += 1
        owner, made = self.known.company.staff[paper.owner], self._made(paper)
        key = sheet_key(self.spec, paper.handle, book=kind == SPREADSHEET)
        touched = min(max(made + 4 * MINUTE, self.spec.start - int(paper.touched_days * DAY)), self.spec.start - MINUTE)
        by = self.known.company.staff[paper.touched_by or paper.owner]
        draw = self.known.draw("file", paper.handle)
        self.sink.add(
            d.File,
            id=self.files,
            key=key,
            name=paper.name,
            mime_type=kind,
            owner_id=owner.id,
            parent_id=self.folders.get(paper.folder),
            description=paper.description,
            created_at=made,
            modified_at=touched,
            modified_by=by.id,
            version=draw.integer(2, 6) if kind != SPREADSHEET else draw.integer(12, 900),
        )
        self.sink.refer("drive_file", str(self.files), paper.event, "sheets", paper.handle)
        self._share(paper, self.files, made)
        return self.files

    def _share(self, paper: Paper, number: int, made: int) -> None:
        owner = self.known.company.staff[paper.owner]
        held: set[str] = set()
        for whom, role in ((paper.owner, "owner"), *paper.shared):
            given = self._given(whom)
            if given is None or given["key"] in held:
                continue
            held.add(given["key"])
            self.sink.add(
                d.Permission,
                file_id=number,
                role=role,
                shared_at=made if role == "owner" else made + 7 * MINUTE,
                shared_by=owner.id,
                **given,
            )
            if person := given.get("person_id"):
                self._visit(self.known.people[person], number, made)
        for seat in paper.starred:
            if (one := self.known.company.staff.get(seat)) and one.employed(self.spec.start):
                self.sink.add(d.Star, person_id=one.id, file_id=number)

    def _visit(self, one: Staff, number: int, made: int) -> None:
        """When somebody who was given a file last looked at it: most of them lately, some never."""
        draw = self.known.draw("visit", number, one.seat)
        at = self.spec.start - int(draw.lognormal(4, 1.2) * DAY)
        if draw.random() < 0.85 and at > made:
            self.sink.add(d.Visit, person_id=one.id, file_id=number, at=at)

    def _given(self, whom: str) -> dict[str, Any] | None:
        """Whom a permission is for: a seat, `@team`, `company` or `link`; nothing for a seat that nobody holds."""
        domain = self.known.company.domain
        if whom.startswith("@"):
            address = f"{whom[1:]}@{domain}"
            team = whom[1:] in self.known.company.teams
            return {"key": permission_key("group", address), "type": "group", "email": address} if team else None
        if whom == "company":
            return {"key": permission_key("domain", domain), "type": "domain", "domain": domain, "discoverable": True}
        if whom == "link":
            return {"key": permission_key("anyone", ""), "type": "anyone"}
        one = self.known.company.staff.get(whom)
        if one is None or not one.employed(self.spec.start):
            return None
        return {"key": permission_key("user", one.email), "type": "user", "person_id": one.id, "email": one.email}

    # the tabs

    def _page(self, number: int, place: int, page: Page, paper: Paper) -> tuple[int, str]:
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

    def _things(self, number: int, gid: int, page: Page, paper: Paper) -> None:
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

    # what is said, and what is wrong

    def _remarks(self, paper: Paper, page: Page, number: int, sheet: int, place: int) -> None:
        for remark in page.remarks:
            row, column = remark.at
            at = self.spec.start - int(remark.days * DAY)
            answers = [(who, self.spec.start - int(days * DAY), text) for who, days, text in remark.answers]
            common = {"file_id": number, "sheet_id": sheet, "row": row, "col": column}
            first = self._said(paper, remark.by, at, remark.text, **common)
            first["modified_at"] = max((when for _, when, _ in answers), default=at)
            first["quoted"] = page.cells[row, column].input if page.cells[row, column].kind == "text" else ""
            first["resolved"] = remark.resolved
            if remark.resolved and not answers:
                common_answer = {"action": "resolve"}
                self._said(
                    paper, paper.owner, at + 3 * HOUR, "", file_id=number, parent_id=first["id"], **common_answer
                )
                first["modified_at"] = at + 3 * HOUR
            for who, when, text in answers:
                self._said(paper, who, when, text, file_id=number, parent_id=first["id"])

    def _said(self, paper: Paper, seat: str, at: int, text: str, **more: object) -> dict[str, Any]:
        self.remarks += 1
        one = self.known.who(seat)
        draw = self.known.draw("remark", paper.handle, self.remarks)
        key = "AAAA" + "".join(
            draw.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") for _ in range(8)
        )
        row = self.sink.add(
            d.Comment,
            id=self.remarks,
            key=key,
            author_id=one.id,
            content=text,
            created_at=at,
            modified_at=at,
            **more,
        )
        self.sink.refer("drive_comment", str(self.remarks), paper.event, "sheets", paper.handle)
        return row

    def _cell(self, place: str) -> str:
        """The id of a cell given as `book:tab:row:column`."""
        handle, title, row, column = place.split(":")
        return f"{self.placed[handle, title]},{row},{column}"

    def _blemishes(self, paper: Paper, page: Page, sheet: int) -> None:
        for number, one in enumerate(page.blemishes):
            event = f"e.blemish.{paper.handle}.{number}"
            table, row = one.witness
            row = self._cell(row) if table == "sheets_cell" else row
            assert row, f"{paper.handle}: {one.kind} has no witness"
            self.sink.refer("sheets_cell", f"{sheet},{one.at[0]},{one.at[1]}", event, "blemish", one.kind)
            self.sink.refer(table, row, event, "blemish", f"witness of {one.kind}")
