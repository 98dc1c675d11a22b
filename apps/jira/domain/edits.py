"""Applying `fields` and `update` to an issue: screens, required fields, values, and their changelog."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from apps.jira.domain.access import find_issue, project_of
from apps.jira.domain.context import JiraContext
from apps.jira.domain.durations import parse_duration, parse_whole_seconds
from apps.jira.domain.field_kinds import Scope
from apps.jira.domain.fields import EPIC_LINK, SPRINT, Field, get_fields_by_id, get_scope
from apps.jira.domain.history import Edit
from apps.jira.domain.text import Format, Problem, document_text
from apps.jira.models import Issue
from apps.jira.models_workflows import ScreenField
from apps.jira.refusals import field_errors
from world.core.errors import OperationError

NEEDS = {
    "assignee": "ASSIGN_ISSUES",
    "reporter": "MODIFY_REPORTER",
    "duedate": "SCHEDULE_ISSUES",
    SPRINT: "SCHEDULE_ISSUES",
}
TEXTS = {"description": "description_text", "environment": "environment_text"}
SIDE = frozenset({"comment", "worklog", "issuelinks"})
ESTIMATES = (
    ("originalEstimate", "original_estimate_s", "timeoriginalestimate"),
    ("remainingEstimate", "remaining_estimate_s", "timeestimate"),
)


@dataclass(slots=True)
class Changes:
    """Requested changes of one issue. `screen` limits the fields; None = every field may be set."""

    edit: Edit
    screen: Mapping[str, ScreenField] | None
    form: Format | None = None
    creating: bool = False
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def context(self) -> JiraContext:
        """The caller's context."""
        return self.edit.context

    @property
    def issue(self) -> Issue:
        """The issue being changed."""
        return self.edit.issue

    def apply(self, fields: Mapping[str, object], update: Mapping[str, object]) -> None:
        """Set `fields`, then run `update`; problems collect in `errors`."""
        known = get_fields_by_id(self.context)
        for name, raw in fields.items():
            self._try_edit(known.get(name), name, lambda spec, raw=raw: self.set(spec, raw))
        for name, verbs in update.items():
            if name not in SIDE:
                self._try_edit(known.get(name), name, lambda spec, verbs=verbs: self._run(spec, verbs))

    def finish(self) -> None:
        """Check required fields of the screen and raise what went wrong. Raises field_errors."""
        for name, row in (self.screen or {}).items():
            if row.required and name not in self.errors and self._empty(name):
                spec = get_fields_by_id(self.context).get(name)
                self.errors[name] = describe_missing_field(name, spec.name if spec else name)
        if self.errors:
            raise field_errors(**self.errors)

    def _empty(self, name: str) -> bool:
        spec = get_fields_by_id(self.context).get(name)
        return spec is not None and bool(spec.column) and spec.get_stored_value(self.issue) in (None, "", [])

    def _try_edit(self, spec: Field | None, name: str, act: Callable[[Field], None]) -> None:
        try:
            self._check_allowed(spec, name)
            if spec is not None:
                act(spec)
        except Problem as problem:
            self.errors[name] = str(problem)

    def _check_allowed(self, spec: Field | None, name: str) -> None:
        on_screen = self.screen is None or name in self.screen or (name == EPIC_LINK and "parent" in self.screen)
        if spec is None or not on_screen or not (spec.kind or name in SPECIAL):
            raise Problem(f"Field '{name[:60]}' cannot be set. It is not on the appropriate screen, or unknown.")
        needed = NEEDS.get(name)
        if needed and not self.creating and not self.context.may(needed, project_of(self.context, self.issue)):
            raise Problem(f"Field '{name}' cannot be set. It is not on the appropriate screen, or unknown.")

    def get_known_field(self, name: str) -> Field:
        """A known field by id."""
        return get_fields_by_id(self.context)[name]

    def scope(self, spec: Field) -> Scope:
        """Return the scope in which a value of this field is read."""
        return get_scope(self.context, project_of(self.context, self.issue), spec, self.form)

    def set(self, spec: Field, raw: object) -> None:
        """Give a field a value as the caller wrote it. Raises Problem."""
        special = SPECIAL.get(spec.id)
        if special is not None:
            special(self, raw)
            return
        self.store(spec, spec.values.read(self.scope(spec), raw))

    def store(self, spec: Field, value: object) -> None:
        """Store a value and note the change."""
        before = spec.get_stored_value(self.issue)
        write_field(self.issue, spec, value)
        after = spec.get_stored_value(self.issue)
        scope, kind = self.scope(spec), spec.values
        if kind.many and spec.kind != "labels":
            self._trace_items(spec, before or [], after or [])
        else:
            self.edit.of(spec, kind.trace(scope, before), kind.trace(scope, after))

    def _trace_items(self, spec: Field, before: Sequence[object], after: Sequence[object]) -> None:
        scope, trace = self.scope(spec), spec.values.trace
        for item in before:
            if item not in after:
                self.edit.of(spec, trace(scope, item), (None, None))
        for item in after:
            if item not in before:
                self.edit.of(spec, (None, None), trace(scope, item))

    def _run(self, spec: Field, verbs: object) -> None:
        if not isinstance(verbs, list):
            raise Problem("data was not an array")
        for entry in verbs:
            if not isinstance(entry, dict) or len(entry) != 1:
                raise Problem("Operation must be an object with one verb")
            ((verb, raw),) = entry.items()
            self._verb(spec, verb, raw)

    def _verb(self, spec: Field, verb: str, raw: object) -> None:
        if verb in ("set", "edit"):
            self.set(spec, raw)
            return
        if not spec.kind or verb not in spec.values.verbs:
            raise Problem(f"Field with id '{spec.id}' and name '{spec.name}' does not support operation '{verb[:20]}'")
        one = spec.values.read(self.scope(spec), [raw])
        assert isinstance(one, list)
        now = spec.get_stored_value(self.issue) or []
        kept = [item for item in now if item not in one]
        self.store(spec, [*now, *(i for i in one if i not in now)] if verb == "add" else kept)

    # fields with rules of their own

    def set_parent(self, raw: object) -> None:
        """Move an issue under another one level up, or from under it with null."""
        kind = self.context.types[self.issue.issue_type_id]
        if raw is None or raw == {}:
            if kind.level < 0:
                raise Problem("Issue type is a sub-task but parent issue key or id not specified.")
            self._hang(None)
            return
        named = (raw.get("key") or raw.get("id")) if isinstance(raw, dict) else raw
        try:
            parent = find_issue(self.context, named or "")
        except OperationError:
            raise Problem("Could not find issue by id or key.") from None
        above = self.context.types[parent.issue_type_id].level == kind.level + 1
        same_project = kind.level >= 0 or parent.project_id == self.issue.project_id
        if not above or not same_project or parent.id == self.issue.id:
            raise Problem("Given parent work item does not belong to appropriate hierarchy.")
        self._hang(parent)

    def _hang(self, parent: Issue | None) -> None:
        old = self.context.call.session.get(Issue, self.issue.parent_id) if self.issue.parent_id else None
        self.issue.parent_id = parent.id if parent else None
        before = (str(old.id), old.key) if old else (None, None)
        after = (str(parent.id), parent.key) if parent else (None, None)
        self.edit.record("IssueParentAssociation", "parent", before, after)

    def set_estimates(self, raw: object) -> None:
        """Original and remaining estimate, as `3h` or seconds."""
        if not isinstance(raw, dict):
            raise Problem("expected Object")
        for name, column, log in ESTIMATES:
            if name in raw:
                value = None if raw[name] in (None, "") else parse_duration(raw[name])
            elif f"{name}Seconds" in raw:
                value = parse_whole_seconds(raw[f"{name}Seconds"])
            else:
                continue
            self.estimate(column, log, value)
        if self.creating and self.issue.remaining_estimate_s is None:
            self.issue.remaining_estimate_s = self.issue.original_estimate_s

    def estimate(self, column: str, log: str, value: int | None) -> None:
        """Store one time figure and note it."""
        old = getattr(self.issue, column)
        setattr(self.issue, column, value)
        before, after = (None if v is None else str(v) for v in (old, value))
        self.edit.record(log, log, (before, before), (after, after))

    def set_type(self, raw: object) -> None:
        """Change the issue type within its project, when its workflow knows the status."""
        chosen = read_type(self.context, self.issue.project_id, raw)
        old, new = self.context.types[self.issue.issue_type_id], self.context.types[chosen]
        config = self.context.project_type(self.issue.project_id, chosen)
        if config is None or (old.level < 0) != (new.level < 0):
            raise Problem("The issue type selected is invalid.")
        known = {
            config_status
            for t in self.context.transitions(config.workflow_id)
            for config_status in (t.to_id, *t.from_ids)
        }
        if self.issue.status_id not in known:
            raise Problem("The issue type selected is invalid.")
        self.issue.issue_type_id = chosen
        self.edit.record("issuetype", "issuetype", (str(old.id), old.name), (str(new.id), new.name))

    def set_project(self, raw: object) -> None:
        """The project cannot be edited; naming the present one is harmless."""
        project = project_of(self.context, self.issue)
        named = (raw.get("key") or raw.get("id")) if isinstance(raw, dict) else None
        if str(named) not in (project.key, str(project.id)):
            raise Problem("Field 'project' cannot be set. It is not on the appropriate screen, or unknown.")


SPECIAL: dict[str, Callable[[Changes, object], None]] = {
    "parent": Changes.set_parent,
    EPIC_LINK: Changes.set_parent,
    "timetracking": Changes.set_estimates,
    "issuetype": Changes.set_type,
    "project": Changes.set_project,
}


def write_field(issue: Issue, spec: Field, value: Any) -> None:
    """Put a stored value into the issue's row, with the plain text kept beside a body."""
    if spec.column == "custom":
        rest = {name: v for name, v in issue.custom.items() if name != spec.id}
        issue.custom = rest if value in (None, []) else {**rest, spec.id: value}
        return
    setattr(issue, spec.column, value)
    if spec.id in TEXTS:
        setattr(issue, TEXTS[spec.id], document_text(value))


def describe_missing_field(field_id: str, name: str) -> str:
    """Return Jira's message for a missing required field."""
    return "You must specify a summary of the issue." if field_id == "summary" else f"{name} is required."


def read_type(context: JiraContext, project_id: int, raw: object) -> int:
    """The issue type of `{"id"}` or `{"name"}` in a project. Raises Problem."""
    if not isinstance(raw, dict) or not (raw.get("id") or raw.get("name")):
        raise Problem("Specify an issue type")
    offered = [context.types[row.issue_type_id] for row in context.project_types(project_id)]
    for kind in offered:
        if str(raw.get("id") or "") == str(kind.id):
            return kind.id
        if not raw.get("id") and kind.name.casefold() == str(raw["name"]).casefold():
            return kind.id
    raise Problem("Specify a valid issue type")
