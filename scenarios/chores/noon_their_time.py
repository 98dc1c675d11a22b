"""Those who have not signed are reminded at noon where they are, each alone, unless they sign before."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from scenarios.office.answers import state_count
from scenarios.office.books import local_time, make_book, share_file
from scenarios.office.people import list_titled
from scenarios.office.private_messages import describe_reader
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps, wait_until
from world.core.clock import DAY, SECOND, zone_info
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.scenario import Script
from world.script.stage import Facts, Stage

__all__ = ["chore", "deliver", "draw", "rubric", "script", "solution"]

chore = Chore(
    title="Remind those who have not signed, at noon where they are",
    apps=("slack", "sheets"),
    calls=(7, 24),
    horizon="3h",
    traps={
        "zone": "hasty: schedules all for one moment, or takes the noon of the head office",
        "travel": "hasty: takes the zone of somebody's profile while they are elsewhere",
        "paper": "literal: reminds somebody who has signed on paper",
        "away": "literal: reminds somebody who is on leave",
        "meanwhile": "forgetful: leaves the reminder of somebody who signs in the meantime",
    },
)

REQUESTS = (
    "Not everybody has signed the {what}. Could you schedule a direct message in Slack for each who is missing in {book}, so that it arrives"
    " at the next noon where they are? {name} is about to sign; look again in half an hour, and tell me how many reminders stand then.",
    "can you line up slack reminders for the {what}? one dm each for those missing in {book}, timed for their next noon, not ours. check the"
    " list again in 30 minutes, {first} is signing as we speak ({name}). i need the number of reminders",
    "Please remind whoever has not signed the {what}: {book} says who. I'd like it scheduled as a personal message in Slack for twelve"
    " o'clock local time, the next one. {name} promised to sign within half an hour, so check before you are done. How many go out?",
    "For the {what}: {book}, those without a signature should hear from you directly in Slack at noon, their noon, please schedule it."
    " {name} wants to sign in the next thirty minutes and then needs none. Report the number of scheduled messages.",
    "The deadline for the {what} is on Thursday. Schedule direct messages for the missing ones of {book} in Slack, at the next 12:00 of each"
    " person. Please have a second look in half an hour, {first} ({name}) may have signed by then, and tell me how many reminders are"
    " scheduled in the end.",
)
PAPERS = (
    "travel policy",
    "code of conduct",
    "data protection terms",
    "laptop agreement",
    "house rules",
    "insurance form",
    "on-call agreement",
    "security training record",
    "expense policy",
    "remote work agreement",
)
BOOKS = ("Signatures: {what}", "Who has signed: {what}", "{what}, signatures", "List for the {what}")
RULES = (
    ("A signature on paper counts. Those who gave one are on the tab Paper.",),
    ("Who is on leave at that time is not reminded. Who is on a trip is on the tab Trips, with the place.",),
    ("Reminders go to each person alone.",),
)
TRIPS = {"America/New_York": "New York", "Asia/Kolkata": "Bengaluru", "Europe/Berlin": "Berlin"}
KINDS = ("open", "open", "open", "travel", "late", "signed", "signed", "paper", "away")


def draw(d: Draw) -> Facts:
    """Make a list of signatures in which some are missing, of people in three zones."""
    w = d.w
    asker = d.pick(list_titled(d, "People & Office", "Chief", "Head of", "Finance Lead"), "asker")
    me, deputy, *signers = choose_people(d, asker)
    what = d.pick(PAPERS, "paper")
    rows: list[Facts] = []
    kinds = (*KINDS, "open" if d.chance(0.5, "one more") else "signed")
    for kind, who in zip(kinds, signers, strict=True):
        zone = w.person(who).tz
        if kind == "travel":
            zone = d.pick([one for one in TRIPS if offset(d, one) != offset(d, zone)], "trip")
        rows.append({"kind": kind, "zone": zone, "noon": next_noon(d, zone), **describe_reader(w, me, who)})
    w.leave(next(one["id"] for one in rows if one["kind"] == "away"), d.stream("away").integer(4, 12), delegate=deputy)
    rows = [{**one, "row": row} for row, one in enumerate(d.stream("rows").shuffled(rows), 1)]
    title = d.pick(BOOKS, "title").format(what=what)
    late = next(one for one in rows if one["kind"] == "late")
    book = make_book(w, asker, title[0].upper() + title[1:], list_tabs(d, rows), [me])
    share_file(w, asker, book["key"], late["id"])
    signs = d.chance(2 / 3, "signs")
    reminded = [one for one in rows if one["kind"] in ("open", "travel", "" if signs else "late")]
    first = w.person(late["id"]).first_name
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, ("Signatures", "Reminders", f"The {what}", "Who has not signed")),
        "request": d.choose_wording(REQUESTS, what=what, book=f'"{book["title"]}"', name=late["name"], first=first),
        "book": book,
        "what": what,
        "reminded": {f"p{number}": one for number, one in enumerate(reminded)},
        "spared": {f"s{one['row']:02d}": one for one in rows if one not in reminded},
        "late": {**late, "signs": signs},
        "count": len(reminded),
    }


def choose_people(d: Draw, asker: str) -> list[str]:
    """The agent, somebody who stands in, and ten people of whom the first three work in different zones."""
    ids = [one["id"] for one in d.people() if one["id"] != asker]
    me, deputy, *rest = d.sample(ids, len(ids), "people", me=0)
    apart: dict[int, str] = {}
    for one in rest:
        apart.setdefault(offset(d, d.w.person(one).tz), one)
    first = d.stream("first").shuffled(sorted(apart.values())[:3])
    return [me, deputy, *[*first, *(one for one in rest if one not in first)][: len(KINDS) + 1]]


def offset(d: Draw, zone: str) -> int:
    """Minutes by which the clocks of a zone are ahead of UTC now."""
    now = datetime.fromtimestamp(d.asked_at / SECOND, UTC)
    return round((now.astimezone(zone_info(zone)).utcoffset() or timedelta()).total_seconds() / 60)


def next_noon(d: Draw, zone: str) -> int:
    """The next noon of a zone, in seconds since the epoch."""
    now = datetime.fromtimestamp(d.asked_at / SECOND, UTC).astimezone(zone_info(zone))
    noon = now.replace(hour=12, minute=0, second=0, microsecond=0)
    if noon <= now + timedelta(hours=1):
        noon = (noon.replace(tzinfo=None) + timedelta(days=1)).replace(tzinfo=zone_info(zone))
    return round(noon.timestamp())


def list_tabs(d: Draw, rows: Sequence[Facts]) -> dict[str, Sequence[Sequence[object]]]:
    """The signatures, those on paper, the trips, and how it is done."""
    rng = d.stream("days")
    listed = [
        [
            one["name"],
            local_time(d.w.now - rng.integer(1, 20) * DAY, "UTC")[:10] if one["kind"] == "signed" else "",
        ]
        for one in rows
    ]
    others = d.stream("others").shuffled([one["name"] for one in rows if one["kind"] == "signed"])
    papers = rng.shuffled([others[0], *(one["name"] for one in rows if one["kind"] == "paper")])
    trips = [[one["name"], TRIPS[one["zone"]], "all week"] for one in rows if one["kind"] == "travel"]
    return {
        "Signatures": [["Name", "Signed"], *listed],
        "Paper": [["Name"], *([name] for name in papers)],
        "Trips": [["Name", "Where", "Until"], *rng.shuffled([*trips, [others[1], "Paris", "all week"]])],
        "How": RULES,
    }


def script(s: Script) -> None:
    """Somebody who promised to sign does so while the agent is at work, or does not."""
    s.at("+17m", _sign, name="signed")


def _sign(w: Stage) -> None:
    late, book = w.fact("truth", "late"), w.fact("truth", "book")
    if not late["signs"]:
        return
    where = {"spreadsheetId": book["key"], "range": f"Signatures!B{late['row'] + 1}"}
    today = [[local_time(w.now, "UTC")[:10]]]
    w.act(late["id"], "spreadsheets.values.update", **where, valueInputOption="USER_ENTERED", values=today)


def solution(scene: Scene) -> Steps:
    """Look again in half an hour, then schedule a message for each who is missing, and answer."""
    truth = scene.facts("truth")
    yield from wait_until(scene, 31)
    for name, one in truth["reminded"].items():
        text = f"Hi, a reminder: your signature on the {truth['what']} is still missing."
        wordings = (f"Would you please sign the {truth['what']}? The list is waiting for you.",)
        message = {"channel": one["dm"], "post_at": one["noon"], "text": text}
        yield Step(f"remind_{name}", "chat.scheduleMessage", message, paraphrases={"text": wordings})
    count = truth["count"]
    yield reply(
        scene,
        f"{count} reminders are scheduled, each for noon where the person is.",
        wordings=(f"It is {count} reminders now.",),
    )
    yield Step("finish", "world.finish", {"status": "done"})


COUNTED = "scheduled, go out, stand, standing, planned, lined up, due at noon, will be reminded, missing, reminders stand, reminders are scheduled"
REST = (
    "have signed, has signed, signed, could not be scheduled, not be scheduled, could not, failed, not scheduled, on leave, on paper, need none,"
    " get none, cancelled"
)
ASKING = (
    *(
        "sign",
        "signature",
        "signed",
        "signing",
        "unsigned",
        "reminder",
        "remind",
        "missing",
        "still waits",
        "waiting",
        "waits",
        "outstanding",
    ),
    *("not yet", "look at", "see to it", "have the time", "open", "pending", "still", "nudge", "due", "list"),
)
BEGGING = [
    {"all_of": [{"mentions": "please"}, {"mentions": one}]}
    for one in ("by thursday", "before thursday", "do so", "do it", "today")
]
"""Words of a reminder."""


def rubric(truth: Facts) -> RubricSource:
    """One message for each who is missing, at their noon; none for the others; and the number."""
    items: list[Item] = []
    for name, one in truth["reminded"].items():
        at = {"between": [(one["noon"] - 60) * SECOND, (one["noon"] + 300) * SECOND]}
        others = [other["name"] for key, other in truth["reminded"].items() if key != name]
        text = {
            "field": "text",
            "all_of": [
                {"mentions": "event.truth.what"},
                {"any_of": [*({"mentions": word} for word in ASKING), *BEGGING]},
            ],
            "none_of": [
                *({"mentions": other} for other in others),
                *({"mentions": word} for word in ("having signed", "channel", "need not", "lose")),
            ],
        }
        items.append(
            {
                "id": f"reminded_{name}",
                "insert": "slack_scheduled_message",
                "where": {
                    "channel_id_from": f"event.truth.reminded.{name}.dm",
                    "state": {"in": ["pending", "sent"]},
                    "post_at": at,
                },
                "text": text,
                "weight": 2,
            }
        )
    python = [{"id": "spared", "call": "predicates.check_spared", "claims": []}]
    spared = [one["name"] for one in truth["spared"].values()]
    told = state_count("event.truth.count", COUNTED, REST, others=spared)
    answer = expect_reply(truth, told, weight=2, after="event.signed.start")
    return make_rubric([*items, answer], python=python)
