"""Commands in commit messages are carried out in the issue tracker as who wrote the commit, with their permissions,
once.
"""

from collections.abc import Callable
from typing import Any

import pytest

from apps.jira.domain.smart_commits import Command, list_commands
from world.core.clock import MINUTE
from world.core.principal import Principal
from world.core.settings import Settings
from world.grading.effects import Ledger
from world.run.host import Host
from world.run.run_evidence import collect_run_record

WHERE = {"owner": "quayline", "repo": "payments"}
ME, PEER = "p_0005", "p_0003"
Commit = Callable[..., None]


@pytest.fixture
def world(firm: Host) -> Host:
    """A host with one world, `w`, without quotas."""
    firm.create("w", Settings(limits="off"))
    return firm


def ask(host: Host, who: str, operation: str, /, door: str = "rest", **arguments: Any) -> Any:
    return host.call(Principal("w", who), door, operation, arguments, base_url="http://quayline.test")


def rows(host: Host, sql: str, *values: Any) -> list[Any]:
    return host.actors["w"].bound.raw.execute(sql, values).fetchall()


@pytest.fixture
def commit(world: Host) -> Commit:
    """`commit(message)`: a commit on a branch of its own, and a minute."""

    def make(message: str, who: str = ME, door: str = "rest", **more: Any) -> None:
        main = ask(world, PEER, "git/get-ref", **WHERE, ref="heads/main")["object"]["sha"]
        name = f"work-{len(rows(world, 'SELECT seq FROM _call'))}"
        ask(world, who, "git/create-ref", **WHERE, ref=f"refs/heads/{name}", sha=main)
        ask(
            world,
            who,
            "repos/create-or-update-file-contents",
            door,
            **WHERE,
            path="n.md",
            branch=name,
            message=message,
            content="bg==",
            **more,
        )
        world.actors["w"].advance(world.actors["w"].now + MINUTE)

    return make


def open_issue(host: Host, project: str = "SHOP") -> str:
    sql = (
        "SELECT i.key FROM jira_issue i JOIN jira_status s ON s.id = i.status_id WHERE s.name = 'To Do' AND i.key LIKE"
        " ? ORDER BY i.id"
    )
    return rows(host, sql, f"{project}-%")[0][0]


def state(host: Host, key: str) -> tuple[str, list[Any], list[Any]]:
    """Status, comments and logged work of an issue, with who is their author."""
    sql, since = (
        "SELECT s.name, i.id FROM jira_issue i JOIN jira_status s ON s.id = i.status_id WHERE i.key = ?",
        host.actors["w"].now - 5 * MINUTE,
    )
    status, id = rows(host, sql, key)[0]
    written = rows(
        host, "SELECT author_id, body FROM jira_comment WHERE issue_id = ? AND created_at > ? ORDER BY id", id, since
    )
    spent = rows(host, "SELECT author_id, spent_s FROM jira_worklog WHERE issue_id = ? AND created_at > ?", id, since)
    return status, written, spent


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("SHOP-1 #comment Fixed it", [Command("SHOP-1", "comment", "Fixed it")]),
        (
            "Fix SHOP-1 and SHOP-2, at last #time 1h 30m Tests #done",
            [
                Command("SHOP-1", "time", "1h 30m Tests"),
                Command("SHOP-1", "done", ""),
                Command("SHOP-2", "time", "1h 30m Tests"),
                Command("SHOP-2", "done", ""),
            ],
        ),
        ("SHOP-1: fixes #12 and C#", []),
        ("#comment no key", []),
        ("SHOP-1\n#comment on another line", []),
        ("Notes\n\nSHOP-3 #ready-for-review See #12", [Command("SHOP-3", "ready-for-review", "See #12")]),
    ],
)
def test_commands_stand_behind_keys(message: str, found: list[Command]) -> None:
    assert list_commands(message) == found


@pytest.mark.parametrize("door", ["rest", "mcp"])
def test_a_commit_comments_logs_work_and_closes(world: Host, commit: Commit, door: str) -> None:
    key = open_issue(world)
    commit(f"{key} #comment Retries are bounded #time 1h 30m Tests #done", door=door)
    status, written, spent = state(world, key)
    assert status == "Done"
    assert [(who, "Retries are bounded" in body) for who, body in written] == [(ME, True)]
    assert spent == [(ME, 5400)]


def test_what_a_commit_orders_is_its_authors_own_doing(world: Host, commit: Commit) -> None:
    key = open_issue(world)
    commit(f"{key} #done")
    ledger, last = Ledger(collect_run_record(world.actors["w"]).calls), collect_run_record(world.actors["w"]).changes
    moved = {change.call_seq for change in last if change.table == "jira_issue"}
    linked = {change.call_seq for change in last if change.table == "jira_development"}
    assert {(ledger.call(seq).actor, ledger.call(seq).operation, ledger.origin(seq)) for seq in moved} == {
        (ME, "doTransition", "agent")
    }
    assert {(ledger.call(seq).operation, ledger.origin(seq), ledger.goes_back(seq)) for seq in linked} == {
        ("published:github.pushed", "world", True)
    }


def test_a_first_word_is_enough_and_two_transitions_follow_each_other(world: Host, commit: Commit) -> None:
    key = open_issue(world)
    commit(f"{key} #start #ready")
    assert state(world, key)[0] == "In Review"


@pytest.mark.parametrize("order", ["#comment Hello", "#time 1h", "#done"])
def test_a_commit_in_somebody_elses_name_orders_nothing(world: Host, commit: Commit, order: str) -> None:
    key = open_issue(world)
    before = state(world, key)
    name, email = rows(world, "SELECT full_name, email FROM person WHERE id = ?", PEER)[0]
    commit(f"{key} {order}", author={"name": name, "email": email}, committer={"name": name, "email": email})
    assert state(world, key) == before
    shown = ask(world, ME, "getDevelopmentInformation", issueIdOrKey=key)
    assert [one["author"] for one in shown if one["kind"] == "commit"] == [name]


def test_what_the_author_may_not_do_is_left_undone(world: Host, commit: Commit) -> None:
    key = rows(world, "SELECT key FROM jira_issue WHERE key LIKE 'SEC-%' ORDER BY id")[0][0]
    before = state(world, key)
    commit(f"{key} #comment Who sees this?")
    assert state(world, key) == before
    commit(f"{key} #comment Who sees this?", who=PEER)
    assert [who for who, _ in state(world, key)[1]] == [PEER]


def test_a_commit_that_comes_to_another_branch_orders_nothing_again(world: Host, commit: Commit) -> None:
    key = open_issue(world)
    commit(f"{key} #comment Once")
    name = rows(world, "SELECT ref FROM github_push ORDER BY id DESC LIMIT 1")[0][0].removeprefix("refs/heads/")
    main = ask(world, PEER, "git/get-ref", **WHERE, ref="heads/main")["object"]["sha"]
    ask(world, ME, "git/create-ref", **WHERE, ref="refs/heads/together", sha=main)
    ask(world, ME, "repos/merge", **WHERE, base="together", head=name)
    world.actors["w"].advance(world.actors["w"].now + MINUTE)
    assert len(state(world, key)[1]) == 1


def test_a_word_that_is_no_transition_moves_nothing(world: Host, commit: Commit) -> None:
    key = open_issue(world)
    commit(f"{key} #deploy now")
    assert (state(world, key)[0], state(world, key)[1]) == ("To Do", [])


def told(host: Host, who: str = ME) -> list[list[str]]:
    """The mails somebody had about commits of theirs: the lines that say what failed."""
    sql = (
        "SELECT m.text FROM gmail_mail m JOIN gmail_message b ON b.mail_id = m.id WHERE b.person_id = ? AND m.from_name"
        " = 'Jira' AND m.subject LIKE '%Smart commit errors in %' ORDER BY m.id"
    )
    return [
        [line.removeprefix("* ") for line in text.splitlines() if line.startswith("* ")]
        for (text,) in rows(host, sql, who)
    ]


def test_what_was_not_done_is_mailed_to_the_author_once_a_commit(world: Host, commit: Commit) -> None:
    key, hidden = open_issue(world), rows(world, "SELECT key FROM jira_issue WHERE key LIKE 'SEC-%' ORDER BY id")[0][0]
    commit(f"{key} #comment Fine")
    assert told(world) == []
    commit(f"{key} #comment #time soon #closing #time 1h\n{hidden} SHOP-99999 #done")
    (lines,) = told(world)
    assert [line.partition(":")[0] for line in lines] == [
        f"{key} #comment",
        f"{key} #time",
        f"{key} #closing",
        f"{hidden} #done",
        "SHOP-99999 #done",
    ]
    assert (
        "no transition" in lines[2] and "To Do" in lines[2] and lines[3].partition(":")[2] == lines[4].partition(":")[2]
    )
    assert state(world, key)[2] == [(ME, 3600)] and told(world, PEER) == []
