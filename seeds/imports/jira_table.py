"""Reader of Jira's CSV export ("all fields"): a header whose names repeat, one line per issue, comments as `date;author;text`."""

import csv
import io
from collections.abc import Sequence

from seeds.imports.intake import Intake
from seeds.imports.jira_records import KEY, JiraExport, JiraIssue, JiraNote, parse_day, parse_moment
from seeds.imports.json_document import check_text
from world.run.imports import ImportRefused

ALIASES = {
    "component/s": "components",
    "fix version/s": "fix versions",
    "affects version/s": "affects versions",
    "due date": "due",
}
CUSTOM = "custom field ("
POINTS = (f"{CUSTOM}story points)", f"{CUSTOM}story point estimate)", "story points", "story point estimate")
CELL = 10 * 1024 * 1024  # characters of one cell


def read_lines(data: bytes, file: str) -> list[list[str]]:
    """The lines of a CSV file in UTF-8, split at commas, semicolons or tabs. Raises ImportRefused."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ImportRefused(file, f"byte {error.start}", "not UTF-8") from error
    check_text(text, file, "")
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    csv.field_size_limit(CELL)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise ImportRefused(file, "", f"no sound CSV: {error}") from error


def is_jira_table(header: Sequence[str]) -> bool:
    """Whether a header is that of an export of issues."""
    names = {name.strip().lower() for name in header}
    return {"issue key", "summary"} <= names


def read_jira_table(lines: Sequence[Sequence[str]], file: str, found: JiraExport, intake: Intake) -> None:
    """Add the issues of a table. Raises ImportRefused."""
    header = [ALIASES.get(name.strip().lower(), name.strip().lower()) for name in lines[0]]
    for number, line in enumerate(lines[1:], 2):
        if not any(line):
            continue
        if len(line) != len(header):
            raise ImportRefused(file, f"row {number}", f"{len(line)} cells under {len(header)} names")
        row = _Line(file, number, header, list(line), found)
        found.add(row.read(), intake)
        for kind, other in row.outward():
            found.links.add((kind, row.text("issue key"), other))
        for kind, other in row.inward():
            found.links.add((kind, other, row.text("issue key")))
    by_id = {row_id: key for row_id, key in _ids(header, lines)}
    for issue in found.issues.values():
        issue.parent = by_id.get(issue.parent, issue.parent)


def _ids(header: Sequence[str], lines: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    if "issue id" not in header:
        return []
    id, key = header.index("issue id"), header.index("issue key")
    return [(line[id], line[key]) for line in lines[1:] if len(line) == len(header)]


class _Line:
    """One line, by the names above it."""

    def __init__(self, file: str, number: int, header: Sequence[str], cells: Sequence[str], found: JiraExport) -> None:
        self.file, self.number, self.header, self.cells, self.found = file, number, header, cells, found

    def refuse(self, name: str, reason: str) -> ImportRefused:
        return ImportRefused(self.file, f"row {self.number}, {name}", reason)

    def texts(self, name: str) -> list[str]:
        return [cell for known, cell in zip(self.header, self.cells, strict=True) if known == name and cell.strip()]

    def text(self, name: str) -> str:
        return next(iter(self.texts(name)), "")

    def who(self, name: str) -> str:
        """The account of a person: its id where the export has one, else the name."""
        id, shown = self.text(f"{name} id"), self.text(name)
        key = self.found.meet(id or shown, f"row {self.number}")
        if id and shown and self.found.people[key].name == "":
            self.found.people[key] = type(self.found.people[key])("jira", key, name=shown, place=f"row {self.number}")
        return key

    def moment(self, name: str) -> int:
        text = self.text(name)
        try:
            return parse_moment(text) if text else 0
        except (ValueError, OverflowError) as error:
            raise self.refuse(name, f"{text!r} is no time") from error

    def number_of(self, name: str) -> float | None:
        text = self.text(name)
        try:
            return float(text) if text else None
        except ValueError as error:
            raise self.refuse(name, f"{text!r} is no number") from error

    def seconds(self, name: str) -> int | None:
        found = self.number_of(name)
        return None if found is None else int(found)

    def read(self) -> JiraIssue:
        key = self.text("issue key")
        if not KEY.fullmatch(key):
            raise self.refuse("issue key", f"{key!r} is no key of an issue")
        if self.text("status category"):
            names = {"to do": "new", "in progress": "indeterminate", "done": "done"}
            self.found.categories[self.text("status")] = names.get(
                self.text("status category").lower(), "indeterminate"
            )
        try:
            due = parse_day(self.text("due"))
        except (ValueError, OverflowError) as error:
            raise self.refuse("due date", f"{self.text('due')!r} is no day") from error
        return JiraIssue(
            key,
            type=self.text("issue type") or "Task",
            status=self.text("status") or "To Do",
            priority=self.text("priority") or "Medium",
            resolution="" if self.text("resolution").lower() == "unresolved" else self.text("resolution"),
            summary=self.text("summary") or key,
            description=self.text("description"),
            environment=self.text("environment"),
            reporter=self.who("reporter"),
            assignee=self.who("assignee"),
            creator=self.who("creator"),
            created_at=self.moment("created"),
            updated_at=self.moment("updated"),
            resolved_at=self.moment("resolved"),
            due_on=due,
            parent=self.text("parent key") or self.text("parent") or self.text("parent id"),
            points=next((found for name in POINTS if (found := self.number_of(name)) is not None), None),
            original_s=self.seconds("original estimate"),
            remaining_s=self.seconds("remaining estimate"),
            spent_s=self.seconds("time spent"),
            labels=[word for cell in self.texts("labels") for word in cell.split()],
            components=self.texts("components"),
            fixes=self.texts("fix versions"),
            affects=self.texts("affects versions"),
            sprints=list(dict.fromkeys(self.texts("sprint"))),
            watchers=[self.found.meet(name, f"row {self.number}") for name in self.texts("watchers")],
            comments=[self._comment(cell) for cell in self.texts("comment")],
            custom=self._custom(),
        )

    def _comment(self, cell: str) -> JiraNote:
        when, _, rest = cell.partition(";")
        author, _, text = rest.partition(";")
        try:
            at = parse_moment(when)
        except (ValueError, OverflowError) as error:
            raise self.refuse("comment", f"{when!r} is no time") from error
        return JiraNote(self.found.meet(author, f"row {self.number}"), text, at)

    def _custom(self) -> dict[str, str]:
        out: dict[str, list[str]] = {}
        for name, cell in zip(self.header, self.cells, strict=True):
            if name.startswith(CUSTOM) and name not in POINTS and cell.strip():
                out.setdefault(name.removeprefix(CUSTOM).removesuffix(")").capitalize(), []).append(cell)
        return {name: ", ".join(cells) for name, cells in out.items()}

    def outward(self) -> list[tuple[str, str]]:
        return self._links("outward issue link (")

    def inward(self) -> list[tuple[str, str]]:
        return self._links("inward issue link (")

    def _links(self, prefix: str) -> list[tuple[str, str]]:
        pairs = zip(self.header, self.cells, strict=True)
        return [
            (name.removeprefix(prefix).removesuffix(")").capitalize(), cell.strip())
            for name, cell in pairs
            if name.startswith(prefix) and cell.strip()
        ]
