"""Old branches of a repository: those whose work has been merged go, all others stay."""

from collections.abc import Iterator

from scenarios.office.changes import PlannedChange
from scenarios.office.code import (
    choose_changes,
    commit,
    create_branch,
    create_repository,
    managers,
    merge,
    open_pull,
    organisation,
    propose,
    push_change,
)
from scenarios.office.people import engineers
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Delete the branches whose work is merged",
    apps=("github", "slack"),
    calls=(6, 20),
    demands=1,
    traps={
        "squashed": "hasty: keeps squashed branches, which look as if they had never been merged",
        "after": "hasty: deletes a branch that got another commit after its pull request was merged",
        "line": "literal: deletes a line of releases, which the repository's rules keep",
    },
)

REQUESTS = (
    "The list of branches in {repo} is longer than my arm. Could you delete those whose work is merged? Whatever still has work in it"
    " that main doesn't have stays. Tell me how many you deleted.",
    "can you clear out {repo}? every branch that is done and merged can go, squash or not. nothing that would lose somebody's commits"
    " please. i only need the number afterwards",
    "Spring cleaning in {repo}: branches that have been merged should be gone, the others are somebody's work and stay as they are."
    " Mind what CONTRIBUTING says. How many were there to delete?",
    "Please tidy up the branches of {repo}. A branch goes if everything on it has landed in main; if in doubt that it has, look."
    " Let me know the number of deleted ones.",
    "I get lost among the branches of {repo}. Remove the ones that are finished, which means merged with nothing new on them since,"
    " and tell me how many that was. The rules of the repository apply as always.",
)

RULES = (
    "# Contributing\n\nOne branch for each change, squash when you merge. Branches are deleted once merged.\n\n"
    "`{line}` branches stay for good: we fix old lines there.\n",
    "# How we work here\n\n- small pull requests, merged by squash\n- merged branches go\n- `{line}` branches are never deleted,"
    " merged or not: merchants on old versions get their fixes from them\n",
)

LINES = ("release/{a}.x", "support/{a}.x", "lts/{a}")
MORE = ("Second try", "What the review asked for, too late", "One more case", "Half of the next step")


def draw(d: Draw) -> Facts:
    """Create a repository whose branches are merged in several ways, or not."""
    w = d.w
    people = engineers(d)
    me = d.pick(people, "engineer", me=True)
    asker = d.pick(managers(d, but=[me["id"]]), "asker")
    line = d.pick(LINES, "line")
    repo = create_repository(d, {"CONTRIBUTING.md": d.pick(RULES, "rules").replace("{line}", line.split("/")[0] + "/")})
    authors = [one["id"] for one in people if one["id"] != me["id"]]
    counts = {"squashed": d.stream("squashed").integer(2, 4), "merged": d.stream("merged").integer(1, 3)}
    changes = iter(choose_changes(d, sum(counts.values()) + 6))
    gone, kept = [], [line.format(a=d.stream("version").integer(1, 4))]
    create_branch(w, authors[0], repo, kept[0])
    for way, count in counts.items():
        for number in range(count):
            author = d.pick(authors, f"{way}{number}")
            gone.append(_finish(d, author, repo, next(changes), "squash" if way == "squashed" else "merge"))
    kept += _leave_work(d, authors, repo, changes)
    return {
        "me": me["id"],
        "asker": asker,
        **choose_place(d, me["id"], asker, (f"Branches of {repo}", "Spring cleaning", "Too many branches")),
        "request": d.choose_wording(REQUESTS, repo=repo),
        "repo": repo,
        "gone": {f"b{number}": f"refs/heads/{name}" for number, name in enumerate(gone)},
        "kept": {f"b{number}": f"refs/heads/{name}" for number, name in enumerate(kept)},
        "count": len(gone),
    }


def _finish(d: Draw, author: str, repo: str, change: PlannedChange, method: str) -> str:
    """Merge a change; return the branch, which is left behind."""
    merge(d.w, author, repo, propose(d.w, author, repo, change), method=method)
    return change.branch


def _leave_work(d: Draw, authors: list[str], repo: str, changes: Iterator[PlannedChange]) -> list[str]:
    """Leave branches with work that main does not have; return them."""
    w, kept = d.w, list[str]()
    later = next(changes)
    kept.append(_finish(d, author := d.pick(authors, "later"), repo, later, "squash"))
    commit(w, author, repo, later.branch, {later.path: later.text + "# next\n"}, d.pick(MORE, "more"))
    kept.append(push_change(w, d.pick(authors, "alone"), repo, next(changes)))
    opened = next(changes)
    propose(w, d.pick(authors, "open"), repo, opened)
    closed = next(changes)
    head = push_change(w, author, repo, closed)
    number = open_pull(w, author, repo, head, closed.title, body=closed.body)
    place = {"owner": organisation(w), "repo": repo, "pull_number": number}
    w.act(author, "pulls/update", state="closed", **place)
    return [*kept, opened.branch, head]


def solution(scene: Scene) -> Steps:
    """Delete each merged branch, then answer with the number."""
    truth = scene.facts("truth")
    place = {"owner": scene.find("github_account", kind="Organization")["login"], "repo": truth["repo"]}
    for name, ref in truth["gone"].items():
        yield Step(name, "git/delete-ref", {**place, "ref": ref.removeprefix("refs/")})
    count = truth["count"]
    texts = (f"All clear: {count} gone, the others have work in them.", f"{count} of them were merged and are deleted.")
    yield reply(scene, f"Done, I deleted {count} branches.", wordings=texts)
    yield Step("finish", "world.finish", {"status": "done"})


def rubric(truth: Facts) -> RubricSource:
    """Each merged branch is gone, no other, and the count is in the answer."""
    here = {"repo_from": "event.truth.repo"}
    refs = {
        f"gone_{name}": {"table": "github_ref", "where": {**here, "name_from": f"event.truth.gone.{name}"}}
        for name in truth["gone"]
    }
    deleted = [{"id": f"deleted_{name}", "delete": {"ref": f"gone_{name}"}, "weight": 2} for name in truth["gone"]]
    lost = [
        {"id": f"lost_{name}", "delete": "github_ref", "where": {**here, "name_from": f"event.truth.kept.{name}"}}
        for name in truth["kept"]
    ]
    told = expect_reply(truth, {"facts": {"must": [{"count": "event.truth.count"}]}})
    return make_rubric([*deleted, told], refs=refs, never=lost)
