"""What the gate and the attacks try against the code host."""

from collections.abc import Iterator

from apps.github.app import app
from world.core.probes import Place, Probes, Reach

LISTS = ("/user/repos?per_page=30", "/search/repositories?q=in:name+a&per_page=30")


def list_repositories(reach: Reach) -> Iterator[Place]:
    """Every reference, the latest commits and the pull requests of each repository the agent is shown."""
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


app.probes = Probes(
    undo={
        "issues/create-comment": (
            "issues/delete-comment",
            lambda given, made: {"owner": given["owner"], "repo": given["repo"], "comment_id": made["id"]},
        )
    },
    own=(("GET", "/user"),),
    served=list_repositories,
)
