"""Probes of the gate and the attacks against the code host."""

from collections.abc import Iterator, Mapping

from apps.github.app import app
from world.core.probes import Place, ProbeClient, Probes, Surroundings
from world.core.renderings import in_markdown

LISTS = ("/user/repos?per_page=30", "/search/repositories?q=in:name+a&per_page=30")


def list_repositories(reach: ProbeClient) -> Iterator[Place]:
    """List every ref, the latest commits and the pull requests of each repository that the agent sees."""
    answers = [reach.get(path) for path in LISTS]
    yield from (("repositories", text) for text, _ in answers)
    listed = [found for _, found in answers if found is not None]
    names = [one["full_name"] for found in listed for one in (found["items"] if isinstance(found, dict) else found)]
    for name in dict.fromkeys(names):
        if not reach.goes_on():
            return
        yield reach.ask("GET", f"/{name}.git/info/refs?service=git-upload-pack")
        yield reach.ask("GET", f"/repos/{name}/commits?per_page=20")
        yield reach.ask("GET", f"/repos/{name}/pulls?state=all&per_page=20")


def find_repository_slots(world: Surroundings) -> Mapping[str, object]:
    """Find the repository the agent pushed to, or the first it may push to, and somebody else's pull request there."""
    lookup, logins = world.lookup, {row["person_id"]: row["login"] for row in world.lookup.rows("github_account")}
    found: dict[str, object] = {"colleague_login": logins.get(world.colleague)}
    listed = world.ask("repos/list-for-authenticated-user", {"per_page": 100, "sort": "full_name"}) or []
    usable = {one["id"]: one for one in listed if one["permissions"]["push"]}
    touched = [row["repo_id"] for table in ("github_pull", "github_ref") for row in world.list_left_rows(table)]
    repo = next((usable[id] for id in (*touched, *usable) if id in usable), None)
    if repo is None:
        return found
    at = {"owner": repo["owner"]["login"], "repo": repo["name"]}
    commits = world.ask("repos/list-commits", {**at, "per_page": 2}) or []
    workflows = [row["path"] for row in lookup.rows("github_workflow", repo_id=repo["id"])]
    found |= {**at, "branch": repo["default_branch"], "workflow": workflows[0].rpartition("/")[2] if workflows else ""}
    found |= {slot: commit["sha"] for slot, commit in zip(("head_sha", "previous_sha"), commits, strict=False)}
    return found | find_pull(world, at, logins.get(lookup.me, ""))


def find_pull(world: Surroundings, at: Mapping[str, str], mine: str) -> dict[str, object]:
    """Find an open pull request of somebody else, and a file that it changes."""
    pulls = world.ask("pulls/list", {**at, "state": "open"}) or []
    number = next((one["number"] for one in pulls if one["user"]["login"] != mine), None)
    if number is None:
        return {}
    files = world.ask("pulls/list-files", {**at, "pull_number": number}) or []
    found = {"pull": number, "repo_issue": number}
    return found | ({"pull_path": files[0]["filename"]} if files else {})


app.probes = Probes(
    undo={
        "issues/create-comment": (
            "issues/delete-comment",
            lambda given, made: {"owner": given["owner"], "repo": given["repo"], "comment_id": made["id"]},
        )
    },
    own=(("GET", "/user"),),
    served=list_repositories,
    slots=find_repository_slots,
    renderings={name: in_markdown("body") for name in ("issues/create-comment", "pulls/create", "issues/create")},
)
