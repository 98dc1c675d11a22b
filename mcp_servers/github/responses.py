"""Answers of the vendor's tools: trimmed JSON, or a sentence where the vendor says one."""

from base64 import b64decode
from collections import Counter
from collections.abc import Mapping

from apps.github.domain.context import node, unnode
from mcp_servers.github import cursors, trimmed_objects
from mcp_servers.github.trimmed_objects import Shape
from mcp_servers.json_text import as_json
from mcp_servers.tools import Text, ToolAnswer
from world.core.json_types import JsonMapping, JsonObject

FAILING = ("failure", "error", "timed_out", "cancelled", "action_required", "startup_failure")


def one(shape: Shape) -> Text:
    """Build the renderer of one object."""
    return lambda answer: as_json(shape(answer.result))


def many(shape: Shape, name: str = "") -> Text:
    """Build the renderer of a list of objects with the fields asked for, under a name if there is one."""

    def render_answer(answer: ToolAnswer) -> str:
        items = select_fields(
            [shape(item) for item in (answer.result[name] if name else answer.result)], answer.arguments
        )
        return as_json(
            {**trimmed_objects.pick_properties(answer.result, ("total_count",)), name: items} if name else items
        )

    return render_answer


def render_search(shape: Shape) -> Text:
    """Build the renderer of a search result."""

    def render_answer(answer: ToolAnswer) -> str:
        items = select_fields([shape(item) for item in answer.result["items"]], answer.arguments)
        return as_json(
            {**trimmed_objects.pick_properties(answer.result, ("total_count", "incomplete_results")), "items": items}
        )

    return render_answer


def render_sentence(sentence: str) -> Text:
    """Build the renderer of a fixed sentence."""
    return lambda _: sentence


def message(sentence: str, *names: str) -> Text:
    """Build the renderer of a sentence as JSON, with some of the tool's arguments."""
    return lambda answer: as_json({"message": sentence, **trimmed_objects.pick_properties(answer.arguments, names)})


def by(argument: str, texts: Mapping[str, Text], otherwise: Text | None = None) -> Text:
    """Build a renderer that depends on the value of an argument."""

    def render_answer(answer: ToolAnswer) -> str | list[str]:
        text = texts.get(answer.arguments.get(argument) or "") or otherwise
        return as_json(answer.result) if text is None else text(answer)

    return render_answer


def select_fields(items: list[JsonObject], given: JsonMapping) -> list[JsonObject]:
    """Items with the fields asked for."""
    names = given.get("fields")
    return (
        [trimmed_objects.pick_properties(item, [name for name in names if isinstance(name, str)]) for item in items]
        if names
        else items
    )


def raw(answer: ToolAnswer) -> str:
    """Text as it is: a diff."""
    return bytes(answer.result).decode("utf-8", "replace")


def contents(answer: ToolAnswer) -> str | list[str]:
    """A folder's entries, or a file: a sentence with its SHA, then its text."""
    shown = answer.result
    if isinstance(shown, list):
        return as_json(select_fields(shown, answer.arguments))
    if shown.get("encoding") != "base64":
        return as_json(shown)
    data = b64decode(shown["content"])
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        return as_json(
            {
                "message": f"binary file (SHA: {shown['sha']})",
                **trimmed_objects.pick_properties(shown, ("path", "size", "download_url")),
            }
        )
    return [f"successfully downloaded text file (SHA: {shown['sha']})", text]


def render_issues(answer: ToolAnswer) -> str:
    """Render a page of a repository's issues."""
    page = answer.result
    shown = select_fields([trimmed_objects.trim_listed_issue(one) for one in page["issues"]], answer.arguments)
    about = cursors.about(page["has_previous"], page["has_next"], page["start"], page["end"])
    return as_json({"issues": shown, "totalCount": page["total_count"], "pageInfo": about})


def labels(answer: ToolAnswer) -> str:
    """Labels."""
    return as_json({"labels": [trimmed_objects.label(one) for one in answer.result], "totalCount": answer.result.total})


def threads(answer: ToolAnswer) -> str:
    """A page of the conversations on a pull request's code."""
    shown, about = cursors.page(answer.result, answer.arguments, lambda one: one["id"])
    return as_json(
        {"review_threads": [_thread(one) for one in shown], "totalCount": len(answer.result), "pageInfo": about}
    )


def _thread(one: JsonMapping) -> JsonObject:
    kind = unnode(one["comments"][0]["node_id"])
    resolved = one["resolved_by"] is not None
    return {
        "id": node("PullRequestReviewThread", kind[1][0] if kind else 0, one["id"]),
        "is_resolved": resolved,
        "is_outdated": one["outdated"],
        "is_collapsed": resolved or one["outdated"],
        "comments": [_thread_comment(part, one) for part in one["comments"]],
        "total_count": len(one["comments"]),
    }


def _thread_comment(part: JsonMapping, thread: JsonMapping) -> JsonObject:
    shown = {"path": part["path"], "html_url": part["html_url"]}
    times = trimmed_objects.pick_properties(part, ("created_at", "updated_at"))
    return trimmed_objects.sparse(
        shown, body=part["body"], line=thread["line"], author=trimmed_objects.login(part["user"]), **times
    )


def status(answer: ToolAnswer) -> str:
    """The combined status of a pull request's head."""
    names = ("id", "state", "description", "context", "target_url", "created_at", "updated_at")
    shown = [trimmed_objects.pick_properties(one, names) for one in answer.result["statuses"]]
    return as_json(
        {**trimmed_objects.pick_properties(answer.result, ("state", "sha", "total_count")), "statuses": shown}
    )


def summary(answer: ToolAnswer) -> str:
    """Render the combined state of all checks and statuses of a pull request's head, and those that do not pass."""
    given = answer.arguments
    runs = answer.result["check_runs"]
    sha = _head(answer)["sha"]
    statuses = answer.look(
        "repos/get-combined-status-for-ref", owner=given["owner"], repo=given["repo"], ref=sha, per_page=100
    )["statuses"]
    words = [*(one["conclusion"] or "pending" for one in runs), *(one["state"] for one in statuses)]
    failing = [
        trimmed_objects.pick_properties(one, ("context", "state", "description", "target_url"))
        for one in statuses
        if one["state"] in FAILING
    ]
    return as_json(
        {
            "head_sha": sha,
            "state": _worst(words),
            "total_count": len(words),
            "counts": dict(sorted(Counter(words).items())),
            "failing_check_runs": [trimmed_objects.check_run(one) for one in runs if one["conclusion"] in FAILING],
            "failing_statuses": failing,
        }
    )


def _worst(words: list[str]) -> str:
    """failure, pending or success; none if there is nothing."""
    if any(word in FAILING for word in words):
        return "failure"
    return "pending" if "pending" in words else "success" if words else "none"


def _head(answer: ToolAnswer) -> JsonMapping:
    given = answer.arguments
    return answer.look("pulls/get", owner=given["owner"], repo=given["repo"], pull_number=given["pullNumber"])["head"]


def commit(answer: ToolAnswer) -> str:
    """A commit with as much detail as asked for."""
    return as_json(trimmed_objects.commit_with(answer.result, answer.arguments.get("detail") or "stats"))


def tag(answer: ToolAnswer) -> str:
    """The object of an annotated tag; of another the ref."""
    given, target = answer.arguments, answer.result["object"]
    if target["type"] != "tag":
        return as_json(answer.result)
    return as_json(answer.look("git/get-tag", owner=given["owner"], repo=given["repo"], tag_sha=target["sha"]))


def tree(answer: ToolAnswer) -> str:
    """A tree, or what lies under a path of it."""
    given, shown = answer.arguments, answer.result
    start = given.get("path_filter") or ""
    entries = [
        trimmed_objects.pick_properties(one, ("path", "type", "mode", "size", "sha"))
        for one in shown["tree"]
        if one["path"].startswith(start)
    ]
    return as_json(
        {**trimmed_objects.pick_properties(shown, ("sha", "truncated")), "count": len(entries), "tree": entries}
    )


def blame(answer: ToolAnswer) -> str:
    """A page of the ranges of lines of a file, each with the commit that brought it."""
    given, shown = answer.arguments, answer.result
    first, last = given.get("start_line") or 1, given.get("end_line") or 2**31
    spans = [one for one in shown["spans"] if one["last"] >= first and one["first"] <= last]
    ranges, about = cursors.page(spans, given, lambda one: one["first"])
    listed = [_range(one) for one in ranges]
    return as_json(
        {"path": shown["path"], "ref": shown["ref"], "ranges": listed, "totalCount": len(spans), "pageInfo": about}
    )


def _range(one: JsonMapping) -> JsonObject:
    author = trimmed_objects.login(one["author"]) or one["name"]
    commit = {"sha": one["sha"], "message": one["title"], "date": one["at"], "author": author}
    return {"start_line": one["first"], "end_line": one["last"], "commit": commit}


def teams(answer: ToolAnswer) -> str:
    """Teams by organisation: your own, or those of somebody in your organisations."""
    who = answer.arguments.get("user")
    rows = (
        answer.result
        if not who
        else [team for org in answer.result for team in _teams_of(answer, org["login"], str(who))]
    )
    by_org: dict[str, list[JsonObject]] = {}
    for row in rows:
        org = str(row["html_url"]).split("/orgs/")[-1].split("/")[0]
        by_org.setdefault(org, []).append(
            trimmed_objects.sparse(
                trimmed_objects.pick_properties(row, ("name", "slug")), description=row["description"]
            )
        )
    return as_json([{"org": org, "teams": listed} for org, listed in by_org.items()])


def _teams_of(answer: ToolAnswer, org: str, who: str) -> list[JsonMapping]:
    every = answer.look("teams/list", org=org, per_page=100)
    return [team for team in every if who.lower() in _members(answer, org, team["slug"])]


def _members(answer: ToolAnswer, org: str, slug: str) -> set[str]:
    return {
        one["login"].lower() for one in answer.look("teams/list-members-in-org", org=org, team_slug=slug, per_page=100)
    }


def logins(answer: ToolAnswer) -> str:
    """Names of accounts."""
    return as_json([one["login"] for one in answer.result])


def logs(answer: ToolAnswer) -> str:
    """The log of a job, or of the failed jobs of a run, as addresses or as their last lines."""
    given = answer.arguments
    if given.get("job_id"):
        return as_json(
            {"message": "Job logs retrieved successfully", **_log(answer, {"id": given["job_id"]}, answer.result)}
        )
    jobs = answer.result["jobs"]
    failed = [one for one in jobs if one["conclusion"] == "failure"]
    return as_json(
        {
            "message": f"Retrieved logs for {len(failed)} failed jobs"
            if failed
            else "No failed jobs found in this workflow run",
            "run_id": given["run_id"],
            "total_jobs": len(jobs),
            "failed_jobs": len(failed),
            "logs": [_log(answer, one) for one in failed],
        }
    )


def _log(answer: ToolAnswer, job: JsonMapping, address: str | None = None) -> JsonObject:
    given = answer.arguments
    where = {"owner": given["owner"], "repo": given["repo"], "job_id": job["id"]}
    shown = {"job_id": job["id"], **({"job_name": job["name"]} if "name" in job else {})}
    if not given.get("return_content"):
        return {**shown, "logs_url": str(address or answer.look("actions/download-job-logs-for-workflow-run", **where))}
    lines = bytes(answer.look("web/job-log", **where)).decode("utf-8", "replace").splitlines()
    most = given.get("tail_lines") or 500
    return {**shown, "logs_content": "\n".join(lines[-most:] if most > 0 else lines), "original_length": len(lines)}


def render_dispatch(answer: ToolAnswer) -> str:
    """Render a workflow that was started."""
    given = answer.arguments
    return as_json(
        {
            "message": "Workflow run has been queued",
            **trimmed_objects.pick_properties(given, ("workflow_id", "ref", "inputs")),
        }
    )


def logs_url(answer: ToolAnswer) -> str:
    """Render the address of a run's logs."""
    return as_json(
        {"logs_url": str(answer.result), "message": "Workflow run logs are available for download", "format": "zip"}
    )
