"""Tools of pull requests: read, opened, changed, reviewed, merged, searched."""

from mcp_servers.github import prepare, responses, trimmed_objects
from mcp_servers.github.arguments import PAGE, PULL, fields, flag, text, texts, upper
from mcp_servers.github.issue_tools import FOUND, PLACE, SEARCH, SEARCHED
from mcp_servers.github.responses import by, many, one, render_search, render_sentence
from mcp_servers.tools import ArgumentForm, Surface

HERE = ("owner", "repo")
ONE = (*HERE, "pullNumber")
LISTED = (
    "number",
    "title",
    "body",
    "state",
    "draft",
    "merged",
    "mergeable_state",
    "html_url",
    "user",
    "labels",
    "assignees",
    "requested_reviewers",
    "merged_by",
    "head",
    "base",
    "created_at",
    "updated_at",
    "closed_at",
    "merged_at",
    "milestone",
)
REVIEWERS = {"reviewers": texts("Who shall review it: logins, or organisation/team.")}
CONDITION = {"after": text("The endCursor of the page before; for get_review_comments.")}
THREAD = {"threadID": text("Id of the review thread, PRRT_...")}
COMMENT = {**PULL, "subjectType": "subject_type", "startLine": "start_line", "startSide": "start_side"}
COMMENTED = (*ONE, "path", "body", "subjectType", "line", "side", "startLine", "startSide")
REVIEW = {**PULL, "commitID": "commit_id"}


def declare(surface: Surface) -> None:
    """Add the tools to a surface."""
    _add_read_tools(surface)
    _add_write_tools(surface)
    _declare_reviews(surface)
    _declare_review_comments(surface)
    _declare_single_reviews(surface)
    _declare_single_changes(surface)


def _add_read_tools(surface: Surface) -> None:
    surface.tool(
        "list_pull_requests",
        "pulls/list",
        description="List the pull requests of a repository, by state, head and base.",
        rename=PAGE,
        only=[*HERE, "state", "head", "base", "sort", "direction", "page", "perPage", "fields"],
        required=HERE,
        ignored=fields(*LISTED),
        result=many(trimmed_objects.pull),
    )
    surface.tool(
        "pull_request_read",
        {
            "get": "pulls/get",
            "get_diff": "pulls/get",
            "get_status": "repos/get-combined-status-for-ref",
            "get_files": "pulls/list-files",
            "get_commits": "pulls/list-commits",
            "get_review_comments": "web/pulls/threads",
            "get_reviews": "pulls/list-reviews",
            "get_comments": "issues/list-comments",
            "get_check_runs": "checks/list-for-ref",
            "get_ci_summary": "checks/list-for-ref",
        },
        description=(
            "Read one pull request: itself, diff, files, commits, review threads, reviews, comments, statuses, checks."
        ),
        by="method",
        rename={**PULL, **PAGE},
        only=["method", *ONE, "page", "perPage", "after"],
        required=["method", *ONE],
        describe={"method": "What to read."},
        ignored=CONDITION,
        prepare=prepare.pull_read,
        result=by(
            "method",
            {
                "get": one(trimmed_objects.pull),
                "get_diff": responses.raw,
                "get_status": responses.status,
                "get_files": many(trimmed_objects.trim_changed_file),
                "get_commits": many(trimmed_objects.pull_commit),
                "get_review_comments": responses.threads,
                "get_reviews": many(trimmed_objects.review),
                "get_comments": many(trimmed_objects.comment),
                "get_check_runs": many(trimmed_objects.check_run, "check_runs"),
                "get_ci_summary": responses.summary,
            },
        ),
    )
    surface.tool(
        "search_pull_requests",
        "search/issues-and-pull-requests",
        description=(
            "Search pull requests by words and qualifiers such as is:open, author:, review-requested:, head:, base:."
        ),
        rename=SEARCH,
        only=SEARCHED,
        required=["query"],
        ignored={**PLACE, **fields(*FOUND)},
        prepare=prepare.within("is:pr"),
        result=render_search(trimmed_objects.trim_found_issue),
    )


def _add_write_tools(surface: Surface) -> None:
    surface.tool(
        "create_pull_request",
        {"create": "pulls/create", "open": "web/pulls/open"},
        description="Open a pull request from a branch into another, and ask people to review it.",
        pick=prepare.pick_open_operation,
        only=[*HERE, "title", "head", "base", "body", "draft", "reviewers", "maintainer_can_modify"],
        required=[*HERE, "title", "head", "base"],
        describe={"title": "The title."},
        ignored=REVIEWERS,
        prepare=prepare.reviewers,
        result=one(trimmed_objects.trim_created),
    )
    surface.tool(
        "update_pull_request",
        {
            "update": "pulls/update",
            "reviewers": "pulls/request-reviewers",
            "draft": "web/pulls/convert-to-draft",
            "ready": "web/pulls/mark-ready",
            "edit": "web/pulls/edit",
        },
        description="Change a pull request: title, text, state, base, draft or ready; ask more people to review it.",
        rename=PULL,
        pick=prepare.pick_update_operation,
        only=[*ONE, "title", "body", "state", "base", "draft", "reviewers", "maintainer_can_modify"],
        required=ONE,
        forms={"draft": flag("true makes it a draft, false ready for review.")},
        ignored=REVIEWERS,
        prepare=prepare.reviewers,
        result=one(trimmed_objects.trim_created),
    )
    surface.tool(
        "merge_pull_request",
        "pulls/merge",
        description="Merge a pull request.",
        rename=PULL,
        only=[*ONE, "commit_title", "commit_message", "merge_method"],
        required=ONE,
    )
    surface.tool(
        "update_pull_request_branch",
        "pulls/update-branch",
        description="Merge the base branch into the branch of a pull request.",
        rename={**PULL, "expectedHeadSha": "expected_head_sha"},
        only=[*ONE, "expectedHeadSha"],
        required=ONE,
    )


def _declare_reviews(surface: Surface) -> None:
    surface.tool(
        "pull_request_review_write",
        {
            "create": "pulls/create-review",
            "submit_pending": "pulls/submit-review",
            "delete_pending": "pulls/delete-pending-review",
            "resolve_thread": "web/threads/resolve",
            "unresolve_thread": "web/threads/unresolve",
        },
        description=(
            "Review a pull request: create with event submits at once, without leaves it pending; or settle threads."
        ),
        by="method",
        rename=REVIEW,
        only=["method", *ONE, "body", "event", "commitID", "threadId"],
        required=["method", *ONE],
        describe={"method": "What to do.", "event": "APPROVE, REQUEST_CHANGES or COMMENT."},
        ignored={"threadId": text("Id of the review thread, PRRT_..., to resolve or unresolve.")},
        prepare=prepare.prepare_review,
        result=by(
            "method",
            {
                "create": _describe_created_review,
                "submit_pending": render_sentence("pending pull request review successfully submitted"),
                "delete_pending": render_sentence("pending pull request review successfully deleted"),
                "resolve_thread": render_sentence("review thread resolved successfully"),
                "unresolve_thread": render_sentence("review thread unresolved successfully"),
            },
        ),
    )


def _declare_review_comments(surface: Surface) -> None:
    surface.tool(
        "add_comment_to_pending_review",
        "web/pulls/draft-comment",
        description=(
            "Add a comment on a file or its lines to your pending review, begun with pull_request_review_write."
        ),
        rename=COMMENT,
        only=COMMENTED,
        required=COMMENTED[:6],
        forms=_sides(),
        describe={"path": "The file."},
        prepare=prepare.to_pending,
        result=render_sentence("pull request review comment successfully added to pending review"),
    )
    surface.tool(
        "add_pull_request_review_comment",
        "web/pulls/draft-comment",
        description="Add a comment on a file or its lines to your pending review.",
        rename=COMMENT,
        only=COMMENTED,
        required=COMMENTED[:6],
        forms=_sides(),
        describe={"path": "The file."},
        prepare=prepare.to_pending,
        result=render_sentence("pull request review comment successfully added to pending review"),
    )
    surface.tool(
        "add_reply_to_pull_request_comment",
        {
            "body": "pulls/create-reply-for-review-comment",
            "reaction": "reactions/create-for-pull-request-review-comment",
        },
        description="Reply to a comment on a pull request's code, or react to it.",
        rename={**PULL, "commentId": "comment_id", "reaction": "content"},
        pick=prepare.pick_reply_operation,
        only=[*ONE, "commentId", "body", "reaction"],
        required=[*HERE, "commentId"],
        describe={"reaction": "A reaction, instead of body."},
        prepare=prepare.reply,
        result=lambda answer: (
            one(trimmed_objects.trim_created) if answer.arguments.get("body") else one(trimmed_objects.reaction)
        )(answer),
    )
    surface.tool(
        "add_pull_request_review_comment_reaction",
        "reactions/create-for-pull-request-review-comment",
        description="React to a comment on a pull request's code.",
        only=[*HERE, "comment_id", "content"],
        result=one(trimmed_objects.reaction),
    )


def _describe_created_review(answer: responses.ToolAnswer) -> str:
    return (
        "pull request review submitted successfully"
        if answer.arguments.get("event")
        else "pending pull request created"
    )


def _sides() -> dict[str, ArgumentForm]:
    sides = {"type": "string", "enum": ["LEFT", "RIGHT"]}
    return {
        "subjectType": upper("LINE, or FILE for the whole file.", "FILE", "LINE"),
        "side": ArgumentForm({**sides, "description": "LEFT for the old file, RIGHT for the new one."}),
        "startSide": ArgumentForm({**sides, "description": "The side of the first of several lines."}),
    }


def _declare_single_reviews(surface: Surface) -> None:
    surface.tool(
        "create_pull_request_review",
        "pulls/create-review",
        description="Review a pull request; without event the review stays pending.",
        rename=REVIEW,
        only=[*ONE, "body", "event", "commitID"],
        required=ONE,
        result=_describe_created_review,
    )
    surface.tool(
        "submit_pending_pull_request_review",
        "pulls/submit-review",
        description="Submit your pending review.",
        rename=PULL,
        only=[*ONE, "event", "body"],
        required=[*ONE, "event"],
        prepare=prepare.prepare_pending_review,
        result=render_sentence("pending pull request review successfully submitted"),
    )
    surface.tool(
        "delete_pending_pull_request_review",
        "pulls/delete-pending-review",
        description="Delete your pending review and its comments.",
        rename=PULL,
        only=ONE,
        required=ONE,
        prepare=prepare.prepare_pending_review,
        result=render_sentence("pending pull request review successfully deleted"),
    )
    surface.tool(
        "request_pull_request_reviewers",
        "pulls/request-reviewers",
        description="Ask people or teams to review a pull request.",
        rename=PULL,
        only=[*ONE, "reviewers"],
        required=[*ONE, "reviewers"],
        ignored=REVIEWERS,
        prepare=prepare.reviewers,
        result=one(trimmed_objects.trim_created),
    )


def _declare_single_changes(surface: Surface) -> None:
    for word, done in (("resolve", "resolved"), ("unresolve", "unresolved")):
        surface.tool(
            f"{word}_review_thread",
            f"web/threads/{word}",
            description=f"{word.capitalize()} a conversation on a pull request's code.",
            only=["threadID"],
            required=["threadID"],
            ignored=THREAD,
            prepare=prepare.one_thread,
            result=render_sentence(f"review thread {done} successfully"),
        )
    for name, text_of in (("title", "The new title."), ("body", "The new text, in Markdown.")):
        surface.tool(
            f"update_pull_request_{name}",
            "pulls/update",
            description=f"Change the {name} of a pull request.",
            rename=PULL,
            only=[*ONE, name],
            required=[*ONE, name],
            describe={name: text_of},
            result=one(trimmed_objects.trim_created),
        )
    surface.tool(
        "update_pull_request_state",
        "pulls/update",
        description="Close a pull request, or open it again.",
        rename=PULL,
        only=[*ONE, "state"],
        required=[*ONE, "state"],
        result=one(trimmed_objects.trim_created),
    )
    surface.tool(
        "update_pull_request_draft_state",
        {"draft": "web/pulls/convert-to-draft", "ready": "web/pulls/mark-ready"},
        description="Make a draft of a pull request, or say it is ready for review.",
        rename=PULL,
        pick=prepare.stage,
        only=[*ONE, "draft"],
        required=[*ONE, "draft"],
        ignored={"draft": flag("true makes it a draft, false ready for review.")},
        result=one(trimmed_objects.trim_created),
    )
