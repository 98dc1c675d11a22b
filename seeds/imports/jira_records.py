"""Issues of an issue tracker as its exports hold them, before they become rows."""

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

from seeds.imports.identities import Identity
from seeds.imports.intake import Intake
from world.core.clock import from_datetime
from world.core.json_types import JsonObject

KEY = re.compile(r"([A-Z][A-Z0-9_]{0,30})-(\d{1,9})")
FORMATS = (  # of times in exports for spreadsheets, after ISO 8601
    "%d/%b/%y %I:%M %p",
    "%d/%b/%Y %I:%M %p",
    "%d/%b/%y %H:%M",
    "%d/%b/%y",
    "%d.%m.%Y %H:%M",
    "%d.%m.%Y",
    "%b %d, %Y, %I:%M %p",
    "%Y/%m/%d %H:%M",
    "%m/%d/%Y %H:%M",
)
DONE = frozenset({"done", "closed", "resolved", "released", "won't do", "cancelled", "canceled", "rejected", "fixed"})
FRESH = frozenset({"to do", "open", "new", "backlog", "selected for development", "reopened", "created", "planned"})
CATEGORIES = {"to do": "new", "in progress": "indeterminate", "done": "done"}
Body = str | JsonObject  # wiki markup, or a document


@dataclass(slots=True)
class JiraNote:
    """A comment or a work log; `spent_s` and `started_at` are a work log's."""

    author: str
    body: Body
    created_at: int
    started_at: int = 0
    spent_s: int = 0


@dataclass(slots=True)
class JiraChange:
    """One edit of the changelog: (field, kind, from, its text, to, its text) of each changed field."""

    author: str
    created_at: int
    items: list[tuple[str, str, str, str, str, str]]


@dataclass(slots=True)
class JiraIssue:
    """An issue; people are ids of the source, times us, days ISO, versions and components by name."""

    key: str
    type: str = "Task"
    status: str = "To Do"
    priority: str = "Medium"
    resolution: str = ""
    summary: str = ""
    description: Body = ""
    environment: Body = ""
    reporter: str = ""
    assignee: str = ""
    creator: str = ""
    created_at: int = 0
    updated_at: int = 0
    resolved_at: int = 0
    due_on: str = ""
    parent: str = ""
    points: float | None = None
    original_s: int | None = None
    remaining_s: int | None = None
    spent_s: int | None = None
    labels: list[str] = field(default_factory=list)
    components: list[str] = field(default_factory=list)
    fixes: list[str] = field(default_factory=list)
    affects: list[str] = field(default_factory=list)
    sprints: list[str] = field(default_factory=list)
    watchers: list[str] = field(default_factory=list)
    comments: list[JiraNote] = field(default_factory=list)
    worklogs: list[JiraNote] = field(default_factory=list)
    history: list[JiraChange] = field(default_factory=list)
    custom: dict[str, str] = field(default_factory=dict)

    @property
    def project(self) -> str:
        """Key of its project."""
        return self.key.rpartition("-")[0]

    @property
    def number(self) -> int:
        """Its number in the project."""
        return int(self.key.rpartition("-")[2])


@dataclass(slots=True)
class JiraProject:
    """A project; a version is (name, released, start day, release day, description), a component (name, description)."""

    key: str
    name: str = ""
    description: str = ""
    lead: str = ""
    versions: list[tuple[str, bool, str, str, str]] = field(default_factory=list)
    components: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class JiraSprint:
    """A sprint of a project; times in us, 0 when unknown."""

    project: str
    name: str
    state: str = ""
    goal: str = ""
    start_at: int = 0
    end_at: int = 0
    completed_at: int = 0


@dataclass(slots=True)
class JiraExport:
    """All issues by key, and what they refer to. A link is (type, source, destination)."""

    issues: dict[str, JiraIssue] = field(default_factory=dict)
    projects: dict[str, JiraProject] = field(default_factory=dict)
    sprints: dict[tuple[str, str], JiraSprint] = field(default_factory=dict)
    links: set[tuple[str, str, str]] = field(default_factory=set)
    categories: dict[str, str] = field(default_factory=dict)  # of statuses
    people: dict[str, Identity] = field(default_factory=dict)

    def meet(self, key: str, place: str) -> str:
        """An id that must be somebody; empty for nobody."""
        if key and key not in self.people:
            handle = key if re.fullmatch(r"[a-z][a-z0-9._-]+", key) else ""
            is_name = " " in key
            self.people[key] = Identity(
                "named" if is_name else "jira", key, name=key if is_name else "", handle=handle, place=place
            )
        return key

    def add(self, issue: JiraIssue, intake: Intake) -> None:
        """Keep an issue; one that an earlier archive had is left out."""
        if issue.key in self.issues:
            intake.drop("issues that another archive has too")
            return
        self.issues[issue.key] = issue
        self.projects.setdefault(issue.project, JiraProject(issue.project))
        for name in issue.sprints:
            self.sprints.setdefault((issue.project, name), JiraSprint(issue.project, name))
        intake.see_times([issue.created_at, issue.updated_at, *(one.created_at for one in issue.comments)])


def parse_moment(text: str) -> int:
    """Microseconds of a time as an export writes it, UTC where it names no zone. Raises ValueError."""
    clean = text.strip()
    try:
        moment = datetime.fromisoformat(clean)
    except ValueError:
        moment = _parse_formats(clean)
    return from_datetime(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def _parse_formats(text: str) -> datetime:
    for form in FORMATS:
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    raise ValueError(f"{text!r} is no time")


def parse_day(text: str) -> str:
    """The ISO day of a time; empty for none. Raises ValueError."""
    if not text.strip():
        return ""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text.strip()):
        return date.fromisoformat(text.strip()).isoformat()
    return datetime.fromtimestamp(parse_moment(text) / 1_000_000, UTC).date().isoformat()


def find_category(status: str, known: dict[str, str]) -> str:
    """The category of a status: what the export says, else what its name says."""
    name = status.lower()
    return known.get(status) or ("done" if name in DONE else "new" if name in FRESH else "indeterminate")
