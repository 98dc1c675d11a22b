"""Tools of repositories: files, branches, commits, releases, and searches over all of them."""

from mcp_servers.github import prepare, responses, trimmed_objects
from mcp_servers.github.arguments import PAGE, branch, choice, content, fields, flag, integer, tag, text
from mcp_servers.github.responses import many, message, one, render_search
from mcp_servers.tools import Surface

HERE = ("owner", "repo")
SEARCH = {"query": "q", **PAGE}
FROM_FILE = {"path": "Path of the file.", "message": "The commit message.", "branch": "The branch to commit on."}


def declare(surface: Surface) -> None:
    """Add the tools to a surface."""
    _declare_files(surface)
    _declare_trees(surface)
    _branches(surface)
    _commits(surface)
    _releases(surface)
    _searches(surface)
    _repositories(surface)


def _declare_files(surface: Surface) -> None:
    surface.tool(
        "get_file_contents",
        "repos/get-content",
        description="Read a file as text, or list a folder, at a branch, tag or commit.",
        only=[*HERE, "path", "ref", "sha", "fields"],
        required=HERE,
        defaults={"path": "/"},
        describe={
            "path": "Path of the file or folder; / for the root.",
            "ref": "Branch, tag or full ref such as refs/pull/7/head.",
        },
        ignored={
            "sha": text("A commit to read at, instead of ref."),
            **fields("type", "name", "path", "size", "sha", "url", "git_url", "html_url", "download_url"),
        },
        prepare=prepare.prepare_read,
        result=responses.contents,
    )
    surface.tool(
        "create_or_update_file",
        "repos/create-or-update-file-contents",
        description=(
            "Write one file by a commit on a branch; to replace a file give its blob SHA, from get_file_contents."
        ),
        only=[*HERE, "path", "content", "message", "branch", "sha", "allow_symlink_write"],
        required=[*HERE, "path", "content", "message", "branch"],
        forms={"content": content("The whole new text of the file.")},
        describe={**FROM_FILE, "sha": "Blob SHA of the file to replace; left out for a new file."},
        ignored={"allow_symlink_write": flag("Write even where a symbolic link stands.", default=False)},
        prepare=prepare.no_link,
        result=one(trimmed_objects.file_change),
    )
    surface.tool(
        "delete_file",
        "repos/delete-file",
        description="Delete a file by a commit on a branch.",
        only=[*HERE, "path", "message", "branch"],
        required=[*HERE, "path", "message", "branch"],
        describe=FROM_FILE,
        prepare=prepare.present,
        result=one(trimmed_objects.file_change),
    )


def _declare_trees(surface: Surface) -> None:
    surface.tool(
        "push_files",
        "web/push-files",
        description="Write several files by one commit on a branch.",
        only=[*HERE, "branch", "files", "message"],
        describe={"files": "The files: path and whole new text of each."},
    )
    surface.tool(
        "get_repository_tree",
        "git/get-tree",
        description="List the files and folders of a repository, all of them with recursive.",
        only=[*HERE, "tree_sha", "recursive", "path_filter"],
        required=HERE,
        describe={"tree_sha": "SHA of a tree or commit, or a branch or tag; the default branch if left out."},
        ignored={
            "recursive": flag("List what is in folders too.", default=False),
            "path_filter": text("Only paths that begin so, such as src/."),
        },
        prepare=prepare.prepare_tree,
        result=responses.tree,
    )
    surface.tool(
        "get_file_blame",
        "web/blame",
        description="Tell which commit brought each range of lines of a file, a page at a time.",
        only=[*HERE, "path", "ref", "start_line", "end_line", "perPage", "after"],
        required=[*HERE, "path"],
        ignored={
            "path": text("Path of the file."),
            "ref": text("Branch, tag or commit; the default branch if left out."),
            "start_line": integer("First line wanted."),
            "end_line": integer("Last line wanted."),
            "perPage": integer("Ranges per page, 100 at most."),
            "after": text("The endCursor of the page before."),
        },
        prepare=prepare.prepare_blame,
        result=responses.blame,
    )


def _branches(surface: Surface) -> None:
    surface.tool(
        "create_branch",
        "git/create-ref",
        description="Create a branch from the head of another.",
        rename={"branch": "ref"},
        only=[*HERE, "branch", "from_branch"],
        required=[*HERE, "branch"],
        forms={"branch": branch("Name of the new branch.")},
        ignored={"from_branch": text("Branch to start from; the default branch if left out.")},
        prepare=prepare.prepare_branch,
    )
    surface.tool(
        "list_branches",
        "repos/list-branches",
        description="List the branches of a repository.",
        rename=PAGE,
        only=[*HERE, "page", "perPage"],
        required=HERE,
        result=many(trimmed_objects.branch),
    )
    surface.tool(
        "list_tags",
        "repos/list-tags",
        description="List the tags of a repository.",
        rename=PAGE,
        only=[*HERE, "page", "perPage"],
        required=HERE,
        result=many(trimmed_objects.tag),
    )
    surface.tool(
        "get_tag",
        "git/get-ref",
        description="Read a tag: who made it, its message, what it points to.",
        rename={"tag": "ref"},
        only=[*HERE, "tag"],
        required=[*HERE, "tag"],
        forms={"tag": tag("Name of the tag.")},
        result=responses.tag,
    )


def _commits(surface: Surface) -> None:
    surface.tool(
        "list_commits",
        "repos/list-commits",
        description="List the commits of a branch, newest first, perhaps of one path or author.",
        rename=PAGE,
        only=[*HERE, "sha", "path", "author", "since", "until", "page", "perPage", "fields"],
        required=HERE,
        ignored=fields("sha", "html_url", "commit", "author", "committer"),
        result=many(trimmed_objects.commit),
    )
    surface.tool(
        "get_commit",
        "repos/get-commit",
        description="Read a commit: message, author, and the files it changed.",
        rename={"sha": "ref", **PAGE},
        only=[*HERE, "sha", "detail", "page", "perPage"],
        required=[*HERE, "sha"],
        describe={"sha": "SHA, branch or tag."},
        ignored={
            "detail": choice("Of the files: none, stats (the default), or full_patch.", "none", "stats", "full_patch")
        },
        result=responses.commit,
    )


def _releases(surface: Surface) -> None:
    surface.tool(
        "list_releases",
        "repos/list-releases",
        description="List the releases of a repository, newest first.",
        rename=PAGE,
        only=[*HERE, "page", "perPage", "fields"],
        required=HERE,
        ignored=fields("id", "tag_name", "name", "body", "html_url", "published_at", "prerelease", "draft", "author"),
        result=many(trimmed_objects.release),
    )
    surface.tool(
        "get_latest_release",
        "repos/get-latest-release",
        description="Read the latest release of a repository.",
        only=HERE,
        result=one(trimmed_objects.release),
    )
    surface.tool(
        "get_release_by_tag",
        "repos/get-release-by-tag",
        description="Read the release of a tag.",
        only=[*HERE, "tag"],
        result=one(trimmed_objects.release),
    )


def _searches(surface: Surface) -> None:
    surface.tool(
        "search_code",
        "search/code",
        description=(
            "Search the files of default branches: words and qualifiers such as repo:, path:, language:, filename:."
        ),
        rename=SEARCH,
        only=["query", "sort", "order", "page", "perPage", "fields"],
        required=["query"],
        ignored=fields("name", "path", "sha", "repository", "text_matches"),
        prepare=prepare.with_places,
        result=render_search(trimmed_objects.trim_found_code),
    )
    surface.tool(
        "search_commits",
        "search/commits",
        description="Search commits by words of the message and qualifiers such as repo:, author:, committer-date:.",
        rename=SEARCH,
        only=["query", "sort", "order", "page", "perPage"],
        required=["query"],
        result=render_search(trimmed_objects.trim_found_commit),
    )
    surface.tool(
        "search_repositories",
        "search/repos",
        description="Search repositories by words and qualifiers such as org:, user:, topic:, language:.",
        rename=SEARCH,
        only=["query", "sort", "order", "minimal_output", "page", "perPage"],
        required=["query"],
        ignored={"minimal_output": flag("Show the main properties only.", default=True)},
        result=lambda answer: render_search(
            trimmed_objects.full if answer.arguments.get("minimal_output") is False else trimmed_objects.repository
        )(answer),
    )
    surface.tool(
        "search_users",
        "search/users",
        description="Search people by name, login or address.",
        rename=SEARCH,
        only=["query", "sort", "order", "page", "perPage"],
        required=["query"],
        prepare=prepare.within("type:user"),
        result=render_search(lambda one: trimmed_objects.user(one) or {}),
    )
    surface.tool(
        "search_orgs",
        "search/users",
        description="Search organisations by name or login.",
        rename=SEARCH,
        only=["query", "sort", "order", "page", "perPage"],
        required=["query"],
        prepare=prepare.within("type:org"),
        result=render_search(lambda one: trimmed_objects.user(one) or {}),
    )


def _repositories(surface: Surface) -> None:
    surface.tool(
        "create_repository",
        {"own": "repos/create-for-authenticated-user", "org": "repos/create-in-org"},
        description="Create a repository of your own or of an organisation.",
        rename={"autoInit": "auto_init", "organization": "org"},
        pick=prepare.present_if("organization", "org", "own"),
        only=["name", "description", "organization", "private", "autoInit"],
        required=["name"],
        defaults={"private": True},
        describe={"organization": "Login of the organisation it shall belong to; you if left out."},
        result=one(trimmed_objects.trim_created),
    )
    surface.tool(
        "fork_repository",
        "repos/create-fork",
        description="Fork a repository to your account or to an organisation.",
        only=[*HERE, "organization"],
        required=HERE,
        result=one(trimmed_objects.trim_created),
    )
    surface.tool(
        "delete_repository",
        "repos/delete",
        description="Delete a repository for good.",
        only=HERE,
        result=message("Repository deleted", *HERE),
    )
    surface.tool(
        "list_repository_collaborators",
        "repos/list-collaborators",
        description="List who has which rights to a repository.",
        rename=PAGE,
        only=[*HERE, "affiliation", "page", "perPage"],
        required=HERE,
        result=many(trimmed_objects.collaborator),
    )
    surface.tool(
        "list_starred_repositories",
        {"own": "activity/list-repos-starred-by-authenticated-user", "of": "activity/list-repos-starred-by-user"},
        description="List the repositories that you, or somebody, starred.",
        rename=PAGE,
        pick=prepare.present_if("username", "of", "own"),
        only=["username", "sort", "direction", "page", "perPage"],
        required=[],
        result=many(trimmed_objects.repository),
    )
    surface.tool(
        "star_repository",
        "activity/star-repo-for-authenticated-user",
        description="Star a repository.",
        only=HERE,
        result=message("Successfully starred repository", *HERE),
    )
    surface.tool(
        "unstar_repository",
        "activity/unstar-repo-for-authenticated-user",
        description="Take your star from a repository.",
        only=HERE,
        result=message("Successfully unstarred repository", *HERE),
    )
