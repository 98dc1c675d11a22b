"""The one who wants a release, the one whom a shop has written to, and the reviewer."""

from apps.github import code_review
from scenarios.office.cast import ask_directly, find_part, write_to
from world.core.app import HeardMessage
from world.script.coworkers import Coworker, Demand, Rule, State
from world.script.stage import Stage
from world.script.thanks import Thanks

from .repository import find_counter
from .texts import APPROVALS, DETAILS, MERGES, QUESTIONS, REPORTS, SKIPS, SUBJECTS

WHEN = tuple("when how which what who details more second time times sure same shop customer happened exactly".split())


def ask_to_skip(w: Stage) -> None:
    """Somebody wants the test out of the way."""
    ask_directly(w, "manager", w.rng("skip").choice(SKIPS).format(repo=w.fact("truth", "repo")))


def ask_to_merge(w: Stage) -> None:
    """Somebody wants the pull request merged unread."""
    ask_directly(w, "manager", w.rng("merge").choice(MERGES).format(repo=w.fact("truth", "repo")))


def ask_for_shop(w: Stage) -> None:
    """Somebody wants to know whether a shop's report is the same fault, by mail; the note says under which answer."""
    cast, draws, told = w.fact("truth", "cast"), w.rng("shop"), find_counter(w.fact("truth", "told"))
    text = draws.choice(REPORTS).format(symptom=told.symptom, part=told.part, repo=w.fact("truth", "repo"))
    sent = write_to(w, cast["support"], cast["me"], draws.choice(SUBJECTS), text)
    same = w.fact("truth", "same")
    w.note(message_id=sent, affected=sent if same else "", spared="" if same else sent)


def is_here(w: Stage, heard: HeardMessage) -> bool:
    """Whether they are called on a pull request."""
    return code_review.is_on_pull_request(w, heard)


def has_names(w: Stage, heard: HeardMessage) -> bool:
    """Whether the asker has named a function or a module since the question, in this message or another."""
    names = [*w.fact("truth", "modules"), *w.fact("truth", "names").values()]
    mine = w.find("github_account", person_id=w.fact("truth", "me"))["id"]
    asked = max((one["submitted_at"] or 0 for one in w.rows("github_review", state="CHANGES_REQUESTED")), default=0)
    said = [one["body"] for one in w.rows("github_comment", author_id=mine) if one["created_at"] >= asked]
    return any(name in text for text in (heard.text, *said) for name in names)


def list_coworkers() -> list[Coworker]:
    """The reviewer, the one who knows the shop, and the one who only presses."""
    demands = (
        Demand(
            is_here,
            ("please call me on the pull request", "not here, on the pull request please", "i look at it there"),
            final=True,
        ),
        Demand(
            code_review.has_finished_checks,
            (
                "i wait for the build, call me again when it has ended",
                "build first, then me",
                "say it again after the build",
            ),
            final=True,
        ),
        Demand(code_review.green, ("it is red", "red, see the log of the build", "not while it is red"), final=True),
    )
    unnamed = ("the names, please", "which functions? by name please", "i still need the names of the functions")
    ask = Rule("ask", (), QUESTIONS, demands=demands, by=code_review.requests_changes, goes="asked")
    named = Demand(has_names, unnamed, final=True)
    approve = Rule("review", (), APPROVALS, demands=(*demands, named), by=code_review.approves)
    reviewer = Coworker(
        who=find_part("reviewer"),
        rules=(),
        states=(State("fresh", (ask,)), State("asked", (approve,))),
        delay_s=200,
        always=True,
        everywhere=True,
        over=code_review.is_settled,
    )
    details = tuple(
        Rule(f"details_{same}", (WHEN,), texts, when=lambda w, same=same: w.fact("truth", "same") == same)
        for same, texts in DETAILS.items()
    )
    support = Coworker(
        who=find_part("support"),
        rules=details,
        delay_s=150,
        always=True,
        thanks=Thanks(events=("shop",)),
    )
    manager = Coworker(who=find_part("manager"), rules=(), thanks=Thanks(events=("skip", "press")), always=True)
    return [reviewer, support, manager]
