"""Rows of the drive: folders, files, permissions, visits and comments."""

from hashlib import md5, sha1, sha256

from apps.drive import models as d
from apps.drive.access import FOLDER, SPREADSHEET
from apps.drive.new_files import permission_key
from seeds.attachments import build_file
from seeds.company import Staff
from seeds.events import Mailed
from seeds.rows.references import sheet_key
from seeds.rows.row_collector import Row
from seeds.rows.sheets_builder import Paper
from seeds.rows.sheets_facts import SheetFacts
from world.core.clock import DAY, MINUTE
from world.core.directory import Blob

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


class Drive:
    """Files in their rows; `files` and `comments` count them."""

    def __init__(self, known: SheetFacts) -> None:
        self.known, self.sink, self.spec = known, known.sink, known.spec
        self.folders: dict[str, int] = {}
        self.files = self.comments = 0

    def add_folder(self, name: str, above: str, owner: str, shared: tuple[tuple[str, str], ...]) -> None:
        """A folder, younger than the one around it."""
        made = Paper(
            f"folder-{name}", name, self.known.seat(owner), above, [], 700, 120 if not above else 90, shared=shared
        )
        self.folders[name] = self.add_file(made, FOLDER)

    def add_attachments(self, story: str, owner: str, folder: str) -> None:
        """Files of a story's mails, as its owner put them on the drive."""
        for event in self.known.stories.get(story, []):
            for name, text in event.facts.files if isinstance(event.facts, Mailed) else ():
                since = self.known.since(event.at)
                made = build_file(name, text)
                paper = Paper(f"file-{event.id}-{name}", name, owner, folder, [], since, since, event=event.id)
                self.add_file(paper, made.mime_type)
                self._bytes(made.data)

    def _bytes(self, data: bytes) -> None:
        """Keep the bytes of a file."""
        name = sha256(data).hexdigest()
        sums = [md5(data, usedforsecurity=False).hexdigest(), sha1(data, usedforsecurity=False).hexdigest()]
        self.sink.rows[d.File][-1].update(sha256=name, size=len(data), settings={"sums": sums})
        if not any(row["sha256"] == name for row in self.sink.rows.get(Blob, [])):
            self.sink.add(Blob, sha256=name, size=len(data), data=data)

    def _draw_creation_time(self, paper: Paper) -> int:
        """Return the creation time of a file: as long ago as the paper says, but not before its owner came.

        Only a recent one is on the minute.
        """
        wait = self.known.draw("made", paper.handle).integer(30, 500) * MINUTE if paper.made_days >= OLD else 0
        came = self.known.company.staff[paper.owner].joined_at + DAY
        at = self.spec.start - int(paper.made_days * DAY) + wait
        return max(at, came) // 1000 * 1000

    def add_file(self, paper: Paper, kind: str) -> int:
        """A file of a paper, with those who may open it; its number."""
        self.files += 1
        owner, made = self.known.company.staff[paper.owner], self._draw_creation_time(paper)
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
            given = self._find_grantee(whom)
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
            if (one := self.known.company.staff.get(seat)) and one.is_employed(self.spec.start):
                self.sink.add(d.Star, person_id=one.id, file_id=number)

    def _visit(self, one: Staff, number: int, made: int) -> None:
        """Draw the last visit of somebody who was given a file: mostly recent, for some never."""
        draw = self.known.draw("visit", number, one.seat)
        at = self.spec.start - int(draw.lognormal(4, 1.2) * DAY)
        if draw.random() < 0.85 and at > made:
            self.sink.add(d.Visit, person_id=one.id, file_id=number, at=at)

    def _find_grantee(self, whom: str) -> Row | None:
        """Return the columns of a permission for a seat, `@team`, `company` or `link`; None if nobody holds it."""
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
        if one is None or not one.is_employed(self.spec.start):
            return None
        return {"key": permission_key("user", one.email), "type": "user", "person_id": one.id, "email": one.email}

    def add_comment(self, paper: Paper, seat: str, at: int, text: str, **more: object) -> dict[str, object]:
        """A comment on a paper; its row."""
        self.comments += 1
        one = self.known.who(seat)
        draw = self.known.draw("remark", paper.handle, self.comments)
        key = "AAAA" + "".join(
            draw.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") for _ in range(8)
        )
        row = self.sink.add(
            d.Comment,
            id=self.comments,
            key=key,
            author_id=one.id,
            content=text,
            created_at=at,
            modified_at=at,
            **more,
        )
        self.sink.refer("drive_comment", str(self.comments), paper.event, "sheets", paper.handle)
        return row
