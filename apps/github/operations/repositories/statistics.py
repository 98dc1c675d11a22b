"""Commit statistics of a default branch: by contributor, week, day and hour.

Merges are not counted; weeks begin on Sunday.
"""

from collections import Counter
from typing import TypedDict

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Reply, RepoRef
from apps.github.git import Repo
from apps.github.git.diff import file_diff
from apps.github.git.history import Row, log
from apps.github.git.tree_diff import list_changes
from apps.github.models import Repository
from apps.github.operations.repositories.commits import parent_tree
from apps.github.refusals import unprocessable
from apps.github.views.accounts import UserJson, user_json
from apps.github.views.git_objects import accounts_by_email
from world.core.call import Call

SOURCE = "docs.github.com/rest/metrics/statistics"
HERE = {"owner": "quayline", "repo": "payments"}
DAY, WEEK, YEAR = 86_400, 7 * 86_400, 52
SUNDAY = 3 * DAY  # the epoch's first day was a Thursday
MOST_COUNTED = 1_000  # commits whose lines are counted


class Participation(TypedDict):
    """Commits of each of the last 52 weeks, oldest first."""

    all: list[int]
    owner: list[int]


def _week(at: int) -> int:
    """Return the Sunday, in seconds, that begins the week of a time."""
    return at - (at + WEEK - SUNDAY) % WEEK


class _Figures:
    """The commits of a default branch, and the current week."""

    def __init__(self, context: GithubContext, repo: Repository) -> None:
        self.context, self.git = context, context.git(repo)
        head = self.git.branch(repo.default_branch)
        self.rows = [row for row in log(self.git, [head]) if " " not in row.parents] if head is not None else []
        self.now = _week(context.call.now // 1_000_000)

    @property
    def year(self) -> list[int]:
        """The last 52 weeks, oldest first."""
        return [self.now - back * WEEK for back in range(YEAR - 1, -1, -1)]

    @property
    def weeks(self) -> list[int]:
        """All weeks since the first commit."""
        return list(range(min((_week(row.authored_at) for row in self.rows), default=self.now), self.now + WEEK, WEEK))

    @property
    def counted(self) -> bool:
        """Whether the commits are few enough to count their lines."""
        return len(self.rows) <= MOST_COUNTED


def _lines(git: Repo, row: Row) -> tuple[int, int]:
    """Count the lines that a commit added and deleted."""
    found = [file_diff(git, change) for change in list_changes(git, parent_tree(git, row), row.tree)]
    return sum(one.additions for one in found), sum(one.deletions for one in found)


def _figures(call: Call, params: RepoRef) -> _Figures:
    context = GithubContext(call)
    return _Figures(context, context.repo(params.owner, params.repo))


class ContributorStats(TypedDict):
    """Commits and changed lines of one contributor, by week."""

    author: UserJson
    total: int
    weeks: list[dict[str, int]]


class WeekActivity(TypedDict):
    """Number of commits on each day of a week."""

    week: int
    days: list[int]
    total: int


@app.operation(
    "repos/get-contributors-stats",
    units=1,
    source=f"{SOURCE}#get-all-contributor-commit-activity",
    examples=[HERE],
    raises=("not_found",),
)
def contributors(call: Call, params: RepoRef) -> list[ContributorStats] | Reply:
    """List contributors with their commits, added and deleted lines by week; the most active comes last.

    Time: `w` is the Sunday on which a week begins, in seconds.

    Deviates: lines are counted in repositories of up to 1,000 commits, the vendor's limit is 10,000; there is no wait
    for the first answer.
    """
    found = _figures(call, params)
    if not found.rows:
        return Reply({}, 204)
    known = accounts_by_email(found.context, {row.author_email for row in found.rows})
    by: dict[int, dict[int, Counter[str]]] = {}
    for row in found.rows:
        if (account := known.get(row.author_email.lower())) is not None:
            added, deleted = _lines(found.git, row) if found.counted else (0, 0)
            by.setdefault(account.id, {}).setdefault(_week(row.authored_at), Counter()).update(
                {"a": added, "d": deleted, "c": 1}
            )
    shown: list[ContributorStats] = [
        {
            "author": user_json(found.context, found.context.account(id)),
            "total": sum(week["c"] for week in weeks.values()),
            "weeks": [{"w": at, **{name: weeks.get(at, Counter())[name] for name in "adc"}} for at in found.weeks],
        }
        for id, weeks in sorted(by.items())
    ]
    return sorted(shown, key=lambda one: one["total"])[-100:]


@app.operation(
    "repos/get-commit-activity-stats",
    units=1,
    source=f"{SOURCE}#get-the-last-year-of-commit-activity",
    examples=[HERE],
    raises=("not_found",),
)
def commit_activity(call: Call, params: RepoRef) -> list[WeekActivity] | Reply:
    """Read the number of commits on each day of the last 52 weeks.

    Time: `week` is the Sunday on which a week begins, in seconds; `days` begin with it.
    """
    found = _figures(call, params)
    if not found.rows:
        return Reply({}, 204)
    days = Counter((week := _week(row.authored_at), (row.authored_at - week) // DAY) for row in found.rows)
    return [
        {"week": week, "days": (each := [days[week, day] for day in range(7)]), "total": sum(each)}
        for week in found.year
    ]


@app.operation(
    "repos/get-code-frequency-stats",
    units=1,
    source=f"{SOURCE}#get-the-weekly-commit-activity",
    examples=[HERE],
    raises=("not_found", "unprocessable"),
)
def code_frequency(call: Call, params: RepoRef) -> list[list[int]] | Reply:
    """Read the lines added and deleted in each week: [Sunday in seconds, added, deleted as a negative number].

    Deviates: refused above 1,000 commits, where the vendor's limit is 10,000.
    """
    found = _figures(call, params)
    if not found.rows:
        return Reply({}, 204)
    if not found.counted:
        raise unprocessable("Repository contains more than 1000 commits.")
    added, deleted = Counter[int](), Counter[int]()
    for row in found.rows:
        plus, minus = _lines(found.git, row)
        added[_week(row.authored_at)] += plus
        deleted[_week(row.authored_at)] += minus
    return [[week, added[week], -deleted[week]] for week in found.weeks]


@app.operation(
    "repos/get-participation-stats",
    units=1,
    source=f"{SOURCE}#get-the-weekly-commit-count",
    examples=[HERE],
    raises=("not_found",),
)
def participation(call: Call, params: RepoRef) -> Participation:
    """Read the commits of each of the last 52 weeks, by everybody and by the repository's owner; oldest first."""
    found = _figures(call, params)
    owner = (found.context.account(found.context.repo(params.owner, params.repo).owner_id).email or "").lower()
    everybody = Counter(_week(row.authored_at) for row in found.rows)
    own = Counter(_week(row.authored_at) for row in found.rows if owner and row.author_email.lower() == owner)
    return {"all": [everybody[week] for week in found.year], "owner": [own[week] for week in found.year]}


@app.operation(
    "repos/get-punch-card-stats",
    units=1,
    source=f"{SOURCE}#get-the-hourly-commit-count-for-each-day",
    examples=[HERE],
    raises=("not_found",),
)
def punch_card(call: Call, params: RepoRef) -> list[list[int]] | Reply:
    """Read the number of commits by weekday and hour, in the authors' time zones: [day from Sunday, hour, commits]."""
    found = _figures(call, params)
    if not found.rows:
        return Reply({}, 204)
    hours = Counter(((at := row.authored_at + row.author_zone * 60) - _week(at)) // 3_600 for row in found.rows)
    return [[hour // 24, hour % 24, hours[hour]] for hour in range(7 * 24)]
