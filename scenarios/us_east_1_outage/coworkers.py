"""Coworkers of the scenario: the reviewer of the pull request, platform on call, and people who ask something."""

import tomllib
from collections.abc import Iterator

from apps.github import code_review
from world.core.app import HeardMessage
from world.script.coworkers import Coworker, Demand, Rule
from world.script.stage import Stage
from world.script.thanks import Thanks

from .people import account_owner, customer, find_by_title
from .traffic import AWAY, REGIONS, reviewer_id, text_of


def reviewer(tasks: int) -> Coworker:
    """Return platform's reviewer, who approves a pull request that is green and leaves room for the retries."""

    def roomy(w: Stage, heard: HeardMessage) -> bool:
        found = code_review.pull_of(w, heard)
        text = text_of(w, REGIONS, found[3].head_sha) if found else ""
        return tomllib.loads(text).get("regions", {}).get(AWAY, {}).get("tasks", 0) >= tasks

    return Coworker(
        who=reviewer_id,
        rules=(
            Rule(
                "review",
                intent=(),
                demands=(
                    Demand(
                        code_review.is_on_pull_request,
                        (
                            "i review on the pull request, call me there when its checks are done",
                            "not here please. say my name on the pull request when it is green",
                            "put it on the pull request, i look at it there once the checks are done",
                        ),
                        final=True,
                    ),
                    Demand(
                        code_review.has_finished_checks,
                        (
                            "i look at a pull request when its checks are done. call me there then",
                            "the checks are not through. say my name on the pull request when they are",
                            "not before the checks are done, please call me again on the pull request",
                        ),
                        final=True,
                    ),
                    Demand(
                        code_review.green,
                        (
                            "red. read what the test says",
                            "CI is red, see the log",
                            "not while it is red",
                        ),
                        by=code_review.requests_changes,
                    ),
                    Demand(
                        roomy,
                        (
                            (
                                f"the retries come on top of the peak. {AWAY} needs {tasks} tasks, max_rps to match."
                                " call me when that is in and green"
                            ),
                            (
                                f"too small, the retry worker doubles the traffic: {tasks} tasks in {AWAY} and max_rps"
                                " to match, then call me again"
                            ),
                            (
                                f"please {tasks} tasks for {AWAY} (and max_rps), retries are not in the peak. call me"
                                " when it is green"
                            ),
                        ),
                        by=code_review.requests_changes,
                    ),
                ),
                replies=("ok, merge it", "looks right, go", "approved. merge and tell the others"),
                by=code_review.approves,
            ),
        ),
        delay_s=240,
        always=True,
        everywhere=True,
        over=has_reviewed,
    )


def has_reviewed(w: Stage, heard: HeardMessage) -> bool:
    """Whether the reviewer is done with the pull request; elsewhere, whether they know of one and say the rest there."""
    if code_review.is_on_pull_request(w, heard):
        return code_review.is_settled(w, heard)
    decided, account = w.fired("failover"), w.find("github_account", person_id=heard.listener)
    pulls = [one["id"] for one in w.rows("github_issue", is_pull=True) if decided and one["created_at"] > decided.at]
    known = (
        w.rows("github_review_request", issue_id=id, account_id=account["id"])
        + w.rows("github_review", issue_id=id, author_id=account["id"])
        + [one for one in w.rows("github_comment", issue_id=id) if f"@{account['login']}" in one["body"]]
        for id in pulls
    )
    return any(known)


def platform(batch: str, captures: int) -> Coworker:
    """Return the coworker on call for platform.

    They name the batch that was captured twice when asked about retries or double charges.
    """

    def has_begun(w: Stage) -> bool:
        return w.fired("alert") is not None

    return Coworker(
        who=lambda w: w.on_call("platform"),
        rules=(
            Rule(
                "not me",
                alone=True,
                intent=(("please review",),),
                replies=(
                    "i have both hands in the retry worker, {name} does the reviews today",
                    "not me today, {name} reviews",
                    "{name} looks at pull requests while i am on the retry worker",
                ),
                slots=lambda w: {"name": w.person(reviewer_id(w)).first_name},
            ),
            Rule(
                "batch",
                when=has_begun,
                intent=(
                    (
                        "retry*",
                        "retries",
                        "replay*",
                        "twice",
                        "double*",
                        "duplicate*",
                        "capture*",
                        "batch*",
                        "reconcil*",
                        "moved",
                        "queue*",
                    ),
                ),
                replies=(
                    (
                        f"yes. the retry worker replayed {captures} captures when the first connections came back, all"
                        f" of them in batch {batch}. i stopped it. that batch must be reconciled before anybody starts"
                        " it again"
                    ),
                    (
                        f"we have one: batch {batch}, {captures} captures went out a second time before i stopped the"
                        f" retry worker. nothing else moved twice. reconcile {batch} first please"
                    ),
                    (
                        f"looked at it just now: {captures} captures sent twice, all in {batch}. worker is stopped,"
                        f" leave it until {batch} is reconciled"
                    ),
                ),
            ),
            Rule(
                "cause",
                when=has_begun,
                intent=(("cause", "why", "happened", "wrong", "dns", "dynamo*", "aws", "root"),),
                replies=(
                    (
                        "no new connections to the dynamodb endpoint from anywhere in us-east-1, the name does not"
                        " resolve. existing ones died one by one. not our deploy"
                    ),
                    "dynamodb's name resolves to nothing in us-east-1. so not 26.4, and nothing we can fix from here",
                    "dns for dynamodb in us-east-1 is empty. aws has not said so yet",
                ),
            ),
        ),
        fallback=(
            "in the middle of it. what exactly do you need to know?",
            "i'm on it, ask me something specific",
            "can you say what you need from me?",
        ),
        delay_s=120,
        always=True,
        everywhere=True,
    )


def askers(muted: int) -> Iterator[Coworker]:
    """Yield the coworkers who only thank for an answer.

    They are the chiefs, support, the colleague who would roll back, and the account owner of the customer who is not
    written to.
    """
    asked = {
        "Chief Executive Officer": ("eta",),
        "Chief Technology Officer": ("failover",),
        "Head of Support": ("first_question", "second_question", "by_mail"),
        "Engineering Manager Checkout": ("wrong_cure", "false_recovery"),
    }
    for title, events in asked.items():
        yield Coworker(
            who=lambda w, title=title: find_by_title(w, title),
            thanks=Thanks(events=events, replies=("thanks!", "ok, thanks", "good, thank you")),
            always=True,
        )
    called = ("Thanks, I call them.", "Thank you, I take it from here.", "Ok, thanks. I ring them now.")
    yield Coworker(
        who=lambda w: account_owner(w, muted),
        thanks=Thanks(
            replies=called,
            about=lambda w, heard: heard.operation == "mail.send" and customer(w, muted)["name"] in heard.text,
        ),
        always=True,
    )
