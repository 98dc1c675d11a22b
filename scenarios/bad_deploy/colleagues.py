"""Alertmanager, the hasty colleague, the one who hopes too early, and the reviewer."""

from apps.github import code_review
from scenarios.office.cast import find_part, post_as
from scenarios.office.hours import clock
from scenarios.office.people import mention
from world.core.app import HeardMessage
from world.core.clock import MINUTE
from world.script.coworkers import Coworker, Demand, Rule
from world.script.stage import Stage
from world.script.thanks import Thanks

from .texts import ALERT, CLEARED, HOPES, VOICES

SHORT = 2  # minutes without an error before the alert's end counts from


def fire(w: Stage) -> None:
    """The alert."""
    known = {name: w.fact("truth", name) for name in ("since", "error")}
    share = w.rng("share").integer(21, 64)
    text = ALERT.format(name=w.fact("truth", "alert"), me=_me(w), share=share, **known)
    w.note(channel=w.fact("truth", "room"), ts=post_as(w, w.person("alertmanager").id, w.fact("truth", "room"), text))


def clear(w: Stage) -> None:
    """The alert is over if the merged change was the right one."""
    if not w.fact("merged", "fine"):
        return
    ended = clock((w.now // MINUTE - SHORT - w.rng("ended").integer(1, 6)) % 1440)
    text = CLEARED.format(name=w.fact("truth", "alert"), ended=ended)
    post_as(w, w.person("alertmanager").id, w.fact("truth", "room"), text)
    w.note(ended=ended, over=True)


def blame(w: Stage) -> None:
    """Somebody wants the last deployment reverted."""
    text = w.rng("voice").choice(VOICES).format(me=_me(w), other=w.fact("truth", "last"))
    _ask(w, "hasty", text)


def hope(w: Stage) -> None:
    """Somebody takes a lucky job for the end."""
    _ask(w, "support", w.rng("hope").choice(HOPES).format(me=_me(w)))


def _ask(w: Stage, part: str, text: str) -> None:
    room = w.find("slack_channel", name="deploys")["id"]
    w.note(channel=room, ts=post_as(w, w.fact("truth", "cast")[part], room, text))


def _me(w: Stage) -> str:
    return mention(w, w.fact("truth", "me"))


def is_right_place(w: Stage, heard: HeardMessage) -> bool:
    """Whether they are called on a pull request."""
    return code_review.is_on_pull_request(w, heard)


def list_coworkers() -> list[Coworker]:
    """The reviewer, and those who only thank."""
    elsewhere = ("please call me on the pull request", "not here, on the pull request please", "i look at it there")
    unfinished = (
        "the build is not through, call me again when it is",
        "i wait for the build. say my name when it has ended",
        "build first please, then me",
    )
    red = ("it is red, see the log", "red. what does the runbook say?", "not while `build` is red")
    review = Rule(
        "review",
        intent=(),
        demands=(
            Demand(is_right_place, elsewhere, final=True),
            Demand(code_review.has_finished_checks, unfinished, final=True),
            Demand(code_review.green, red, final=True),
        ),
        replies=("ok, go", "looks right", "yes, take it out"),
        by=code_review.approves,
    )
    reviewer = Coworker(
        who=find_part("reviewer"),
        rules=(review,),
        delay_s=200,
        always=True,
        everywhere=True,
        over=code_review.is_settled,
    )
    thanking = [
        Coworker(who=find_part(part), thanks=Thanks(events=(event,)), always=True)
        for part, event in (("hasty", "voice"), ("support", "hope"))
    ]
    return [reviewer, *thanking]
