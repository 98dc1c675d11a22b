"""Tools of issues: read, written, commented, ordered below each other, labelled, searched."""

from mcp_servers.github import prepare, responses, trimmed_objects
from mcp_servers.github.arguments import PAGE, choice, fields, flag, integer, text, upper
from mcp_servers.github.errors import follow_moved
from mcp_servers.github.responses import by, many, one, render_search
from mcp_servers.tools import ArgumentForm, Surface

HERE = ("owner", "repo")
ISSUE = (*HERE, "issue_number")
METHOD = {"method": "What to do."}
FOUND = (
    "number",
    "title",
    "body",
    "state",
    "state_reason",
    "draft",
    "locked",
    "html_url",
    "user",
    "author_association",
    "labels",
    "assignees",
    "milestone",
    "comments",
    "reactions",
    "created_at",
    "updated_at",
    "closed_at",
    "closed_by",
    "type",
    "repository_url",
    "pull_request",
)
SEARCH = {"query": "q", **PAGE}
SEARCHED = ("query", "owner", "repo", "sort", "order", "page", "perPage", "fields")
PLACE = {"owner": text("Only in what this account owns."), "repo": text("Only in this repository, with owner.")}


def declare(surface: Surface) -> None:
    """Add the tools to a surface."""
    _add_read_tools(surface)
    _add_write_tools(surface)
    _order(surface)
    _labels(surface)


def _add_read_tools(surface: Surface) -> None:
    surface.tool(
        "list_issues",
        "web/issues",
        description="List the issues of a repository, without pull requests, a page at a time by cursor.",
        rename={"orderBy": "sort", **PAGE},
        only=[*HERE, "state", "labels", "since", "orderBy", "direction", "perPage", "after", "field_filters", "fields"],
        required=HERE,
        forms={
            "state": upper("OPEN or CLOSED; both if left out.", "OPEN", "CLOSED"),
            "orderBy": _order_by(),
            "direction": upper("ASC or DESC.", "ASC", "DESC"),
        },
        ignored={
            "field_filters": ArgumentForm(
                {"type": "array", "items": {"type": "object"}, "description": "Not possible: no issue fields here."}
            ),
            **fields("number", "title", "body", "state", "user", "labels", "comments", "created_at", "updated_at"),
        },
        prepare=prepare.prepare_issue_list,
        result=responses.render_issues,
    )
    surface.tool(
        "issue_read",
        {
            "get": "issues/get",
            "get_comments": "issues/list-comments",
            "get_sub_issues": "issues/list-sub-issues",
            "get_parent": "issues/get-parent",
            "get_labels": "issues/list-labels-on-issue",
        },
        description="Read one issue: itself, its comments, the issues below and above it, or its labels.",
        by="method",
        rename=PAGE,
        only=["method", *ISSUE, "page", "perPage"],
        required=["method", *ISSUE],
        describe={"method": "What to read."},
        follow=follow_moved,
        result=by(
            "method",
            {
                "get": one(trimmed_objects.issue),
                "get_comments": many(trimmed_objects.comment),
                "get_sub_issues": many(trimmed_objects.sub_issue),
                "get_parent": one(lambda found: {"parent": trimmed_objects.parent(found)}),
                "get_labels": responses.labels,
            },
        ),
    )
    surface.tool(
        "search_issues",
        "search/issues-and-pull-requests",
        description="Search issues by words and qualifiers such as is:open, label:, author:, assignee:, created:.",
        rename=SEARCH,
        only=SEARCHED,
        required=["query"],
        ignored={**PLACE, **fields(*FOUND)},
        prepare=prepare.within("is:issue"),
        result=render_search(trimmed_objects.trim_found_issue),
    )


def _order_by() -> ArgumentForm:
    named = {"CREATED_AT": "created", "UPDATED_AT": "updated", "COMMENTS": "comments"}
    back = {value: key for key, value in named.items()}
    return ArgumentForm(
        {"type": "string", "enum": list(named), "description": "What to sort by."},
        lambda value: named.get(value, value),
        back.get,
    )


def _add_write_tools(surface: Surface) -> None:
    surface.tool(
        "issue_write",
        {"create": "issues/create", "update": "issues/update"},
        description="Open an issue, or change one: text, labels, assignees, milestone, type, state.",
        by="method",
        only=[
            "method",
            *ISSUE,
            "title",
            "body",
            "labels",
            "assignees",
            "milestone",
            "state",
            "state_reason",
            "duplicate_of",
            "type",
            "issue_fields",
        ],
        required=["method", *HERE],
        describe={
            "method": "create or update.",
            "issue_number": "The issue to update.",
            "labels": "All labels it shall have.",
            "assignees": "Logins of all who shall be assigned.",
            "milestone": "Number of a milestone.",
        },
        forms={"labels": _names(), "milestone": integer("Number of a milestone."), "title": text("The title.")},
        ignored={
            "duplicate_of": integer("Number of the issue this one duplicates."),
            "issue_fields": ArgumentForm(
                {"type": "array", "items": {"type": "object"}, "description": "Not possible: no issue fields here."}
            ),
        },
        prepare=prepare.issue_written,
        result=one(trimmed_objects.trim_created),
    )
    surface.tool(
        "add_issue_comment",
        {
            "body": "issues/create-comment",
            "issue": "reactions/create-for-issue",
            "comment": "reactions/create-for-issue-comment",
        },
        description="Comment on an issue or pull request; or react to it, or with comment_id to a comment of it.",
        rename={"reaction": "content"},
        pick=prepare.pick_comment_operation,
        only=[*ISSUE, "body", "comment_id", "reaction"],
        required=ISSUE,
        describe={"comment_id": "A comment to react to.", "reaction": "A reaction, instead of body."},
        result=lambda answer: (
            one(trimmed_objects.trim_created) if answer.arguments.get("body") else one(trimmed_objects.reaction)
        )(answer),
    )
    surface.tool(
        "add_issue_reaction",
        "reactions/create-for-issue",
        description="React to an issue or pull request.",
        only=[*ISSUE, "content"],
        result=one(trimmed_objects.reaction),
    )
    surface.tool(
        "add_issue_comment_reaction",
        "reactions/create-for-issue-comment",
        description="React to a comment on an issue or pull request.",
        only=[*HERE, "comment_id", "content"],
        result=one(trimmed_objects.reaction),
    )


def _names() -> ArgumentForm:
    return ArgumentForm(
        {"type": "array", "items": {"type": "string"}, "description": "All labels it shall have, by name."}, write=list
    )


def _order(surface: Surface) -> None:
    surface.tool(
        "sub_issue_write",
        {
            "add": "issues/add-sub-issue",
            "remove": "issues/remove-sub-issue",
            "reprioritize": "issues/reprioritize-sub-issue",
        },
        description="Put an issue below another, take it away, or move it among its siblings.",
        by="method",
        only=["method", *ISSUE, "sub_issue_id", "replace_parent", "after_id", "before_id"],
        required=["method", *ISSUE, "sub_issue_id"],
        describe={
            **METHOD,
            "issue_number": "Number of the issue above.",
            "sub_issue_id": "Id, not number, of the issue below.",
        },
        result=one(trimmed_objects.trim_created),
    )
    surface.tool(
        "add_sub_issue",
        "issues/add-sub-issue",
        description="Put an issue below another.",
        only=[*ISSUE, "sub_issue_id", "replace_parent"],
        required=[*ISSUE, "sub_issue_id"],
        result=one(trimmed_objects.trim_created),
    )
    surface.tool(
        "remove_sub_issue",
        "issues/remove-sub-issue",
        description="Take an issue away from below another.",
        only=[*ISSUE, "sub_issue_id"],
        result=one(trimmed_objects.trim_created),
    )
    surface.tool(
        "reprioritize_sub_issue",
        "issues/reprioritize-sub-issue",
        description="Move a sub-issue behind or before another.",
        only=[*ISSUE, "sub_issue_id", "after_id", "before_id"],
        required=[*ISSUE, "sub_issue_id"],
        result=one(trimmed_objects.trim_created),
    )
    surface.tool(
        "issue_dependency_read",
        {"get_blocked_by": "issues/list-dependencies-blocked-by", "get_blocking": "issues/list-dependencies-blocking"},
        description="List the issues that block an issue, or those it blocks.",
        by="method",
        rename=PAGE,
        only=["method", *ISSUE, "page", "perPage"],
        required=["method", *ISSUE],
        describe={"method": "What to read."},
        result=many(trimmed_objects.issue),
    )
    surface.tool(
        "issue_dependency_write",
        {"add": "issues/add-blocked-by-dependency", "remove": "issues/remove-dependency-blocked-by"},
        description="Say, or no longer say, that an issue is blocked by another or blocks it.",
        by="method",
        only=["method", "type", *ISSUE, "related_owner", "related_repo", "related_issue_number"],
        required=["method", "type", *ISSUE, "related_issue_number"],
        describe=METHOD,
        ignored={
            "type": choice(
                "blocked_by: the related issue blocks this one; blocking: this one blocks it.", "blocked_by", "blocking"
            ),
            "related_owner": text("Owner of the related issue's repository; the same if left out."),
            "related_repo": text("The related issue's repository; the same if left out."),
            "related_issue_number": integer("Number of the related issue."),
        },
        prepare=prepare.dependent,
        result=one(trimmed_objects.trim_created),
    )


def _labels(surface: Surface) -> None:
    surface.tool(
        "get_label",
        "issues/get-label",
        description="Read a label of a repository.",
        only=[*HERE, "name"],
        result=one(trimmed_objects.label),
    )
    surface.tool(
        "list_label",
        "issues/list-labels-for-repo",
        description="List the labels of a repository.",
        only=HERE,
        fixed={"per_page": 100},
        result=responses.labels,
    )
    surface.tool(
        "label_write",
        {"create": "issues/create-label", "update": "issues/update-label", "delete": "issues/delete-label"},
        description="Create, change or delete a label of a repository.",
        by="method",
        only=["method", *HERE, "name", "new_name", "color", "description"],
        required=["method", *HERE, "name"],
        describe=METHOD,
        result=lambda answer: f"label '{answer.arguments['name']}' {answer.arguments['method']}d successfully",
    )
    surface.tool(
        "create_issue",
        "issues/create",
        description="Open an issue.",
        only=[*HERE, "title", "body"],
        required=[*HERE, "title"],
        forms={"title": text("The title.")},
        result=one(trimmed_objects.trim_created),
    )
    _single_changes(surface)


WHY = {
    "rationale": text("Why; accepted, not kept."),
    "is_suggestion": flag("Accepted; the change is made at once."),
    "confidence": text("Accepted, not kept."),
}


def _single_changes(surface: Surface) -> None:
    for name, form in {
        "title": text("The new title."),
        "body": text("The new text, in Markdown."),
        "labels": _names(),
        "assignees": ArgumentForm(
            {"type": "array", "items": {"type": "string"}, "description": "Logins of all who shall be assigned."}
        ),
        "milestone": integer("Number of the milestone."),
    }.items():
        surface.tool(
            f"update_issue_{name}",
            "issues/update",
            description=f"Change the {name} of an issue.",
            only=[*ISSUE, name],
            required=[*ISSUE, name],
            forms={name: form},
            result=one(trimmed_objects.trim_created),
        )
    surface.tool(
        "update_issue_state",
        "issues/update",
        description="Close an issue, saying why, or open it again.",
        only=[*ISSUE, "state", "state_reason", "duplicate_of", *WHY],
        required=[*ISSUE, "state"],
        ignored={**WHY, "duplicate_of": integer("Number of the issue this one duplicates.")},
        prepare=prepare.prepare_duplicate,
        result=one(trimmed_objects.trim_created),
    )
    surface.tool(
        "update_issue_type",
        "issues/update",
        description="Change the type of an issue.",
        rename={"issue_type": "type"},
        only=[*ISSUE, "issue_type", *WHY],
        required=[*ISSUE, "issue_type"],
        ignored=WHY,
        result=one(trimmed_objects.trim_created),
    )
