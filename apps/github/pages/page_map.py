"""Map from each operation to its page: the form of a write, or the view of a read; braces name arguments.

A key `operation+argument` is the page to use when that argument is given. Operations without a form of their own are on
`/more`.
"""

from apps.github import app

ISSUE = "/{owner}/{repo}/issues/{issue_number}"
PULL = "/{owner}/{repo}/pull/{pull_number}"
WORK: dict[str, str] = {  # issues, pull requests, people
    "issues/list-labels-for-repo": "/{owner}/{repo}/labels",
    "issues/list-milestones": "/{owner}/{repo}/milestones",
    "issues/get-milestone": "/{owner}/{repo}/milestones/{milestone_number}/edit",
    "issues/update-milestone": "/{owner}/{repo}/milestones",
    "issues/delete-milestone": "/{owner}/{repo}/milestones",
    "issues/create-label": "/{owner}/{repo}/labels?dialog=new",
    "issues/delete-label": "/{owner}/{repo}/labels",
    "pulls/get": PULL,
    "pulls/list-commits": f"{PULL}/commits",
    "pulls/list-files": f"{PULL}/files",
    "web/pulls/conflicts": f"{PULL}/conflicts",
    "web/pulls/mark-file-viewed": f"{PULL}/files",
    "web/pulls/convert-to-draft": PULL,
    "repos/compare-commits-with-basehead": "/{owner}/{repo}/compare/{basehead}",
    "search/issues-and-pull-requests": "/issues",
    "activity/list-notifications-for-authenticated-user": "/notifications",
    "users/get-by-username": "/{username}",
    "orgs/list-members": "/orgs/{org}/people",
    "teams/list": "/orgs/{org}/teams",
    "teams/get-by-name": "/orgs/{org}/teams/{team_slug}",
}
FORMS: dict[str, str] = {
    "issues/create": "/{owner}/{repo}/issues/new",
    "issues/get": ISSUE,
    "issues/list-comments": ISSUE,
    "issues/list-for-repo": "/{owner}/{repo}/issues",
    "issues/list-events-for-timeline": ISSUE,
    "issues/lock": ISSUE,
    "issues/unlock": ISSUE,
    "web/overview": "/{owner}/{repo}/issues",
    "web/issues/list-pinned": "/{owner}/{repo}/issues",
    "web/issues/pin": ISSUE,
    "web/issues/unpin": ISSUE,
    "web/issues/list-transfer-targets": "/{owner}/{repo}/issues",
    "web/issues/transfer": f"{ISSUE}?dialog=transfer",
}
PLACES: dict[str, str] = {
    **{id: f"/more/{id}" for id, operation in app.operations.items() if operation.writes},
    **FORMS,
    **WORK,
}
