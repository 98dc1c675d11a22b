"""Rows of the issue tracker: the site's configuration, then issues and their history from the event log."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.jira import models as j
from apps.jira import models_boards as jira_boards
from apps.jira.domain.ranks import BUCKET, FIRST, rank_after
from apps.jira.domain.text import document_text
from seeds.company import PACK, Company
from seeds.content_packs import library
from seeds.events import (
    Commented,
    Event,
    FieldChange,
    IssueChanged,
    IssueMade,
    Linked,
    SprintClosed,
    SprintMade,
    SprintStarted,
    Watched,
    Worked,
)
from seeds.rows.adf import Node, document
from seeds.rows.directory import account_id
from seeds.rows.jira_site import Site, project_site
from seeds.rows.references import References
from seeds.rows.row_collector import Row, Sink
from seeds.spec import Spec
from seeds.stories.sprints import Sprint

# A side of a change is (id, text); an item is (name, field id, before, after, custom).
Side = tuple[str | None, str | None]
Item = tuple[str, str, Side, Side, bool]
FIRST_ID = 10000
SPRINT, POINTS = "customfield_10020", "customfield_10016"
# field of an event -> (name and id in the changelog, column, whether custom)
FIELDS = {
    "status": ("status", "status", "status_id", False),
    "resolution": ("resolution", "resolution", "resolution_id", False),
    "priority": ("priority", "priority", "priority_id", False),
    "assignee": ("assignee", "assignee", "assignee_id", False),
    "points": ("Story point estimate", POINTS, "story_points", True),
    "sprint": ("Sprint", SPRINT, "sprint_id", True),
    "fix": ("Fix Version", "fixVersions", "fix_version_ids", False),
    "labels": ("labels", "labels", "labels", False),
    "summary": ("summary", "summary", "summary", False),
    "due": ("duedate", "duedate", "due_on", False),
}


class Projection:
    """The state of one pass over the log."""

    def __init__(
        self, spec: Spec, company: Company, refs: References, sink: Sink, site: Site, sprints: Mapping[str, Sprint]
    ) -> None:
        self.spec, self.company, self.refs, self.sink, self.site, self.sprints = (
            spec,
            company,
            refs,
            sink,
            site,
            sprints,
        )
        self.people = company.by_id()
        self.issues: dict[str, Row] = {}
        self.sprint_rows: dict[str, Row] = {}
        self.watching: set[tuple[int, str]] = set()
        self.counts: dict[str, int] = {}
        self.rank = f"{BUCKET}{FIRST}:"

    def number(self, table: str) -> int:
        self.counts[table] = self.counts.get(table, FIRST_ID - 1) + 1
        return self.counts[table]

    def refer(self, table: str, row_id: object, event: Event) -> None:
        self.sink.refer(table, str(row_id), event.id, event.story, event.part)

    def body(self, text: str) -> tuple[Node | None, str]:
        if not text:
            return None, ""
        made = document(text, self.reference)
        return made, document_text(made)

    def reference(self, kind: str, ref: str) -> Node:
        if kind == "p":
            return {
                "type": "mention",
                "attrs": {"id": self.account(ref), "text": f"@{self.people[ref].full}", "accessLevel": ""},
            }
        if kind == "c":
            return {"type": "text", "text": f"#{self.refs.channel_names[ref]}"}
        if kind == "m":
            return {"type": "inlineCard", "attrs": {"url": self.refs.permalink(ref)}}
        if kind == "s":
            return {"type": "inlineCard", "attrs": {"url": self.refs.sheet_url(ref)}}
        if kind == "l":
            return {"type": "inlineCard", "attrs": {"url": self.refs.issue_url(ref)}}
        return {"type": "text", "text": self.refs.issue_keys[ref]}

    def account(self, person_id: str) -> str:
        return account_id(self.spec, "jira", person_id)

    # -- issues

    def issue_made(self, event: Event, facts: IssueMade) -> None:
        site, key = self.site, self.refs.issue_keys[facts.issue]
        description, words = self.body(facts.description)
        project = site.projects[facts.project]
        row = self.sink.add(
            j.Issue,
            id=self.number("jira_issue"),
            project_id=project["id"],
            number=int(key.partition("-")[2]),
            key=key,
            issue_type_id=site.types[facts.type],
            status_id=site.statuses[facts.status],
            priority_id=site.priorities[facts.priority],
            summary=facts.title,
            description=description,
            description_text=words,
            creator_id=event.actor,
            reporter_id=facts.reporter,
            assignee_id=facts.assignee or None,
            parent_id=self.issues[facts.parent]["id"] if facts.parent else None,
            labels=list(facts.labels),
            component_ids=[site.components[facts.project, name] for name in facts.components],
            affects_version_ids=[site.versions[facts.project, name] for name in facts.affects],
            rank=self.rank,
            due_on=facts.due or None,
            original_estimate_s=facts.estimate_s or None,
            remaining_estimate_s=facts.estimate_s or None,
            custom=self.custom(facts),
            created_at=event.at,
            updated_at=event.at,
            status_changed_at=event.at,
        )
        self.rank = rank_after(self.rank)
        self.issues[facts.issue] = row
        project["issue_counter"] = row["number"]
        self.refer("jira_issue", row["id"], event)
        self.watch(row["id"], facts.reporter, event)

    def custom(self, facts: IssueMade) -> Row:
        options = self.site.options
        chosen = {
            "customfield_10050": options.get(("customfield_10050", facts.severity)),
            "customfield_10051": options.get(("customfield_10051", facts.service)),
        }
        out: dict[str, object] = {field: option for field, option in chosen.items() if option is not None}
        if facts.customer:
            out["customfield_10052"] = facts.customer
        if facts.started_at:
            out["customfield_10053"] = facts.started_at
        return out

    def watch(self, issue_id: int, person: str, event: Event) -> None:
        if (issue_id, person) not in self.watching:
            self.watching.add((issue_id, person))
            self.sink.add(j.Watcher, issue_id=issue_id, person_id=person, created_at=event.at)
            self.refer("jira_watcher", f"{issue_id},{person}", event)

    def issue_changed(self, event: Event, facts: IssueChanged) -> None:
        row = self.issues[facts.issue]
        items: list[Item] = []
        for change in facts.changes:
            name, field_id, column, custom = FIELDS[change.field]
            items.append((name, field_id, *self.apply(row, change, column, event), custom))
        self.add_change(event, row, items)

    def add_change(self, event: Event, row: Row, items: Sequence[Item]) -> None:
        """One entry of the changelog; the issue was touched."""
        history = self.number("jira_change")
        for ordinal, (name, field_id, old, new, custom) in enumerate(items):
            self.sink.add(
                j.ChangeItem,
                history_id=history,
                ordinal=ordinal,
                issue_id=row["id"],
                author_id=event.actor,
                created_at=event.at,
                field=name,
                field_id=field_id,
                field_type="custom" if custom else "jira",
                from_value=old[0],
                from_string=old[1],
                to_value=new[0],
                to_string=new[1],
            )
            self.refer("jira_change", f"{history},{ordinal}", event)
        row["updated_at"] = max(row["updated_at"], event.at)

    def apply(self, row: Row, change: FieldChange, column: str, event: Event) -> tuple[Side, Side]:
        """Set the field; the changelog's two sides."""
        if change.field == "sprint":
            return self.move(row, change)
        if change.field == "fix":
            version = self.site.versions[self.project_of(row), change.new]
            row[column] = [*row[column], version]
            return (None, None), (str(version), change.new)
        old, new = self.side(change.field, change.old), self.side(change.field, change.new)
        row[column] = self.value(change.field, change.new)
        if change.field == "status":
            row["status_changed_at"] = event.at
        if change.field == "resolution":
            row["resolved_at"] = event.at if change.new else None
        return old, new

    def project_of(self, row: Mapping[str, object]) -> str:
        return str(row["key"]).partition("-")[0]

    def move(self, row: Row, change: FieldChange) -> tuple[Side, Side]:
        before = [*row["past_sprint_ids"], *([row["sprint_id"]] if row["sprint_id"] else [])]
        if row["sprint_id"] and change.new and self.sprints[change.old].closed_at is not None:
            row["past_sprint_ids"] = [*row["past_sprint_ids"], row["sprint_id"]]
        row["sprint_id"] = self.sprint_rows[change.new]["id"] if change.new else None
        now = [*row["past_sprint_ids"], *([row["sprint_id"]] if row["sprint_id"] else [])]
        names = {one["id"]: one["name"] for one in self.sprint_rows.values()}
        before_side, now_side = ((", ".join(map(str, ids)), ", ".join(names[i] for i in ids)) for ids in (before, now))
        return before_side, now_side

    def value(self, field: str, text: str) -> Any:
        if field in ("status", "priority", "resolution"):
            return getattr(
                self.site, {"status": "statuses", "priority": "priorities", "resolution": "resolutions"}[field]
            ).get(text)
        if field == "points":
            return float(text) if text else None
        if field == "labels":
            return text.split()
        return text or None

    def side(self, field: str, text: str) -> Side:
        if field == "labels":
            return None, text
        if not text:
            return None, None
        if field in ("status", "priority", "resolution"):
            return str(self.value(field, text)), text
        if field == "assignee":
            return text, self.people[text].full
        if field == "due":
            return text, f"{text} 00:00:00.0"
        return None, text

    def add_comment(self, event: Event, facts: Commented) -> None:
        row = self.issues[facts.issue]
        body, words = self.body(facts.text)
        made = self.sink.add(
            j.Comment,
            id=self.number("jira_comment"),
            issue_id=row["id"],
            author_id=event.actor,
            update_author_id=event.actor,
            body=body,
            body_text=words,
            internal=facts.internal,
            created_at=event.at,
            updated_at=event.at,
        )
        row["updated_at"] = max(row["updated_at"], event.at)
        self.refer("jira_comment", made["id"], event)

    def add_link(self, event: Event, facts: Linked) -> None:
        source, other = self.issues[facts.issue], self.issues[facts.other]
        made = self.sink.add(
            j.IssueLink,
            id=self.number("jira_issue_link"),
            type_id=self.site.link_types[facts.kind],
            source_id=source["id"],
            destination_id=other["id"],
            created_at=event.at,
        )
        outward, inward = self.site.link_words[facts.kind]
        for row, to, words in ((source, other, outward), (other, source, inward)):
            text = f"This work item {words} {to['key']}"
            self.add_change(event, row, [("Link", "issuelinks", (None, None), (to["key"], text), False)])
        self.refer("jira_issue_link", made["id"], event)

    def add_worklog(self, event: Event, facts: Worked) -> None:
        row = self.issues[facts.issue]
        body, words = self.body(facts.text)
        made = self.sink.add(
            j.Worklog,
            id=self.number("jira_worklog"),
            issue_id=row["id"],
            author_id=event.actor,
            update_author_id=event.actor,
            comment=body,
            comment_text=words,
            started_at=facts.started_at,
            spent_s=facts.spent_s,
            created_at=event.at,
            updated_at=event.at,
        )
        self.refer("jira_worklog", made["id"], event)
        self.spend(event, row, facts.spent_s)

    def spend(self, event: Event, row: Row, spent_s: int) -> None:
        """Book the time on the issue: more spent, less remaining if it was estimated."""
        left, items = row["remaining_estimate_s"], list[Item]()
        figures = {"timeestimate": ("remaining_estimate_s", None if left is None else max(left - spent_s, 0))}
        figures["timespent"] = ("time_spent_s", (row["time_spent_s"] or 0) + spent_s)
        for name, (column, value) in figures.items():
            old, new = (None if one is None else str(one) for one in (row[column], value))
            row[column] = value
            if old != new:
                items.append((name, name, (old, old), (new, new), False))
        self.add_change(event, row, items)

    def add_watcher(self, event: Event, facts: Watched) -> None:
        self.watch(self.issues[facts.issue]["id"], event.actor, event)

    # -- sprints

    def sprint_made(self, event: Event, facts: SprintMade) -> None:
        sprint = self.sprints[facts.sprint]
        self.sprint_rows[facts.sprint] = row = self.sink.add(
            jira_boards.Sprint,
            id=len(self.sprint_rows) + 1,
            board_id=self.site.boards["scrum"],
            name=f"{facts.project} Sprint {sprint.number}",
            goal=sprint.goal,
            start_at=sprint.start_at,
            end_at=sprint.end_at,
            created_at=event.at,
            position=len(self.sprint_rows) + 1,
        )
        self.refer("jira_sprint", row["id"], event)

    def sprint_started(self, event: Event, facts: SprintStarted) -> None:
        self.sprint_rows[facts.sprint].update(state="active", activated_at=event.at)

    def sprint_closed(self, event: Event, facts: SprintClosed) -> None:
        row = self.sprint_rows[facts.sprint]
        row.update(state="closed", completed_at=event.at)

    def finish(self) -> None:
        """Issues done in a closed sprint keep it as a past one; counters stand behind the last row."""
        closed = {row["id"] for row in self.sprint_rows.values() if row["state"] == "closed"}
        for row in self.issues.values():
            if row["sprint_id"] in closed:
                row["past_sprint_ids"], row["sprint_id"] = [*row["past_sprint_ids"], row["sprint_id"]], None
        tables = {str(model.__tablename__): rows for model, rows in self.sink.rows.items()}
        numbered = (
            "jira_issue",
            "jira_comment",
            "jira_issue_link",
            "jira_worklog",
            "jira_version",
            "jira_component",
            "jira_sprint",
            "jira_filter",
            "jira_board",
            "jira_project",
        )
        for name in numbered:
            highest = max((row["id"] for row in tables.get(name, ())), default=0)
            self.sink.add(
                j.Counter, name=name, next=max(highest + 1, 1 if name in ("jira_sprint", "jira_board") else FIRST_ID)
            )
        self.sink.add(j.Counter, name="jira_change", next=self.counts.get("jira_change", FIRST_ID - 1) + 1)


HANDLERS = {
    IssueMade: Projection.issue_made,
    IssueChanged: Projection.issue_changed,
    Commented: Projection.add_comment,
    Linked: Projection.add_link,
    Worked: Projection.add_worklog,
    Watched: Projection.add_watcher,
    SprintMade: Projection.sprint_made,
    SprintStarted: Projection.sprint_started,
    SprintClosed: Projection.sprint_closed,
}


def project(
    spec: Spec, company: Company, events: Sequence[Event], refs: References, sprints: Mapping[str, Sprint], sink: Sink
) -> None:
    """All rows of the issue tracker."""
    site = project_site(spec, company, library(PACK[spec.size]).plain["jira"], sink)
    projection = Projection(spec, company, refs, sink, site, sprints)
    for event in events:
        handler: object = HANDLERS.get(type(event.facts))
        if handler is not None:
            handler(projection, event, event.facts)
    projection.finish()
