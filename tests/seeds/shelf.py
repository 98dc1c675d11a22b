"""The workbooks of a generated company, computed on demand."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from apps.sheets.cells import Area, Entry, Fault, Value
from apps.sheets.engine import Moment, engine
from seeds.build import GeneratedCompany
from seeds.rows.references import references
from seeds.rows.row_collector import Sink
from seeds.rows.sheets_facts import SheetFacts

Row = dict[str, Any]


def nowhere(key: str, text: str) -> Fault:
    """No other file is reached from here."""
    return Fault("#REF!")


@dataclass
class Shelf:
    """A company's rows, its workbooks computed on demand."""

    story: GeneratedCompany
    sink: Sink
    grids: dict[tuple[str, str], list[list[Value]]] = field(default_factory=dict)

    @cached_property
    def tables(self) -> dict[str, list[Row]]:
        return {str(model.__tablename__): found for model, found in self.sink.rows.items()}

    @cached_property
    def handles(self) -> dict[int, str]:
        return {int(ref["row_id"]): ref["part"] for ref in self.sink.references("drive_file")}

    @cached_property
    def tabs(self) -> dict[int, tuple[str, str]]:
        """Workbook and title of every tab."""
        return {row["id"]: (self.handles[row["file_id"]], row["title"]) for row in self.tables["sheets_sheet"]}

    @cached_property
    def known(self) -> SheetFacts:
        story = self.story
        return SheetFacts(
            story.spec,
            story.company,
            story.events,
            references(story.spec, story.company.slack_domain, story.events),
            self.sink,
        )

    def grid(self, handle: str, title: str) -> list[list[Value]]:
        """What a tab computes to at the world's first moment."""
        if (handle, title) not in self.grids:
            file = next(number for number, name in self.handles.items() if name == handle)
            self.compute(file, handle)
        return self.grids[handle, title]

    def compute(self, file: int, handle: str) -> None:
        tabs = [row for row in self.tables["sheets_sheet"] if row["file_id"] == file]
        cells: dict[int, list[tuple[int, int, Entry]]] = {row["id"]: [] for row in tabs}
        for cell in self.tables["sheets_cell"]:
            if cell["file_id"] == file and cell["kind"]:
                cells[cell["sheet_id"]].append((cell["row"], cell["col"], Entry(cell["kind"], cell["input"])))
        names = {
            row["name"].lower(): (row["sheet_id"], Area(row["top"], row["left"], row["bottom"], row["right"]))
            for row in self.tables["sheets_object"]
            if row["file_id"] == file and row["kind"] == "named_range"
        }
        held = engine(nowhere)
        held.load([(row["id"], row["title"], cells[row["id"]]) for row in tabs], names)
        book = next(row for row in self.tables["sheets_spreadsheet"] if row["file_id"] == file)
        held.at(Moment(self.story.spec.start, book["time_zone"], 7, book["locale"]))
        for row in tabs:
            used = [(r, c) for r, c, _ in cells[row["id"]]]
            self.grids[handle, row["title"]] = held.values(
                row["id"], Area(0, 0, max(r for r, _ in used) + 1, max(c for _, c in used) + 1)
            )

    def records(self, handle: str, title: str, head: int = 0) -> list[dict[str, Value]]:
        """The lines of a table by their headers, as far as the first blank line."""
        lines = self.grid(handle, title)
        found: list[dict[str, Value]] = []
        for line in lines[head + 1 :]:
            if line[0] is None:
                break
            found.append(dict(zip(map(str, lines[head]), line, strict=True)))
        return found

    def blemishes(self) -> list[tuple[str, tuple[str, str, int, int], tuple[str, str]]]:
        """Kind, place and witness of everything that is registered as wrong."""
        marks = [
            ref
            for ref in self.sink.references("sheets_cell")
            if ref["story"] == "blemish" and not ref["part"].startswith("witness")
        ]
        found = []
        for mark in marks:
            sheet, row, column = map(int, mark["row_id"].split(","))
            tables = {str(model.__tablename__) for model in self.sink.rows}
            witness = next(
                (ref["table_name"], ref["row_id"])
                for table in sorted(tables)
                for ref in self.sink.references(table)
                if ref["event_id"] == mark["event_id"] and ref["part"] == f"witness of {mark['part']}"
            )
            found.append((mark["part"], (*self.tabs[sheet], row, column), witness))
        return found
