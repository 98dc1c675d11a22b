"""The daily tools of GitHub's own server: of its default toolsets context, repos, issues, pull_requests and users.

`vendor_full` has all tools; it describes the answers and says what is left out.
"""

from mcp_servers.github import vendor_full
from mcp_servers.tools import Surface

DAILY = (
    "get_me",
    "get_file_contents",
    "search_code",
    "search_repositories",
    "list_branches",
    "create_branch",
    "list_commits",
    "get_commit",
    "create_or_update_file",
    "push_files",
    "list_issues",
    "issue_read",
    "issue_write",
    "add_issue_comment",
    "sub_issue_write",
    "search_issues",
    "list_pull_requests",
    "pull_request_read",
    "search_pull_requests",
    "create_pull_request",
    "update_pull_request",
    "merge_pull_request",
    "pull_request_review_write",
    "add_comment_to_pending_review",
    "search_users",
)

_known = {tool.name: tool for tool in vendor_full.surface.tools}
BESIDE = (
    "actions/re-run-workflow-failed-jobs",
    *("git/delete-ref", "issues/list-milestones", "issues/update", "issues/update-milestone"),
    "pulls/remove-requested-reviewers",
    *("repos/create-release", "web/pulls/revert"),
)
surface = Surface("vendor", app="github", default=True, tools=[_known[name] for name in DAILY], beside=BESIDE)
