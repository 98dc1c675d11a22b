"""Minutes of last week's help for support: each is entered once, on the right ticket; what is entered already stays."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from scenarios.office.people import get_superior, software_engineers
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import open_work, post, team_room, ticket_ref
from world.agents.steps import Scene, Step, Steps
from world.core.clock import DAY, SECOND
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Enter last week's time",
    apps=("jira", "slack"),
    calls=(5, 16),
    demands=2,
    traps={
        "entered": "hasty: enters again what is in Jira already",
        "corrected": "hasty: follows the list and misses the correction below it",
        "left": "forgetful: enters the hours on the right ticket and leaves them on the wrong one",
    },
)

COUNTS = {"missing": (1, 2), "entered": (1, 2)}
REQUESTS = (
    "The time you booked last week for helping support is not what you told me. You posted it in the thread in #{room}, Jira shows something"
    " else. Could you bring Jira into line, please? I bill from it.",
    "hi! timesheet check: your bookings of last week don't match your own list in #{room}. please fix jira, nothing twice, and give me a"
    " shout",
    "Before I close the week: please compare your list in #{room} with your worklogs and put the worklogs right. What is correct already"
    " should simply stay. Tell me when it is done.",
    "{me}, the sum of your support time in Jira is off, and I believe one entry sits on the wrong ticket. Your thread in #{room} is what"
    " counts. Can you correct that today?",
    "Could you clean up last week's worklogs of yours? The list in #{room} (with what you added to it) is right, Jira isn't. Drop me a line"
    " afterwards.",
)
QUESTIONS = (
    "Time spent on calls with support last week, please, one line per day. {who}, yours is still missing.",
    "{who}: which calls with support did you help in last week? Day, ticket, minutes is enough.",
    "Support time! {who}, a short list of last week would be lovely.",
)
LISTS = ("Here you are:\n{lines}", "{lines}\nthat should be all", "Last week:\n{lines}")
CORRECTIONS = (
    "Correction for {day}: that was {right}, not {wrong}.",
    "I mixed up two tickets. The {minutes} min on {day} belong to {right}, nothing on {wrong} that day.",
    "Please read {right} where I wrote {wrong} on {day}, same minutes.",
)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


def draw(d: Draw) -> Facts:
    """Write the list and its correction, and book some of it: rightly, on the wrong ticket, or not at all."""
    w = d.w
    me = d.pick(software_engineers(d), "software engineer", me=True)
    leads = (
        get_superior(me),
        *(one["id"] for one in d.people() if one["title"].startswith(("Finance", "Head of Prod"))),
    )
    asker = d.pick(leads, "asker")
    entered, missing = (d.stream(name).integer(*COUNTS[name]) for name in ("entered", "missing"))
    tickets = [one["key"] for one in d.sample(open_work(w), entered + missing + 2, "tickets")]
    wrong, *keys = tickets
    days = sorted(d.sample(range(5), len(keys), "days"))
    logs = [_describe(d, me, key, day) for key, day in zip(keys, days, strict=True)]
    shuffled = d.stream("roles").shuffled(logs)
    moved, booked, open_ = shuffled[0], shuffled[1 : 1 + entered], shuffled[1 + entered :]
    room = team_room(w, me["id"])
    _tell(d, me["id"], asker, room, logs, moved, wrong)
    for log in booked:
        _book(d, me["id"], log["key"], log)
    stale = _book(d, me["id"], wrong, moved)
    due = {f"l{number}": log for number, log in enumerate([moved, *open_])}
    return {
        "me": me["id"],
        "asker": asker,
        **choose_place(d, me["id"], asker, ("Your bookings", "Timesheet of last week", "Support time")),
        "request": d.choose_wording(REQUESTS, room=room, me=me["first_name"]),
        "room": room,
        "due": due,
        "booked": {f"b{number}": log for number, log in enumerate(booked)},
        "stale": {"key": wrong, "id": stale},
    }


def _describe(d: Draw, me: Facts, key: str, day: int) -> Facts:
    """An entry of the list: its ticket, hours, weekday, and the local day as moments."""
    zone = ZoneInfo(me["tz"])
    now = datetime.fromtimestamp(d.asked_at / 1_000_000, zone)
    date = now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=now.weekday() + 7 - day)
    low = round(date.timestamp() * 1_000_000)
    started = date.replace(hour=9 + d.stream("hour", day).integer(0, 3))
    minutes = 5 * d.stream("minutes", day).integer(2, 5)
    return {
        "key": key,
        "day": DAYS[day],
        "minutes": minutes,
        "seconds": minutes * 60,
        "started": started.strftime("%Y-%m-%dT%H:%M:%S.000%z"),
        "low": low,
        "high": low + DAY - SECOND,
    }


def _tell(d: Draw, me: str, asker: str, room: str, logs: Sequence[Facts], moved: Facts, wrong: str) -> None:
    """Write the thread: the question by the manager, the list with the wrong ticket, the correction."""
    manager, first = d.w.person(me).manager_id or asker, d.w.person(me).first_name
    asked = post(d.w, manager, room, d.pick(QUESTIONS, "question").format(who=first))
    lines = "\n".join(f"{log['day']}: {wrong if log is moved else log['key']} {log['minutes']} min" for log in logs)
    post(d.w, me, room, d.pick(LISTS, "list").format(lines=lines), thread=asked)
    said = {"right": moved["key"], "wrong": wrong, "day": moved["day"], "minutes": moved["minutes"]}
    post(d.w, me, room, d.pick(CORRECTIONS, "correction").format(**said), thread=asked)


def _book(d: Draw, me: str, key: str, log: Facts) -> int:
    made = d.w.act(me, "addWorklog", issueIdOrKey=key, timeSpentSeconds=log["seconds"], started=log["started"])
    return int(made["id"])


def solution(scene: Scene) -> Steps:
    """Remove what stands on the wrong ticket, enter what is missing, answer."""
    truth = scene.facts("truth")
    stale = truth["stale"]
    yield Step("remove", "deleteWorklog", {"issueIdOrKey": stale["key"], "id": str(stale["id"])})
    for name, log in truth["due"].items():
        spent = {"timeSpentSeconds": log["seconds"], "started": log["started"]}
        yield Step(name, "addWorklog", {"issueIdOrKey": log["key"], **spent})
    yield reply(
        scene,
        "Jira now shows what I wrote in the thread.",
        wordings=("Corrected: one entry moved to its right ticket, the missing ones are in.",),
    )
    yield Step("finish", "world.finish", {"status": "done"})


LABELS = {
    "open": "missing, still missing, not entered, left out, could not enter, not in, open, still to enter, not booked, not logged",
    "entered": "entered, added, booked, logged, corrected, put in, are in, is in, done",
}
"""What the answer may call a ticket."""


def rubric(truth: Facts) -> RubricSource:
    """Each missing entry on its ticket and day, the wrong one gone, an answer."""
    refs: dict[str, Item] = {"stale": {"table": "jira_worklog", "where": {"id_from": "event.truth.stale.id"}}}
    expect: list[Item] = [{"id": "removed", "delete": {"ref": "stale"}, "weight": 2}]
    for name in truth["due"]:
        fact = f"due.{name}"
        refs[name] = ticket_ref(f"{fact}.key")
        refs |= {f"{name}_{end}": {"fact": f"event.truth.{fact}.{end}"} for end in ("low", "high")}
        where = {
            "issue_id": {"ref": name},
            "author": {"ref": "agent"},
            "spent_s_from": f"event.truth.{fact}.seconds",
            "started_at": {"between": [{"ref": f"{name}_low"}, {"ref": f"{name}_high"}]},
        }
        expect.append({"id": f"entered_{name}", "insert": "jira_worklog", "where": where, "weight": 2})
    open_ones = {"never": [{"ref": name, "called": "open"} for name in truth["due"]], "labels": LABELS}
    expect.append(expect_reply(truth, {"answers": True, "facts": open_ones}))
    return make_rubric(expect, refs=refs)
