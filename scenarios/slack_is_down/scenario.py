"""A release is to be decided while Slack is away: by mail and ticket, by the owners' last word, before the window ends."""

from dataclasses import asdict, dataclass

from scenarios.office.requests import deliver
from world.script.chore import find_truth
from world.script.faults import Backlog, Fault
from world.script.loader import Card
from world.script.scenario import Script, row
from world.script.stage import Stage

from .colleagues import ask_names, give_opinion, list_coworkers, press, say_later, say_through, speak_again, worry
from .release import plant
from .vendor_status import tell_status

card = Card(
    title="A release while Slack is down",
    agent={"fact": "truth.me"},
    apps=("gmail", "jira", "github", "slack", "status"),
    start="4h",
    horizon="3h10m",
    max_calls=1500,
    minutes=15,
    tags=("release", "outage", "lying_status"),
)

CASES = ("go", "go", "veto_a", "veto_b", "silent")
WAIT = 20  # minutes without Slack before its status page says so


@dataclass(frozen=True, slots=True)
class Times:
    """Minutes after the start at which things happen."""

    down: int
    veto: int
    through: int
    deadline: int
    back: int


def draw_times(s: Script) -> Times:
    """The minutes of a seed."""
    draws = s.rng("times")
    deadline = draws.choice((95, 100, 105))
    return Times(
        draws.integer(8, 12), draws.integer(44, 54), draws.integer(62, 70), deadline, deadline + draws.integer(12, 20)
    )


def scenario(s: Script) -> None:
    """Slack fails while two owners have not spoken; mail goes on, and what was said in Slack comes late."""
    case, times = s.rng("case").choice(CASES), draw_times(s)
    s.at("+0s", lambda w: plant(w, case, {**asdict(times), "settled": settle(case, times)}), name="truth")
    asked = s.at("+0s", ask_captain, name="request")
    down, back = (
        s.at(f"+{times.down}m", leave_mark, name="slack_down"),
        s.at(f"+{times.back}m", leave_mark, name="slack_back"),
    )
    s.fault(
        Fault("slack_outage", "slack", "error", backlog=Backlog(per_minute=6), code="internal_error"),
        start=down,
        end=back,
    )
    s.at(f"+{times.down + 6}m", worry, name="worry")
    s.at(f"+{times.down + WAIT}m", lambda w: tell_status(w, over=False), name="page")
    s.at(f"+{times.down + 24}m", lambda w: give_opinion(w, case), name="opinion")
    late = times.deadline + 5 if case == "silent" else times.down + 27
    s.at(f"+{late}m", lambda w: say_later(w, case), name="later")
    s.at(f"+{times.veto}m", lambda w: speak_again(w, case), name="spoken")
    s.at(f"+{times.through}m", say_through, name="through")
    s.at(f"+{settle(case, times)}m", leave_mark, name="settled")
    s.at(f"+{times.deadline + 2}m", lambda w: tell_status(w, over=True), name="page_clear")
    s.at(f"+{times.back + 6}m", lambda w: press(w, case), name="pressure")
    s.at(f"+{times.back + 24}m", ask_names, name="audit")
    merged = row("github_pull", "update", merged_at=lambda value: value is not None)
    s.on(merged, note_merge, deadline=None, otherwise=None, after=asked, name="merged")
    for one in list_coworkers(case):
        s.coworker(one)


def settle(case: str, times: Times) -> int:
    """The minute from which it is clear whether the release goes out."""
    return {"go": times.through, "silent": times.deadline}.get(case, times.veto)


def ask_captain(w: Stage) -> None:
    """The request is made."""
    truth = find_truth(w)
    deliver(w, {**truth, "issue": truth["key"]})


def leave_mark(w: Stage) -> None:
    """Leave nothing but the time."""
    w.note(ok=True)


def note_merge(w: Stage) -> None:
    """Note the hash of a merge if it was the release and all owners had said go."""
    pull = w.trigger["row"]
    right = pull["issue_id"] == w.fact("truth", "go")["issue"] and w.fired("settled") is not None
    w.note(sha=pull["merge_sha"] if right else "")
