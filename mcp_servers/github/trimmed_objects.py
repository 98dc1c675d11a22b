"""Trimmed objects: the REST API's JSON, cut down as the vendor's server does. Empty values are left out, as there."""

from collections.abc import Callable, Iterable
from typing import Any

from world.core.json_types import JsonMapping, JsonObject

Shape = Callable[[Any], JsonObject]
REACTIONS = ("total_count", "+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes")


def sparse(always: JsonMapping, **sometimes: object) -> JsonObject:
    """Return the fields of `always`, and those of `sometimes` that are not empty."""
    return {**always, **{name: value for name, value in sometimes.items() if value not in (None, "", 0, [], {})}}


def pick_properties(one: JsonMapping, names: Iterable[str]) -> JsonObject:
    """Some properties, as far as they are there."""
    return {name: one[name] for name in names if name in one}


def full(one: JsonObject) -> JsonObject:
    """The object as it is."""
    return one


def user(one: JsonMapping | None) -> JsonObject | None:
    """An account; None for a signature that belongs to none."""
    if one is None or "login" not in one:
        return None
    return sparse(
        {"login": one["login"]}, id=one.get("id"), profile_url=one.get("html_url"), avatar_url=one.get("avatar_url")
    )


def login(one: JsonMapping | None) -> str | None:
    """The name of an account."""
    return None if one is None else str(one["login"])


def me(one: JsonMapping) -> JsonObject:
    """Yourself, with your profile."""
    names = (
        "name",
        "company",
        "blog",
        "location",
        "email",
        "hireable",
        "bio",
        "twitter_username",
        "public_repos",
        "public_gists",
        "followers",
        "following",
        "created_at",
        "updated_at",
        "private_gists",
        "total_private_repos",
        "owned_private_repos",
    )
    return {**(user(one) or {}), "details": sparse({}, **pick_properties(one, names))}


def repository(one: JsonMapping) -> JsonObject:
    """A repository."""
    always = (
        "id",
        "name",
        "full_name",
        "html_url",
        "stargazers_count",
        "forks_count",
        "open_issues_count",
        "private",
        "fork",
        "archived",
    )
    return sparse(
        pick_properties(one, always),
        **pick_properties(one, ("description", "language", "updated_at", "created_at", "topics", "default_branch")),
    )


def trim_created(one: JsonMapping) -> JsonObject:
    """Return id and address of an object that was created or changed."""
    return {"id": str(one["id"]), "url": one["html_url"]}


def label(one: JsonMapping) -> JsonObject:
    """A label."""
    return {"id": one["node_id"], "name": one["name"], "color": one["color"], "description": one["description"] or ""}


def reaction(one: JsonMapping) -> JsonObject:
    """A reaction that was given."""
    return {"id": str(one["id"]), "content": one["content"]}


def reactions(one: JsonMapping | None) -> JsonObject | None:
    """Return the count of each reaction."""
    return None if one is None else pick_properties(one, REACTIONS)


def issue(one: JsonMapping) -> JsonObject:
    """An issue; a pull request as issues are searched."""
    return sparse(
        pick_properties(one, ("number", "title", "state")),
        **pick_properties(one, ("body", "state_reason", "draft", "locked", "html_url", "comments")),
        user=user(one["user"]),
        author_association=one.get("author_association"),
        labels=[part["name"] for part in one["labels"]],
        assignees=[part["login"] for part in one["assignees"]],
        milestone=(one["milestone"] or {}).get("title"),
        reactions=reactions(one.get("reactions")),
        **pick_properties(one, ("created_at", "updated_at", "closed_at")),
        closed_by=login(one.get("closed_by")),
        issue_type=(one.get("type") or {}).get("name"),
        sub_issues_summary=_any(one.get("sub_issues_summary")),
    )


def _any(summary: JsonMapping | None) -> JsonMapping | None:
    return summary if summary and summary["total"] else None


def trim_listed_issue(one: JsonMapping) -> JsonObject:
    """An issue in the list of a repository."""
    shown = pick_properties(issue(one), ("number", "title", "body", "labels", "comments", "created_at", "updated_at"))
    return {**shown, "state": str(one["state"]).upper(), "user": {"login": one["user"]["login"]}}


def trim_found_issue(one: JsonMapping) -> JsonObject:
    """An issue or pull request that a search found, with the repository it is in."""
    return {
        **issue(one),
        "id": one["id"],
        "repository_url": one["repository_url"],
        **pick_properties(one, ("pull_request",)),
    }


def sub_issue(one: JsonMapping) -> JsonObject:
    """An issue under another, with the id that changes of its place take."""
    return {"id": one["id"], **issue(one)}


def parent(one: JsonMapping) -> JsonObject:
    """The issue above another."""
    name = "/".join(str(one["repository_url"]).split("/")[-2:])
    return {
        "number": one["number"],
        "title": one["title"],
        "state": str(one["state"]).upper(),
        "url": one["html_url"],
        "repository": name,
    }


def comment(one: JsonMapping) -> JsonObject:
    """A comment."""
    return sparse(
        pick_properties(one, ("id", "html_url")),
        body=one["body"],
        user=user(one["user"]),
        author_association=one["author_association"],
        reactions=reactions(one["reactions"]),
        **pick_properties(one, ("created_at", "updated_at")),
    )


def pull(one: JsonMapping) -> JsonObject:
    """A pull request, from a list or read alone."""
    always = {
        "number": one["number"],
        "title": one["title"],
        "state": one["state"],
        "draft": one["draft"],
        "merged": one.get("merged", False),
    }
    numbers = ("mergeable_state", "additions", "deletions", "changed_files", "commits", "comments")
    return sparse(
        {**always, "html_url": one["html_url"]},
        body=one["body"],
        **pick_properties(one, numbers),
        user=user(one["user"]),
        labels=[part["name"] for part in one["labels"]],
        assignees=[part["login"] for part in one["assignees"]],
        requested_reviewers=[part["login"] for part in one["requested_reviewers"]],
        merged_by=login(one.get("merged_by")),
        head=_end(one["head"]),
        base=_end(one["base"]),
        **pick_properties(one, ("created_at", "updated_at", "closed_at", "merged_at")),
        milestone=(one["milestone"] or {}).get("title"),
    )


def _end(one: JsonMapping) -> JsonObject:
    repo = one["repo"]
    shown = None if repo is None else sparse({"full_name": repo["full_name"]}, description=repo["description"])
    return sparse({"ref": one["ref"], "sha": one["sha"]}, repo=shown)


def review(one: JsonMapping) -> JsonObject:
    """A review."""
    return sparse(
        pick_properties(one, ("id", "state", "html_url")),
        body=one["body"],
        user=user(one["user"]),
        commit_id=one["commit_id"],
        submitted_at=one.get("submitted_at"),
        author_association=one["author_association"],
    )


def trim_changed_file(one: JsonMapping) -> JsonObject:
    """A file of a pull request."""
    return sparse(
        {"filename": one["filename"]},
        **pick_properties(one, ("status", "additions", "deletions", "changes", "patch", "previous_filename")),
    )


def person(one: JsonMapping) -> JsonObject:
    """Return the name, mail address and date of an author or committer."""
    return pick_properties(one, ("name", "email", "date"))


def pull_commit(one: JsonMapping) -> JsonObject:
    """A commit of a pull request."""
    return {
        "sha": one["sha"],
        "html_url": one["html_url"],
        "message": one["commit"]["message"],
        "author": person(one["commit"]["author"]),
    }


def commit(one: JsonMapping) -> JsonObject:
    """A commit without its files."""
    inside = {
        "message": one["commit"]["message"],
        "author": person(one["commit"]["author"]),
        "committer": person(one["commit"]["committer"]),
    }
    return sparse(
        {"sha": one["sha"], "html_url": one["html_url"], "commit": inside},
        author=user(one["author"]),
        committer=user(one["committer"]),
    )


def commit_with(one: JsonMapping, detail: str) -> JsonObject:
    """A commit with nothing, the figures, or the patches of its files."""
    if detail == "none":
        return commit(one)
    names = ("filename", "status", "additions", "deletions", "changes", *(("patch",) if detail == "full_patch" else ()))
    return sparse(
        commit(one),
        stats=sparse({}, **one.get("stats", {})),
        files=[pick_properties(part, names) for part in one.get("files", [])],
    )


def trim_found_commit(one: JsonMapping) -> JsonObject:
    """A commit that a search found."""
    return {**commit(one), "repository": pick_properties(one["repository"], ("full_name", "html_url", "private"))}


def branch(one: JsonMapping) -> JsonObject:
    """A branch."""
    return {"name": one["name"], "sha": one["commit"]["sha"], "protected": one["protected"]}


def tag(one: JsonMapping) -> JsonObject:
    """A tag."""
    return {"name": one["name"], "sha": one["commit"]["sha"]}


def release(one: JsonMapping) -> JsonObject:
    """A release."""
    always = ("id", "tag_name", "html_url", "prerelease", "draft")
    return sparse(
        pick_properties(one, always),
        **pick_properties(one, ("name", "body", "published_at")),
        author=user(one["author"]),
    )


def file_change(one: JsonMapping) -> JsonObject:
    """A file written or deleted, and the commit that did it."""
    made, content = one["commit"], one["content"]
    shown = {**pick_properties(made, ("sha", "message", "html_url")), "author": person(made["author"])}
    return sparse(
        {"commit": shown},
        content=pick_properties(content, ("name", "path", "sha", "size", "html_url")) if content else None,
    )


def trim_found_code(one: JsonMapping) -> JsonObject:
    """A file that a search found."""
    shown = {**pick_properties(one, ("name", "path", "sha")), "repository": one["repository"]["full_name"]}
    return sparse(shown, text_matches=one.get("text_matches"))


def check_run(one: JsonMapping) -> JsonObject:
    """A check on a commit."""
    names = ("conclusion", "html_url", "details_url", "started_at", "completed_at")
    return sparse(pick_properties(one, ("id", "name", "status")), **pick_properties(one, names))


def collaborator(one: JsonMapping) -> JsonObject:
    """Somebody with rights to a repository."""
    return pick_properties(one, ("login", "id", "role_name"))


def notification(one: JsonMapping) -> JsonObject:
    """A notice, with the repository by its name."""
    shown = pick_properties(one, ("id", "reason", "unread", "updated_at", "last_read_at", "subject"))
    return {**shown, "repository": one["repository"]["full_name"], "url": one["url"]}


def run(one: JsonMapping) -> JsonObject:
    """A run of a workflow."""
    names = (
        "id",
        "name",
        "display_title",
        "run_number",
        "run_attempt",
        "event",
        "status",
        "conclusion",
        "workflow_id",
        "head_branch",
        "head_sha",
        "path",
        "html_url",
        "created_at",
        "updated_at",
        "run_started_at",
    )
    return sparse({"id": one["id"]}, **pick_properties(one, names), actor=login(one.get("actor")))


def job(one: JsonMapping) -> JsonObject:
    """A job of a run."""
    names = (
        "id",
        "run_id",
        "name",
        "status",
        "conclusion",
        "started_at",
        "completed_at",
        "html_url",
        "run_attempt",
        "steps",
        "runner_name",
    )
    return sparse({"id": one["id"]}, **pick_properties(one, names))
