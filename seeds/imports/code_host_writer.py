"""Writer of a migration archive: repositories of an image with git data, labels, milestones, issues, pull requests."""

import zlib
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import orjson

from apps.github import models as m
from apps.github import models_issues as i
from apps.github import models_pulls as p
from seeds.imports.archive_writer import write_tar
from seeds.imports.code_host_archive import STATES
from seeds.imports.git_data import GitData, write_git_files
from seeds.imports.table_reader import Tables
from world.core.clock import to_datetime
from world.core.json_types import JsonObject

SITE = "https://github.com"
Rows = Mapping[str, Any]


def write_hub_archive(tables: Tables, path: Path) -> None:
    """Write all repositories; the same image gives the same bytes."""
    write_tar(path, _Writer(tables).render())


class _Writer:
    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.accounts = {row["id"]: row for row in tables.rows(m.Account)}
        self.repositories = {row["id"]: row for row in tables.rows(m.Repository)}
        self.labels = {row["id"]: row for row in tables.rows(i.Label)}
        self.milestones = {row["id"]: row for row in tables.rows(i.Milestone)}
        self.issues = {row["id"]: row for row in tables.rows(i.Issue)}

    def render(self) -> dict[str, bytes]:
        """The files of the archive by name."""
        entities: dict[str, list[JsonObject]] = {
            "organizations": self._list_accounts("Organization"),
            "users": [*self._list_accounts("User"), *self._list_accounts("Bot")],
            "repositories": [self._repository(row) for row in self.repositories.values()],
            "milestones": [self._milestone(row) for row in self.milestones.values()],
            "issues": [],
            "pull_requests": [],
            "issue_comments": [self._comment(row) for row in self.tables.rows(i.Comment)],
            "pull_request_reviews": [
                self._review(row) for row in self.tables.rows(p.Review) if row["state"] != "PENDING"
            ],
        }
        pulls = {row["issue_id"]: row for row in self.tables.rows(p.Pull)}
        names, assignees = self._lists()
        for row in self.issues.values():
            one = self._issue(row, names[row["id"]], assignees[row["id"]])
            if row["id"] in pulls:
                entities["pull_requests"].append({**one, **self._pull(pulls[row["id"]])})
            else:
                entities["issues"].append(one)
        files = {
            f"{kind}_000001.json": orjson.dumps(found, option=orjson.OPT_INDENT_2) for kind, found in entities.items()
        }
        files["schema.json"] = orjson.dumps({"version": "1.2.0"})
        return files | self._list_git()

    def user(self, id: int | None) -> str | None:
        return f"{SITE}/{self.accounts[id]['login']}" if id in self.accounts else None

    def address(self, repository: int) -> str:
        row = self.repositories[repository]
        return f"{SITE}/{self.accounts[row['owner_id']]['login']}/{row['name']}"

    def _list_accounts(self, kind: str) -> list[JsonObject]:
        return [
            {
                "type": "organization" if kind == "Organization" else "user",
                "kind": kind.lower(),
                "url": self.user(row["id"]),
                "login": row["login"],
                "name": row["name"],
                "emails": [{"address": row["email"], "primary": True, "verified": True}] if row["email"] else [],
            }
            for row in self.accounts.values()
            if row["kind"] == kind and (row["person_id"] or kind == "Organization")
        ]

    def _repository(self, row: Rows) -> JsonObject:
        labels = [one for one in self.labels.values() if one["repo_id"] == row["id"]]
        return {
            "type": "repository",
            "url": self.address(row["id"]),
            "owner": self.user(row["owner_id"]),
            "name": row["name"],
            "description": row["description"],
            "private": row["visibility"] != "public",
            "is_archived": row["archived"],
            "topics": row["topics"],
            "created_at": _time(row["created_at"]),
            "default_branch": row["default_branch"],
            "labels": [
                {"name": one["name"], "color": one["color"], "description": one["description"]} for one in labels
            ],
        }

    def _milestone(self, row: Rows) -> JsonObject:
        return {
            "type": "milestone",
            "url": f"{self.address(row['repo_id'])}/milestones/{row['number']}",
            "repository": self.address(row["repo_id"]),
            "user": self.user(row["creator_id"]),
            "title": row["title"],
            "description": row["description"],
            "state": row["state"],
            "due_on": _time(row["due_on"]),
            "created_at": _time(row["created_at"]),
        }

    def _lists(self) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
        """Label addresses and assignees of each issue."""
        names: dict[int, list[str]] = defaultdict(list)
        for row in self.tables.rows(i.IssueLabel):
            label = self.labels[row["label_id"]]
            names[row["issue_id"]].append(f"{self.address(label['repo_id'])}/labels/{quote(label['name'], safe='')}")
        assignees: dict[int, list[str]] = defaultdict(list)
        for row in self.tables.rows(i.Assignee):
            if address := self.user(row["account_id"]):
                assignees[row["issue_id"]].append(address)
        return names, assignees

    def _issue(self, row: Rows, labels: list[str], assignees: list[str]) -> JsonObject:
        stone = self.milestones.get(row["milestone_id"])
        return {
            "type": "pull_request" if row["is_pull"] else "issue",
            "url": self._place(row["id"]),
            "repository": self.address(row["repo_id"]),
            "user": self.user(row["author_id"]),
            "title": row["title"],
            "body": row["body"],
            "assignees": assignees,
            "milestone": f"{self.address(row['repo_id'])}/milestones/{stone['number']}" if stone else None,
            "labels": labels,
            "state_reason": row["state_reason"],
            "created_at": _time(row["created_at"]),
            "updated_at": _time(row["updated_at"]),
            "closed_at": _time(row["closed_at"]),
        }

    def _place(self, issue: int) -> str:
        row = self.issues[issue]
        return f"{self.address(row['repo_id'])}/{'pull' if row['is_pull'] else 'issues'}/{row['number']}"

    def _pull(self, row: Rows) -> JsonObject:
        return {
            "head": {"ref": row["head_ref"], "sha": row["head_sha"]},
            "base": {"ref": row["base_ref"], "sha": row["base_sha"]},
            "work_in_progress": row["draft"],
            "merged_at": _time(row["merged_at"]),
            "merge_commit_sha": row["merge_sha"],
        }

    def _comment(self, row: Rows) -> JsonObject:
        return {
            "type": "issue_comment",
            "url": f"{self._place(row['issue_id'])}#issuecomment-{row['id']}",
            "pull_request" if self.issues[row["issue_id"]]["is_pull"] else "issue": self._place(row["issue_id"]),
            "user": self.user(row["author_id"]),
            "body": row["body"],
            "created_at": _time(row["created_at"]),
        }

    def _review(self, row: Rows) -> JsonObject:
        numbers = {state: int(number) for number, state in STATES.items()}
        return {
            "type": "pull_request_review",
            "url": f"{self._place(row['issue_id'])}/files#pullrequestreview-{row['id']}",
            "pull_request": self._place(row["issue_id"]),
            "user": self.user(row["author_id"]),
            "body": row["body"],
            "head_sha": row["commit_sha"],
            "state": numbers[row["state"]],
            "created_at": _time(row["created_at"]),
            "submitted_at": _time(row["submitted_at"]),
        }

    def _list_git(self) -> dict[str, bytes]:
        """A bare repository of each, below `repositories/`."""
        found = {id: GitData(head=row["default_branch"]) for id, row in self.repositories.items()}
        for row in self.tables.rows(m.Ref):
            found[row["repo_id"]].refs[row["name"]] = row["target"]
        for row in self.tables.rows(m.GitObject):
            found[row["repo_id"]].objects[row["sha1"]] = (row["kind"], zlib.decompress(row["data"]))
        files: dict[str, bytes] = {}
        for id, data in found.items():
            if data.objects:
                folder = self.address(id).removeprefix(f"{SITE}/")
                files |= write_git_files(data, f"repositories/{folder}.git")
        return files


def _time(at: int | None) -> str | None:
    return to_datetime(at).isoformat(timespec="microseconds") if at else None
