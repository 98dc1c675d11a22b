"""Builds that the company's build server reports."""

from collections.abc import Sequence

from scenarios.office.changes import PlannedChange
from scenarios.office.code import organisation, propose, technology_chief
from scenarios.office.defects import Edit
from scenarios.office.pull_requests import head_of_pull
from world.script.chore import Draw
from world.script.stage import Facts, Stage

CHECK = "build"


def build_server(w: Stage) -> str:
    """Directory id of the account that reports builds."""
    return w.find("person", kind="bot", full_name="CI")["id"]


def let_build(w: Stage, repo: str) -> None:
    """Give the build server access to a repository."""
    username = w.find("github_account", person_id=build_server(w))["login"]
    place = {"owner": organisation(w), "repo": repo}
    asked = w.act(technology_chief(w), "repos/add-collaborator", username=username, permission="push", **place)
    w.act(build_server(w), "repos/accept-invitation-for-authenticated-user", invitation_id=asked["id"])


def report_build(w: Stage, repo: str, sha: str, conclusion: str, title: str, text: str = "") -> None:
    """Report a build of a commit: `success`, `failure`, or `` if it has begun only."""
    state = {"conclusion": conclusion, "status": "completed"} if conclusion else {"status": "in_progress"}
    output = {"title": title, "summary": text or title}
    place = {"owner": organisation(w), "repo": repo}
    w.act(build_server(w), "checks/create", name=CHECK, head_sha=sha, output=output, **state, **place)


def state_of(w: Stage, repo: str, sha: str) -> str:
    """How the last build of a commit ended; empty while it goes on."""
    here = w.find("github_repository", name=repo)["id"]
    found = w.rows("github_check_run", repo_id=here, head_sha=sha)
    return (found[-1]["conclusion"] or "") if found else ""


def propose_built(d: Draw, repo: str, authors: Sequence[str], changes: Sequence[PlannedChange]) -> list[Facts]:
    """Open a pull request for each change, built in green but for the first; return facts of each."""
    w, here = d.w, d.w.find("github_repository", name=repo)["id"]
    pulls: list[Facts] = []
    for at, change in enumerate(changes):
        number = propose(w, d.pick(authors, f"author{at}"), repo, change)
        issue = w.find("github_issue", repo_id=here, number=number)["id"]
        pulls.append({"number": number, "issue": issue, "title": change.title, "head": f"refs/heads/{change.branch}"})
        ended = ("failure", "Failed") if at == 0 else ("success", "All passed")
        report_build(w, repo, head_of_pull(w, issue), *ended)
    return pulls


def test_of(edit: Edit) -> str:
    """Name of the test of a value that a change sets."""
    return f"test_{edit.path.removeprefix('src/').removesuffix('.py')}"
