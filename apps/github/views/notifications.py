"""JSON shapes of inbox threads. Source: the published OpenAPI description, schema thread."""

import json
from collections.abc import Sequence
from typing import TypedDict

from apps.github.domain.context import GithubContext, stamp
from apps.github.models import Repository
from apps.github.models_issues import Notification
from apps.github.views.accounts import minimal_repo
from world.core.json_types import JsonObject

Subject = dict[str, str]
_ISSUES = """SELECT i.id, i.title, i.number, (SELECT max(c.id) FROM github_comment c WHERE c.issue_id = i.id)
    FROM github_issue i WHERE i.id IN (SELECT value FROM json_each(:ids))"""
_OTHERS = {  # subject -> its title by id
    "Release": (
        "SELECT id, coalesce(nullif(name, ''), tag) FROM github_release WHERE id IN (SELECT value FROM json_each(:ids))"
    ),
    "CheckSuite": (
        """SELECT s.id, coalesce((SELECT w.name FROM github_run r JOIN github_workflow w ON w.id = r.workflow_id WHERE
            r.suite_id = s.id
        ORDER BY r.id LIMIT 1), s.app) || ' workflow run ' || CASE coalesce(s.conclusion, s.status) WHEN 'failure' THEN
        'failed'
        WHEN 'success' THEN 'succeeded' WHEN 'timed_out' THEN 'timed out' ELSE coalesce(s.conclusion, s.status) END ||
        ' for '
        || coalesce(s.head_branch, substr(s.head_sha, 1, 7)) || ' branch' FROM github_check_suite s
        WHERE s.id IN (SELECT value FROM json_each(:ids))"""
    ),
    "Commit": "SELECT id, substr(sha, 1, 7) FROM github_commit_comment WHERE id IN (SELECT value FROM json_each(:ids))",
}
_PATHS = {"Release": "releases", "CheckSuite": "check-suites", "Commit": "comments"}


class ThreadJson(TypedDict):
    """Response of `_thread`."""

    id: str
    unread: bool
    reason: str
    updated_at: str | None
    last_read_at: str | None
    subject: dict[str, str]
    repository: JsonObject
    url: str
    subscription_url: str


def threads_json(context: GithubContext, rows: Sequence[Notification]) -> list[ThreadJson]:
    """Render threads of an inbox."""
    repos = {row.repo_id: repo for row in rows if (repo := context.repo_by_id(row.repo_id)) is not None}
    shown = {id: minimal_repo(context, repo) for id, repo in repos.items()}
    subjects = _subjects(context, rows, repos)
    return [_thread(context, row, shown[row.repo_id], subjects.get((row.subject, row.subject_id))) for row in rows]


def _thread(context: GithubContext, row: Notification, repo: JsonObject, subject: Subject | None) -> ThreadJson:
    url = f"{context.api}/notifications/threads/{row.id}"
    gone = {"title": "", "url": repo["url"], "latest_comment_url": repo["url"]}
    return {
        "id": str(row.id),
        "unread": row.unread,
        "reason": row.reason,
        "updated_at": stamp(row.updated_at),
        "last_read_at": stamp(row.read_at),
        "subject": {**(subject or gone), "type": row.subject},
        "repository": repo,
        "url": url,
        "subscription_url": f"{url}/subscription",
    }


def _subjects(
    context: GithubContext, rows: Sequence[Notification], repos: dict[int, Repository]
) -> dict[tuple[str, int], Subject]:
    out: dict[tuple[str, int], Subject] = {}
    urls = {id: context.repo_api(repo) for id, repo in repos.items()}
    where = {(row.subject, row.subject_id): urls[row.repo_id] for row in rows}
    for id, title, number, comment in context.call.all(_ISSUES, {"ids": _ids(rows, "Issue", "PullRequest")}):
        for kind, path in (("Issue", "issues"), ("PullRequest", "pulls")):
            if root := where.get((kind, id)):
                url = f"{root}/{path}/{number}"
                out[kind, id] = {
                    "title": title,
                    "url": url,
                    "latest_comment_url": f"{root}/issues/comments/{comment}" if comment else url,
                }
    for kind, sql in _OTHERS.items():
        for id, title in context.call.all(sql, {"ids": _ids(rows, kind)}):
            url = f"{where[kind, id]}/{_PATHS[kind]}/{id}"
            out[kind, id] = {"title": title, "url": url, "latest_comment_url": url}
    return out


def title_of(context: GithubContext, kind: str, id: int) -> str:
    """Return the title of a notification's release, run or commit."""
    row = context.call.first(_OTHERS[kind], {"ids": json.dumps([id])}) if kind in _OTHERS else None
    return row[1] if row is not None else kind


def _ids(rows: Sequence[Notification], *kinds: str) -> str:
    return json.dumps([row.subject_id for row in rows if row.subject in kinds])
