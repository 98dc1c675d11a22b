"""CI history of the repositories before the world's start.

The real code's own events are replayed, each at its time, on rows just written. The jobs' outputs were recorded in the
sandbox by `python -m seeds.ci_outcomes`, so building runs nothing.
"""

import heapq
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from sqlalchemy import Connection, event
from sqlmodel import Session, col, select

from apps.github import app
from apps.github.ci import run_queue
from apps.github.ci.run_queue import Cause
from apps.github.domain import mergeability
from apps.github.domain.context import GithubContext
from apps.github.models import Repository
from apps.github.models_actions import Verdict
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull
from seeds.spec import Spec
from world.core.clock import MINUTE, SECOND

RECENT = 12  # landings on main, and pull requests, whose runs are remembered
CHECKED_S = 4  # after a pull request was opened or main moved


class UnrecordedVerdict(LookupError):
    """A tree whose verdict is not recorded; `python -m seeds.ci_outcomes` records it."""


@dataclass(frozen=True, slots=True)
class _Rng:
    seed: int


class ReplayCall:
    """A stand-in for a call while history is replayed: its rows are the image's, its time is given."""

    base_url, person, principal = "https://github.com", "system:github", None

    def __init__(self, connection: Connection, seed: int) -> None:
        self._raw: Any = connection.connection.driver_connection
        self.session = Session(bind=connection, expire_on_commit=False)
        self._held: list[object] = []  # the session itself forgets what nobody holds, and would read it again
        for moment in ("loaded_as_persistent", "pending_to_persistent"):
            event.listen(self.session, moment, lambda _, row: self._held.append(row))
        self.rng, self.now = _Rng(seed), 0
        self._queue: list[tuple[int, int, str, Mapping[str, Any]]] = []

    def flush(self) -> None:
        """Write pending changes of the session."""
        self.session.flush()

    def execute(self, sql: str, values: object = None) -> Any:
        """Run SQL."""
        self.flush()
        return self._raw.execute(sql, values or {})

    def all(self, sql: str, values: object = None) -> Any:
        """All rows."""
        return self.execute(sql, values).fetchall()

    def first(self, sql: str, values: object = None) -> Any:
        """The first row, or None."""
        rows = self.all(sql, values)
        return rows[0] if rows else None

    def scalar(self, sql: str, values: object = None) -> Any:
        """The first column of the first row, or None."""
        row = self.first(sql, values)
        return None if row is None else row[0]

    def get_kept_link(self, path: str, app: str = "") -> str:
        """The address under which the vendor shows a page."""
        return self.base_url + path

    def has_listeners(self, topic: str) -> bool:
        """Always False: the stories tell how other apps react."""
        return False

    def publish(self, topic: str, **facts: object) -> None:
        """Do nothing: nobody listens."""

    def later(self, topic: str, at: int, **facts: object) -> int:
        """Queue an event."""
        heapq.heappush(self._queue, (at, len(self._queue) + self.now, topic, facts))
        return 0

    def play(self, until: int) -> None:
        """Let the events up to a time happen."""
        while self._queue and self._queue[0][0] <= until:
            self.now, _, topic, facts = heapq.heappop(self._queue)
            app.topics[topic](self, facts)  # type: ignore[arg-type]
        self.now = until


def play(connection: Connection, spec: Spec, *, record: bool = False) -> None:
    """Write the runs of every repository. Raises UnrecordedVerdict for a missing verdict, unless `record` is set."""
    then = ReplayCall(connection, spec.seed)
    _add_verdicts(then)
    before = then.scalar("SELECT count(*) FROM github_verdict")
    context = GithubContext(then)  # type: ignore[arg-type]
    for repo in then.session.exec(select(Repository).order_by(col(Repository.id))).all():
        _play(then, context, repo, spec)
    then.flush()
    if not record and then.scalar("SELECT count(*) FROM github_verdict") != before:
        raise UnrecordedVerdict("run `python -m seeds.ci_outcomes` where the sandbox works")
    then.session.close()


def load_verdicts() -> list[dict[str, Any]]:
    """The verdicts kept here: rows of github_verdict, the lines of their outputs written once."""
    file = files("seeds").joinpath("repos/verdicts.json")
    if not file.is_file():
        return []
    kept = json.loads(file.read_text(encoding="utf-8"))
    lines = kept["lines"]
    return [
        {**row, "steps": [{**step, "output": "\n".join(lines[at] for at in step["output"])} for step in row["steps"]]}
        for row in kept["rows"]
    ]


def _add_verdicts(then: ReplayCall) -> None:
    for row in load_verdicts():
        then.session.add(Verdict(**row))
    then.flush()


def _play(then: ReplayCall, context: GithubContext, repo: Repository, spec: Spec) -> None:
    """The last landings and pull requests of a repository, in the order of time."""
    causes = [*_landings(then, context, repo), *_pulls(then, context, repo, spec)]
    for at, account, cause in sorted(causes, key=lambda one: (one[0], one[2].sha)):
        then.play(at)
        run_queue.start(GithubContext(then).act_as(account), repo, cause)  # type: ignore[arg-type]
    then.play(spec.start - SECOND)


Told = tuple[int, int, Cause]


def _landings(then: ReplayCall, context: GithubContext, repo: Repository) -> list[Told]:
    """Pushes to the default branch: its last commits by first parent."""
    git, out = context.git(repo), list[Told]()
    sha = git.branch(repo.default_branch)
    for _ in range(RECENT):
        if sha is None:
            break
        row = git.graph.rows([sha])[0]
        parents = row.parents.split()
        author = context.by_email(row.author_email)
        facts = {"before": parents[0] if parents else None, "message": row.message[:2000]}
        cause = Cause(
            "push", f"refs/heads/{repo.default_branch}", sha, row.tree, row.subject, repo.default_branch, list, facts
        )
        out.append((row.committed_at * SECOND + CHECKED_S * SECOND, author.id if author else repo.owner_id, cause))
        sha = parents[0] if parents else None
    return out


def _pulls(then: ReplayCall, context: GithubContext, repo: Repository, spec: Spec) -> list[Told]:
    """Pull requests when they were opened; one with conflicts has no runs."""
    query = select(Issue, Pull).join(Pull, col(Pull.issue_id) == col(Issue.id)).where(Issue.repo_id == repo.id)
    rows = then.session.exec(query.order_by(col(Issue.created_at).desc(), col(Issue.id).desc())).all()
    out = list[Told]()
    for place, (issue, pull) in enumerate(rows):
        if issue.state == "open":
            then.now = spec.start - 10 * MINUTE
            mergeability.remember(context, repo, issue, pull)
        if pull.mergeable is not False and (place < RECENT or issue.state == "open"):
            git = context.git(repo)
            merged = git.ref(f"refs/pull/{issue.number}/merge")
            facts = {
                "action": "opened",
                "number": issue.number,
                "head_ref": pull.head_ref,
                "base_ref": pull.base_ref,
                "merge_sha": merged,
            }
            tree = git.tree_of(merged or pull.head_sha)
            ref = f"refs/pull/{issue.number}/merge"
            at = max(issue.created_at, git.graph.rows([pull.head_sha])[0].committed_at * SECOND) + CHECKED_S * SECOND
            cause = Cause(
                "pull_request", ref, pull.head_sha, tree, issue.title, pull.head_ref, list, facts, pull_ids=[issue.id]
            )
            out.append((at, issue.author_id, cause))
    return out
