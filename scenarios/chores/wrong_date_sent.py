"""A day was announced wrongly: the agent mends what it wrote itself, and asks those who repeated it."""

from collections.abc import Sequence
from datetime import date

from scenarios.office.books import BOOK, cell, list_workdays, make_book, noon, say_day, write
from scenarios.office.people import common_channels
from scenarios.office.private_messages import asks_nothing_of, describe_reader, expect_private_message
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, names_only, reply
from world.agents.steps import Scene, Step, Steps, wait_until
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Mend a day that was announced wrongly",
    apps=("slack", "sheets"),
    calls=(6, 18),
    traps={
        "topic": "forgetful: leaves the old day in the topic of the channel",
        "other": "literal: changes another event of the same day",
        "repeated": "hasty: asks somebody who has the right day already",
    },
)

REQUESTS = (
    "I gave you the wrong day for the {event}: it is the {new}, not the {old}. Please put it right wherever you announced it, {book}"
    " included, and ask whoever repeated it to change theirs. Who was that?",
    "ouch, the {event} is on {new}. i told you {old} and you spread it in good faith. could you fix your posts (and the line in {book}) and"
    " get the people who passed it on to correct it? tell me who they are",
    "The {event} was announced for the {old}, which is my mistake, it takes place on the {new}. Would you correct everything you wrote about"
    " it, also in {book}? If colleagues have copied the day, they should mend it themselves. Give me their names.",
    "Small disaster: wrong day for the {event}. {new} is right, {old} is wrong. Please change your announcement and the other places where"
    " you put it (there is {book}, too), and ask the ones who repeated the old day. Let me know whom you asked.",
    "Please correct the day of the {event} to the {new}; the {old} you published came from me. It is in {book} as well. Others may have"
    " repeated it in the channels: ask them to edit it, and name them to me.",
)
EVENTS = (
    "pentest kick-off",
    "fire drill",
    "customer evening",
    "office move",
    "flu vaccination",
    "first-aid course",
    "board visit",
    "photo session",
    "data protection training",
    "spring cleaning",
    "bike check",
    "demo day",
)
POSTS = (
    "Heads-up: the {event} is on {day}. Please keep the morning free.",
    "The {event} takes place on {day}, details follow.",
    "Please note: {event} on {day}. Questions to me.",
    "Save the date, {day}: {event}.",
)
ECHOES = (
    "In case you missed it: {event} on {day}.",
    "Don't forget, {event} is {day}!",
    "My team, please mark {day}: {event}.",
    "Reminder for all of us: {event}, {day}.",
)
ROOMS = ("general", "random", "engineering", "product", "support", "customers", "berlin-office", "nyc")
BOOKS = ("Dates of the quarter", "Company calendar", "What is on", "Events and visits")


def draw(d: Draw) -> Facts:
    """Let the agent announce a wrong day in several places, and colleagues repeat it."""
    w = d.w
    asker, me, wrong, right, owner = [one["id"] for one in d.sample(d.people(), 5, "people", me=1)]
    days = list_workdays(d, 20)
    old, new = d.stream("days").shuffled(days)[:2]
    event, *others = d.sample(EVENTS, 6, "events")
    rng = d.stream("posts")
    rooms = [d.pick(list_rooms(d, me, wrong), "room"), d.pick(list_rooms(d, me, right), "other room")]
    mine = post(d, me, rooms[0], rng.choice(POSTS).format(event=event, day=say_day(old)))
    fine = d.chance(2 / 3, "right")
    echoes = {
        "wrong": post(d, wrong, rooms[0], rng.choice(ECHOES).format(event=event, day=say_day(old))),
        "right": post(d, right, rooms[1], rng.choice(ECHOES).format(event=event, day=say_day(new if fine else old))),
    }
    topic_room = d.pick(list_rooms(d, me, asker), "topic")
    topic = rng.choice(("Next: {event}, {day}", "{event} on {day}", "{day}: {event}")).format(
        event=event, day=say_day(old)
    )
    w.act(me, "conversations.setTopic", channel=w.find("slack_channel", name=topic_room)["id"], topic=topic)
    post(d, owner, d.pick(list_rooms(d, me, owner), "noise"), f"The {others[0]} is on {say_day(old)}, by the way.")
    title = d.pick(BOOKS, "title")
    row, listed = list_events(d, event, others, old)
    book = make_book(w, owner, title, {"Dates": [["What", "Date", "Who"], *listed]}, [me, asker])
    whom = ["wrong"] if fine else ["wrong", "right"]
    people = {"wrong": wrong, "right": right}
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, ("Wrong day", event, "My mistake", "Please correct")),
        "request": d.choose_wording(REQUESTS, event=event, old=say_day(old), new=say_day(new), book=f'"{title}"'),
        "book": book,
        "event": event,
        "row": row,
        "serial": str((new - date(1899, 12, 30)).days),
        "iso": new.isoformat(),
        "new": noon(new),
        "old": noon(old),
        "post": mine,
        "topic": {"channel": topic_room, "text": topic.replace(say_day(old), say_day(new))},
        "fine": {**describe_reader(w, me, right), **echoes["right"]} if fine else {},
        "old_day": say_day(old),
        "repeated": {name: {**describe_reader(w, me, people[name]), **echoes[name]} for name in whom},
        "corrected": mine["text"].replace(say_day(old), say_day(new)),
    }


def list_rooms(d: Draw, *people: str) -> list[str]:
    """Channels of people where news are told: not those of incidents and machines."""
    return [one for one in common_channels(d.w, *people) if one.startswith("team-") or one in ROOMS]


def post(d: Draw, person: str, room: str, text: str) -> dict[str, str]:
    """Write into a channel. Returns where, as facts."""
    channel = d.w.find("slack_channel", name=room)["id"]
    made = d.w.act(person, "chat.postMessage", channel=channel, text=text)
    return {"channel": channel, "ts": made["ts"], "text": text}


def list_events(d: Draw, event: str, others: Sequence[str], old: date) -> tuple[int, list[list[object]]]:
    """The rows of the calendar, one of another event on the same day. Returns the row of the event, too."""
    rng = d.stream("calendar")
    days = [old, *rng.shuffled(list_workdays(d, 20))]
    names = [one["first_name"] for one in d.people()]
    rows: list[list[object]] = [
        [name, day.isoformat(), rng.choice(names)] for name, day in zip(others, days, strict=False)
    ]
    rows = rng.shuffled([*rows, [event, old.isoformat(), rng.choice(names)]])
    return 1 + [one[0] for one in rows].index(event), rows


def solution(scene: Scene) -> Steps:
    """Edit the post, the topic and the calendar, ask those who repeated the old day, answer."""
    truth = scene.facts("truth")
    yield from wait_until(scene, 1, "reads")
    where = {"channel": truth["post"]["channel"], "ts": truth["post"]["ts"]}
    yield Step("post", "chat.update", {**where, "text": truth["corrected"]}, repeatable=True)
    room = scene.find("slack_channel", name=truth["topic"]["channel"])["id"]
    yield Step("topic", "conversations.setTopic", {"channel": room, "topic": truth["topic"]["text"]}, repeatable=True)
    yield write("row", truth["book"], f"Dates!B{truth['row'] + 1}", truth["iso"])
    for name, one in truth["repeated"].items():
        text = f"Hi, the day of the {truth['event']} is {truth['iso']}, could you edit your post? It has the old one."
        yield Step(f"ask_{name}", "chat.postMessage", {"channel": one["dm"], "text": text})
    names = " and ".join(one["name"] for one in truth["repeated"].values())
    yield reply(
        scene,
        f"Everything of mine is corrected. I have asked {names} to change their posts.",
        wordings=(f"Done. It was repeated by {names}, whom I have told.",),
    )
    yield Step("finish", "world.finish", {"status": "done"})


LABELS = {
    "asked": (
        "asked, have asked, told, wrote, written, informed, notified, repeated, spread, passed on, know, knows, edit, change, correct their, dm,"
        " message, messaged, posts of, post of, had the old, has the old, had the wrong, has the wrong, with the old, with the wrong, in turn"
    ),
    "right": (
        "is right, was right, right as it is, as it is, correct as it is, is correct, was correct, is fine, was fine, all right, had it right,"
        " has it right,"
        " has the right, had the right, right day, stays, unaffected, another, something else, not asked, did not ask, no need, nothing to do with"
    ),
}
"""What the answer may call people."""


def rubric(truth: Facts) -> RubricSource:
    """Post, topic and calendar have the new day; who repeated the old one is asked and named."""
    day = {"facts": {"must": [{"date": "event.truth.new"}]}}
    place = {"channel_id_from": "event.truth.post.channel", "ts_from": "event.truth.post.ts"}
    refs: dict[str, Item] = {
        "book": BOOK,
        "post": {"table": "slack_message", "where": place},
        "room": {"table": "slack_channel", "where": {"name_from": "event.truth.topic.channel"}},
    }
    items: list[Item] = [
        {
            "id": "post",
            "update": {"ref": "post"},
            "only": ["text", "edited_ts", "edited_by"],
            "text": {
                "field": "text",
                "mentions": "event.truth.event",
                "facts": {**day["facts"], "only": ["date"]},
                "vouched": True,
                "none_of": [*claim_old_day(truth), *claim_off(truth)],
            },
        },
        {
            "id": "topic",
            "update": {"ref": "room"},
            "only": ["topic", "topic_by", "topic_at"],
            "text": {
                "field": "topic",
                "mentions": "event.truth.event",
                "facts": {**day["facts"], "only": ["date"]},
                "none_of": claim_off(truth),
            },
        },
        cell("row", "Dates", "event.truth.row", 1, {"input": truth["serial"]}),
    ]
    told_day = {
        "facts": {"must": [{"date": "event.truth.new"}], "asked": True},
        "none_of": [{"mentions": one} for one in LEAVE_IT],
    }
    one_of: list[list[list[str]]] = []
    for name in truth["repeated"]:
        path = f"event.truth.repeated.{name}"
        some, sets, more = expect_private_message(f"ask_{name}", path, told_day)
        thread = {"channel_id_from": f"{path}.channel", "thread_ts_from": f"{path}.ts", "sender": {"ref": "agent"}}
        reply_there = {
            "id": f"ask_{name}_thread",
            "insert": "slack_message",
            "where": thread,
            "text": {"field": "text", **day},
        }
        items += [*some, reply_there]
        one_of.append([*sets, [f"ask_{name}_thread"]])
        refs |= {**more, name: {"employee": {"fact": f"{path}.id"}}}
    refs["asker"] = {"employee": {"fact": "event.truth.asker"}}
    asked = [{"ref": name, "called": "asked"} for name in truth["repeated"]]
    only = [{"kind": "person", "called": "asked"}]
    named = [*names_only(*truth["repeated"]), {"facts": {"must": asked, "only": only, "labels": LABELS}}]
    if truth["fine"]:
        refs["right"] = {"employee": {"fact": "event.truth.fine.id"}}
    never = leave_alone() if truth["fine"] else []
    return make_rubric(
        [*items, expect_reply(truth, {"any_of": named, "max_chars": 2000})], refs=refs, one_of=one_of, never=never
    )


def claim_old_day(truth: Facts) -> list[Item]:
    """Statements that the event is on the old day still."""
    states = (f"on {truth['old_day']}", f"takes place on {truth['old_day']}")
    word = truth["event"].split()[-1]
    return [{"claims": {"subject": word, "state": one}} for one in states]


LEAVE_IT = (
    "need not",
    "needn't",
    "no need",
    "do not have to",
    "don't have to",
    "leave it",
    "leave your post",
    "cancel",
    "delete it",
)
"""What nobody writes who asks for a correction."""


def claim_off(truth: Facts) -> list[Item]:
    """Statements that the event does not take place."""
    word = truth["event"].split()[-1]
    return [{"claims": {"subject": word, "state": one}} for one in ("cancelled", "delayed", "off", "called off")]


def leave_alone() -> list[Item]:
    """The prohibition to ask the colleague whose post has the right day for anything, alone or under the post."""
    alone = asks_nothing_of("right", "event.truth.fine")
    there = {"channel_id_from": "event.truth.fine.channel", "thread_ts_from": "event.truth.fine.ts"}
    where = {**there, "sender": {"ref": "agent"}}
    return [*alone, {"id": "right_thread", "insert": "slack_message", "where": where, "text": alone[0]["text"]}]
