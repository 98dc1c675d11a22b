"""Who answers: the reviewer of the pull request, and platform on call."""

import tomllib

from apps.github import code_review
from world.core.app import Heard
from world.script.coworkers import Coworker, Demand, Rule
from world.script.stage import Stage

from .traffic import AWAY, REGIONS, reviewer_id, text_of


def reviewer(tasks: int) -> Coworker:
    """Reviews for platform: what is green, and leaves room for the retries."""

    def roomy(w: Stage, heard: Heard) -> bool:
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
                        code_review.has_finished_checks,
                        (
                            "i look at a pull request when its checks are done. call me there then",
                            "the checks are not through. say my name on the pull request when they are",
                            "not before the checks are done, please call me again on the pull request",
                        ),
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
    )


def platform(batch: str, captures: int) -> Coworker:
    """Platform on call: knows which batch was captured twice, and tells it to whoever asks about retries or double
    charges.
    """

    def begun(w: Stage) -> bool:
        return w.fired("alert") is not None

    return Coworker(
        who=lambda w: w.on_call("platform"),
        rules=(
            Rule(
                "not me",
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
                when=begun,
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
                when=begun,
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
    )
