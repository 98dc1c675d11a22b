"""Points of a refinement in a thread go into the tickets: the last agreed number counts, the disputed one stays empty."""

from collections.abc import Mapping

from scenarios.office.people import get_superior, software_engineers
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import POINTS, edit, open_work, post, team_room, ticket_refs
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Enter the points of a refinement",
    apps=("slack", "jira"),
    calls=(6, 18),
    demands=2,
    traps={
        "revised": "hasty: enters the first number, though the team agreed on another one further down",
        "kept": "literal: enters a late proposal that the others turned down",
        "disputed": "hasty: enters a number for a ticket on which nobody agreed",
    },
)

REQUESTS = (
    "Please put the points from today's refinement into the tickets, it was the thread in #{room}. Where they did not agree, leave it empty"
    " and tell me which one.",
    "could you enter the estimates from the refinement thread in #{room}? only what was agreed. if something stayed open i'd like the key",
    "The refinement went on in a thread in #{room} this time. I need the agreed story points in Jira before planning; nothing where there"
    " was no agreement, but let me know what is missing.",
    "I read half of the thread in #{room} and lost track. Can you transfer the points that were settled in the end? Name me whatever was"
    " not settled.",
    "Planning is at four. Agreed points of the thread in #{room} -> Jira, please. Anything they couldn't settle I have to bring up there, so"
    " send me the key.",
)
OPENINGS = (
    "Refinement in writing today, please keep it in this thread. Points for {keys}?",
    "Let's do the estimates here, half of us is travelling: {keys}",
    "Estimates for {keys}, please. Thread, one number each, argue if you must.",
)
FIRST = ("{key}: {n}", "{n} for {key}", "{key} looks like {n} to me", "I'd say {n} for {key}")
AGREED = ("{key} {n}, fine", "agreed, {n} for {key}", "yes, {n} on {key}", "+1, {key} = {n}")
RAISED = (
    "{key} is more than {n}, think of the migration. {m}",
    "{n} for {key}? With tests I get {m}",
    "not {n}. {key} touches the old code, so {m}",
)
SETTLED = ("ok, {m} for {key} then", "right, forgot that. {key} {m}", "convinced, {m} on {key}")
REVISED = (
    "Looked into the code for {key} meanwhile: that is {m}, not {n}. Everybody fine with {m}?",
    "About {key} again, the library does half of it. I would change {n} to {m}, objections?",
    "Coming back to {key}: there is a second caller. {m} instead of {n}?",
)
ACCEPTED = ("fine, {key} is {m}", "no objection, {m} for {key}", "ok with {m} on {key}")
REFUSED = (
    "no, I have done the same thing twice. {key} stays {n}",
    "disagree, the second half is not part of it. {n} for {key}, as we said",
    "let's keep {n} for {key}, that risk is in there already. (ok says {who})",
)
CONTESTED = (
    "{m} for {key}, minimum",
    "{key} is {m} for me, I don't see how it fits into {n}",
    "never {n}. {key}: {m}",
)
STANDOFF = (
    "still {n} for {key}. Let's talk about it in person",
    "I stay with {n} on {key}. Needs a call",
    "we will not agree on {key} here, {n} and {m} are two different tickets",
)
SCALE = (1, 2, 3, 5, 8, 13)


def draw(d: Draw) -> Facts:
    """Hold a refinement in a thread: plain agreements, a raised one, a revision, one that is refused or disputed."""
    w = d.w
    me = d.pick(software_engineers(d), "software engineer", me=True)
    team = [one["id"] for one in d.people(team_id=me["team_id"])]
    asker = d.pick(
        [get_superior(me), *(one["id"] for one in d.people() if one["title"].startswith("Product Man"))], "asker"
    )
    cases = ["plain"] * d.stream("plain").integer(1, 3) + ["raised", "revised", "kept"]
    cases += ["disputed"] if d.chance(0.75, "disputed") else ["revised"]
    keys = [one["key"] for one in d.sample(open_work(w, points=False), len(cases), "tickets without points")]
    room = team_room(w, me["id"])
    talk = d.stream("opening").choice(OPENINGS).format(keys=", ".join(sorted(keys, key=lambda key: int(key[5:]))))
    thread = post(w, get_superior(me), room, talk)
    early, late, tickets = _discuss(d, team, dict(zip(keys, cases, strict=True)))
    for speaker, text in early + late:
        post(w, speaker, room, text, thread=thread)
    agreed = {key: points for key, points in tickets.items() if points}
    return {
        "me": me["id"],
        "asker": asker,
        **choose_place(d, me["id"], asker, ("Points from refinement", "Estimates", "Before planning")),
        "request": d.choose_wording(REQUESTS, room=room),
        "room": room,
        "agreed": {f"t{number}": {"key": key, "points": agreed[key]} for number, key in enumerate(agreed)},
        "open": next((key for key, points in tickets.items() if not points), ""),
        "kept": keys[cases.index("kept")],
        "revised": keys[cases.index("revised")],
    }


def _discuss(
    d: Draw, team: list[str], cases: Mapping[str, str]
) -> tuple[list[tuple[str, str]], list[tuple[str, str]], dict[str, int]]:
    """What is said first, what is said later, and the agreed points of each ticket (0 for none)."""
    early: list[tuple[str, str]] = []
    late: list[tuple[str, str]] = []
    points: dict[str, int] = {}
    for key, case in cases.items():
        stream = d.stream("talk", key)
        low, high = sorted(stream.shuffled(SCALE)[:2])
        n, m = (low, high) if case in ("raised", "disputed") or stream.random() < 0.5 else (high, low)
        a, b = stream.shuffled(team)[:2]
        said = {"key": key, "n": n, "m": m, "who": d.w.person(a).first_name}
        parts = {
            "plain": ((FIRST, AGREED), ()),
            "raised": ((FIRST, RAISED, SETTLED), ()),
            "revised": ((FIRST, AGREED), (REVISED, ACCEPTED)),
            "kept": ((FIRST, AGREED), (REVISED, REFUSED)),
            "disputed": ((FIRST, CONTESTED), (STANDOFF,)),
        }[case]
        for spoken, texts in zip((early, late), parts, strict=True):
            spoken += [((a, b)[number % 2], stream.choice(text).format(**said)) for number, text in enumerate(texts)]
        points[key] = {"plain": n, "raised": m, "revised": m, "kept": n, "disputed": 0}[case]
    return early, late, points


def solution(scene: Scene) -> Steps:
    """Enter what was agreed, then say what was not."""
    truth = scene.facts("truth")
    for name, ticket in truth["agreed"].items():
        yield edit(name, ticket["key"], **{POINTS: ticket["points"]})
    if truth["open"]:
        text = f"They did not agree on {truth['open']}, it is still empty. All other points are in."
        yield reply(scene, text, wordings=(f"All in but {truth['open']}, where there was no agreement.",))
    else:
        yield reply(
            scene, "All points are in, they agreed on every ticket.", wordings=("Entered, nothing is missing.",)
        )
    yield Step("finish", "world.finish", {"status": "done"})


UNSETTLED = [
    *({"claims": {"subject": one, "state": "open"}} for one in ("ticket", "tickets", "everything")),
    {"stance": {"on": "pr_was_merged", "is": "denied"}},
    {"stance": {"on": "person_approved", "is": "denied"}},
]
"""What the answer may not say where all was agreed and entered."""


LABELS = {
    "open": (
        "open, left open, not settled, unsettled, not agreed, not agree, disagree, disagreed, no agreement, no "
        "consensus, no common number, undecided, not decided, unresolved, not resolved, disputed, contested, "
        "empty, blank, left out, not entered, missing, without a number, no number, no points, no estimate, "
        "without points, without agreement, to discuss, to be discussed, bring up, needs a call, not clear"
    ),
    "agreed": (
        "have points, has points, has its points, have their points, agreed, agree, agreement, consensus, settled, "
        "decided, resolved, entered, transferred, filled, are in, is in, all in, in jira, is set, are set, fine, "
        "clear, accepted"
    ),
}
"""What the answer may call a ticket."""


def contradict(name: str) -> Item:
    """A remark of the agent on a ticket that gives a number, and not the agreed one."""
    other = [
        {"facts": {"some": ["count", "number"]}},
        {"none_of": [{"facts": {"must": [f"event.truth.agreed.{name}.points"]}}]},
    ]
    where = {"issue_id": {"ref": name}, "author": {"ref": "agent"}}
    return {
        "id": f"other_{name}",
        "insert": "jira_comment",
        "where": where,
        "text": {"field": "body_text", "all_of": other},
    }


def rubric(truth: Facts) -> RubricSource:
    """The agreed points in each ticket; what stayed open is named."""
    expect: list[Item] = [
        {
            "id": f"points_{name}",
            "update": {"ref": name},
            "set": {"story_points": {"eq": {"ref": f"{name}_points"}}},
            "weight": 2,
        }
        for name in truth["agreed"]
    ]
    refs = ticket_refs("agreed", truth["agreed"])
    refs |= {f"{name}_points": {"fact": f"event.truth.agreed.{name}.points"} for name in truth["agreed"]}
    never = [contradict(name) for name in truth["agreed"]]
    if truth["open"]:
        never.append({"id": "invented", "update": "jira_issue", "where": {"key_from": "event.truth.open"}})
    facts = {"only": [{"kind": "key", "called": "open"}], "labels": LABELS}
    if truth["open"]:
        text = {"facts": {"must": [{"fact": "event.truth.open", "called": "open"}], **facts}}
    else:
        text = {"answers": True, "none_of": UNSETTLED, "facts": facts}
    return make_rubric([*expect, expect_reply(truth, text)], refs=refs, never=never)
