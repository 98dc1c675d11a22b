"""Rows of the issue tracker from imported issues."""

from datetime import date, timedelta

from apps.jira import models as j
from apps.jira import models_boards as boards
from apps.jira.bodies.wiki_parser import from_wiki
from apps.jira.domain.ranks import BUCKET, rank_after
from apps.jira.domain.ranks import FIRST as FIRST_RANK
from apps.jira.domain.text import document_text
from seeds.imports.intake import Landing
from seeds.imports.jira_ground import FIRST, Ground, add_ground, add_project_setup
from seeds.imports.jira_records import Body, JiraExport, JiraIssue, JiraNote, JiraProject
from seeds.rows.row_collector import Row
from world.core.clock import DAY
from world.core.json_types import JsonObject

FIELD_IDS = {
    "Fix Version": "fixVersions",
    "Version": "versions",
    "Component": "components",
    "Link": "issuelinks",
    "Sprint": "customfield_10020",
    "Story point estimate": "customfield_10016",
    "Story Points": "customfield_10016",
    "Rank": "customfield_10019",
    "Attachment": "attachment",
}


def add_jira_rows(landing: Landing, export: JiraExport) -> None:
    """The site, and all projects and issues; an empty site where no archive has issues."""
    ground = add_ground(landing, export)
    projection = _Projection(landing, export, ground)
    for number, key in enumerate(sorted(export.projects)):
        projection.add_project(number, export.projects[key])
    ordered = sorted(export.issues.values(), key=lambda one: (one.created_at, one.project, one.number))
    for number, issue in enumerate(ordered, FIRST):
        projection.add_issue(number, issue)
    projection.add_links()
    projection.add_notes(ordered)
    projection.add_counters()


class _Projection:
    def __init__(self, landing: Landing, export: JiraExport, ground: Ground) -> None:
        self.landing, self.sink, self.export, self.ground = landing, landing.sink, export, ground
        self.projects: dict[str, Row] = {}
        self.issues: dict[str, Row] = {}
        self.versions: dict[tuple[str, str], int] = {}
        self.components: dict[tuple[str, str], int] = {}
        self.sprints: dict[tuple[str, str], Row] = {}
        self.rank = f"{BUCKET}{FIRST_RANK}:"
        self.somebody = next(
            (id for id, one in sorted(landing.individuals.items()) if one.kind == "employee" and one.is_active),
            min(landing.individuals),
        )

    def who(self, key: str) -> str | None:
        return self.landing.who(self.export.people[key].app, key) if key else None

    def day(self, day: str) -> str | None:
        """A day on the world's clock."""
        return (date.fromisoformat(day) + timedelta(days=self.landing.shift // DAY)).isoformat() if day else None

    def plan(self, time: int) -> int | None:
        """A time that may lie ahead, such as a sprint's end."""
        return time + self.landing.shift if time else None

    def body(self, body: Body) -> tuple[JsonObject | None, str]:
        """A document and its words."""
        if not body:
            return None, ""
        made = from_wiki(body) if isinstance(body, str) else body
        return made, document_text(made)

    # -- projects

    def add_project(self, number: int, one: JiraProject) -> None:
        issues = [issue for issue in self.export.issues.values() if issue.project == one.key]
        born = min((issue.created_at for issue in issues if issue.created_at), default=0)
        row = self.projects[one.key] = self.sink.add(
            j.Project,
            id=FIRST + number,
            key=one.key,
            name=one.name or one.key,
            description=one.description,
            lead_id=self.who(one.lead) or self.somebody,
            issue_counter=max((issue.number for issue in issues), default=0),
            created_at=self.landing.at(born),
            updated_at=self.landing.at(born),
        )
        sprints = [sprint for (key, _), sprint in self.export.sprints.items() if key == one.key]
        add_project_setup(self.landing, self.ground, row, issues, number + 1, "scrum" if sprints else "kanban")
        self._add_parts(one, row, issues)
        self._add_sprints(one, number + 1, issues, row)

    def _add_parts(self, one: JiraProject, row: Row, issues: list[JiraIssue]) -> None:
        """Versions and components: those the project lists, then those that only issues name."""
        listed = [name for name, *_ in one.versions]
        used = sorted({name for issue in issues for name in (*issue.fixes, *issue.affects)} - set(listed))
        facts = [*one.versions, *((name, False, "", "", "") for name in used)]
        for position, (name, released, start, release, description) in enumerate(facts, 1):
            number = self.versions[one.key, name] = FIRST + len(self.versions)
            self.sink.add(
                j.Version,
                id=number,
                project_id=row["id"],
                name=name,
                description=description,
                released=released,
                start_on=self.day(start),
                release_on=self.day(release),
                position=position,
            )
        parts = dict(one.components)
        for name in [*parts, *sorted({name for issue in issues for name in issue.components} - set(parts))]:
            number = self.components[one.key, name] = FIRST + len(self.components)
            self.sink.add(j.Component, id=number, project_id=row["id"], name=name, description=parts.get(name, ""))

    def _add_sprints(self, one: JiraProject, board: int, issues: list[JiraIssue], row: Row) -> None:
        open_in = {issue.sprints[-1] for issue in issues if issue.sprints and not issue.resolution}
        for (key, name), sprint in sorted(self.export.sprints.items()):
            if key != one.key:
                continue
            state = sprint.state or ("active" if name in open_in else "closed")
            self.sprints[key, name] = self.sink.add(
                boards.Sprint,
                id=len(self.sprints) + 1,
                board_id=board,
                name=name,
                state=state,
                goal=sprint.goal,
                start_at=self.plan(sprint.start_at),
                end_at=self.plan(sprint.end_at),
                activated_at=self.plan(sprint.start_at) if state != "future" else None,
                completed_at=self.plan(sprint.completed_at),
                created_at=row["created_at"],
                position=len(self.sprints) + 1,
            )

    # -- issues

    def add_issue(self, number: int, one: JiraIssue) -> None:
        description, words = self.body(one.description)
        environment, environment_words = self.body(one.environment)
        created = self.landing.at(one.created_at)
        moved = [change.created_at for change in one.history if any(item[0] == "status" for item in change.items)]
        sprints = [self.sprints[one.project, name] for name in one.sprints]
        current = sprints[-1]["id"] if sprints and sprints[-1]["state"] != "closed" else None
        reporter = self.who(one.reporter)
        self.issues[one.key] = self.sink.add(
            j.Issue,
            id=number,
            project_id=self.projects[one.project]["id"],
            number=one.number,
            key=one.key,
            issue_type_id=self.ground.types[one.type],
            status_id=self.ground.statuses[one.status],
            priority_id=self.ground.priorities[one.priority],
            resolution_id=self.ground.resolutions.get(one.resolution),
            summary=one.summary,
            description=description,
            description_text=words,
            environment=environment,
            environment_text=environment_words,
            creator_id=self.who(one.creator) or reporter or self.somebody,
            reporter_id=reporter,
            assignee_id=self.who(one.assignee),
            labels=one.labels,
            component_ids=[self.components[one.project, name] for name in one.components],
            fix_version_ids=[self.versions[one.project, name] for name in one.fixes],
            affects_version_ids=[self.versions[one.project, name] for name in one.affects],
            sprint_id=current,
            past_sprint_ids=[row["id"] for row in sprints if row["id"] != current],
            story_points=one.points,
            rank=self.rank,
            due_on=self.day(one.due_on),
            original_estimate_s=one.original_s,
            remaining_estimate_s=one.remaining_s,
            time_spent_s=one.spent_s,
            custom={self.ground.fields[name]: value for name, value in sorted(one.custom.items())},
            created_at=created,
            updated_at=self.landing.at(one.updated_at) or created,
            resolved_at=self.landing.at(one.resolved_at) or None,
            status_changed_at=self.landing.at(max(moved, default=0)) or created,
        )
        self.rank = rank_after(self.rank)
        watching = {person for key in one.watchers if (person := self.who(key))} or ({reporter} if reporter else set())
        for person in sorted(watching):
            self.sink.add(j.Watcher, issue_id=number, person_id=person, created_at=created)

    def add_links(self) -> None:
        """Parents, then links between issues that are there."""
        for one in self.export.issues.values():
            parent = self.issues.get(one.parent)
            self.issues[one.key]["parent_id"] = parent["id"] if parent else None
            if one.parent and parent is None:
                self.landing.intake.drop("parents that no archive has")
        number = FIRST
        for kind, source, other in sorted(self.export.links):
            if source not in self.issues or other not in self.issues:
                self.landing.intake.drop("links to issues that no archive has")
                continue
            ends = (self.issues[source], self.issues[other])
            self.sink.add(
                j.IssueLink,
                id=number,
                type_id=self.ground.link_types[kind],
                source_id=ends[0]["id"],
                destination_id=ends[1]["id"],
                created_at=max(row["created_at"] for row in ends),
            )
            number += 1

    # -- what people wrote

    def add_notes(self, ordered: list[JiraIssue]) -> None:
        """Comments, work logs and the changelog, each numbered over the whole site."""
        comments, worklogs, changes = FIRST, FIRST, FIRST
        for one in ordered:
            issue = self.issues[one.key]["id"]
            for note in sorted(one.comments, key=lambda note: note.created_at):
                self._add_comment(comments, issue, note)
                comments += 1
            for note in sorted(one.worklogs, key=lambda note: note.created_at):
                self._add_worklog(worklogs, issue, note)
                worklogs += 1
            for change in sorted(one.history, key=lambda change: change.created_at):
                author = self.who(change.author) or self.somebody
                for ordinal, item in enumerate(change.items):
                    self._add_change(changes, ordinal, issue, author, self.landing.at(change.created_at), item)
                changes += 1

    def _note(self, note: JiraNote) -> tuple[JsonObject | None, str, dict[str, object]]:
        body, words = self.body(note.body)
        at, author = self.landing.at(note.created_at), self.who(note.author) or self.somebody
        return body, words, {"author_id": author, "update_author_id": author, "created_at": at, "updated_at": at}

    def _add_comment(self, number: int, issue: int, note: JiraNote) -> None:
        body, words, more = self._note(note)
        document = body or {"type": "doc", "version": 1, "content": []}
        self.sink.add(j.Comment, id=number, issue_id=issue, body=document, body_text=words, **more)

    def _add_worklog(self, number: int, issue: int, note: JiraNote) -> None:
        body, words, more = self._note(note)
        started = self.landing.at(note.started_at) or more["created_at"]
        self.sink.add(
            j.Worklog,
            id=number,
            issue_id=issue,
            comment=body,
            comment_text=words,
            started_at=started,
            spent_s=note.spent_s,
            **more,
        )

    def _add_change(
        self, history: int, ordinal: int, issue: int, author: str, at: int, item: tuple[str, str, str, str, str, str]
    ) -> None:
        name, kind, old, old_text, new, new_text = item
        self.sink.add(
            j.ChangeItem,
            history_id=history,
            ordinal=ordinal,
            issue_id=issue,
            author_id=author,
            created_at=at,
            field=name,
            field_id=FIELD_IDS.get(name, name),
            field_type=kind or "jira",
            from_value=self._side(name, old, old_text),
            from_string=old_text or None,
            to_value=self._side(name, new, new_text),
            to_string=new_text or None,
        )

    def _side(self, name: str, value: str, text: str) -> str | None:
        """The id on one side of a change, as this site numbers it."""
        numbers = {
            "status": self.ground.statuses,
            "priority": self.ground.priorities,
            "resolution": self.ground.resolutions,
            "issuetype": self.ground.types,
        }
        if name in numbers:
            return str(numbers[name].get(text, value)) if text else None
        if name in ("assignee", "reporter"):
            return self.landing.people.get(("jira", value), value) or None
        return value or None

    def add_counters(self) -> None:
        """The next number of every table."""
        models = (
            (j.Issue, "id"),
            (j.Comment, "id"),
            (j.IssueLink, "id"),
            (j.Worklog, "id"),
            (j.Version, "id"),
            (j.Component, "id"),
            (boards.Sprint, "id"),
            (boards.Board, "id"),
            (j.Project, "id"),
            (j.ChangeItem, "history_id"),
        )
        for model, column in models:
            first = 1 if model in (boards.Sprint, boards.Board) else FIRST
            highest = max((row[column] for row in self.sink.rows.get(model, ())), default=0)
            self.sink.add(j.Counter, name=str(vars(model)["__tablename__"]), next=max(highest + 1, first))
        self.sink.add(j.Counter, name="jira_filter", next=FIRST)
