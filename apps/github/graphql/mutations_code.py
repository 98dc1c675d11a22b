"""Mutations of labels, branches and commits, repositories, stars, followers and subscriptions."""

import base64

from apps.github.domain.ref_updates import move_ref
from apps.github.domain.revisions import by_web
from apps.github.domain.tree_paths import check_tree_path
from apps.github.git.repo import FILE
from apps.github.graphql.git_types import HEADS, RefAt, commit_at, ref_at
from apps.github.graphql.loader import Loader
from apps.github.graphql.mutation_context import Given, Payload, ask, get_node, issue_at, mutation, place
from apps.github.graphql.registry import Problem
from apps.github.models import Account, Repository
from apps.github.models_issues import Issue, Label
from apps.github.operations.activity.subscriptions import put_subscription
from world.core.errors import OperationError

MOST_BYTES = 45 * 1024 * 1024


# -- labels


@mutation("createLabel")
def create_label(near: Loader, given: Given) -> Payload:
    """Create a label."""
    repo = get_node(near, given["repositoryId"], "Repository")
    made = ask(
        near,
        "issues/create-label",
        **place(near, repo),
        name=given["name"],
        color=given["color"],
        description=given.get("description"),
    )
    return {"label": near.call.session.get(Label, made["id"])}


@mutation("updateLabel")
def update_label(near: Loader, given: Given) -> Payload:
    """Change a label."""
    row = get_node(near, given["id"], "Label")
    names = {"name": "new_name", "color": "color", "description": "description"}
    wanted = {new: given[old] for old, new in names.items() if given.get(old) is not None}
    ask(near, "issues/update-label", **place(near, row), name=row.name, **wanted)
    return {"label": near.call.session.get(Label, row.id)}


@mutation("deleteLabel")
def delete_label(near: Loader, given: Given) -> Payload:
    """Delete a label."""
    row = get_node(near, given["id"], "Label")
    ask(near, "issues/delete-label", **place(near, row), name=row.name)
    return {}


# -- refs and commits


@mutation("createRef")
def create_ref(near: Loader, given: Given) -> Payload:
    """Create a branch or tag."""
    repo = get_node(near, given["repositoryId"], "Repository")
    ask(near, "git/create-ref", **place(near, repo), ref=given["name"], sha=given["oid"])
    return {"ref": ref_at(near, repo, given["name"])}


@mutation("updateRef")
def update_ref(near: Loader, given: Given) -> Payload:
    """Move a branch or tag."""
    row: RefAt = get_node(near, given["refId"], "Ref")
    repo = near.home(row)
    ask(
        near,
        "git/update-ref",
        **place(near, row),
        ref=row.name.removeprefix("refs/"),
        sha=given["oid"],
        force=bool(given.get("force")),
    )
    return {"ref": ref_at(near, repo, row.name)}


@mutation("deleteRef")
def delete_ref(near: Loader, given: Given) -> Payload:
    """Delete a branch or tag."""
    row: RefAt = get_node(near, given["refId"], "Ref")
    ask(near, "git/delete-ref", **place(near, row), ref=row.name.removeprefix("refs/"))
    return {}


@mutation("createCommitOnBranch")
def create_commit(near: Loader, given: Given) -> Payload:
    """Commit changes of files on a branch whose head is the expected one."""
    repo, branch = _branch(near, given["branch"])
    if not near.context.may(repo, "push"):
        raise OperationError("forbidden")
    near.context.need(repo, "push")
    git = near.git(repo)
    head = git.branch(branch)
    if head is None:
        raise Problem(f"Branch {branch} not found", "NOT_FOUND")
    if given["expectedHeadOid"] != head:
        raise Problem(
            f'Expected branch to point to "{given["expectedHeadOid"]}" but it did not. Pull and try again.',
            "STALE_DATA",
        )
    tree = git.put_changed_tree(
        git.tree_of(head), _apply_changes(near, repo, git.tree_of(head), given.get("fileChanges") or {})
    )
    message = given["message"]["headline"] + (f"\n\n{given['message']['body']}" if given["message"].get("body") else "")
    sha = git.put_commit(tree, [head], message, near.context.signature(), by_web(near.context))
    move_ref(near.context, repo, HEADS + branch, head, sha)
    return {"commit": commit_at(near, repo, sha), "ref": ref_at(near, repo, HEADS + branch)}


def _branch(near: Loader, given: Given) -> tuple[Repository, str]:
    if given.get("id"):
        row: RefAt = get_node(near, given["id"], "Ref")
        return near.home(row), row.short
    owner, _, name = str(given.get("repositoryNameWithOwner") or "").partition("/")
    if not given.get("branchName"):
        raise Problem("A branch must be given by id, or by repositoryNameWithOwner and branchName.", "UNPROCESSABLE")
    try:
        repo = near.context.repo(owner, name)
    except OperationError:
        raise Problem(f"Could not resolve to a Repository with the name '{owner}/{name}'.", "NOT_FOUND") from None
    return repo, given["branchName"].removeprefix(HEADS)


def _apply_changes(near: Loader, repo: Repository, tree: str, changes: Given) -> dict[str, tuple[int, str] | None]:
    git = near.git(repo)
    out: dict[str, tuple[int, str] | None] = {}
    for one in changes.get("deletions") or []:
        if git.at(tree, one["path"]) is None:
            raise Problem(
                f"A path was requested for deletion which does not exist as of commit oid: {one['path']}",
                "UNPROCESSABLE",
            )
        out[check_tree_path(one["path"], "path")] = None
    for one in changes.get("additions") or []:
        before = git.at(tree, one["path"])
        mode = before.mode if before is not None and before.kind == "blob" else FILE
        out[check_tree_path(one["path"], "path")] = (mode, git.put_blob(_bytes(one["contents"])))
    return out


def _bytes(text: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=False)
    except ValueError:  # text that is not ASCII too
        raise Problem("Contents must be base64 encoded.", "UNPROCESSABLE") from None
    if len(data) > MOST_BYTES:
        raise Problem("Contents are too large.", "UNPROCESSABLE")
    return data


# -- repositories, stars, followers, subscriptions


@mutation("createRepository")
def create_repository(near: Loader, given: Given) -> Payload:
    """Create a repository for the caller or an organisation."""
    owner: Account = get_node(near, given["ownerId"], "User", "Organization") if given.get("ownerId") else near.me
    names = {
        "description": "description",
        "homepageUrl": "homepage",
        "hasIssuesEnabled": "has_issues",
        "hasWikiEnabled": "has_wiki",
        "template": "is_template",
    }
    shape = {new: given[old] for old, new in names.items() if given.get(old) is not None}
    shape |= {"name": given["name"], "private": given["visibility"] != "PUBLIC"}
    if owner.id != near.me.id:
        made = ask(near, "repos/create-in-org", org=owner.login, **shape)
    else:
        made = ask(near, "repos/create-for-authenticated-user", **shape)
    return {"repository": near.context.repo_by_id(made["id"])}


def _set_archived(near: Loader, given: Given, archived: bool) -> Payload:
    repo = get_node(near, given["repositoryId"], "Repository")
    ask(near, "repos/update", **place(near, repo), archived=archived)
    return {"repository": near.context.repo_by_id(repo.id)}


@mutation("archiveRepository")
def archive_repository(near: Loader, given: Given) -> Payload:
    """Make a repository read-only."""
    return _set_archived(near, given, True)


@mutation("unarchiveRepository")
def unarchive_repository(near: Loader, given: Given) -> Payload:
    """Make an archived repository writable again."""
    return _set_archived(near, given, False)


def _change_star(near: Loader, given: Given, operation: str) -> Payload:
    repo = get_node(near, given["starrableId"], "Repository")
    ask(near, operation, **place(near, repo))
    return {"starrable": near.context.repo_by_id(repo.id)}


@mutation("addStar")
def add_star(near: Loader, given: Given) -> Payload:
    """Star a repository."""
    return _change_star(near, given, "activity/star-repo-for-authenticated-user")


@mutation("removeStar")
def remove_star(near: Loader, given: Given) -> Payload:
    """Remove a star."""
    return _change_star(near, given, "activity/unstar-repo-for-authenticated-user")


def _set_followed(near: Loader, given: Given, operation: str) -> Payload:
    who: Account = get_node(near, given["userId"], "User")
    ask(near, operation, username=who.login)
    return {"user": near.context.account(who.id)}


@mutation("followUser")
def follow_user(near: Loader, given: Given) -> Payload:
    """Follow somebody."""
    return _set_followed(near, given, "users/follow")


@mutation("unfollowUser")
def unfollow_user(near: Loader, given: Given) -> Payload:
    """Unfollow somebody."""
    return _set_followed(near, given, "users/unfollow")


WATCHING = {"SUBSCRIBED": "watching", "UNSUBSCRIBED": "participating", "IGNORED": "ignoring"}


@mutation("updateSubscription")
def update_subscription(near: Loader, given: Given) -> Payload:
    """Subscribe to a repository, an issue or a pull request, or unsubscribe."""
    row = get_node(near, given["subscribableId"], "Repository", "Issue", "PullRequest")
    if isinstance(row, Issue) and given["state"] != "IGNORED":
        ask(near, "web/subscribe", **issue_at(near, row), subscribed=given["state"] == "SUBSCRIBED")
    elif isinstance(row, Issue):
        put_subscription(near.context, row, ignored=True)
    else:
        ask(near, "web/watch", **place(near, row), state=WATCHING[given["state"]])
    return {"subscribable": row}
