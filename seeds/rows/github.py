"""Rows of the code host: each repository's git data from its series, and the issues and pull requests around it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from typing import Any

from apps.github import models as m
from apps.github import models_issues as i
from apps.github import models_pulls as p
from apps.github.ci import hidden_tests
from apps.github.domain.diff_position import place
from apps.github.git import Repo, Signature
from apps.github.git.tree_diff import changed
from apps.github.models_actions import Bug
from seeds.company import Company, Staff
from seeds.repositories import Bench, Tree, patch, series, services
from seeds.rows import github_inbox
from seeds.rows.github_site import FIRST_REPOSITORY, Hub
from seeds.rows.references import References
from seeds.rows.row_collector import Sink
from seeds.spec import Spec
from world.core.clock import DAY, MINUTE, SECOND, to_datetime

WEB = ("GitHub", "noreply@github.com")
GENERIC = ("review-me", "conflict-me", "red", "stale-1", "stale-2")  # what a branch is for, not what it is called
SLOT = re.compile(r"\{(@|#|issue:|jira)([\w-]*)\}")
Facts = Mapping[str, Any]


def project(spec: Spec, company: Company, refs: References, hub: Hub, sink: Sink) -> None:
    """All repositories of the services this company has."""
    for number, service in enumerate(one for one in services() if one in company.services):
        Projection(spec, company, refs, hub, sink, FIRST_REPOSITORY + number * 61_843, service).run()
    github_inbox.project(spec, hub, sink)
    for name, last in sorted(hub.counts.items()):
        sink.add(m.Counter, name=name, next=last + 1)


@dataclass(slots=True)
class Merged:
    """What is known of a pull request once its commits are made."""

    base: str
    head: str
    commits: list[str] = field(default_factory=list)
    merge: str = ""


class Projection:
    """One repository on its way into rows."""

    def __init__(
        self, spec: Spec, company: Company, refs: References, hub: Hub, sink: Sink, id: int, service: str
    ) -> None:
        self.spec, self.company, self.refs, self.hub, self.sink, self.id, self.service = (
            spec,
            company,
            refs,
            hub,
            sink,
            id,
            service,
        )
        self.series, self.bench = series(service), Bench()
        self.git = Repo(self.bench, id)  # type: ignore[arg-type]  # the bench answers what a call would
        self.numbers = self._numbers()
        self.shas: dict[str, str] = {}
        self.trees: dict[str, Tree] = {}
        self.merged: dict[str, Merged] = {}
        self.labels: dict[str, dict[str, Any]] = {}
        self.milestones: dict[str, dict[str, Any]] = {}
        self.names: dict[str, str] = {}  # of open branches
        self.row: dict[str, Any] = {}

    def run(self) -> None:
        """Make everything."""
        self._repository()
        self._history()
        self._settings()
        for handle, facts in sorted(self._things(), key=lambda one: self.numbers[one[0]]):
            if handle in self.merged:
                self._pull(handle, facts, self.merged[handle])
            else:
                self._issue(handle, facts)
        self._releases()
        self._bug()
        self._flush()

    # -- who and when

    def seat(self, seat: str, but: str = "") -> str:
        """The seat itself, or in a smaller company somebody of its team, then anybody of engineering."""
        if seat in self.hub.accounts:
            return seat
        team = seat.rpartition("-")[0]
        near = [one for one in sorted(self.hub.accounts) if one != but and one.startswith(team)]
        return (
            near[0]
            if near
            else next(one for one in ("payments-1", "payments-3", "cto") if one != but and one in self.hub.accounts)
        )

    def who(self, seat: str, but: str = "") -> int:
        """An account by seat."""
        return self.hub.accounts[self.seat(seat, but)]

    def at(self, days: float) -> int:
        """A time given in days before the start, on the second."""
        return min((self.spec.start - int(days * DAY)) // SECOND * SECOND, self.spec.start - MINUTE)

    def signed(self, seat: str, days: float) -> Signature:
        """How somebody signs a commit."""
        one = self._staff(self.seat(seat))
        at = self.at(days)
        offset = to_datetime(at, one.tz).utcoffset()
        return Signature(one.full, one.email, at // SECOND, int(offset.total_seconds()) // 60 if offset else 0)

    def _staff(self, seat: str) -> Staff:
        return self.company.staff[seat] if seat in self.company.staff else self.company.bots[seat]

    # -- texts

    def _numbers(self) -> dict[str, int]:
        opened = [(facts.get("opened_days", facts.get("days", 0)), handle) for handle, facts in self._things()]
        return {
            handle: number for number, (_, handle) in enumerate(sorted(opened, key=lambda one: (-one[0], one[1])), 1)
        }

    def _things(self) -> list[tuple[str, Facts]]:
        branches = self.series["branches"]
        listed = [(one["handle"], one) for one in self.series["issues"]]
        return [
            *listed,
            *self.series["pulls"].items(),
            *((name, branch["pull"]) for name, branch in branches.items() if "pull" in branch),
        ]

    def text(self, text: str, facts: Facts | None = None) -> str:
        """A text with people, numbers and keys of the tracker filled in."""
        key = self.refs.issue_keys.get(str((facts or {}).get("jira", "")), "")

        def fill(found: re.Match[str]) -> str:
            kind, name = found.groups()
            if kind == "@":
                return f"@{self.hub.logins[self.seat(name)]}"
            return key if kind == "jira" else f"#{self.numbers[name]}"

        filled = SLOT.sub(fill, text if key else re.sub(r"\{jira\}[:.,]?[ \n]*", "", text))
        return filled.strip()

    # -- git

    def _history(self) -> None:
        tree, head = Tree(self.git, {}, None), ""
        commits: list[Facts] = self.series["commits"]
        start = 0
        while start < len(commits):
            pull = commits[start].get("pr")
            end = start + 1
            while pull and end < len(commits) and commits[end].get("pr") == pull:
                end += 1
            group = commits[start:end]
            tree, head = self._landed(pull, group, tree, head) if pull else self._direct(group[0], tree, head)
            start = end
        self.git.set_ref("refs/heads/main", head, None)
        for name, branch in self.series["branches"].items():
            self._branch(name, branch)
        for handle, one in self.merged.items():
            self.git.set_ref(f"refs/pull/{self.numbers[handle]}/head", one.head, None)

    def _message(self, one: Facts, subject: str = "") -> str:
        body = self.text(one.get("body", "") or "", one)
        return f"{subject or one['subject']}\n" + (f"\n{body}\n" if body else "")

    def _commit(self, one: Facts, tree: Tree, parents: list[str], *, web: int | None = None, subject: str = "") -> str:
        author = self.signed(one["author"], one["days"])
        committer = author if web is None else Signature(*WEB, web // SECOND, 0)
        assert tree.sha is not None
        return self.git.put_commit(tree.sha, parents, self._message(one, subject), author, committer)

    def _direct(self, one: Facts, tree: Tree, head: str) -> tuple[Tree, str]:
        made = tree.then(patch(self.service, one["patch"]))
        sha = self._commit(one, made, [head] if head else [])
        self._remember([one], [made], [sha])
        return made, sha

    def _landed(self, pull: str, group: Sequence[Facts], tree: Tree, base: str) -> tuple[Tree, str]:
        """The commits of a pull request on its branch, and how they came into main."""
        facts = self.series["pulls"][pull]
        done, head = Merged(base, base), base
        trees: list[Tree] = []
        ends: list[str] = []
        now = tree
        for one in group:
            before, now = now, now.then(patch(self.service, one["patch"]))
            trees.append(now)
            head = self._drafted(one, before, head, done)
            if head == done.base or self.git.tree_of(head) != now.sha:
                head = self._commit(one, now, [head])
                done.commits.append(head)
            ends.append(head)
        done.head = head
        merged, number = self.at(facts["merged_days"]), self.numbers[pull]
        if facts["merge"] == "merge":
            done.merge = self._merge_commit(facts, now, base, head, merged, number)
            landed = [*ends[:-1], done.merge]
        elif facts["merge"] == "squash":
            done.merge = self._commit(
                {**group[-1], "days": facts["merged_days"]},
                now,
                [base],
                web=merged,
                subject=f"{facts['title']} (#{number})",
            )
            landed = [done.merge] * len(group)
        else:
            landed, parent = [], base
            for one, made in zip(group, trees, strict=True):
                parent = self._commit(one, made, [parent], web=merged)
                landed.append(parent)
            done.merge = parent
        self._remember(group, trees, landed)
        self.merged[pull] = done
        return now, done.merge

    def _drafted(self, one: Facts, before: Tree, head: str, done: Merged) -> str:
        """The attempts on the branch that came before a commit's final form."""
        for draft in one.get("fixups") or ():
            before = before.then(patch(self.service, draft["patch"]))
            head = self._commit(draft, before, [head])
            done.commits.append(head)
        return head

    def _merge_commit(self, facts: Facts, tree: Tree, base: str, head: str, merged: int, number: int) -> str:
        message = f"Merge pull request #{number} from {self.hub.login}/{branch_name(facts)}\n\n{facts['title']}\n"
        author = self.signed(facts["author"], facts["merged_days"])
        assert tree.sha is not None
        return self.git.put_commit(tree.sha, [base, head], message, author, Signature(*WEB, merged // SECOND, 0))

    def _remember(self, group: Sequence[Facts], trees: Sequence[Tree], shas: Sequence[str]) -> None:
        for one, tree, sha in zip(group, trees, shas, strict=True):
            self.trees[one["id"]], self.shas[one["id"]] = tree, sha

    def _branch(self, name: str, branch: Facts) -> None:
        tree, base = self.trees[branch["base"]], self.shas[branch["base"]]
        head, commits = base, []
        for one in branch["commits"]:
            tree = tree.then(patch(self.service, one["patch"]))
            head = self._commit(one, tree, [head])
            commits.append(head)
        facts = branch.get("pull")
        self.names[name] = branch_name(facts) if facts and name in GENERIC else name
        self.git.set_ref(f"refs/heads/{self.names[name]}", head, None)
        if facts:
            self.merged[name] = Merged(base, head, commits)

    # -- rows

    def _repository(self) -> None:
        first, last = self.series["commits"][0], self.series["commits"][-1]
        created, pushed = self.at(first["days"]) - 20 * MINUTE, self.at(last["days"])
        self.row = self.sink.add(
            m.Repository,
            id=self.id,
            owner_id=self.hub.org,
            name=self.service,
            name_key=self.service,
            description=self.series["description"],
            topics=list(self.series["topics"]),
            delete_branch_on_merge=True,
            allow_auto_merge=True,
            number=len(self.numbers),
            created_at=created,
            updated_at=pushed,
            pushed_at=pushed,
        )
        self.sink.refer("github_repository", str(self.id), "e.company", "company", self.service)
        own = self.series["team"]
        for team, level in (
            ("engineering", "pull"),
            ("platform", "maintain"),
            (own, "push"),
            ("support", "triage"),
            ("product", "triage"),
        ):
            if team in self.hub.teams:
                self.sink.add(m.RepoTeam, repo_id=self.id, team_id=self.hub.teams[team], permission=level)

    def _settings(self) -> None:
        self.sink.add(
            m.Protection,
            repo_id=self.id,
            pattern="main",
            reviews=1,
            dismiss_stale=True,
            code_owners=True,
            contexts=["test", "lint"],
            conversation_resolution=True,
        )
        for one in self.series["labels"]:
            self.labels[one["name"]] = self.sink.add(
                i.Label, id=self.hub.number("github_label"), repo_id=self.id, **one
            )
        since = self.row["created_at"]
        for number, one in enumerate(self.series["milestones"], 1):
            due = self.spec.start + int(one["due_days"] * DAY)
            closed = due if one["state"] == "closed" else None
            self.milestones[one["title"]] = self.sink.add(
                i.Milestone,
                id=self.hub.number("github_milestone"),
                repo_id=self.id,
                number=number,
                title=one["title"],
                description=one["description"],
                state=one["state"],
                creator_id=self.who(f"{self.series['team']}-lead"),
                due_on=due,
                created_at=max(since, min(due, self.spec.start) - 60 * DAY),
                updated_at=min(due, self.spec.start - DAY),
                closed_at=closed,
            )

    def _base(self, handle: str, facts: Facts, at: int, *, pull: bool) -> dict[str, Any]:
        """The row of an issue or of a pull request's conversation, with labels, people, comments."""
        author = self.who(facts["author"])
        row = self.sink.add(
            i.Issue,
            id=self.hub.number("github_issue"),
            repo_id=self.id,
            number=self.numbers[handle],
            is_pull=pull,
            title=self.text(facts["title"]),
            body=self.text(facts["body"], facts) or None,
            author_id=author,
            created_at=at,
            updated_at=at,
        )
        self.sink.refer("github_issue", str(row["id"]), "e.company", f"repository-{self.service}", handle)
        stone = self.milestones.get(facts.get("milestone", ""))
        if stone is not None:
            row["milestone_id"] = stone["id"]
            self._event(row, author, "milestoned", at + SECOND, milestone=stone["title"])
        for name in facts.get("labels", ()):
            label = self.labels[name]
            self.sink.add(i.IssueLabel, issue_id=row["id"], label_id=label["id"])
            self._event(row, author, "labeled", at + SECOND, label={"name": label["name"], "color": label["color"]})
        for id in sorted({self.who(seat) for seat in facts.get("assignees", ())}):
            self.sink.add(i.Assignee, issue_id=row["id"], account_id=id)
            self._event(row, author, "assigned", at + 2 * SECOND, assignee=id)
        for one in facts.get("comments") or ():
            when = self.at(one["days"])
            self.sink.add(
                i.Comment,
                id=self.hub.number("github_comment"),
                repo_id=self.id,
                issue_id=row["id"],
                author_id=self.who(one["by"]),
                body=self.text(one["body"]),
                created_at=when,
                updated_at=when,
            )
            row["updated_at"] = max(row["updated_at"], when)
        return row

    def _event(self, row: Facts, actor: int, kind: str, at: int, commit: str | None = None, **facts: Any) -> None:
        self.sink.add(
            i.Event,
            id=self.hub.number("github_event"),
            repo_id=self.id,
            issue_id=row["id"],
            actor_id=actor,
            kind=kind,
            commit_sha=commit,
            facts=facts,
            created_at=at,
        )

    def _issue(self, handle: str, facts: Facts) -> None:
        row = self._base(handle, facts, self.at(facts["days"]), pull=False)
        if facts["state"] == "closed":
            by = self.who((facts.get("assignees") or [facts["author"]])[0])
            self._close(row, by, self.at(facts["closed_days"]), reason="completed")

    def _close(
        self, row: dict[str, Any], by: int, at: int, *, reason: str | None = None, commit: str | None = None
    ) -> None:
        row |= {
            "state": "closed",
            "state_reason": reason,
            "closed_at": at,
            "closed_by_id": by,
            "updated_at": max(at, row["updated_at"]),
        }
        self._event(row, by, "closed", at, commit, state_reason=reason)

    def _pull(self, handle: str, facts: Facts, git: Merged) -> None:
        row = self._base(handle, facts, self.at(facts["opened_days"]), pull=True)
        done = bool(git.merge)
        pull = self.sink.add(
            p.Pull,
            issue_id=row["id"],
            repo_id=self.id,
            head_repo_id=self.id,
            head_sha=git.head,
            base_ref="main",
            head_ref=self.names.get(handle, branch_name(facts)),
            base_sha=git.base if done else self.git.branch("main"),
            draft=bool(facts.get("draft")),
        )
        reviewed = self._reviews(row, facts, git)
        self._requests(row, facts, reviewed)
        if done:
            merged, by = self.at(facts["merged_days"]), self.who(facts["author"])
            pull |= {"merged_at": merged, "merged_by_id": by, "merge_sha": git.merge, "merge_method": facts["merge"]}
            self._event(row, by, "merged", merged, git.merge)
            self._close(row, by, merged)
            self._event(row, by, "head_ref_deleted", merged + 2 * SECOND, ref=branch_name(facts))

    def _requests(self, row: Facts, facts: Facts, reviewed: set[int]) -> None:
        author, at = self.who(facts["author"]), row["created_at"] + 3 * SECOND
        asked = dict.fromkeys(self.who(seat, self.seat(facts["author"])) for seat in facts.get("reviewers", ()))
        for id in [one for one in asked if one != author]:
            self._event(row, author, "review_requested", at, reviewer=id)
            if id not in reviewed and row["state"] == "open" and not facts.get("merge"):
                self.sink.add(p.ReviewRequest, issue_id=row["id"], account_id=id, requester_id=author, created_at=at)

    def _reviews(self, row: dict[str, Any], facts: Facts, git: Merged) -> set[int]:
        found: set[int] = set()
        author = self.who(facts["author"])
        for one in facts.get("reviews") or ():
            by, at = self.who(one["by"], self.seat(facts["author"])), self.at(one["days"])
            state = one["state"] if by != author else "COMMENTED"
            review = self.sink.add(
                p.Review,
                id=self.hub.number("github_review"),
                repo_id=self.id,
                issue_id=row["id"],
                author_id=by,
                state=state,
                body=self.text(one.get("body") or ""),
                commit_sha=git.head,
                created_at=at,
                updated_at=at,
                submitted_at=at,
            )
            found.add(by)
            row["updated_at"] = max(row["updated_at"], at)
            for comment in one.get("comments") or ():
                self._thread(row, review, comment, git, at)
        return found

    def _thread(self, row: Facts, review: Facts, one: Facts, git: Merged, at: int) -> None:
        where = place(_Diff(self.git, git), one["path"], line=one["line"], side=one.get("side", "RIGHT"))  # type: ignore[arg-type]
        thread = self.sink.add(
            p.ReviewThread,
            id=self.hub.number("github_review_thread"),
            repo_id=self.id,
            issue_id=row["id"],
            path=where.path,
            side=where.side,
            line=where.line,
            original_line=where.line,
            position=where.position,
            original_position=where.position,
            commit_sha=git.head,
            original_sha=git.head,
            diff_hunk=where.diff_hunk,
            resolved_by_id=row["author_id"] if one.get("resolved") else None,
            created_at=at,
        )
        first = self._said(row, review, thread, review["author_id"], one["body"], at, None)
        for number, reply in enumerate(one.get("reply") or (), 1):
            when, by = at + number * 23 * MINUTE, self.who(reply["by"])
            answer = self.sink.add(
                p.Review,
                id=self.hub.number("github_review"),
                repo_id=self.id,
                issue_id=row["id"],
                author_id=by,
                state="COMMENTED",
                commit_sha=git.head,
                created_at=when,
                updated_at=when,
                submitted_at=when,
            )
            self._said(row, answer, thread, by, reply["body"], when, first)

    def _said(self, row: Facts, review: Facts, thread: Facts, by: int, body: str, at: int, to: int | None) -> int:
        made = self.sink.add(
            p.ReviewComment,
            id=self.hub.number("github_review_comment"),
            repo_id=self.id,
            issue_id=row["id"],
            thread_id=thread["id"],
            review_id=review["id"],
            author_id=by,
            reply_to_id=to,
            body=self.text(body),
            created_at=at,
            updated_at=at,
        )
        return made["id"]

    def _releases(self) -> None:
        lead = self.who(f"{self.series['team']}-lead")
        for one in self.series["releases"]:
            at = self.at(one["days"])
            self.git.set_ref(f"refs/tags/{one['tag']}", self.shas[one["commit"]], None)
            self.sink.add(
                m.Release,
                id=self.hub.number("github_release"),
                repo_id=self.id,
                tag=one["tag"],
                target="main",
                name=one["name"],
                body=self.text(one["body"]),
                author_id=lead,
                created_at=at,
                updated_at=at,
                published_at=at,
            )

    def _bug(self) -> None:
        """The bug the code was given, for graders."""
        facts = self.series["bug"]
        with as_file(files("seeds").joinpath(f"repos/{self.service}/bugs/{facts['id']}")) as folder:
            row = hidden_tests.read(self.id, folder, self.shas[facts["introduced_in"]])
        self.sink.add(Bug, **row.model_dump())

    def _flush(self) -> None:
        for model in (m.GitObject, m.GitCommit, m.Ref):
            for row in self.bench.rows(str(model.__tablename__)):
                self.sink.add(model, **row)
        self.row["size_kb"] = sum(len(row["data"]) for row in self.bench.rows("github_object")) // 1024
        self.bench.close()


class _Diff:
    """What the placing of a comment asks of a pull request's changes."""

    def __init__(self, git: Repo, pull: Merged) -> None:
        self.git, self._pull = git, pull

    def change(self, path: str) -> Any:
        """The change of one file."""
        found = changed(self.git, self.git.tree_of(self._pull.base), self.git.tree_of(self._pull.head))
        return next((one for one in found if one.path == path), None)


def branch_name(facts: Facts) -> str:
    """The name of a pull request's branch: its title in a few words."""
    words = re.findall(r"[a-z0-9]+", str(facts["title"]).lower())
    return "-".join(words[:5])
