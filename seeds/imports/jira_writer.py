"""Writer of Jira's JSON form: the projects of an image with their issues, people, sprints and links."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from apps.jira import models as j
from apps.jira import models_boards as boards
from apps.jira.bodies.wiki_parser import from_wiki
from apps.jira.bodies.wiki_writer import to_wiki
from seeds.imports.table_reader import Tables
from world.core.clock import to_datetime
from world.core.directory import Account, Person
from world.core.json_types import JsonObject

Rows = Mapping[str, Any]


def write_jira_backup(tables: Tables, path: Path) -> None:
    """Write all projects and their issues; deleted issues and files are left out."""
    path.write_bytes(orjson.dumps(_Writer(tables).render(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


class _Writer:
    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.accounts = {row["person_id"]: row["external_id"] for row in tables.rows(Account) if row["app"] == "jira"}
        self.names = {model: {row["id"]: row["name"] for row in tables.rows(model)} for model in NAMED}
        self.issues = {row["id"]: row for row in tables.rows(j.Issue) if row["deleted_at"] is None}
        self.options = {row["id"]: row["value"] for row in tables.rows(j.FieldOption)}
        self.of_issue = {model: self._group(model) for model in (j.Comment, j.Worklog, j.ChangeItem, j.Watcher)}

    def _group(self, model: type[Any]) -> dict[int, list[Rows]]:
        found: dict[int, list[Rows]] = defaultdict(list)
        for row in self.tables.rows(model):
            found[row["issue_id"]].append(row)
        return found

    def user(self, person: str | None) -> str:
        return self.accounts.get(person or "", "")

    def render(self) -> JsonObject:
        statuses = [{"name": row["name"], "category": row["category"]} for row in self.tables.rows(j.Status)]
        links = [
            {
                "name": self.names[j.LinkType][row["type_id"]],
                "sourceId": self.issues[row["source_id"]]["key"],
                "destinationId": self.issues[row["destination_id"]]["key"],
            }
            for row in self.tables.rows(j.IssueLink)
            if row["source_id"] in self.issues and row["destination_id"] in self.issues
        ]
        projects = [self._project(row) for row in self.tables.rows(j.Project)]
        return {"users": self._users(), "statuses": statuses, "projects": projects, "links": links}

    def _users(self) -> list[JsonObject]:
        return [
            {
                "name": self.accounts[row["id"]],
                "fullname": row["full_name"],
                "email": row["email"],
                "active": row["status"] == "active",
                "kind": row["kind"],
            }
            for row in self.tables.rows(Person)
            if row["id"] in self.accounts
        ]

    def _project(self, row: Rows) -> JsonObject:
        versions = [
            _lean(
                name=one["name"],
                released=one["released"],
                startDate=one["start_on"],
                releaseDate=one["release_on"],
                description=one["description"],
            )
            for one in sorted(self.tables.rows(j.Version), key=lambda one: (one["position"], one["id"]))
            if one["project_id"] == row["id"]
        ]
        components = [
            _lean(name=one["name"], description=one["description"])
            for one in self.tables.rows(j.Component)
            if one["project_id"] == row["id"]
        ]
        own = {one["id"] for one in self.tables.rows(boards.Board) if one["project_id"] == row["id"]}
        sprints = [_sprint(one) for one in self.tables.rows(boards.Sprint) if one["board_id"] in own]
        issues = [self._issue(one) for one in self.issues.values() if one["project_id"] == row["id"]]
        return {
            **_lean(key=row["key"], name=row["name"], description=row["description"], lead=self.user(row["lead_id"])),
            "versions": versions,
            "components": components,
            "sprints": sprints,
            "issues": issues,
        }

    def _issue(self, row: Rows) -> JsonObject:
        sprints = [*row["past_sprint_ids"], *([row["sprint_id"]] if row["sprint_id"] else [])]
        parent = self.issues.get(row["parent_id"] or 0)
        names = self.names
        return _lean(
            key=row["key"],
            externalId=row["key"],
            issueType=names[j.IssueType][row["issue_type_id"]],
            status=names[j.Status][row["status_id"]],
            priority=names[j.Priority][row["priority_id"]],
            resolution=names[j.Resolution].get(row["resolution_id"]),
            summary=row["summary"],
            **_body(row["description"], "description", "descriptionAdf"),
            **_body(row["environment"], "environment", "environmentAdf"),
            reporter=self.user(row["reporter_id"]),
            assignee=self.user(row["assignee_id"]),
            creator=self.user(row["creator_id"]),
            created=_time(row["created_at"]),
            updated=_time(row["updated_at"]),
            resolutionDate=_time(row["resolved_at"]),
            duedate=row["due_on"],
            parent=parent["key"] if parent else None,
            originalEstimate=_length(row["original_estimate_s"]),
            estimate=_length(row["remaining_estimate_s"]),
            timeSpent=_length(row["time_spent_s"]),
            labels=row["labels"],
            components=[names[j.Component][id] for id in row["component_ids"]],
            fixedVersions=[names[j.Version][id] for id in row["fix_version_ids"]],
            affectedVersions=[names[j.Version][id] for id in row["affects_version_ids"]],
            sprints=[names[boards.Sprint][id] for id in sprints],
            watchers=[self.user(one["person_id"]) for one in self.of_issue[j.Watcher][row["id"]]],
            comments=[self._note(one, "body") for one in self.of_issue[j.Comment][row["id"]]],
            worklogs=[self._note(one, "comment") for one in self.of_issue[j.Worklog][row["id"]]],
            history=self._history(self.of_issue[j.ChangeItem][row["id"]]),
            customFieldValues=self._custom(row),
        )

    def _custom(self, row: Rows) -> list[JsonObject]:
        found: list[JsonObject] = []
        if row["story_points"] is not None:
            kind = "com.atlassian.jira.plugin.system.customfieldtypes:float"
            found.append({"fieldName": "Story Points", "fieldType": kind, "value": str(row["story_points"])})
        for id, value in sorted(row["custom"].items()):
            kind = "com.atlassian.jira.plugin.system.customfieldtypes:textfield"
            text = str(self.options.get(value, value)) if isinstance(value, int) else str(value)
            found.append({"fieldName": self.names[j.CustomField][id], "fieldType": kind, "value": text})
        return found

    def _note(self, row: Rows, column: str) -> JsonObject:
        started = (
            {"startDate": _time(row["started_at"]), "timeSpent": _length(row["spent_s"])} if "spent_s" in row else {}
        )
        return _lean(
            author=self.user(row["author_id"]),
            created=_time(row["created_at"]),
            **_body(row[column], column, "bodyAdf"),
            **started,
        )

    def _history(self, rows: list[Rows]) -> list[JsonObject]:
        entries: dict[int, list[Rows]] = defaultdict(list)
        for row in rows:
            entries[row["history_id"]].append(row)
        return [
            {
                "author": self.user(listed[0]["author_id"]),
                "created": _time(listed[0]["created_at"]),
                "items": [self._item(row) for row in listed],
            }
            for listed in entries.values()
        ]

    def _item(self, row: Rows) -> JsonObject:
        old, new = row["from_value"], row["to_value"]
        if row["field"] in ("assignee", "reporter"):
            old, new = (self.accounts.get(one or "", one) for one in (old, new))
        sides = {"from": old, "fromString": row["from_string"], "to": new, "toString": row["to_string"]}
        return _lean(field=row["field"], fieldType=row["field_type"], **sides)


NAMED = (
    j.IssueType,
    j.Status,
    j.Priority,
    j.Resolution,
    j.LinkType,
    j.Component,
    j.Version,
    j.CustomField,
    boards.Sprint,
)


def _sprint(row: Rows) -> JsonObject:
    return _lean(
        name=row["name"],
        state=row["state"],
        goal=row["goal"],
        startDate=_time(row["start_at"]),
        endDate=_time(row["end_at"]),
        completeDate=_time(row["completed_at"]),
    )


def _lean(**fields: object) -> JsonObject:
    """The fields that say something."""
    return {name: value for name, value in fields.items() if value not in (None, "", [])}


def _body(document: JsonObject | None, name: str, exact: str) -> JsonObject:
    """Wiki markup, and the document beside it where the markup does not say the same."""
    if document is None:
        return {}
    wiki = to_wiki(document)
    return {name: wiki} if wiki and from_wiki(wiki) == document else {name: wiki, exact: document}


def _time(at: int | None) -> str | None:
    return to_datetime(at).isoformat(timespec="microseconds") if at else None


def _length(seconds: int | None) -> str | None:
    return None if seconds is None else f"PT{seconds}S"
