"""Rows of the code host from imported repositories: git data on the world's clock, issues, pull requests, reviews."""

import re
from collections import Counter
from typing import Any

from apps.github import models as m
from apps.github import models_issues as i
from apps.github import models_pulls as p
from apps.github.boilerplate.license_file import choose_license_file, detect_license_of
from apps.github.git.store import pack_object
from seeds.imports.code_host_records import HubExport, HubIssue, HubRepository
from seeds.imports.company_rows import ORGANISATION
from seeds.imports.git_data import PERSON, GitData, Rewrite, read_root_files, rewrite_git
from seeds.imports.intake import Landing
from seeds.rows.github_site import FIRST_REPOSITORY
from seeds.rows.row_collector import Row
from world.core.clock import SECOND

STEP = 61_843  # between the ids of repositories
COLUMNS = {"an": "author_name", "ae": "author_email", "at": "authored_at", "az": "author_zone"} | {
    "cn": "committer_name",
    "ce": "committer_email",
    "ct": "committed_at",
    "cz": "committer_zone",
}
FULL_SHA = re.compile(r"\b[0-9a-f]{40}\b")


def add_hub_rows(landing: Landing, export: HubExport) -> None:
    """All repositories, by owner and name."""
    counts: Counter[str] = Counter()
    accounts = {row["person_id"]: row["id"] for row in landing.sink.rows.get(m.Account, ()) if row["person_id"]}
    taken = set[str]()
    for number, key in enumerate(sorted(export.repositories)):
        repository = export.repositories[key]
        name = repository.name if repository.name.lower() not in taken else f"{repository.owner}-{repository.name}"
        taken.add(name.lower())
        _Projection(landing, export, counts, accounts, repository).run(FIRST_REPOSITORY + number * STEP, name)
    for table, last in sorted(counts.items()):
        landing.sink.add(m.Counter, name=table, next=last + 1)


class _Projection:
    """One repository on its way into rows."""

    def __init__(
        self, landing: Landing, export: HubExport, counts: Counter[str], accounts: dict[str, int], one: HubRepository
    ) -> None:
        self.landing, self.sink, self.export, self.counts = landing, landing.sink, export, counts
        self.accounts, self.one, self.id = accounts, one, 0
        self.git, self.shas = GitData(), dict[str, str]()

    def number(self, table: str) -> int:
        self.counts[table] += 1
        return self.counts[table]

    def who(self, login: str) -> int:
        person = self.landing.who(self.export.people[login].app, login)
        return self.accounts[person]

    def text(self, text: str) -> str:
        """A text that names commits by their new SHAs."""
        return FULL_SHA.sub(lambda found: self.shas.get(found[0], found[0]), text)

    def run(self, id: int, name: str) -> None:
        self.id = id
        if self.one.git is not None:
            self._add_git(self.one.git)
        row = self._add_repository(name)
        labels = {label: self._add_label(label, *facts) for label, facts in sorted(self.one.labels.items())}
        milestones = {
            number: self._add_milestone(number, *facts) for number, facts in sorted(self.one.milestones.items())
        }
        for number in sorted(self.one.issues):
            issue = self.one.issues[number]
            if issue.head[1] and not self._has_commits(issue):
                self.landing.intake.drop("pull requests whose commits the archive does not hold")
                continue
            self._add_issue(issue, labels, milestones)
            row["number"] = max(row["number"], number)

    def _add_repository(self, name: str) -> Row:
        created = self.landing.at(
            self.one.created_at or min((one.created_at for one in self.one.issues.values()), default=0)
        )
        commits = [
            row["committed_at"] * SECOND for row in self.sink.rows.get(m.GitCommit, ()) if row["repo_id"] == self.id
        ]
        heads = [ref.removeprefix("refs/heads/") for ref in self.git.refs if ref.startswith("refs/heads/")]
        branch = self.git.head if self.git.head in heads or not heads else heads[0]
        files = read_root_files(self.git, branch)
        license_file = choose_license_file(files)
        return self.sink.add(
            m.Repository,
            id=self.id,
            owner_id=ORGANISATION,
            name=name,
            name_key=name.lower(),
            description=self.one.description or None,
            visibility="private" if self.one.is_private else "public",
            archived=self.one.is_archived,
            topics=self.one.topics,
            default_branch=branch,
            license=None if license_file is None else detect_license_of(files[license_file]),
            size_kb=sum(len(raw) for _, raw in self.git.objects.values()) // 1024,
            created_at=created or min(commits, default=0),
            updated_at=max([created, *commits]),
            pushed_at=max([created, *commits]),
        )

    # -- git

    def _add_git(self, data: GitData) -> None:
        """Objects and refs, rewritten if times or names change."""
        pseudonyms = self.landing.pseudonyms

        def person(line: bytes) -> bytes:
            found = PERSON.match(line)
            assert pseudonyms is not None
            name, address = (part.decode("utf-8", "replace") for part in (found.groups() if found else (line, b"")))
            return f"{pseudonyms.change_name(name.strip())} <{pseudonyms.change_address(address)}>".encode()

        if self.landing.shift or pseudonyms is not None:
            how = Rewrite(
                self.landing.shift // SECOND, pseudonyms and pseudonyms.change, person if pseudonyms else None
            )
            data, self.shas = rewrite_git(data, how)
        self.git = data
        for sha, (kind, raw) in data.objects.items():
            one = pack_object(kind, raw)
            self.sink.add(m.GitObject, repo_id=self.id, sha1=sha, kind=kind, size=one.size, data=one.data)
            if one.commit is not None:
                named = {COLUMNS.get(name, name): value for name, value in one.commit.items()}
                self.sink.add(m.GitCommit, repo_id=self.id, sha1=sha, **named)
        for name, target in data.refs.items():
            self.sink.add(m.Ref, repo_id=self.id, name=name, target=target)

    def _sha(self, sha: str) -> str:
        return self.shas.get(sha, sha)

    def _has_commits(self, issue: HubIssue) -> bool:
        return self._sha(issue.head[1]) in self.git.objects and self._sha(issue.base[1]) in self.git.objects

    # -- issues

    def _add_label(self, name: str, color: str, description: str) -> int:
        row = self.sink.add(
            i.Label,
            id=self.number("github_label"),
            repo_id=self.id,
            name=name,
            color=color,
            description=description or None,
        )
        return row["id"]

    def _add_milestone(self, number: int, title: str, description: str, state: str, due: int, created: int) -> int:
        at = self.landing.at(created)
        row = self.sink.add(
            i.Milestone,
            id=self.number("github_milestone"),
            repo_id=self.id,
            number=number,
            title=title,
            description=description or None,
            state=state,
            creator_id=min(self.accounts.values()),
            due_on=due + self.landing.shift if due else None,
            created_at=at,
            updated_at=at,
            closed_at=at if state == "closed" else None,
        )
        return row["id"]

    def _add_issue(self, one: HubIssue, labels: dict[str, int], milestones: dict[int, int]) -> None:
        created, closed = self.landing.at(one.created_at), self.landing.at(one.closed_at)
        last = max([created, closed, *(self.landing.at(note.created_at) for note in (*one.comments, *one.reviews))])
        row = self.sink.add(
            i.Issue,
            id=self.number("github_issue"),
            repo_id=self.id,
            number=one.number,
            is_pull=bool(one.head[1]),
            title=self.text(one.title),
            body=self.text(one.body) or None,
            author_id=self.who(one.author),
            state="closed" if closed else "open",
            state_reason=(one.reason or (None if one.head[1] else "completed")) if closed else None,
            milestone_id=milestones.get(one.milestone),
            created_at=created,
            updated_at=self.landing.at(one.updated_at) or last,
            closed_at=closed or None,
        )
        for label in dict.fromkeys(one.labels):
            self.sink.add(i.IssueLabel, issue_id=row["id"], label_id=labels[label])
        for account in sorted({self.who(login) for login in one.assignees}):
            self.sink.add(i.Assignee, issue_id=row["id"], account_id=account)
        for note in sorted(one.comments, key=lambda note: note.created_at):
            at = self.landing.at(note.created_at)
            self.sink.add(i.Comment, id=self.number("github_comment"), **self._about(row, note.author, note.body, at))
        if one.head[1]:
            self._add_pull(row, one)

    def _about(self, row: Row, author: str, body: str, at: int) -> dict[str, Any]:
        return {
            "repo_id": self.id,
            "issue_id": row["id"],
            "author_id": self.who(author),
            "body": self.text(body),
            "created_at": at,
            "updated_at": at,
        }

    def _add_pull(self, row: Row, one: HubIssue) -> None:
        merge = self._sha(one.merge_sha)
        self.sink.add(
            p.Pull,
            issue_id=row["id"],
            repo_id=self.id,
            head_repo_id=self.id,
            head_ref=one.head[0],
            head_sha=self._sha(one.head[1]),
            base_ref=one.base[0],
            base_sha=self._sha(one.base[1]),
            draft=one.is_draft,
            merged_at=self.landing.at(one.merged_at) or None,
            merged_by_id=row["author_id"] if one.merged_at else None,
            merge_sha=merge if merge in self.git.objects else None,
        )
        name = f"refs/pull/{one.number}/head"
        if name not in self.git.refs:
            self.sink.add(m.Ref, repo_id=self.id, name=name, target=self._sha(one.head[1]))
        for note in sorted(one.reviews, key=lambda note: note.created_at):
            at, sha = self.landing.at(note.created_at), self._sha(note.sha)
            self.sink.add(
                p.Review,
                id=self.number("github_review"),
                state=note.state,
                commit_sha=sha if sha in self.git.objects else self._sha(one.head[1]),
                submitted_at=None if note.state == "PENDING" else at,
                **self._about(row, note.author, note.body, at),
            )
