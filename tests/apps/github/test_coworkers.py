"""Who is woken by what happens on the code host, whom a comment or a request speaks to, and where they answer."""

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

import apps.github
from apps.github import code_review
from tests.company import START, as_person
from world.core.access import Tokens
from world.core.settings import Settings
from world.run.host import Host
from world.script.coworkers import Coworker, Demand, Rule
from world.script.scenario import Script, compile_script
from world.store import Base, Store

HOUR_S = 3600
HERE = {"owner": "tiny", "repo": "app"}
Play = Callable[..., Host]


@pytest.fixture
def play(sealed: Path, tmp_path: Path) -> Play:
    """Hosts whose world `w` plays a script."""
    number = count()

    def begin(*parts: Callable[[Script], object]) -> Host:
        made = Host(Store(tmp_path / f"played{next(number)}", Base(sealed)), [apps.github.app], Tokens("test secret"))
        script = Script("hub", START, "Europe/Berlin")
        for part in parts:
            part(script)
        made.create("w", Settings(limits="off"), compile_script(script, horizon="2d"))
        return made

    return begin


def bo(s: Script) -> None:
    """Bo knows about the loop and says so once asked."""
    rule = Rule("loop", intent=(("loop", "count*"),), replies=("The loop is fine.",) * 3)
    s.coworker(Coworker(who=lambda w: "p_bo", rules=(rule,), fallback=("Looks good to me.",) * 3, always=True))


def does(who: str, operation: str, **arguments: object) -> Callable[[Script], object]:
    return lambda s: s.at("+5m", lambda w: w.act(who, operation, **{**HERE, **arguments}))


def waited(host: Host, who: str = "ada") -> list[str]:
    return host.call(as_person(host, who), "rest", "world.wait", {"seconds": HOUR_S})["happened"]


def call(host: Host, who: str, operation: str, **arguments: object) -> object:
    return host.call(as_person(host, who), "rest", operation, {**HERE, **arguments}, "http://github.test")


def said(host: Host, number: int) -> list[tuple[str, str]]:
    found = call(host, "ada", "issues/list-comments", issue_number=number)
    return [(one["user"]["login"], one["body"]) for one in found]  # type: ignore[attr-defined]


def test_a_comment_wakes_who_follows_and_who_is_mentioned_and_nobody_else(play: Play) -> None:
    host = play(does("p_bo", "issues/create-comment", issue_number=1, body="What do you think, @ada?"))
    assert waited(host) == ["You were mentioned. bo on tiny/app#1: What do you think, @ada?"]
    host = play(does("p_bo", "issues/create-comment", issue_number=1, body="Looking"))
    assert waited(host, "cyrus") == ["bo on tiny/app#1: Looking"]
    host = play(does("p_bo", "issues/create-comment", issue_number=1, body="Looking"))
    assert waited(host, "dee") == []


def test_an_assignment_a_new_issue_and_a_closing_say_what_happened(play: Play) -> None:
    assert waited(play(does("p_bo", "issues/add-assignees", issue_number=1, assignees=["ada"]))) == [
        "You were assigned. tiny/app#1: Counting is slow (bo assigned somebody)"
    ]
    assert waited(play(does("p_bo", "issues/create", title="Help @ada", body="@ada"))) == [
        "You were mentioned. bo opened tiny/app#3: Help @ada"
    ]
    closed = play(does("p_bo", "issues/update", issue_number=1, state="closed"))
    assert waited(closed, "cyrus") == ["tiny/app#1: Counting is slow (bo closed this)"]


def test_who_is_mentioned_in_a_comment_answers_there(play: Play) -> None:
    host = play(bo)
    call(host, "ada", "issues/create-comment", issue_number=2, body="@bo is it the loop?")
    assert waited(host) == ["bo on tiny/app#2: The loop is fine."]
    assert said(host, 2)[-1] == ("bo", "The loop is fine.")


def test_without_a_mention_the_assignee_answers_and_nobody_answers_themselves(play: Play) -> None:
    host = play(bo)
    call(host, "ada", "issues/create-comment", issue_number=2, body="Is it the loop?")
    assert waited(host) == []
    call(host, "ada", "issues/add-assignees", issue_number=2, assignees=["bo"])
    call(host, "ada", "issues/create-comment", issue_number=2, body="Is it the loop?")
    waited(host)
    assert [who for who, _ in said(host, 2)] == ["ada", "ada", "bo"]


def test_who_is_mentioned_in_a_new_issue_answers_there(play: Play) -> None:
    host = play(bo)
    call(host, "ada", "issues/create", title="Counting", body="Hi @bo")
    waited(host)
    assert said(host, 3) == [("bo", "The loop is fine.")]


def test_who_is_asked_to_review_answers_with_a_review(play: Play) -> None:
    host = play(bo)
    pull = call(host, "ada", "pulls/create", title="Tuples", body="", head="feature", base="main")["number"]  # type: ignore[index]
    call(host, "ada", "pulls/request-reviewers", pull_number=pull, reviewers=["bo"])
    assert waited(host) == [f"bo on tiny/app#{pull}: Looks good to me."]
    (review,) = call(host, "ada", "pulls/list-reviews", pull_number=pull)  # type: ignore[misc]
    assert (review["user"]["login"], review["state"], review["body"]) == ("bo", "COMMENTED", "Looks good to me.")


def test_a_comment_on_a_line_is_answered_in_its_thread(play: Play) -> None:
    host = play(bo)
    pull = call(host, "bo", "pulls/create", title="Tuples", head="feature", base="main")
    number, sha = pull["number"], pull["head"]["sha"]  # type: ignore[index]
    call(
        host,
        "ada",
        "pulls/create-review-comment",
        pull_number=number,
        body="Why the loop?",
        commit_id=sha,
        path="src/count.py",
        line=2,
    )
    waited(host)
    first, second = call(host, "ada", "pulls/list-review-comments", pull_number=number)  # type: ignore[misc]
    assert (second["user"]["login"], second["in_reply_to_id"], second["body"]) == (
        "bo",
        first["id"],
        "The loop is fine.",
    )


def reviewer(s: Script) -> None:
    """Bo approves of what is green and changes a source file, and says what is lacking."""
    rule = Rule(
        "review",
        intent=(("review", "again"),),
        replies=("Good.",) * 3,
        by=code_review.approves,
        demands=(
            Demand(code_review.has_finished_checks, ("Checks first.",) * 3),
            Demand(code_review.green, ("Make it green.",) * 3, by=code_review.requests_changes),
            Demand(code_review.changes("src/*.py"), ("Where is the code?",) * 3, by=code_review.requests_changes),
        ),
    )
    s.coworker(Coworker(who=lambda w: "p_bo", rules=(rule,), always=True))


def test_a_reviewer_approves_of_what_is_green_and_requests_changes_else(play: Play) -> None:
    host = play(reviewer)
    pull = call(host, "ada", "pulls/create", title="Tuples", body="", head="feature", base="main")
    number, sha = pull["number"], pull["head"]["sha"]  # type: ignore[index]
    call(host, "ada", "pulls/request-reviewers", pull_number=number, reviewers=["bo"])
    waited(host)
    for state in ("failure", "success"):
        call(host, "ada", "repos/create-commit-status", sha=sha, state=state, context="ci")
        call(host, "ada", "issues/create-comment", issue_number=number, body="@bo please look again")
        waited(host)
    reviews = call(host, "ada", "pulls/list-reviews", pull_number=number)
    assert [(one["state"], one["body"]) for one in reviews] == [  # type: ignore[attr-defined]
        ("COMMENTED", "Checks first."),
        ("CHANGES_REQUESTED", "Make it green."),
        ("APPROVED", "Good."),
    ]


def test_a_reviewer_misses_what_is_not_changed(play: Play) -> None:
    def elsewhere(s: Script) -> None:
        rule = Rule(
            "review",
            intent=(("review",),),
            replies=("Good.",) * 3,
            by=code_review.approves,
            demands=(Demand(code_review.changes("docs/*.md"), ("Document it.",) * 3, by=code_review.requests_changes),),
        )
        s.coworker(Coworker(who=lambda w: "p_bo", rules=(rule,), always=True))

    host = play(elsewhere)
    number = call(host, "ada", "pulls/create", title="Tuples", head="feature", base="main")["number"]  # type: ignore[index]
    call(host, "ada", "pulls/request-reviewers", pull_number=number, reviewers=["bo"])
    waited(host)
    (review,) = call(host, "ada", "pulls/list-reviews", pull_number=number)  # type: ignore[misc]
    assert (review["state"], review["body"]) == ("CHANGES_REQUESTED", "Document it.")


def opened(host: Host) -> tuple[int, str]:
    """A pull request of ada's that is green, and its last commit."""
    pull = call(host, "ada", "pulls/create", title="Tuples", body="", head="feature", base="main")
    sha = pull["head"]["sha"]  # type: ignore[index]
    call(host, "ada", "repos/create-commit-status", sha=sha, state="success", context="ci")
    return pull["number"], sha  # type: ignore[index]


def states(host: Host, number: int) -> list[tuple[str, str]]:
    found = call(host, "ada", "pulls/list-reviews", pull_number=number)
    return [(one["user"]["login"], one["state"]) for one in found]  # type: ignore[attr-defined]


def closing(s: Script) -> None:
    """Bo approves of what is green, once."""
    rule = Rule(
        "review",
        intent=(),
        replies=("Good.",) * 3,
        by=code_review.approves,
        demands=(Demand(code_review.is_on_pull_request, ("There, please.",) * 3, final=True),),
    )
    s.coworker(Coworker(who=lambda w: "p_bo", rules=(rule,), always=True, over=code_review.is_settled))


def test_a_request_and_a_comment_are_answered_by_one_review_and_what_is_approved_by_none(play: Play) -> None:
    host = play(closing)
    number, _ = opened(host)
    call(host, "ada", "pulls/request-reviewers", pull_number=number, reviewers=["bo"])
    call(host, "ada", "issues/create-comment", issue_number=number, body="@bo it is green, please look")
    waited(host)
    assert states(host, number) == [("bo", "APPROVED")]
    call(host, "ada", "issues/create-comment", issue_number=number, body="@bo is it fine?")
    waited(host)
    call(host, "ada", "pulls/merge", pull_number=number)
    call(host, "ada", "issues/create-comment", issue_number=number, body="@bo merged, anything else?")
    waited(host)
    assert states(host, number) == [("bo", "APPROVED")] and len(said(host, number)) == 3


def test_a_request_that_was_taken_back_is_not_answered(play: Play) -> None:
    host = play(bo)
    number, _ = opened(host)
    call(host, "ada", "pulls/request-reviewers", pull_number=number, reviewers=["bo"])
    call(host, "ada", "pulls/remove-requested-reviewers", pull_number=number, reviewers=["bo"])
    waited(host)
    assert states(host, number) == []


def test_a_request_to_a_team_is_answered_by_all_though_the_first_review_meets_it(play: Play) -> None:
    def cyrus(s: Script) -> None:
        s.coworker(Coworker(who=lambda w: "p_cy", fallback=("Fine.",) * 3, always=True, delay_s=30))

    host = play(bo, cyrus)
    number, _ = opened(host)
    call(host, "ada", "teams/add-or-update-membership-for-user-in-org", org="tiny", team_slug="core", username="cyrus")
    call(host, "ada", "pulls/request-reviewers", pull_number=number, reviewers=[], team_reviewers=["core"])
    waited(host)
    waited(host)
    assert {who for who, _ in states(host, number)} == {"bo", "cyrus"}
