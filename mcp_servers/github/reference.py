"""Twenty-six tools under the names of the archived reference server (2025.4); answers are the REST API's JSON as text.

As that server did, files are given and read as text, and a file is replaced without its SHA having to be told.
"""

from base64 import b64decode

from mcp_servers.github import prepare
from mcp_servers.github.arguments import PAGE, branch, commas, content, integer, text
from mcp_servers.github.errors import follow_moved
from mcp_servers.json_text import as_json
from mcp_servers.tools import Surface, ToolAnswer

HERE = ("owner", "repo")
ISSUE, PULL = (*HERE, "issue_number"), (*HERE, "pull_number")


def render_decoded_file(answer: ToolAnswer) -> str:
    """Render a file with its content as text, or the entries of a folder."""
    shown = answer.result
    if not isinstance(shown, list) and shown.get("encoding") == "base64":
        shown = {**shown, "content": b64decode(shown["content"]).decode("utf-8", "replace")}
    return as_json(shown)


surface = Surface("reference", app="github")
surface.tool(
    "create_or_update_file",
    "repos/create-or-update-file-contents",
    description="Create or replace one file by a commit on a branch.",
    only=[*HERE, "path", "content", "message", "branch", "sha"],
    required=[*HERE, "path", "content", "message", "branch"],
    describe={"branch": "The branch to commit on.", "sha": "Blob SHA of the file to replace; found if left out."},
    forms={"content": content("The whole new text of the file.")},
    prepare=prepare.current,
)
surface.tool(
    "search_repositories",
    "search/repos",
    description="Search repositories by words and qualifiers.",
    rename={"query": "q", **PAGE},
    only=["query", "page", "perPage"],
    required=["query"],
)
surface.tool(
    "create_repository",
    "repos/create-for-authenticated-user",
    description="Create a repository in your account.",
    rename={"autoInit": "auto_init"},
    only=["name", "description", "private", "autoInit"],
    required=["name"],
)
surface.tool(
    "get_file_contents",
    "repos/get-content",
    description="Read a file, or list a folder.",
    rename={"branch": "ref"},
    only=[*HERE, "path", "branch"],
    required=[*HERE, "path"],
    describe={"branch": "Branch to read from; the default branch if left out."},
    prepare=prepare.prepare_read,
    result=render_decoded_file,
)
surface.tool(
    "push_files",
    "web/push-files",
    description="Write several files by one commit on a branch.",
    only=[*HERE, "branch", "files", "message"],
)
surface.tool(
    "create_issue",
    "issues/create",
    description="Open an issue.",
    only=[*HERE, "title", "body", "assignees", "milestone", "labels"],
    required=[*HERE, "title"],
)
surface.tool(
    "create_pull_request",
    "pulls/create",
    description="Open a pull request from a branch into another.",
    only=[*HERE, "title", "body", "head", "base", "draft", "maintainer_can_modify"],
    required=[*HERE, "title", "head", "base"],
)
surface.tool(
    "fork_repository",
    "repos/create-fork",
    description="Fork a repository to your account or to an organisation.",
    only=[*HERE, "organization"],
)
surface.tool(
    "create_branch",
    "git/create-ref",
    description="Create a branch from the head of another, the default branch unless named.",
    rename={"branch": "ref"},
    only=[*HERE, "branch", "from_branch"],
    required=[*HERE, "branch"],
    forms={"branch": branch("Name of the new branch.")},
    ignored={"from_branch": text("Branch to start from; the default branch if left out.")},
    prepare=prepare.prepare_branch,
)
surface.tool(
    "list_commits",
    "repos/list-commits",
    description="List the commits of a branch, newest first.",
    rename=PAGE,
    only=[*HERE, "sha", "page", "perPage"],
    required=HERE,
)
surface.tool(
    "list_issues",
    "issues/list-for-repo",
    description="List the issues and pull requests of a repository.",
    only=[*HERE, "direction", "labels", "page", "per_page", "since", "sort", "state"],
    required=HERE,
    forms={"labels": commas("Names of labels; all must be on it.")},
)
surface.tool(
    "update_issue",
    "issues/update",
    description="Change an issue: text, state, labels, assignees, milestone.",
    only=[*ISSUE, "title", "body", "assignees", "milestone", "labels", "state"],
    required=ISSUE,
)
surface.tool(
    "add_issue_comment",
    "issues/create-comment",
    description="Comment on an issue or pull request.",
    only=[*ISSUE, "body"],
)
surface.tool(
    "search_code",
    "search/code",
    description="Search the files of default branches by words and qualifiers.",
    only=["q", "order", "page", "per_page"],
    required=["q"],
)
surface.tool(
    "search_issues",
    "search/issues-and-pull-requests",
    description="Search issues and pull requests by words and qualifiers.",
    only=["q", "order", "page", "per_page", "sort"],
    required=["q"],
)
surface.tool(
    "search_users",
    "search/users",
    description="Search people and organisations by words and qualifiers.",
    only=["q", "order", "page", "per_page", "sort"],
    required=["q"],
)
surface.tool("get_issue", "issues/get", description="Read an issue.", only=ISSUE, follow=follow_moved)
surface.tool("get_pull_request", "pulls/get", description="Read a pull request.", only=PULL)
surface.tool(
    "list_pull_requests",
    "pulls/list",
    description="List the pull requests of a repository, by state, head and base.",
    only=[*HERE, "state", "head", "base", "sort", "direction", "per_page", "page"],
    required=HERE,
)
surface.tool(
    "create_pull_request_review",
    "pulls/create-review",
    description="Review a pull request, with comments on its diff.",
    only=[*PULL, "commit_id", "body", "event", "comments"],
    required=[*PULL, "body", "event"],
    describe={"event": "APPROVE, REQUEST_CHANGES or COMMENT."},
)
surface.tool(
    "merge_pull_request",
    "pulls/merge",
    description="Merge a pull request.",
    only=[*PULL, "commit_title", "commit_message", "merge_method"],
    required=PULL,
)
surface.tool(
    "get_pull_request_files",
    "pulls/list-files",
    description="List the files a pull request changes.",
    only=PULL,
    fixed={"per_page": 100},
)
surface.tool(
    "get_pull_request_status",
    "repos/get-combined-status-for-ref",
    description="Read the combined status of a pull request's head.",
    only=PULL,
    required=PULL,
    ignored={"pull_number": integer("Number of the pull request.")},
    prepare=prepare.at_head,
)
surface.tool(
    "update_pull_request_branch",
    "pulls/update-branch",
    description="Merge the base branch into the branch of a pull request.",
    only=[*PULL, "expected_head_sha"],
    required=PULL,
)
surface.tool(
    "get_pull_request_comments",
    "pulls/list-review-comments",
    description="List the comments on a pull request's code.",
    only=PULL,
    fixed={"per_page": 100},
)
surface.tool(
    "get_pull_request_reviews",
    "pulls/list-reviews",
    description="List the reviews of a pull request.",
    only=PULL,
    fixed={"per_page": 100},
)
