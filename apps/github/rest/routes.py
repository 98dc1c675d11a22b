"""Route table of the REST door: method and path to operation, and the places of its arguments."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import get_args
from urllib.parse import unquote

from apps.github import app
from apps.github.rest.routes_actions import ACTIONS
from apps.github.rest.routes_activity import ACTIVITY
from apps.github.rest.routes_pulls import PROTECTION, PULLS
from apps.github.rest.routes_repositories import REPOSITORIES
from world.core.params import Params

_HOLE = re.compile(r"\{(\w+)([*#]?)\}")
_FITS = {"": "[^/]+", "*": ".+?", "#": r"\d+"}


@dataclass(frozen=True)
class Line:
    """One route, relative to the API's root.

    `{name}` is one path segment, `{name*}` may hold slashes, `{name#}` is a number.

    Arguments outside the path travel in the query, or in a JSON body when the method has one, except those listed in
    `query`. `whole`: a body that is no object is the value of this argument. `raw`: the body, whatever it is, is its
    value, in base64. `renamed`: a body's field -> the argument's name.
    """

    method: str
    path: str
    operation: str
    status: int = 200
    query: frozenset[str] = frozenset()
    whole: str = ""
    renamed: tuple[tuple[str, str], ...] = ()
    raw: str = ""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Pattern of a raw path, still percent-encoded."""
        parts = _HOLE.split(self.path)
        out = re.escape(parts[0])
        for name, kind, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            out += f"(?P<{name}>{_FITS[kind]})" + re.escape(text)
        return re.compile(out if self.path.endswith("*}") else out + "/?")

    @cached_property
    def names(self) -> list[str]:
        """Arguments in the path."""
        return [name for name, _ in _HOLE.findall(self.path)]

    @property
    def has_body(self) -> bool:
        """Whether arguments travel in a body."""
        return self.method in ("POST", "PUT", "PATCH", "DELETE")

    @property
    def params(self) -> type[Params]:
        """The operation's parameters."""
        return app.operations[self.operation].params

    @cached_property
    def media(self) -> frozenset[str]:
        """Formats of a response that the Accept header can choose."""
        field = self.params.model_fields.get("mediaType")
        given = get_args(field.annotation) if field is not None else ()
        return frozenset(name for one in given for name in get_args(one))


def _lines(rows: str) -> list[Line]:
    """Parse routes of the form `METHOD path operation [status] [?a,b] [=whole] [@raw] [body>argument]`."""
    out = []
    for row in filter(None, rows.splitlines()):
        method, path, operation, *more = row.split()
        status = next((int(word) for word in more if word.isdigit()), 200)
        query = next((word[1:].split(",") for word in more if word.startswith("?")), [])
        whole = next((word[1:] for word in more if word.startswith("=")), "")
        renamed = tuple((old, new) for old, found, new in (word.partition(">") for word in more) if found)
        raw = next((word[1:] for word in more if word.startswith("@")), "")
        out.append(Line(method, path, operation, status, frozenset(query), whole, renamed, raw))
    return out


# docs.github.com/rest/issues
ISSUES = """
GET /issues issues/list
GET /orgs/{org}/issues issues/list-for-org
GET /repos/{owner}/{repo}/assignees issues/list-assignees
GET /repos/{owner}/{repo}/assignees/{assignee} issues/check-user-can-be-assigned 204
GET /repos/{owner}/{repo}/comments/{comment_id}/reactions reactions/list-for-commit-comment
POST /repos/{owner}/{repo}/comments/{comment_id}/reactions reactions/create-for-commit-comment
DELETE /repos/{owner}/{repo}/comments/{comment_id}/reactions/{reaction_id} reactions/delete-for-commit-comment 204
GET /repos/{owner}/{repo}/issues issues/list-for-repo
POST /repos/{owner}/{repo}/issues issues/create 201
GET /repos/{owner}/{repo}/issues/comments issues/list-comments-for-repo
GET /repos/{owner}/{repo}/issues/comments/{comment_id} issues/get-comment
PATCH /repos/{owner}/{repo}/issues/comments/{comment_id} issues/update-comment
DELETE /repos/{owner}/{repo}/issues/comments/{comment_id} issues/delete-comment 204
GET /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions reactions/list-for-issue-comment
POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions reactions/create-for-issue-comment
DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions/{reaction_id} reactions/delete-for-issue-comment 204
GET /repos/{owner}/{repo}/issues/events issues/list-events-for-repo
GET /repos/{owner}/{repo}/issues/events/{event_id} issues/get-event
GET /repos/{owner}/{repo}/issues/{issue_number} issues/get
PATCH /repos/{owner}/{repo}/issues/{issue_number} issues/update
POST /repos/{owner}/{repo}/issues/{issue_number}/assignees issues/add-assignees 201
DELETE /repos/{owner}/{repo}/issues/{issue_number}/assignees issues/remove-assignees
GET /repos/{owner}/{repo}/issues/{issue_number}/assignees/{assignee} issues/check-user-can-be-assigned-to-issue 204
GET /repos/{owner}/{repo}/issues/{issue_number}/comments issues/list-comments
POST /repos/{owner}/{repo}/issues/{issue_number}/comments issues/create-comment 201
GET /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by issues/list-dependencies-blocked-by
POST /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by issues/add-blocked-by-dependency 201
DELETE /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by/{issue_id} issues/remove-dependency-blocked-by
GET /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocking issues/list-dependencies-blocking
GET /repos/{owner}/{repo}/issues/{issue_number}/events issues/list-events
GET /repos/{owner}/{repo}/issues/{issue_number}/labels issues/list-labels-on-issue
POST /repos/{owner}/{repo}/issues/{issue_number}/labels issues/add-labels =labels
PUT /repos/{owner}/{repo}/issues/{issue_number}/labels issues/set-labels =labels
DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels issues/remove-all-labels 204
DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name} issues/remove-label
PUT /repos/{owner}/{repo}/issues/{issue_number}/lock issues/lock 204
DELETE /repos/{owner}/{repo}/issues/{issue_number}/lock issues/unlock 204
GET /repos/{owner}/{repo}/issues/{issue_number}/parent issues/get-parent
GET /repos/{owner}/{repo}/issues/{issue_number}/reactions reactions/list-for-issue
POST /repos/{owner}/{repo}/issues/{issue_number}/reactions reactions/create-for-issue
DELETE /repos/{owner}/{repo}/issues/{issue_number}/reactions/{reaction_id} reactions/delete-for-issue 204
DELETE /repos/{owner}/{repo}/issues/{issue_number}/sub_issue issues/remove-sub-issue
GET /repos/{owner}/{repo}/issues/{issue_number}/sub_issues issues/list-sub-issues
POST /repos/{owner}/{repo}/issues/{issue_number}/sub_issues issues/add-sub-issue 201
PATCH /repos/{owner}/{repo}/issues/{issue_number}/sub_issues/priority issues/reprioritize-sub-issue
GET /repos/{owner}/{repo}/issues/{issue_number}/timeline issues/list-events-for-timeline
GET /repos/{owner}/{repo}/labels issues/list-labels-for-repo
POST /repos/{owner}/{repo}/labels issues/create-label 201
GET /repos/{owner}/{repo}/labels/{name} issues/get-label
PATCH /repos/{owner}/{repo}/labels/{name} issues/update-label
DELETE /repos/{owner}/{repo}/labels/{name} issues/delete-label 204
GET /repos/{owner}/{repo}/milestones issues/list-milestones
POST /repos/{owner}/{repo}/milestones issues/create-milestone 201
GET /repos/{owner}/{repo}/milestones/{milestone_number} issues/get-milestone
PATCH /repos/{owner}/{repo}/milestones/{milestone_number} issues/update-milestone
DELETE /repos/{owner}/{repo}/milestones/{milestone_number} issues/delete-milestone 204
GET /repos/{owner}/{repo}/milestones/{milestone_number}/labels issues/list-labels-for-milestone
GET /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions reactions/list-for-pull-request-review-comment
POST /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions reactions/create-for-pull-request-review-comment
DELETE /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions/{reaction_id} reactions/delete-for-pull-request-comment 204
GET /repos/{owner}/{repo}/releases/{release_id}/reactions reactions/list-for-release
POST /repos/{owner}/{repo}/releases/{release_id}/reactions reactions/create-for-release
DELETE /repos/{owner}/{repo}/releases/{release_id}/reactions/{reaction_id} reactions/delete-for-release 204
GET /user/issues issues/list-for-authenticated-user
"""

LINES: list[Line] = [
    *_lines(ISSUES),
    *_lines(ACTIONS),
    *_lines(REPOSITORIES),
    *_lines(ACTIVITY),
    *_lines(PULLS),
    *_lines(PROTECTION),
]
BY_OPERATION: dict[str, Line] = {line.operation: line for line in reversed(LINES)}


def _bucket(path: str) -> tuple[str, str]:
    """Return the lookup key of a path: its first segment, and the one after a repository's owner and name."""
    parts = path.split("/")
    deep = parts[4] if parts[1:2] == ["repos"] and len(parts) > 4 else ""
    return parts[1] if len(parts) > 1 else "", deep


def _weight(line: Line) -> tuple[int, int, int]:
    """Return the sort key of a route: greedy parameters last, then longer paths first: `/branches/{branch*}/rename`."""
    greedy = line.path.count("*}")
    return greedy, -line.path.count("/") if greedy else 0, line.path.count("{")


_INDEX: dict[tuple[str, str], list[Line]] = {}
for _line in sorted(LINES, key=_weight):
    _INDEX.setdefault(_bucket(_line.path), []).append(_line)


def find_lines(path: str) -> dict[str, tuple[Line, dict[str, str]]]:
    """Return the routes of a raw path by method, each with its path arguments, decoded once."""
    found: dict[str, tuple[Line, dict[str, str]]] = {}
    for line in _INDEX.get(_bucket(path), ()):
        if line.method not in found and (match := line.pattern.fullmatch(path)):
            found[line.method] = (line, {name: unquote(value) for name, value in match.groupdict().items()})
    return found
