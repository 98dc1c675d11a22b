"""PyGithub and octokit, unmodified, against the code host: every operation of the first tier they have, and patience
under a limit.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.clients.day import WORLD, ask, interpreter, new_world, run, run_node, token, touched, urgent
from tests.company import START
from tests.conftest import Server
from world.core.clock import MINUTE
from world.core.settings import Settings
from world.script.faults import Fault
from world.script.scenario import Script, compile_script

# the library has no way to ask for these
NOT_IN_PYGITHUB = {
    "issues/check-user-can-be-assigned-to-issue",
    "issues/get-parent",
    "meta/root",
    "pulls/submit-review",
    "search/labels",
}
REFUSED = {
    "unknown": ["UnknownObjectException", 404, "Not Found", []],
    "unseen": ["UnknownObjectException", 404, "Not Found", []],
    "invalid": ["GithubException", 422, "Validation Failed", ["invalid"]],
    "twice": ["GithubException", 422, "Validation Failed", ["custom"]],
    "nobody": ["BadCredentialsException", 401, "Bad credentials", []],
}


def tokens(server: Server) -> dict[str, str]:
    """What both scripts speak with."""
    return {"FIRM_TOKEN": token(server, "github", "ada"), "FIRM_PEER_TOKEN": token(server, "github", "bo")}


def untouched(server: Server) -> set[str]:
    """The operations of the first tier that nobody called."""
    assert server.do(lambda: server.plane.host.misses(WORLD)) == []
    return urgent("github") - touched(server, "rest")


def rows_after(server: Server, repo: str) -> None:
    """What such a day leaves behind."""
    (id,) = ask(server, "SELECT id FROM github_repository WHERE name = ?", repo)[0]
    issues = ask(
        server,
        "SELECT number, title, state, state_reason, is_pull FROM github_issue WHERE repo_id = ? ORDER BY number",
        id,
    )
    assert issues == [
        (1, "Far too much zephyrine", "closed", "completed", 0),
        (2, "A small part", "open", None, 0),
        (3, "Something else first", "open", None, 0),
        (4, "The zephyrine storm", "closed", None, 1),
    ]
    assert ask(server, "SELECT name FROM github_ref WHERE repo_id = ? ORDER BY name", id) == [
        ("refs/heads/hand",),
        ("refs/heads/main",),
        ("refs/pull/4/head",),
        ("refs/tags/v0.1",),
    ]


def day(server: Server, folder: Path, **environment: str) -> dict[str, Any]:
    """The script's day, looked at afterwards."""
    report = run(interpreter("pygithub"), "pygithub_day.py", FIRM_FILES=str(folder), **tokens(server), **environment)
    assert untouched(server) == NOT_IN_PYGITHUB
    assert report["refused"] == REFUSED
    assert report["found"] == {"issues": 2, "code": 1, "repositories": 1, "commits": 1, "users": 1, "topics": 1}
    assert report["told"] == 2
    rows_after(server, "winds")
    return report


def test_a_day_with_pygithub_reaches_every_operation_of_the_first_tier(hub: Server, tmp_path: Path) -> None:
    new_world(hub)
    day(hub, tmp_path, FIRM_URL=f"{hub.url}/github/api/v3")


def test_a_day_with_pygithub_at_the_vendors_own_addresses(proxied_hub: Server, tmp_path: Path) -> None:
    new_world(proxied_hub)
    day(proxied_hub, tmp_path, HTTPS_PROXY=proxied_hub.proxy, REQUESTS_CA_BUNDLE=str(proxied_hub.up.authority))


def test_a_day_with_octokit_reaches_every_operation_of_the_first_tier(hub: Server) -> None:
    new_world(hub)
    report = run_node("octokit", "octokit_day.mjs", FIRM_URL=f"{hub.url}/github/api/v3", **tokens(hub))
    assert untouched(hub) == set()
    assert report["told"] == {
        "unknown": ["HttpError", 404, "Not Found"],
        "invalid": ["HttpError", 422, "Validation Failed"],
        "nobody": ["HttpError", 401, "Bad credentials"],
        "unchanged": 304,
    }
    assert report["found"] == [2, 1, 1, 3, 1, 1, 0]
    issue = {"title": "Too much zephyrine", "state": "CLOSED", "author": {"login": "ada"}}
    assert report["asked"] == {"repository": {"issue": issue}, "viewer": {"login": "ada"}}
    merged = (
        "SELECT p.merged_by_id, p.merge_method FROM github_pull p JOIN github_issue i ON i.id = p.issue_id WHERE"
        " i.title = ?"
    )
    assert ask(hub, merged, "The zephyrine storm") == [(101, "rebase")]


def limited(server: Server, retry: Any) -> None:
    """The world of the day, in which the code host takes no requests for half a minute."""
    script = Script("faults", START)
    script.fault(
        Fault("f", "github", "ratelimit", operations=("users/get-by-username",), retry_after_s=1),
        start="+0s",
        end="+30s",
    )
    world = compile_script(script, horizon="8h")
    server.do(lambda: server.plane.host.create(WORLD, Settings(limits="vendor", retry=retry, read_s=0.1), world))
    server.do(lambda: server.plane.host.actors[WORLD].advance(START + MINUTE // 2 - 1_200_000))


@pytest.mark.parametrize(("retry", "got"), [("patient", "bo"), ("strict", "RetryError")])
def test_the_retry_of_pygithub_outlasts_a_limit_in_a_patient_world_only(hub: Server, retry: str, got: str) -> None:
    limited(hub, retry)
    report = run(
        interpreter("pygithub"),
        "pygithub_patience.py",
        FIRM_URL=f"{hub.url}/github/api/v3",
        FIRM_TOKEN=token(hub, "github", "ada"),
    )
    statuses = [status for (status,) in ask(hub, "SELECT status FROM _call WHERE door = 'rest' ORDER BY seq")]
    assert statuses == (["ratelimit", "ratelimit", "ok"] if retry == "patient" else ["ratelimit", *["early_retry"] * 3])
    assert report == {"hasty": ["RateLimitExceededException", 403, "1"], "patient": got}
