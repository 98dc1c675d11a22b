"""One fix from the issue to main: branch, commit, pull request, checks in the sandbox, review, merge, and what a grader
then sees.
"""

import pytest

from apps.github.ci import hidden_tests
from tests.apps.github.ci import CI, GREEN, RED, SERVICE, Ci
from tests.apps.github.conftest import Say
from tests.conformance.github_client import HubClient
from world.core.tables import metadata
from world.grading.tables import describe
from world.run.host import Host
from world.run.sealed_rows import ViewRows
from world.sandbox import available

pytestmark = pytest.mark.skipif(available() is not None, reason="this host cannot isolate")
RULES = {
    "required_status_checks": {"strict": False, "contexts": ["test"]},
    "enforce_admins": True,
    "restrictions": None,
    "required_pull_request_reviews": {
        "required_approving_review_count": 1,
        "require_code_owner_reviews": True,
        "dismiss_stale_reviews": True,
    },
}


@pytest.mark.full
def test_a_bug_is_fixed_by_a_pull_request(host: Host, client: HubClient, say: Say, refused: Say) -> None:
    ci = Ci(host, say)
    ci.plant()
    ci.workflow(
        CI.replace("[push, workflow_dispatch]", "pull_request"),
        {"serve.py": SERVICE.format(5), ".github/CODEOWNERS": "* @ada\n"},
    )
    say("repos/update-branch-protection", branch="main", **RULES)
    issue = say("issues/create", "cyrus", title="It answers 5")["number"]
    ci.push({"serve.py": SERVICE.format(4), "test_count.py": RED}, branch="four", who="bo")
    proposed = {"title": "Answer 4", "body": f"Closes #{issue}", "head": "four", "base": "main"}
    pull = client.post("/repos/tiny/app/pulls", who="bo", json=proposed).json()["number"]

    def state() -> str:
        return say("pulls/get", pull_number=pull)["mergeable_state"]

    def fixed() -> bool:
        rows = ViewRows(host.store, host.actor("w").world, describe(metadata()))
        return hidden_tests.repo_is_fixed(rows, repo="app", ref="main", bug="plus")

    assert [one["login"] for one in say("pulls/get", pull_number=pull)["requested_reviewers"]] == ["ada"]
    say("pulls/create-review", "ada", pull_number=pull, event="APPROVE")
    assert ci.done()["conclusion"] == "failure" and state() == "blocked"
    ci.push({"test_count.py": GREEN}, branch="four", who="bo")
    assert ci.done()["conclusion"] == "success" and state() == "blocked"  # the approval was of the first commit
    assert refused("pulls/merge", "bo", pull_number=pull) == "not_mergeable"
    say("pulls/create-review", "ada", pull_number=pull, event="APPROVE")
    assert state() == "clean" and not fixed()
    merged = say("pulls/merge", "bo", pull_number=pull, merge_method="squash")
    ci.wait(5)
    assert say("git/get-ref", ref="heads/main")["object"]["sha"] == merged["sha"]
    assert (say("issues/get", issue_number=issue)["state"], say("issues/get", issue_number=issue)["state_reason"]) == (
        "closed",
        "completed",
    )
    say("repos/create-for-authenticated-user", "bo", name="app")
    assert fixed()  # another repository of the name makes no difference
