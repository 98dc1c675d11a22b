"""Who decided something, and when: a proposal comes first, a decision may be taken back or put right later."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from scenarios.office.people import common_channels, find_titled
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import comment, open_ticket, post
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Who decided that, and when?",
    apps=("slack", "jira"),
    calls=(4, 14),
    split="test",
    traps={
        "proposal": "hasty: names the person and day of the proposal",
        "taken_back": "hasty: names a decision that was taken back and made again by somebody else",
        "chaired": "literal: names the person who noted the decision and put that right later",
    },
)

REQUESTS = (
    "The auditors ask who decided {thing}, and on which day. It must be somewhere in #{room} or in {ticket}. Name and date, please, with a"
    " link to where it is written.",
    "quick one for the minutes: who decided {thing} and when? i remember a thread in #{room} and the ticket {ticket}. send me the link as"
    " well",
    "I have to answer a letter about {thing}. Please find out who took that decision and on what day (#{room}, {ticket}), and give me a"
    " link to where it says so.",
    "Could you look up the decision on {thing} for me? I need the person, the date and a link I can cite. {ticket} and #{room} should have"
    " it.",
    "For the register of decisions: {thing}. Who decided it in the end, when, and under which link can one read it? Start with"
    " {ticket} and #{room}.",
)
THINGS = (
    "to end the old export format",
    "to stop support for the first mobile app",
    "to drop phone numbers at guest checkout",
    "to raise the limit for trial shops",
    "to keep invoices for ten years",
    "to close the test shop of the pilot",
    "to send statements once a month only",
    "to take the beta label off refunds",
    "to move the status page to another host",
    "to charge for extra sandboxes",
)
PROPOSED = (
    "On {date} I proposed {thing}. No decision yet, opinions welcome.",
    "My proposal of {date}: {thing}. Please think about it.",
    "I brought it up on {date} and would like {thing}. Somebody has to decide.",
)
DECIDED = (
    "For the record: on {date} I decided {thing}.",
    "Decision of {date}, and it is mine: {thing}.",
    "I decided {thing} on {date}. This is final as far as I am concerned.",
)
TAKEN_BACK = (
    "I take my decision back, legal has questions. So nothing is decided at the moment.",
    "My decision is withdrawn until we know what it costs. Open again.",
    "I have to undo that one, it was not mine to take. Undecided again.",
)
NOTED = (
    "Noted in the round of {date}: decided {thing}.",
    "Minutes of {date}: we agreed {thing}, noted by me.",
    "{date}, product round: decision {thing}. I wrote it down.",
)
CORRECTED = (
    "To be exact: I only took the minutes. The decision was {who}'s, see there for the day.",
    "One correction to my note, I was just the one who wrote. It was {who} who decided, on another day.",
    "My note is wrong about who and when, ask {who}: not decided in that round.",
)
LABELS = {
    "decided": (
        "decided, decided it, decide, decides, decision, decider, final, final say, final word, final call, "
        "responsible, call was, call by, made the call, made that call, took the call, approved, signed off"
    ),
    "proposed": (
        "proposed, proposal, proposer, suggested, suggestion, brought it up, brought up, idea, put forward, asked "
        "for, wished, wanted, wants, raised, raised it, author of the ticket"
    ),
    "noted": "noted, noted it, minutes, wrote it down, recorded, took notes, clerk, note",
    "undone": (
        "taken it back, took it back, taken back, took back, took that back, taken that back, takes it back, "
        "withdrew, withdrawn, withdraws, revoked, reversed, undid, undone, cancelled, no decision, not decided, "
        "never decided, not decide, did not decide, undecided, nothing is decided"
    ),
}
"""What the answer may call a person or a day."""
CASES = ("plain", "taken_back", "corrected")


def draw(d: Draw) -> Facts:
    """Write the proposal, the decision and what became of it, in a channel and on a ticket."""
    w = d.w
    heads = find_titled(d, "Chief", "Head of", "Engineering Manager", "Staff Engineer", "Product Manager")
    room = "product"
    able = [one for one in heads if room in common_channels(w, one["id"])]
    proposer, first, final = d.sample(able, 3, "deciders")
    clerks = find_titled(d, "Finance", "People", "Customer Success", "Head of Customer", "Head of Support")
    asker = d.pick([one for one in clerks if one["id"] not in (proposer["id"], first["id"], final["id"])], "asker")
    busy = (proposer["id"], first["id"], final["id"], asker["id"])
    me = d.pick([one for one in d.people() if "Engineer" in one["title"] and one["id"] not in busy], "me", me=True)
    thing, case = d.pick(THINGS, "thing"), d.pick(CASES, "case")
    ticket = open_ticket(w, proposer["id"], f"Decide: {thing[3:]}", "Notes in the comments.", kind="Task")
    in_slack = d.chance(0.5, "in slack")
    dates = _draw_dates(d)
    told = _tell(d, case, thing, ticket, room, (proposer, first, final), dates, in_slack)
    return {
        "me": me["id"],
        "asker": asker["id"],
        **choose_place(d, me["id"], asker["id"], ("Who decided?", "A decision", "For the auditors")),
        "request": d.choose_wording(REQUESTS, thing=thing, room=room, ticket=ticket),
        "thing": thing,
        "case": case,
        "ticket": ticket,
        "decider": final["id"],
        "date": dates[2].isoformat(),
        "in_slack": in_slack,
        **told,
    }


def _draw_dates(d: Draw) -> list[date]:
    """Three days of the last weeks, in order."""
    today = datetime.fromtimestamp(d.w.now / 1_000_000, ZoneInfo("UTC")).date()
    back = sorted(d.sample(range(4, 33), 3, "days"), reverse=True)
    return [today - timedelta(days=days) for days in back]


def _tell(
    d: Draw,
    case: str,
    thing: str,
    ticket: str,
    room: str,
    people: tuple[Facts, Facts, Facts],
    dates: list[date],
    in_slack: bool,
) -> dict[str, str]:
    """Let each say their part; returns the channel and `ts` of the decision if it stands in Slack."""
    proposer, first, final = people
    middle = {
        "plain": (),
        "taken_back": ((first, DECIDED, dates[1], False), (first, TAKEN_BACK, dates[1], True)),
        "corrected": ((first, NOTED, dates[1], False), (first, CORRECTED, dates[1], True)),
    }[case]
    parts = ((proposer, PROPOSED, dates[0], not in_slack), *middle, (final, DECIDED, dates[2], in_slack))
    last = ""
    for number, (who, texts, day, public) in enumerate(parts):
        said = {"date": f"{day.day} {day:%B}", "thing": thing, "who": final["full_name"]}
        text = d.pick(texts, f"part {number}").format(**said)
        if public:
            last = post(d.w, who["id"], room, f"{ticket}: {text}")
        else:
            comment(d.w, who["id"], ticket, text)
    if not in_slack:
        return {"room": room, "ts": "", "link": ""}
    channel = d.w.find("slack_channel", name=room)["id"]
    link = d.w.act(final["id"], "chat.getPermalink", channel=channel, message_ts=last)["permalink"]
    return {"room": room, "ts": last, "link": link}


def solution(scene: Scene) -> Steps:
    """Find the place of the decision and answer with person, day and place."""
    truth = scene.facts("truth")
    where = truth["ticket"]
    if truth["in_slack"]:
        channel = scene.find("slack_channel", name=truth["room"])["id"]
        found = yield Step("link", "chat.getPermalink", {"channel": channel, "message_ts": truth["ts"]})
        where = found["permalink"]
    who, day = scene.find("person", id=truth["decider"])["full_name"], datetime.fromisoformat(truth["date"])
    date = f"{day.day} {day:%B %Y}"
    yield reply(scene, f"{who} decided it on {date}: {where}", wordings=(f"It was {who}, on {date}, see {where}",))
    yield Step("finish", "world.finish", {"status": "done"})


def rubric(truth: Facts) -> RubricSource:
    """Person, day and place in the answer, and nobody else as the one who decided."""
    refs = {one: {"employee": {"fact": f"event.truth.{one}"}} for one in ("decider", "asker")}
    place = "event.truth.link" if truth["in_slack"] else "event.truth.ticket"
    facts = {
        "must": [{"ref": "decider", "called": "decided"}, {"date": "event.truth.date", "called": "decided"}, place],
        "only": [{"kind": "person", "called": "decided"}, {"kind": "date", "called": "decided"}],
        "never": [{"ref": "decider", "called": "undone"}],
        "labels": LABELS,
    }
    text = {"facts": facts}
    return make_rubric([expect_reply(truth, text)], refs=refs)
