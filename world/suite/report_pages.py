"""The pages of a suite's runs: every step with its request, its answer and what changed, readable from disk."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from world.core.clock import iso
from world.core.json_types import is_array, is_object
from world.grading.reasons.public import explain_public
from world.run.run_folder import CONTENT, SIZE, Contents
from world.run.trajectory import CONTENT_FOLDER
from world.run.trajectory_reader import TrajectoryError, read_header, read_steps
from world.studio.panels import describe_body, format_json
from world.studio.run_list import read_object
from world.studio.run_view import describe_arguments, title_step

PAGES, RUNS = "pages", "runs"
STUDIO = "http://127.0.0.1:8410"  # where `firm studio` listens unless told otherwise
STEPS = 500  # on a page
MAX_TEXT = 20_000  # characters of a request or an answer
MAX_LISTED = 100  # events or changed rows of a step


@dataclass(frozen=True, slots=True)
class Finding:
    """What the verdict says of one item or change, and the steps that decide it."""

    kind: str
    text: str
    is_met: bool
    steps: Sequence[int]


@dataclass(frozen=True, slots=True)
class StepCard:
    """A step as a page shows it."""

    number: int
    title: str
    at: str
    operation: str
    door: str
    status: str
    sent: str
    seen: str
    events: Sequence[str]
    changes: Sequence[str]


@dataclass(slots=True)
class RunOutline:
    """What the pages of a run need before its steps are read. `changed_in` leads from rows of the journal to steps."""

    folder: Path
    name: str
    task_id: str
    attempt: int
    agent: str
    passed: bool
    score: float | None
    task: str
    steps: int = 0
    changed_in: dict[int, int] = field(default_factory=dict[int, int])

    @property
    def parts(self) -> list[str]:
        """Names of the run's pages."""
        count = max(1, -(-self.steps // STEPS))
        return [f"{self.name}{f'.{number}' if number else ''}.html" for number in range(count)]

    @property
    def studio(self) -> str:
        """Where the studio shows the run."""
        return f"{STUDIO}/runs/{RUNS}/{quote(self.name)}"

    def address(self, step: int) -> str:
        """The place of a step."""
        return f"{quote(self.parts[(step - 1) // STEPS])}#step-{step}"


def open_templates() -> Environment:
    """The templates of reports; every text is escaped."""
    return Environment(
        loader=PackageLoader("world.suite", "templates"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def write_run_pages(folder: Path, lines: Sequence[Mapping[str, Any]], *, public: bool = False) -> dict[str, str]:
    """Write the pages of runs whose folders are there, and return their addresses by name of the folder. `public`: only
    what the agent asked and saw, with nothing of the rubrics. Raises OSError.
    """
    found, templates = dict[str, str](), open_templates()
    for line in lines:
        run = folder / RUNS / str(line["folder"])
        if run.parent != folder / RUNS or run.name in ("", ".", "..") or not run.is_dir():
            continue
        (folder / PAGES).mkdir(exist_ok=True)
        try:
            outline = read_outline(run, line)
            write_pages(folder / PAGES, outline, list_findings(outline, line, public=public), templates, public=public)
        except TrajectoryError:
            continue  # the report still names its folder
        found[run.name] = f"{PAGES}/{quote(outline.parts[0])}"
    return found


def read_outline(run: Path, line: Mapping[str, Any]) -> RunOutline:
    """Read through a run once. Raises TrajectoryError."""
    task = read_header(run).task
    outline = RunOutline(
        run, run.name, line["task"], line["attempt"] + 1, line["agent"], line["pass"], line["score"], task
    )
    for step in read_steps(run):
        outline.steps = step.row["step"]
        outline.changed_in |= {change["id"]: outline.steps for change in step.row["diff"]}
    return outline


def write_pages(
    folder: Path, outline: RunOutline, findings: Sequence[Finding], templates: Environment, *, public: bool
) -> None:
    """Write the pages of one run, step by step. Raises OSError, TrajectoryError."""
    cards, template = list_cards(outline, public=public), templates.get_template("run.html")
    for part, name in enumerate(outline.parts):
        told = template.stream(outline=outline, part=part, findings=findings, steps=islice(cards, STEPS))
        with (folder / name).open("w", encoding="utf-8", errors="replace") as file:
            file.writelines(map(clean_text, told))


def list_cards(outline: RunOutline, *, public: bool) -> Iterator[StepCard]:
    """The steps of a run, one after the other. Raises TrajectoryError."""
    contents = Contents(outline.folder / CONTENT_FOLDER)
    for line in read_steps(outline.folder):
        yield build_card(contents, line.row, public=public)


def build_card(contents: Contents, row: Mapping[str, Any], *, public: bool) -> StepCard:
    """A step as a page shows it."""
    request, response = excerpt(contents, row.get("request")), excerpt(contents, row.get("response"))
    events = () if public else [f"{iso(one['at'])} {one['actor']} {one['operation']}" for one in row["events"]]
    changes = () if public else [describe_row(one) for one in row["diff"]]
    return StepCard(
        number=row["step"],
        title=title_step(row),
        at=iso(row["at"]),
        operation=row["operation"],
        door=row["door"],
        status=row["status"],
        sent=shorten_text(describe_body(request) if request else format_json(row["arguments"])),
        seen=shorten_text(describe_body(response) if response else format_json(row.get("result"))),
        events=shorten_list(events),
        changes=shorten_list(changes),
    )


def excerpt(contents: Contents, value: Any) -> Any:
    """A message with the beginning of each long text in place; one that is lost is said to be."""
    if is_object(value):
        if set(value) == {CONTENT, SIZE}:
            try:
                return str(contents.restore(value))[: MAX_TEXT + 1]
            except (OSError, UnicodeDecodeError):
                return f"(a text of {value[SIZE]} bytes that is not in the run's folder)"
        return {name: excerpt(contents, one) for name, one in value.items()}
    return [excerpt(contents, one) for one in value] if is_array(value) else value


def describe_row(change: Mapping[str, Any]) -> str:
    """A changed row on one line."""
    old: Mapping[str, Any] = change["before"] or {}
    new: Mapping[str, Any] = change["after"] or {}
    differing = {name: value for name, value in {**old, **new}.items() if old.get(name) != value or not new}
    return f"{change['op']} {change['table']} {format_key(change['pk'])} {describe_arguments(differing)}"


def format_key(key: Sequence[object]) -> str:
    """The key of a row."""
    return ":".join(map(str, key))


def list_findings(outline: RunOutline, line: Mapping[str, Any], *, public: bool) -> list[Finding]:
    """What the verdict says, each with the steps that decide it; `public` without the rubric and without steps."""
    if public:
        texts = [] if line["pass"] or "public" not in line else explain_public(line["public"])
        return [Finding("fail", text, is_met=False, steps=()) for text in texts]
    verdict = read_object(outline.folder / "grade.json")
    found = [
        Finding("missed", describe_finding(one["id"], one), is_met=one["share"] >= 1, steps=find_steps(outline, one))
        for one in verdict.get("items", [])
    ]
    for one in verdict.get("unclaimed", []):
        name = f"{one['change']} {one['row']}"
        found.append(Finding(one["degree"], describe_finding(name, one), is_met=False, steps=find_steps(outline, one)))
    for one in verdict.get("never", []):
        found.append(Finding("never", describe_finding(one["id"], one), is_met=False, steps=find_steps(outline, one)))
    return found


def describe_finding(name: str, one: Mapping[str, Any]) -> str:
    """A finding on one line: its name, why, and the first reason."""
    reasons: Sequence[Mapping[str, Any]] = one.get("reasons", [])
    told = " ".join(str(reason[key]) for reason in reasons[:1] for key in ("expected", "found") if reason.get(key))
    return shorten_text(" — ".join(text for text in (name, str(one.get("why", "")), told) if text))


def find_steps(outline: RunOutline, one: Mapping[str, Any]) -> list[int]:
    """The steps of the rows that decide a finding, and those that its reasons name."""
    named = [step["number"] for reason in one.get("reasons", []) if is_object(step := reason.get("step"))]
    rows = [outline.changed_in[id] for id in one.get("journal", []) if id in outline.changed_in]
    return [step for step in sorted({*named, *rows}) if 1 <= step <= outline.steps][:MAX_LISTED]


def shorten_text(text: str) -> str:
    """A text up to the bound of a page."""
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}\n… (cut; the run's folder has the whole text)"


def shorten_list(lines: Sequence[str]) -> Sequence[str]:
    """Lines up to the bound of a step."""
    return lines if len(lines) <= MAX_LISTED else [*lines[:MAX_LISTED], f"and {len(lines) - MAX_LISTED} more"]


def clean_text(text: str) -> str:
    """A text without what HTML cannot hold."""
    return "".join(letter for letter in text if letter >= " " or letter in "\n\t")
