"""Issues without pull requests, one page at a time, by cursors that stay valid when issues are added or removed."""

import base64
import binascii
from typing import Annotated, Any, Literal

import orjson
from pydantic import Field
from sqlmodel import col, func, select, tuple_

from apps.github.app import app
from apps.github.columns import Condition
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Int64, Line, RepoRef
from apps.github.models import Repository
from apps.github.models_issues import Comment, Issue, IssueLabel, Label
from apps.github.operations.issues.milestones import moment
from apps.github.refusals import unprocessable
from apps.github.spellings import spellings
from apps.github.views.issues import issues_json
from world.core.call import Call

CURSOR = b"cursor:v2:"
MOST = 100
BIG = 2**63


class IssuePage(RepoRef):
    """Filters, order and page of issues."""

    state: Literal["open", "closed"] | None = Field(default=None, description="open or closed; both if left out.")
    labels: Annotated[list[Line], Field(max_length=100)] | None = Field(
        default=None, description="Names of labels; one of them must be on it."
    )
    since: Line | None = Field(default=None, description="Only those changed at or after this time (ISO 8601, UTC).")
    sort: Literal["created", "updated", "comments"] = Field(
        default="created", description="created, updated or comments."
    )
    direction: Literal["asc", "desc"] = Field(default="desc", description="asc or desc.")
    per_page: Int64 = Field(default=30, description="Results per page, 100 at most.")
    after: Line | None = Field(default=None, description="The end cursor of the page before.")

    @property
    def size(self) -> int:
        """Results per page, within bounds."""
        return min(self.per_page, MOST) if self.per_page > 0 else 30


def cursor_of(key: list[int]) -> str:
    """Return the opaque cursor of a row's key."""
    return base64.b64encode(CURSOR + orjson.dumps(key)).decode()


def key_of(cursor: str) -> tuple[int, int]:
    """Return the key in a cursor. Raises unprocessable."""
    try:
        raw = base64.b64decode(cursor, validate=True)
        key = orjson.loads(raw.removeprefix(CURSOR)) if raw.startswith(CURSOR) else None
    except (binascii.Error, ValueError):
        key = None
    if not isinstance(key, list) or len(key) != 2 or not all(type(one) is int and -BIG <= one < BIG for one in key):
        raise unprocessable(f"`{cursor}` does not appear to be a valid cursor.")
    return key[0], key[1]


@app.operation(
    "web/issues",
    units=1,
    source="docs.github.com/graphql/reference/objects#repository",
    examples=[{"owner": "quayline", "repo": "payments"}],
    raises=("not_found", "validation_failed", "unprocessable"),
)
def issues(call: Call, params: IssuePage) -> dict[str, Any]:
    """List the issues of a repository without its pull requests, a page at a time by cursor."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    where, value = _conditions(context, repo, params), _value(params.sort)
    total = call.scalar(select(func.count()).select_from(Issue).where(*where))
    down = params.direction == "desc"
    if params.after:
        mark = tuple_(value, col(Issue.id)), tuple_(*key_of(params.after))
        where.append(mark[0] < mark[1] if down else mark[0] > mark[1])
    order = (value.desc(), col(Issue.id).desc()) if down else (value.asc(), col(Issue.id).asc())
    found = list(call.session.exec(select(Issue, value).where(*where).order_by(*order).limit(params.size + 1)))
    shown, keys = [row for row, _ in found[: params.size]], [[at, row.id] for row, at in found[: params.size]]
    return {
        "issues": issues_json(context, repo, shown),
        "total_count": total,
        "has_next": len(found) > params.size,
        "has_previous": bool(params.after),
        "start": cursor_of(keys[0]) if keys else None,
        "end": cursor_of(keys[-1]) if keys else None,
    }


def _value(sort: str) -> Any:
    if sort == "comments":
        return select(func.count()).where(Comment.issue_id == Issue.id).scalar_subquery()
    return col(Issue.updated_at if sort == "updated" else Issue.created_at)


def _conditions(context: GithubContext, repo: Repository, params: IssuePage) -> list[Condition]:
    where: list[Condition] = [Issue.repo_id == repo.id, col(Issue.is_pull).is_(False)]
    if params.state is not None:
        where.append(Issue.state == params.state)
    if params.labels:
        named = col(Label.name).in_(spellings(context.call, col(Label.name), *params.labels))
        labelled = select(IssueLabel.issue_id).join(Label, col(Label.id) == col(IssueLabel.label_id))
        where.append(col(Issue.id).in_(labelled.where(Label.repo_id == repo.id, named)))
    if params.since:
        where.append(Issue.updated_at >= (moment(params.since, "Issue", "since") or 0))
    return where
