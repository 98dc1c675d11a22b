"""CallArguments that the server looks up: heads of pull requests, SHAs, ids of pending reviews, whole search queries."""

from collections.abc import Callable, Mapping
from typing import Any

from apps.github.domain.context import unnode
from mcp_servers.github import cursors
from mcp_servers.github.arguments import parse_integer
from mcp_servers.tools import CallArguments, Given, Look, Prepare
from world.core.errors import InvalidArguments, OperationError
from world.core.json_types import JsonObject

NO_FIELDS = "there are no issue fields here"


def where(given: Given) -> dict[str, Any]:
    """Return the owner and name of the repository that a call names."""
    return {"owner": given.get("owner"), "repo": given.get("repo")}


def wrong(name: str, why: str) -> InvalidArguments:
    """A refusal of one argument."""
    return InvalidArguments([(name, why)])


# -- files and branches


def prepare_read(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """A path from the root, at `sha` rather than at `ref`."""
    path = arguments.get("path")
    made = {**arguments, "path": path.strip("/")} if isinstance(path, str) else arguments
    return {**made, "ref": given["sha"]} if given.get("sha") else made


def prepare_branch(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Create a branch from the head of another, the default branch unless named."""
    base = given.get("from_branch") or look("repos/get", **where(given))["default_branch"]
    found = look("git/get-ref", **where(given), ref=f"heads/{base}")
    return {**arguments, "sha": found["object"]["sha"]}


def no_link(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Refuse to write over a symbolic link unless told to. Raises InvalidArguments."""
    if not given.get("allow_symlink_write") and (_file(arguments, given, look) or {}).get("type") == "symlink":
        raise wrong("path", "is a symbolic link; set allow_symlink_write to write over it")
    return arguments


def present(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Add the SHA of the existing file. Raises not_found."""
    found = look("repos/get-content", **where(given), path=given.get("path"), ref=given.get("branch"))
    if isinstance(found, list):
        raise wrong("path", "is a folder")
    return {**arguments, "sha": found["sha"]}


def current(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Add the SHA of the existing file, unless a SHA is given or there is no file."""
    found = None if given.get("sha") else _file(arguments, given, look)
    return {**arguments, "sha": found["sha"]} if found else arguments


def _file(arguments: CallArguments, given: Given, look: Look) -> Mapping[str, object] | None:
    """Return the entry at a path, links not followed; None for a folder or a missing path."""
    path = str(given.get("path")).strip("/")
    try:
        found = look("repos/get-content", **where(given), path=path.rpartition("/")[0], ref=given.get("branch"))
    except OperationError:
        return None
    entries = found if isinstance(found, list) else []
    return next((one for one in entries if one["path"] == path and one["type"] != "dir"), None)


def prepare_tree(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Read the tree of the default branch unless another is named."""
    sha = arguments.get("tree_sha") or look("repos/get", **where(given))["default_branch"]
    return {**where(given), "tree_sha": sha, **({"recursive": "1"} if given.get("recursive") else {})}


def prepare_blame(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """A place: branch, tag or commit, then the path."""
    cursors.check_cursor(given)
    ref = given.get("ref") or look("repos/get", **where(given))["default_branch"]
    return {**where(given), "place": f"{str(ref).removeprefix('refs/heads/')}/{str(given['path']).strip('/')}"}


# -- pull requests


def head(given: Given, look: Look) -> str:
    """The head commit of the pull request."""
    number = given.get("pullNumber") or given.get("pull_number")
    return str(look("pulls/get", **where(given), pull_number=number)["head"]["sha"])


def at_head(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Set `ref` to the head commit of the pull request."""
    return {**arguments, "ref": head(given, look)}


def pull_read(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """The arguments of the operation behind each method."""
    method = given["method"]
    if method == "get_diff":
        return {**arguments, "mediaType": "diff"}
    if method == "get_comments":
        return {**arguments, "issue_number": given["pullNumber"]}
    if method == "get_review_comments":
        cursors.check_cursor(given)
    return (
        at_head(arguments, given, look) if method in ("get_status", "get_check_runs", "get_ci_summary") else arguments
    )


def reviewers(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """People by login and teams as `organisation/team`, apart."""
    names = given.get("reviewers")
    if not names:
        return {name: value for name, value in arguments.items() if name != "reviewers"}
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise wrong("reviewers", "must be a list of strings")
    teams = [name.rpartition("/")[2] for name in names if "/" in name]
    return {
        **arguments,
        "reviewers": [name for name in names if "/" not in name],
        **({"team_reviewers": teams} if teams else {}),
    }


def pick_open_operation(given: Given) -> str:
    """The operation that opens a pull request: with reviewers, the one that does both or neither."""
    return "open" if given.get("reviewers") else "create"


TEXTS = ("title", "body", "state", "base", "maintainer_can_modify")


def pick_update_operation(given: Given) -> str:
    """The one operation that changes all that is asked for. Raises InvalidArguments."""
    parts = ["update"] if any(given.get(name) is not None for name in TEXTS) else []
    parts += ["reviewers"] if given.get("reviewers") else []
    parts += [stage(given)] if given.get("draft") is not None else []
    if not parts:
        raise wrong("arguments", "No update parameters provided.")
    return parts[0] if len(parts) == 1 else "edit"


def stage(given: Given) -> str:
    """draft or ready."""
    return "draft" if given.get("draft") else "ready"


def prepare_pending_review(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """The caller's review that is not submitted yet. Raises no_such."""
    return {**arguments, "review_id": _get_pending_id(given, look)}


def to_pending(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """A comment for the review that is there. Raises no_such."""
    _get_pending_id(given, look)
    return arguments


def _get_pending_id(given: Given, look: Look) -> int:
    found = look("web/pulls/looked", **where(given), pull_number=given.get("pullNumber"))["pending"]
    if found is None:
        raise OperationError("no_such", why="No pending review found for the viewer")
    return found


def prepare_review(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """The arguments of the operation behind each method of reviewing."""
    if given["method"] in ("submit_pending", "delete_pending"):
        return prepare_pending_review(arguments, given, look)
    if given["method"] in ("resolve_thread", "unresolve_thread"):
        return {**arguments, "thread_id": thread(given.get("threadId"), "threadId")[1]}
    return arguments


def thread(name: object, argument: str) -> tuple[int, int]:
    """The repository and the number of a conversation by its node id. Raises InvalidArguments."""
    found = unnode(name) if isinstance(name, str) else None
    if found is None or found[0] != "PullRequestReviewThread" or len(found[1]) != 2:
        raise wrong(argument, "must be the id of a review thread, like PRRT_...")
    return found[1][0], found[1][1]


def one_thread(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """A conversation by its node id alone. Raises InvalidArguments, not_found."""
    repo_id, number = thread(given.get("threadID"), "threadID")
    page = 1
    while repos := look("repos/list-for-authenticated-user", per_page=100, page=page):
        found = next((one for one in repos if one["id"] == repo_id), None)
        if found is not None:
            return {"owner": found["owner"]["login"], "repo": found["name"], "thread_id": number}
        page += 1
    raise OperationError("not_found")


def pick_reply_operation(given: Given) -> str:
    """A reply or a reaction. Raises InvalidArguments."""
    return one_of(given, "body", "reaction")


def reply(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """A reply in the conversation of a comment, whose pull request may be left out."""
    if given.get("reaction") or arguments.get("pull_number"):
        return arguments
    found = look("pulls/get-review-comment", **where(given), comment_id=given.get("commentId"))
    return {**arguments, "pull_number": int(str(found["pull_request_url"]).rpartition("/")[2])}


# -- issues


def one_of(given: Given, *names: str) -> str:
    """The one argument of several that is given. Raises InvalidArguments."""
    found = [name for name in names if given.get(name)]
    if len(found) != 1:
        raise wrong("arguments", f"give either {' or '.join(names)}")
    return found[0]


def pick_comment_operation(given: Given) -> str:
    """A comment, or a reaction to the issue or to a comment of it. Raises InvalidArguments."""
    found = one_of(given, "body", "reaction")
    return "body" if found == "body" else "comment" if given.get("comment_id") else "issue"


def issue_written(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """The issue it duplicates by its id. Raises InvalidArguments for issue fields."""
    if given.get("issue_fields"):
        raise wrong("issue_fields", NO_FIELDS)
    if given["method"] == "update" and given.get("issue_number") is None:
        raise wrong("issue_number", "is required")
    return prepare_duplicate(arguments, given, look)


def prepare_duplicate(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """The id of the issue whose number `duplicate_of` is."""
    if given.get("duplicate_of") is None or given.get("method") == "create":
        return arguments
    found = look("issues/get", **where(given), issue_number=given["duplicate_of"])
    return {
        **arguments,
        "duplicate_issue_id": found["id"],
        "state_reason": arguments.get("state_reason") or "duplicate",
    }


def prepare_issue_list(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """A list of issues without conditions on fields. Raises InvalidArguments."""
    if given.get("field_filters"):
        raise wrong("field_filters", NO_FIELDS)
    return arguments


def dependent(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Map a dependency of two issues to the blocked issue and the blocker's id.

    The other issue may be in another repository.
    """
    other = {
        "owner": given.get("related_owner") or given.get("owner"),
        "repo": given.get("related_repo") or given.get("repo"),
    }
    mine = {**where(given), "issue_number": given.get("issue_number")}
    theirs = {**other, "issue_number": given.get("related_issue_number")}
    blocked, blocker = (mine, theirs) if given["type"] == "blocked_by" else (theirs, mine)
    return {**blocked, "issue_id": look("issues/get", **blocker)["id"]}


# -- search


def within(*kinds: str) -> Prepare:
    """Prepare the whole query: the words, the repository or owner, and the kind of things looked for."""

    def build_query(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
        query = str(given.get("query") or "")
        place = [f"repo:{given['owner']}/{given['repo']}"] if given.get("owner") and given.get("repo") else []
        place += [f"user:{given['owner']}"] if given.get("owner") and not given.get("repo") else []
        missing = [kind for kind in kinds if kind not in query.lower().split()]
        return {**arguments, "q": " ".join([*missing, *[one for one in place if one not in query], query]).strip()}

    return build_query


def with_places(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Ask for the matched passages as well."""
    return {**arguments, "mediaType": "text-match"}


# -- actions and notifications

RESOURCES = {
    "list_workflow_runs": "workflow_id",
    "list_workflow_jobs": "run_id",
    "list_workflow_run_artifacts": "run_id",
    "get_workflow": "workflow_id",
    "get_workflow_run": "run_id",
    "get_workflow_job": "job_id",
    "get_workflow_run_usage": "run_id",
    "get_workflow_run_logs_url": "run_id",
}
RUN_FILTERS = ("actor", "branch", "event", "status")


def pick_actions_list(given: Given) -> str:
    """The method; runs of one workflow are another operation than all runs."""
    method = str(given.get("method"))
    return "workflow_runs" if method == "list_workflow_runs" and given.get("resource_id") else method


def of_actions(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """The resource under the name its operation has for it, and the filters. Raises InvalidArguments."""
    method, resource = given["method"], given.get("resource_id")
    name = RESOURCES.get(method)
    if name is not None and resource:
        arguments = {**arguments, name: resource if name == "workflow_id" else _whole(resource)}
    elif name is not None and method != "list_workflow_runs":
        raise wrong("resource_id", "is required")
    if method == "list_workflow_runs":
        return {**arguments, **_filters(given, "workflow_runs_filter", RUN_FILTERS)}
    return (
        {**arguments, **_filters(given, "workflow_jobs_filter", ("filter",))}
        if method == "list_workflow_jobs"
        else arguments
    )


def _whole(value: object) -> int:
    try:
        return parse_integer(value)
    except ValueError as error:
        raise wrong("resource_id", str(error)) from None


def _filters(given: Given, name: str, known: tuple[str, ...]) -> JsonObject:
    found = given.get(name) or {}
    return {key: found[key] for key in known if found.get(key)}


def pick_log_operation(given: Given) -> str:
    """The log of one job, or those of a run's failed jobs. Raises InvalidArguments."""
    if given.get("job_id"):
        return "job"
    if given.get("run_id") and given.get("failed_only"):
        return "run"
    raise wrong("job_id", "give job_id, or run_id with failed_only")


def of_repository(given: Given) -> str:
    """Of one repository, or of all."""
    return "repo" if given.get("owner") and given.get("repo") else "all"


NOTICES = {"include_read_notifications": {"all": True}, "only_participating": {"participating": True}}


def notices(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Add the arguments that the filter of notifications stands for."""
    return {**arguments, **NOTICES.get(str(given.get("filter")), {})}


def prepare_action_values(**values: Mapping[str, object]) -> Prepare:
    """Add the arguments that an action stands for."""
    return lambda arguments, given, look: {**arguments, **values.get(str(given["action"]), {})}


def present_if(name: str, yes: str, no: str) -> Callable[[Given], str]:
    """One operation if an argument is given, another if not."""
    return lambda given: yes if given.get(name) else no
