"""Rows of the code host: each repository's git data from its series, and the issues and pull requests around it."""

from importlib.resources import as_file, files
from typing import Any

from apps.github import models as m
from apps.github import models_issues as i
from apps.github import models_pulls as p
from apps.github.ci import hidden_tests
from apps.github.domain.diff_position import place
from apps.github.git import Repo
from apps.github.git.tree_diff import list_changes
from apps.github.models_actions import Bug, Status
from seeds.company import Company
from seeds.repositories import services
from seeds.rows import github_inbox
from seeds.rows.github_context import Facts, RepositoryContext
from seeds.rows.github_history import History, PullHistory
from seeds.rows.github_site import FIRST_REPOSITORY, Hub
from seeds.rows.references import References
from seeds.rows.row_collector import Row, Sink
from seeds.spec import Spec
from world.core.clock import DAY, MINUTE, SECOND


def project(spec: Spec, company: Company, refs: References, hub: Hub, sink: Sink) -> None:
    """The repositories of all services: those whose code is kept here, then those made from the events."""
    kept = [one for one in services() if one in company.services]
    for number, service in enumerate([*kept, *(one for one in company.services if one not in kept)]):
        context = RepositoryContext(spec, company, refs, hub, FIRST_REPOSITORY + number * 61_843, service)
        Projection(context, sink).run()
    github_inbox.project(spec, hub, sink)
    for name, last in sorted(hub.counts.items()):
        sink.add(m.Counter, name=name, next=last + 1)


class Projection:
    """One repository on its way into rows."""

    def __init__(self, context: RepositoryContext, sink: Sink) -> None:
        self.context, self.sink, self.history = context, sink, History(context)
        self.labels: dict[str, Row] = {}
        self.milestones: dict[str, Row] = {}
        self.row: Row = {}

    def run(self) -> None:
        """Make everything."""
        self._repository()
        self.history.make()
        self._settings()
        for handle, facts in sorted(self.context.things(), key=lambda one: self.context.numbers[one[0]]):
            if handle in self.history.merged:
                self._pull(handle, facts, self.history.merged[handle])
            else:
                self._issue(handle, facts)
        self._releases()
        self._bug()
        self._flush()

    def _repository(self) -> None:
        first, last = self.context.series["commits"][0], self.context.series["commits"][-1]
        created, pushed = self.context.at(first["days"]) - 20 * MINUTE, self.context.at(last["days"])
        self.row = self.sink.add(
            m.Repository,
            id=self.context.id,
            owner_id=self.context.hub.org,
            name=self.context.service,
            name_key=self.context.service,
            description=self.context.series["description"],
            topics=list(self.context.series["topics"]),
            delete_branch_on_merge=True,
            allow_auto_merge=True,
            number=len(self.context.numbers),
            created_at=created,
            updated_at=pushed,
            pushed_at=pushed,
        )
        self.sink.refer("github_repository", str(self.context.id), "e.company", "company", self.context.service)
        own = self.context.series["team"]
        levels = {"engineering": "pull", own: "push", "platform": "maintain", "support": "triage", "product": "triage"}
        for team, level in levels.items():
            if team in self.context.hub.teams:
                self.sink.add(
                    m.RepoTeam, repo_id=self.context.id, team_id=self.context.hub.teams[team], permission=level
                )

    def _settings(self) -> None:
        self.sink.add(
            m.Protection,
            repo_id=self.context.id,
            pattern="main",
            reviews=1,
            dismiss_stale=True,
            code_owners=True,
            contexts=self.context.series.get("checks", ["test", "lint"]),
            conversation_resolution=True,
        )
        for one in self.context.series["labels"]:
            self.labels[one["name"]] = self.sink.add(
                i.Label, id=self.context.hub.number("github_label"), repo_id=self.context.id, **one
            )
        since = self.row["created_at"]
        for number, one in enumerate(self.context.series["milestones"], 1):
            due = self.context.spec.start + int(one["due_days"] * DAY)
            closed = due if one["state"] == "closed" else None
            self.milestones[one["title"]] = self.sink.add(
                i.Milestone,
                id=self.context.hub.number("github_milestone"),
                repo_id=self.context.id,
                number=number,
                title=one["title"],
                description=one["description"],
                state=one["state"],
                creator_id=self.context.who(f"{self.context.series['team']}-lead"),
                due_on=due,
                created_at=max(since, min(due, self.context.spec.start) - 60 * DAY),
                updated_at=min(due, self.context.spec.start - DAY),
                closed_at=closed,
            )

    def _base(self, handle: str, facts: Facts, at: int, *, pull: bool) -> Row:
        """The row of an issue or of a pull request's conversation, with labels, people, comments."""
        author = self.context.who(facts["author"])
        row = self.sink.add(
            i.Issue,
            id=self.context.hub.number("github_issue"),
            repo_id=self.context.id,
            number=self.context.numbers[handle],
            is_pull=pull,
            title=self.context.name_issue(self.context.text(facts["title"]), facts),
            body=self.context.text(facts["body"], facts) or None,
            author_id=author,
            created_at=at,
            updated_at=at,
        )
        self._refer("github_issue", str(row["id"]), facts, handle)
        stone = self.milestones.get(facts.get("milestone", ""))
        if stone is not None:
            row["milestone_id"] = stone["id"]
            self._event(row, author, "milestoned", at + SECOND, milestone=stone["title"])
        for name in facts.get("labels", ()):
            label = self.labels[name]
            self.sink.add(i.IssueLabel, issue_id=row["id"], label_id=label["id"])
            self._event(row, author, "labeled", at + SECOND, label={"name": label["name"], "color": label["color"]})
        for id in sorted({self.context.who(seat) for seat in facts.get("assignees", ())}):
            self.sink.add(i.Assignee, issue_id=row["id"], account_id=id)
            self._event(row, author, "assigned", at + 2 * SECOND, assignee=id)
        for one in facts.get("comments") or ():
            when = self.context.at(one["days"])
            self.sink.add(
                i.Comment,
                id=self.context.hub.number("github_comment"),
                repo_id=self.context.id,
                issue_id=row["id"],
                author_id=self.context.who(one["by"]),
                body=self.context.text(one["body"]),
                created_at=when,
                updated_at=when,
            )
            row["updated_at"] = max(row["updated_at"], when)
        return row

    def _refer(self, table: str, row_id: str, facts: Facts, part: str) -> None:
        """Link a row to the event that made it, else to the issue it is for, else to the repository."""
        event = facts.get("event") or self.context.find_issue(facts)
        if event:
            self.sink.refer(table, row_id, event.id, event.story, event.part)
        else:
            self.sink.refer(table, row_id, "e.company", f"repository-{self.context.service}", part)

    def _event(self, row: Facts, actor: int, kind: str, at: int, commit: str | None = None, **facts: object) -> None:
        self.sink.add(
            i.Event,
            id=self.context.hub.number("github_event"),
            repo_id=self.context.id,
            issue_id=row["id"],
            actor_id=actor,
            kind=kind,
            commit_sha=commit,
            facts=facts,
            created_at=at,
        )

    def _issue(self, handle: str, facts: Facts) -> None:
        row = self._base(handle, facts, self.context.at(facts["days"]), pull=False)
        if facts["state"] == "closed":
            by = self.context.who((facts.get("assignees") or [facts["author"]])[0])
            self._close(row, by, self.context.at(facts["closed_days"]), reason="completed")

    def _close(self, row: Row, by: int, at: int, *, reason: str | None = None, commit: str | None = None) -> None:
        row |= {
            "state": "closed",
            "state_reason": reason,
            "closed_at": at,
            "closed_by_id": by,
            "updated_at": max(at, row["updated_at"]),
        }
        self._event(row, by, "closed", at, commit, state_reason=reason)

    def _pull(self, handle: str, facts: Facts, git: PullHistory) -> None:
        row = self._base(handle, facts, self.context.at(facts["opened_days"]), pull=True)
        done = bool(git.merge)
        pull = self.sink.add(
            p.Pull,
            issue_id=row["id"],
            repo_id=self.context.id,
            head_repo_id=self.context.id,
            head_sha=git.head,
            base_ref="main",
            head_ref=self.history.names.get(handle, self.context.branch_name(facts)),
            base_sha=git.base if done else self.context.git.branch("main"),
            draft=bool(facts.get("draft")),
        )
        self._refer("github_pull", str(row["id"]), facts, handle)
        for sha in dict.fromkeys([*git.commits, *([git.merge] if done else [])]):
            self._refer("github_commit", f"{self.context.id},{sha}", facts, handle)
        self._checks(facts, git)
        if "closed_days" in facts:
            self._close(row, self.context.who(facts["closed_by"]), self.context.at(facts["closed_days"]))
        reviewed = self._reviews(row, facts, git)
        self._requests(row, facts, reviewed)
        if done:
            if "event" in facts:
                self.context.refs.commits[facts["jira"]] = git.merge
            merged = self.context.at(facts["merged_days"])
            by = self.context.who(facts.get("merged_by", facts["author"]))
            pull |= {"merged_at": merged, "merged_by_id": by, "merge_sha": git.merge, "merge_method": facts["merge"]}
            self._event(row, by, "merged", merged, git.merge)
            self._close(row, by, merged)
            self._event(row, by, "head_ref_deleted", merged + 2 * SECOND, ref=self.context.branch_name(facts))

    def _checks(self, facts: Facts, git: PullHistory) -> None:
        """What CI says of the commits of a branch; its bot is known from the log."""
        for number, sha in enumerate(git.commits if "event" in facts else ()):
            self.context.refs.commits[f"{facts['jira']}:{number}"] = sha
        for one in facts.get("checks") or ():
            at = one["event"].at // SECOND * SECOND
            row = self.sink.add(
                Status,
                id=self.context.hub.number("github_status"),
                repo_id=self.context.id,
                sha=git.commits[one["commit"]],
                context="check-flags",
                state="success" if one["passed"] else "failure",
                description="Every flag is valid" if one["passed"] else "A flag is not valid",
                creator_id=self.context.who("bot-ci"),
                created_at=at,
                updated_at=at,
            )
            self._refer("github_status", str(row["id"]), one, facts["jira"])

    def _requests(self, row: Facts, facts: Facts, reviewed: set[int]) -> None:
        author, at = self.context.who(facts["author"]), row["created_at"] + 3 * SECOND
        asked = dict.fromkeys(
            self.context.who(seat, self.context.seat(facts["author"])) for seat in facts.get("reviewers", ())
        )
        for id in [one for one in asked if one != author]:
            self._event(row, author, "review_requested", at, reviewer=id)
            if id not in reviewed and row["state"] == "open" and not facts.get("merge"):
                self.sink.add(p.ReviewRequest, issue_id=row["id"], account_id=id, requester_id=author, created_at=at)

    def _reviews(self, row: Row, facts: Facts, git: PullHistory) -> set[int]:
        found: set[int] = set()
        author = self.context.who(facts["author"])
        for one in facts.get("reviews") or ():
            by, at = self.context.who(one["by"], self.context.seat(facts["author"])), self.context.at(one["days"])
            state = one["state"] if by != author else "COMMENTED"
            review = self.sink.add(
                p.Review,
                id=self.context.hub.number("github_review"),
                repo_id=self.context.id,
                issue_id=row["id"],
                author_id=by,
                state=state,
                body=self.context.text(one.get("body") or ""),
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

    def _thread(self, row: Facts, review: Facts, one: Facts, git: PullHistory, at: int) -> None:
        where = place(_Diff(self.context.git, git), one["path"], line=one["line"], side=one.get("side", "RIGHT"))  # type: ignore[arg-type]
        thread = self.sink.add(
            p.ReviewThread,
            id=self.context.hub.number("github_review_thread"),
            repo_id=self.context.id,
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
        first = self._add_comment(row, review, thread, review["author_id"], one["body"], at, None)
        for number, reply in enumerate(one.get("reply") or (), 1):
            when, by = at + number * 23 * MINUTE, self.context.who(reply["by"])
            answer = self.sink.add(
                p.Review,
                id=self.context.hub.number("github_review"),
                repo_id=self.context.id,
                issue_id=row["id"],
                author_id=by,
                state="COMMENTED",
                commit_sha=git.head,
                created_at=when,
                updated_at=when,
                submitted_at=when,
            )
            self._add_comment(row, answer, thread, by, reply["body"], when, first)

    def _add_comment(
        self, row: Facts, review: Facts, thread: Facts, by: int, body: str, at: int, to: int | None
    ) -> int:
        made = self.sink.add(
            p.ReviewComment,
            id=self.context.hub.number("github_review_comment"),
            repo_id=self.context.id,
            issue_id=row["id"],
            thread_id=thread["id"],
            review_id=review["id"],
            author_id=by,
            reply_to_id=to,
            body=self.context.text(body),
            created_at=at,
            updated_at=at,
        )
        return made["id"]

    def _releases(self) -> None:
        lead = f"{self.context.series['team']}-lead"
        for one in self.context.series["releases"]:
            self._release(one, self.context.at(one["days"]), self.history.shas[one["commit"]], one.get("author", lead))
        if self.context.times:
            for event, facts in self.context.list_deploys():
                body = "\n".join(f"- {self.context.refs.issue_keys[handle]}" for handle in facts.issues)
                told = {"tag": f"v{facts.version}", "name": facts.version, "body": body, "event": event}
                at = event.at // SECOND * SECOND - MINUTE
                self._release(told, at, self.history.find_main(at), self.context.company.by_id()[event.actor].seat)

    def _release(self, one: Facts, at: int, sha: str, author: str) -> None:
        """A tag, and what is said of it."""
        self.context.git.set_ref(f"refs/tags/{one['tag']}", sha, None)
        self.context.refs.commits[f"{self.context.service}@{one['tag'].removeprefix('v')}"] = sha
        row = self.sink.add(
            m.Release,
            id=self.context.hub.number("github_release"),
            repo_id=self.context.id,
            tag=one["tag"],
            target="main",
            name=one["name"],
            body=self.context.text(one["body"]),
            author_id=self.context.who(author),
            created_at=at,
            updated_at=at,
            published_at=at,
        )
        self._refer("github_release", str(row["id"]), one, one["tag"])

    def _bug(self) -> None:
        """The bug the code was given, for graders; only kept code has one."""
        facts = self.context.series.get("bug")
        if facts is None:
            return
        with as_file(files("seeds").joinpath(f"repos/{self.context.service}/bugs/{facts['id']}")) as folder:
            row = hidden_tests.read_bug(self.context.id, folder, self.history.shas[facts["introduced_in"]])
        self.sink.add(Bug, **row.model_dump())

    def _flush(self) -> None:
        for model in (m.GitObject, m.GitCommit, m.Ref):
            for row in self.context.bench.rows(str(model.__tablename__)):
                self.sink.add(model, **row)
        self.row["size_kb"] = sum(len(row["data"]) for row in self.context.bench.rows("github_object")) // 1024
        self.context.bench.close()


class _Diff:
    """Changes of a pull request, as the placing of a comment needs them."""

    def __init__(self, git: Repo, pull: PullHistory) -> None:
        self.git, self._pull = git, pull

    def change(self, path: str) -> Any:
        """The change of one file."""
        found = list_changes(self.git, self.git.tree_of(self._pull.base), self.git.tree_of(self._pull.head))
        return next((one for one in found if one.path == path), None)
