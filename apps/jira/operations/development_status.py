"""Development work of an issue as the issue page's own requests get it: counts, and details by kind.

The vendor publishes no reference; names and shapes are those that clients in public repositories read.
"""

from collections.abc import Iterable
from typing import Literal

from pydantic import Field
from sqlmodel import col, select

from apps.jira.app import app
from apps.jira.domain.access import find_issue
from apps.jira.domain.context import JiraContext, format_timestamp
from apps.jira.models import Development
from apps.jira.operations.params import Id, Word
from world.core.call import Call
from world.core.json_types import JsonObject
from world.core.params import Params

SOURCE = "community.atlassian.com, questions on /rest/dev-status/1.0/issue/detail and /summary"
INSTANCE = "GitHub"
NO_WORK = ("build", "review", "deployment-environment")
KINDS = {"pullrequest": "pull", "repository": "commit", "branch": "branch"}
ORDER = ("OPEN", "DRAFT", "MERGED", "DECLINED")


class DevelopmentRef(Params):
    """An issue by its id."""

    issueId: Id = Field(description="Issue id.", examples=["10000"])


class DevelopmentKind(DevelopmentRef):
    """Work of an issue, of one kind and one product."""

    applicationType: Word = Field(default=INSTANCE, description="Product the work is in.")
    dataType: Literal["pullrequest", "repository", "branch"] | None = Field(default=None, description="Kind of work.")


def _list_work(context: JiraContext, issue_id: str) -> list[Development]:
    issue = find_issue(context, issue_id)
    query = select(Development).where(Development.issue_id == issue.id)
    return list(context.call.session.exec(query.order_by(col(Development.updated_at).desc(), col(Development.url))))


@app.operation(
    "getDevelopmentSummary",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"issueId": "$getIssue:id"}],
    raises=("issue_not_found",),
)
def get_development_summary(call: Call, params: DevelopmentRef) -> JsonObject:
    """Count the pull requests, commits and branches of an issue, with the newest time of each kind."""
    rows = _list_work(JiraContext(call), params.issueId)
    found = {name: [row for row in rows if row.kind == kind] for name, kind in KINDS.items()}
    summary = {name: _count(name, found.get(name, [])) for name in (*KINDS, *NO_WORK)}
    return {"errors": [], "configErrors": [], "summary": summary}


def _count(name: str, rows: list[Development]) -> JsonObject:
    last = max((row.updated_at for row in rows), default=None)
    overall: JsonObject = {"count": len(rows), "lastUpdated": format_timestamp(last), "dataType": name}
    if name == "pullrequest":
        states = sorted({row.state.upper() for row in rows}, key=lambda state: ORDER.index(state))
        state = states[0] if states else "OPEN"
        of_state = sum(row.state.upper() == state for row in rows)
        overall |= {"stateCount": of_state, "state": state, "open": state in ("OPEN", "DRAFT")}
    by_instance = {INSTANCE: {"count": len(rows), "name": INSTANCE}} if rows else {}
    return {"overall": overall, "byInstanceType": by_instance}


@app.operation(
    "getDevelopmentDetail",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"issueId": "$getIssue:id", "dataType": "pullrequest"}],
    raises=("issue_not_found",),
)
def get_development_detail(call: Call, params: DevelopmentKind) -> JsonObject:
    """List the pull requests, commits by repository, and branches of an issue; of one kind when it is named."""
    context = JiraContext(call)
    kind = KINDS.get(params.dataType or "")
    rows = [row for row in _list_work(context, params.issueId) if kind in (None, row.kind)]
    address = call.public_link("", "github")
    rows = rows if params.applicationType.casefold() == INSTANCE.casefold() else []
    of = {name: [row for row in rows if row.kind == name] for name in KINDS.values()}
    detail = {
        "branches": [_branch_to_json(address, row) for row in of["branch"]],
        "pullRequests": [_pull_to_json(address, row) for row in of["pull"]],
        "repositories": _group_commits(address, of["commit"]),
        "_instance": {
            "name": INSTANCE,
            "baseUrl": address,
            "type": INSTANCE,
            "id": INSTANCE,
            "typeName": INSTANCE,
            "singleInstance": True,
        },
    }
    return {"errors": [], "detail": [detail]}


def _repository_to_json(address: str, name: str) -> JsonObject:
    return {"name": name, "url": f"{address}/{name}"}


def _branch_to_json(address: str, row: Development) -> JsonObject:
    return {"name": row.title, "url": row.url, "repository": _repository_to_json(address, row.repository)}


def _pull_to_json(address: str, row: Development) -> JsonObject:
    number, _, title = row.title.partition(" ")
    return {
        "id": number,
        "name": title,
        "url": row.url,
        "status": row.state.upper(),
        "author": {"name": row.author},
        "reviewers": [],
        "lastUpdate": format_timestamp(row.updated_at),
        "repositoryName": row.repository,
        "repositoryUrl": f"{address}/{row.repository}",
    }


def _group_commits(address: str, rows: Iterable[Development]) -> list[JsonObject]:
    by_name: dict[str, list[Development]] = {}
    for row in rows:
        by_name.setdefault(row.repository, []).append(row)
    return [
        {**_repository_to_json(address, name), "commits": [_commit_to_json(row) for row in by_name[name]]}
        for name in sorted(by_name)
    ]


def _commit_to_json(row: Development) -> JsonObject:
    short, _, message = row.title.partition(" ")
    return {
        "id": row.url.rpartition("/")[2],
        "displayId": short,
        "message": message,
        "url": row.url,
        "author": {"name": row.author},
        "authorTimestamp": format_timestamp(row.updated_at),
    }
