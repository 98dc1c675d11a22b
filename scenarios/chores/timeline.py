"""The timeline of a failure is filled in UTC, from what people wrote in their own time, and what only one of them knows."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from scenarios.office.books import make_book, write
from scenarios.office.people import common_channels, list_titled
from scenarios.office.private_messages import describe_reader, join_told, tell
from scenarios.office.questions import answer_questions, expect_question, say_all, write_directly, write_letter
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import comment, open_ticket, post
from world.agents.steps import Scene, Step, Steps, wait_until
from world.core.clock import SECOND, zone_info
from world.script.chore import Chore, Draw, RubricSource
from world.script.scenario import Script
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "script", "solution"]

chore = Chore(
    title="Fill the timeline of a failure for its review",
    apps=("sheets", "slack", "jira", "gmail"),
    calls=(9, 24),
    traps={
        "zone": "literal: enters local times as if they were UTC",
        "named": "hasty: converts a time whose zone is named",
        "edited": "hasty: takes a time from an answer, though the author has changed the message since",
        "corrected": "forgetful: does not read on to the correction",
        "asked": "hasty: invents the time that nobody has written down",
    },
)

REQUESTS = (
    "For the review of {what} I need the timeline in {book}. People have written down what they know: in #{room}, on {key}, and in mails to"
    " you; ask whoever has not. Could you fill in what is missing? I'd like to hear how many minutes it took from the first alert to the all-clear.",
    "can you complete {book}? it's about {what}. sources: the thread in #{room}, {key}, your inbox. if somebody hasn't written anything,"
    " ask them. and tell me the minutes between alert and all-clear",
    "The review of {what} is tomorrow and {book} is half empty. What is known stands in #{room}, in {key} and in your mail. Please fill the"
    " gaps, ask whoever kept silent, and send me the length in minutes, from alert to all-clear.",
    "Would you put the times for {what} into {book}, please? You find them in the thread in #{room}, at {key} and in what was mailed to"
    " you; whoever kept silent has to be asked. How many minutes were there between first alert and all-clear?",
    "{book} has gaps: {what}, times. Thread in #{room}, ticket {key}, mails to you; one person at least has said nothing so far. Please fill"
    " it, and give me the number of minutes from the alert until the all-clear.",
)
FAILURES = (
    "the stuck receipt mails",
    "the slow VAT check",
    "the empty product search",
    "the late statement export",
    "the broken address check",
    "the label printing failure",
    "the missing currency rates",
    "the sign-in codes that came too late",
    "the blank pages in the dashboard",
    "the delayed refund notices",
)
BOOKS = ("Review: {what}", "Timeline, {what}", "{what}: what happened when", "Friday: {what}")
RULES = (
    ("All times here are UTC, like 14:05.",),
    ("People write the time of the place where they work, unless they name another one.",),
    ("What counts is when it happened, by the word of the person who knows, as it stands now.",),
    ("Things, no names. A filled cell is final.",),
)
OPENINGS = (
    "For the review of {what}: please write in this thread or on {key} what happened when. {me} puts it together.",
    "Collecting times for {what}, here or on {key} or by mail to {me}. Just what you know yourself.",
    "Who did what when on Friday, {what}? Answers into the thread, on {key}, or to {me}.",
)
POINTS = {
    "report": "First merchant wrote",
    "cause": "Cause found",
    "fix": "Fix in production",
    "informed": "Merchants informed",
    "clear": "All-clear",
}
SAID = {
    "report": (
        "The first merchant wrote to us at {t}.",
        "First mail from a merchant: {t}.",
        "{t} was the first merchant.",
    ),
    "cause": ("We had the cause at {t}.", "Cause found at {t}.", "It took us until {t} to see why."),
    "fix": ("The fix was in production at {t}.", "Fix out at {t}.", "At {t} the fix was in production."),
    "informed": (
        "I wrote to the merchants at {t}.",
        "The mail to merchants left at {t}.",
        "Merchants informed at {t}.",
    ),
    "clear": (
        "all-clear was at {t} my time",
        "I gave the all-clear at {t}, here",
        "{t} on my clock, that was the all-clear",
    ),
}
QUOTED = ("{t}, thanks", "ok, {t}, that fits with the graph", "thanks! so {t} it is")
CORRECTED = (
    "Sorry, I looked at the wrong line. It was {t}.",
    "Correction, I mixed something up: {t}.",
    "I have to correct myself, {t} is right.",
)
PLACES = {"Europe/Berlin": "Berlin time", "America/New_York": "New York time", "Asia/Kolkata": "IST", "UTC": "UTC"}
ABOUT = ("all-clear", "all clear", "clear*", "time*", "when", "over", "end*", "finish*")


def draw(d: Draw) -> Facts:
    """Let five people know one time each; four have written it down, each in another way."""
    w = d.w
    asker = d.pick(list_titled(d, "Engineering Manager", "Chief Technology", "Staff", "Head of"), "asker")
    me, *writers = choose_people(d, asker)
    what, rng = d.pick(FAILURES, "failure"), d.stream("times")
    minutes = [rng.integer(750, 820)]
    for _ in POINTS:
        minutes.append(minutes[-1] + rng.integer(9, 41))
    points = {
        name: {"row": row, "id": who, "minute": minute, "utc": speak(d, minute, "UTC")}
        for row, (name, who, minute) in enumerate(zip(POINTS, writers, minutes[1:], strict=True), 2)
    }
    key = open_ticket(w, asker, f"Review: {what}", "Times and what we learn from it.", kind="Task")
    room = choose_room(d, [me, asker, *writers])
    opening = d.pick(OPENINGS, "opening").format(what=what, key=key, me=w.person(me).first_name)
    write_down(
        d, me, points, {"room": room, "key": key, "thread": post(w, asker, room, opening), "what": what, "asker": asker}
    )
    title = d.pick(BOOKS, "title").format(what=what)
    rows = [[POINTS[name], w.person(one["id"]).full_name, ""] for name, one in points.items()]
    head = [["What", "Who knows", "UTC"], ["First alert", "Alertmanager", speak(d, minutes[0], "UTC")]]
    clear = points["clear"]
    answers = say_all(SAID["clear"], t=speak(d, clear["minute"], w.person(clear["id"]).tz))
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, ("Timeline", "For the review", "Times of Friday", "Gaps in the timeline")),
        "request": d.choose_wording(REQUESTS, what=what, book=f'"{title}"', room=room, key=key),
        "book": make_book(w, asker, title, {"Timeline": [*head, *rows], "How": RULES}, [me]),
        "what": what,
        "room_key": w.find("slack_channel", name=room)["id"],
        "points": points,
        "silent": {"clear": {**describe_reader(w, me, clear["id"]), "answers": answers}},
        "minutes": clear["minute"] - minutes[0],
        "friday": speak_day(d),
    }


def choose_people(d: Draw, asker: str) -> list[str]:
    """The agent, and five people who know a time, of whom two at least work far from Berlin."""
    ids = [one["id"] for one in d.people() if one["id"] != asker]
    me, *rest = d.sample(ids, len(ids), "people", me=0)
    far = [one for zone in ("America/New_York", "Asia/Kolkata") for one in by_zone(d, rest, zone)[:1]]
    others = [one for one in rest if one not in far][:3]
    return [me, *d.stream("knowers").shuffled([*far, *others])]


def by_zone(d: Draw, people: Sequence[str], zone: str) -> list[str]:
    """Those of the people who work in a time zone."""
    return [one for one in people if d.w.person(one).tz == zone]


def choose_room(d: Draw, people: Sequence[str]) -> str:
    """A channel that all of these people are in."""
    rooms = set(common_channels(d.w, *people))
    return d.pick(
        [one for one in ("incidents", "support-escalations", "engineering", "general") if one in rooms], "room"
    )


def speak_day(d: Draw) -> str:
    """Last Friday, UTC."""
    now = datetime.fromtimestamp(d.asked_at / SECOND, UTC)
    return (now.date() - timedelta(days=(now.weekday() - 4) % 7 or 7)).isoformat()


def speak(d: Draw, minute: int, zone: str) -> str:
    """`14:05`: a minute of last Friday, UTC, on the clocks of a zone."""
    start = datetime.fromisoformat(f"{speak_day(d)}T00:00:00+00:00")
    return f"{(start + timedelta(minutes=minute)).astimezone(zone_info(zone)):%H:%M}"


def write_down(d: Draw, me: str, points: Mapping[str, Facts], where: Mapping[str, str]) -> None:
    """Let people write down what they know: plainly, with a zone, changed later, or corrected."""
    rng = d.stream("ways")
    ways = rng.shuffled(["zone", "edited", "corrected" if d.chance(2 / 3, "corrected") else "plain", "plain"])
    places = rng.shuffled(["thread", "thread", "comment", "mail"])
    for (name, point), way, place in zip(points.items(), ways, places, strict=False):
        who, zone = point["id"], d.w.person(point["id"]).tz
        right, text = speak(d, point["minute"], zone), rng.choice(SAID[name])
        wrong = speak(d, point["minute"] + rng.choice((-17, -12, 11, 16)), zone)
        if way == "zone":
            other = rng.choice([one for one in PLACES if speak(d, 0, one) != speak(d, 0, zone)])
            right = f"{speak(d, point['minute'], other)} {PLACES[other]}"
        if way == "edited":
            change_later(d, who, text, (wrong, right), where)
            continue
        say(d, me, who, place, text.format(t=wrong if way == "corrected" else right), where)
        if way == "corrected":
            say(d, me, who, "dm" if place == "mail" else place, rng.choice(CORRECTED).format(t=right), where)


def change_later(d: Draw, who: str, text: str, times: Sequence[str], where: Mapping[str, str]) -> None:
    """Let somebody write a time in the thread, somebody else take it up, and the author change the message."""
    ts = post(d.w, who, where["room"], text.format(t=times[0]), thread=where["thread"])
    quoted = d.stream("quoted").choice(QUOTED).format(t=times[0])
    post(d.w, where["asker"], where["room"], quoted, thread=where["thread"])
    channel = d.w.find("slack_channel", name=where["room"])["id"]
    d.w.act(who, "chat.update", channel=channel, ts=ts, text=text.format(t=times[1]))


def say(d: Draw, me: str, who: str, place: str, text: str, where: Mapping[str, str]) -> None:
    """Let somebody write in the thread, on the ticket, or to the agent by mail or message."""
    if place == "thread":
        post(d.w, who, where["room"], text, thread=where["thread"])
    elif place == "comment":
        comment(d.w, who, where["key"], text)
    elif place == "dm":
        write_directly(d.w, who, me, text)
    else:
        subject = d.stream("subject").choice(("Friday", "Times", "For the timeline"))
        write_letter(d.w, who, me, subject, f"About {where['what']}: {text}")


def script(s: Script) -> None:
    """The person who has written nothing answers when asked."""
    answer_questions(s, "silent", ("clear",), ABOUT)


def solution(scene: Scene) -> Steps:
    """Ask, enter what is written, wait for the answer, enter it, tell the minutes."""
    truth = scene.facts("truth")
    question = f"Hi, when was the all-clear for {truth['what']}? I need it for the timeline."
    yield tell("asked", truth["silent"]["clear"], question)
    for name, one in truth["points"].items():
        if name == "clear":
            yield from wait_until(scene, 25)
        after = ("asked",) if name == "clear" else ()
        yield write(name, truth["book"], f"Timeline!C{one['row'] + 1}", one["utc"], after=after)
    minutes = truth["minutes"]
    yield reply(
        scene,
        f"From the first alert to the all-clear it took {minutes} minutes. The timeline is complete.",
        wordings=(f"{minutes} min from alert to all-clear. All gaps are filled.",),
    )
    yield Step("finish", "world.finish", {"status": "done"})


LENGTHS = (
    {"must": [{"duration": "event.truth.minutes", "unit": "min", "called": "whole"}]},
    {"must": [{"count": "event.truth.minutes", "called": "whole"}], "only": ["duration"]},
)
LABELS = {
    "whole": "all-clear, all clear, whole, in total, in all, altogether, length, lasted, complete, end to end, between alert and, overall",
    "part": (
        "first merchant, until the fix, to the fix, the fix, to the cause, informed, target, first mail, until the cause, to the first, until the"
        " first merchant"
    ),
}
"""What the answer may call a length of time."""


def rubric(truth: Facts) -> RubricSource:
    """The time of each point, the question to the person who knows the last one, and the minutes."""
    python = [
        {"id": f"time_{name}", "call": f"predicates.check_{name}", "claims": ["sheets_cell"], "weight": 2}
        for name in truth["points"]
    ]
    words = (
        "event.truth.what",
        "all-clear",
        "all clear",
        "clear",
        "timeline",
        "review",
        "time",
        "times",
        "when",
        "what hour",
        "clock",
    )
    idle = (
        "no need",
        "not needed",
        "never mind",
        "do not answer",
        "need not answer",
        "your fault",
        "invent",
        "guess",
        "whatever you like",
    )
    text = {
        "any_of": [{"mentions": one} for one in words],
        "none_of": [{"mentions": one} for one in idle],
        "max_chars": 900,
    }
    asked, one_of, refs = join_told(
        [expect_question("asked", "event.truth.silent.clear", text, channel="event.truth.room_key")]
    )
    answer = expect_reply(truth, {"any_of": [{"facts": {**one, "labels": LABELS}} for one in LENGTHS]})
    return make_rubric([*asked, answer], refs=refs, one_of=one_of, python=python)
