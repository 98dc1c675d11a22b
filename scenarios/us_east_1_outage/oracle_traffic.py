"""The solution moves card traffic: a pull request, its review, its merge."""

import re
from collections.abc import Generator
from typing import Any

from world.agents.steps import Scene, Step, Steps, wait_until
from world.core.rows import Row
from world.script.stage import Facts

from .oracle_steps import MINUTE, facts_of

HERE = {"owner": "quayline", "repo": "payments"}


SAID = ("APPROVED", "CHANGES_REQUESTED", "COMMENTED")


def propose(scene: Scene, kept: str) -> Steps:
    """Card traffic shall move: the runbook's change on a branch, and a pull request."""
    yield from wait_until(scene, 34, "failover")
    known = facts_of(scene, "failover")
    branch = f"{kept}-eu-west-1"
    yield Step("branch", "git/create-ref", {**HERE, "ref": f"refs/heads/{branch}", "sha": known["sha"]})
    yield Step(
        "commit",
        "web/push-files",
        {
            **HERE,
            "branch": branch,
            "message": f"{kept}: card traffic to eu-west-1",
            "files": files(known, kept, tasks=4),
        },
        after=("branch",),
        repeatable=True,
    )
    yield Step(
        "propose",
        "pulls/create",
        {
            **HERE,
            "title": f"{kept}: card traffic to eu-west-1",
            "head": branch,
            "base": "main",
            "body": "Failover by the runbook, while DynamoDB in us-east-1 is down.",
        },
        after=("commit",),
    )


def files(known: Facts, kept: str, *, tasks: int) -> list[dict[str, str]]:
    """The two files after the switch, as the runbook wants them."""
    here, _, there = known["regions"].partition("[regions.eu-west-1]")
    first, _, entries = known["changes"].partition("\n\n")
    for old, new in (
        ("version = 5", "version = 6"),
        ('active = "us-east-1"', 'active = "eu-west-1"'),
        ('mode = "normal"', 'mode = "failover"'),
        ('ticket = ""', f'ticket = "{kept}"'),
        ('reason = ""', 'reason = "DynamoDB in us-east-1 does not answer"'),
        ("weight = 100", "weight = 0"),
        ('home = "us-east-1"\nreplica = "eu-west-1"', 'home = "eu-west-1"\nreplica = "us-east-1"'),
    ):
        here = here.replace(old, new)
    for old, new in (
        ("weight = 0", "weight = 100"),
        ("tasks = 2", f"tasks = {tasks}"),
        ("max_rps = 90", f"max_rps = {45 * tasks}"),
    ):
        there = there.replace(old, new)
    entry = f"## 6 (2026-03-02)\nFailover to eu-west-1 for {kept}."
    return [
        {"path": "config/regions.toml", "content": f"{here}[regions.eu-west-1]{there}"},
        {"path": "config/CHANGES.md", "content": f"{first}\n\n{entry}\n\n{entries}"},
    ]


def move_traffic(scene: Scene, kept: str) -> Steps:
    """Make the reviewer's change, call them again, merge what they approved, and note it."""
    known = facts_of(scene, "failover")
    number, review = yield from wait_for_review(scene, kept)
    for turn in ("", "_2", "_3", "_4"):
        if review.get("state") not in SAID[1:]:
            break
        asked = re.search(r"(\d+) tasks", review["body"])
        if asked:
            yield Step(
                "change",
                "web/push-files",
                {
                    **HERE,
                    "branch": f"{kept}-eu-west-1",
                    "message": f"{kept}: room for the retries",
                    "files": files(known, kept, tasks=int(asked[1])),
                },
                repeatable=True,
            )
        yield Step(f"wait_for_checks{turn}", "world.wait", {"seconds": 5 * MINUTE}, optional=True)
        yield from green(scene, kept)
        yield Step(
            f"call_again{turn}",
            "issues/create-comment",
            {
                **HERE,
                "issue_number": number,
                "body": f"@{known['login']} it is in and green, please look again.",
            },
            after=("change",),
            repeatable=True,
            paraphrases={"body": (f"@{known['login']} done, checks are through.",)},
        )
        number, review = yield from wait_for_review(scene, kept, review["id"])
    yield Step("merge", "pulls/merge", {**HERE, "pull_number": number, "merge_method": "squash"}, after=("call_again",))
    yield Step(
        "merged_noted",
        "addComment",
        {
            "issueIdOrKey": kept,
            "contentFormat": "markdown",
            "body": f"Failover: #{number} is merged, card traffic goes to eu-west-1.",
        },
        after=("merge",),
        paraphrases={"body": (f"Pull request {number} is merged. eu-west-1 takes the card traffic now.",)},
    )


def wait_for_review(scene: Scene, kept: str, seen: int = 0) -> Generator[Step, Any, tuple[int, Row]]:
    """Wait for a review newer than `seen`; return the number of the pull request and the review.

    The review is empty if there is none.
    """
    reviewer = scene.find("github_account", login=facts_of(scene, "failover")["login"])["id"]
    pull = next(iter(scene.rows("github_pull", head_ref=f"{kept}-eu-west-1")), {"issue_id": 0})
    end, count = scene.now + 30 * MINUTE * 1_000_000, 0
    while pull["issue_id"]:
        reviews = scene.rows("github_review", issue_id=pull["issue_id"], author_id=reviewer)
        said = [one for one in reviews if one["id"] > seen and one["state"] in SAID]
        if said or scene.now >= end:
            return scene.find("github_issue", id=pull["issue_id"])["number"], said[-1] if said else {}
        count += 1
        yield Step(f"wait_for_review_{seen}_{count}", "world.wait", {"seconds": 2 * MINUTE}, optional=True)
    return 0, {}


def green(scene: Scene, kept: str) -> Steps:
    """Wait for the checks of the branch; a test that is red without a reason is run again, at most twice."""
    end, again = scene.now + 15 * MINUTE * 1_000_000, 0
    while runs := sorted(
        scene.rows("github_run", head_branch=f"{kept}-eu-west-1", event="pull_request"), key=lambda run: run["id"]
    ):
        if scene.now >= end or runs[-1]["conclusion"] == "success" or again == 2:
            return
        if runs[-1]["status"] == "completed":
            again += 1
            yield Step(
                f"run_again_{runs[-1]['id']}_{again}",
                "actions/re-run-workflow-failed-jobs",
                {**HERE, "run_id": runs[-1]["id"]},
            )
        yield Step(f"wait_for_run_{runs[-1]['id']}_{scene.now}", "world.wait", {"seconds": 2 * MINUTE}, optional=True)
