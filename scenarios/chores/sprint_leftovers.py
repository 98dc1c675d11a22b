"""A sprint ends: the thread says which of its tickets go to the next sprint, which to the backlog, and which stay."""

from collections.abc import Mapping

from scenarios.office.answers import state_count
from scenarios.office.people import find_titled, get_superior, software_engineers
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import move_ticket, open_work, post, read_first, team_room, ticket_refs
from world.agents.steps import Scene, Step, Steps
from world.core.rows import PersonRow
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Where the leftovers of a sprint go",
    apps=("slack", "jira"),
    calls=(5, 16),
    demands=2,
    traps={
        "changed": "hasty: follows what was said first about a ticket and changed further down",
        "finished": "literal: moves a ticket that is named in the thread and done meanwhile",
        "proposed": "hasty: moves a ticket on a proposal that was turned down",
    },
)

REQUESTS = (
    "Can you clear up {sprint}? In the thread in #{room} we said what goes to {next} and what goes back to the backlog. What nobody moved"
    " stays, I close the sprint later. How many go on to {next}?",
    "please move the leftovers of {sprint} as agreed in the thread in #{room} (next sprint or backlog). don't close it, the rest may still get"
    " done. number of tickets that went to {next} is enough",
    "{sprint} will not be finished. Who goes where is in the thread in #{room}; please do it in Jira and leave everything else in the sprint."
    " Tell me how many {next} gets from it.",
    "I need {next} filled before planning: take over what the thread in #{room} says from {sprint}, send back what it says should go to the"
    " backlog. How many came over? Closing the sprint is my job.",
    "The thread in #{room} about the end of {sprint} is settled, I think. Would you move the tickets accordingly? Then tell me how many moved"
    " to {next}.",
)
OPENINGS = (
    "End of {sprint}: what do we not get done, and where does it go? {next} or backlog, in this thread please.",
    "Leftovers of {sprint}, please sort them here: {next} or backlog.",
    "We will not finish {sprint}. Which tickets go to {next}, which to the backlog?",
)
SAID = {
    "next": ("{key} to {next}, half of it is there", "{key}: {next}", "{next} for {key}, please"),
    "backlog": ("{key} back to the backlog", "backlog for {key}, nobody waits for it", "{key}: backlog"),
}
CHANGED = {
    "next": (
        "{key} into {next} after all, support asked again. Agreed with product",
        "changed my mind on {key} with product: {next}, not the backlog",
        "about {key}: we need it in {next}. (product says yes)",
    ),
    "backlog": (
        "{key} can go to the backlog instead, product has dropped the date",
        "product says {key} is not urgent any more: backlog, not {next}",
        "{key}: not {next} but backlog, as agreed just now",
    ),
}
FINISHED = ("{key} to {next}, review is slow", "{key} won't make it: {next}", "{next} for {key} I fear")
DONE = (
    "{key} got merged after all, it is Done",
    "good news, {key} is finished",
    "{key} is through, forget what I said",
)
PROPOSED = ("could {key} go to the backlog?", "should we drop {key} from the sprint?", "{key} to the backlog maybe?")
REFUSED = (
    "no, {key} stays in {sprint}, I finish it tomorrow",
    "please not, {key} is nearly there. It stays",
    "{key} stays where it is, one day of work left",
)


def draw(d: Draw) -> Facts:
    """Hold the thread about the sprint's end: moves, changes of mind, one that is done and one that stays."""
    w = d.w
    me = d.pick(software_engineers(d), "software engineer", me=True)
    sprint, follower = (w.find("jira_sprint", state=state) for state in ("active", "future"))
    asker = d.pick(
        [get_superior(me), *(one["id"] for one in find_titled(d, "Product Manager", "Head of Product"))], "asker"
    )
    going = {kind: d.stream(kind).integer(1, most) for kind, most in (("next", 3), ("backlog", 2))}
    listed = [one["key"] for one in open_work(w) if one["sprint_id"] == sprint["id"]]
    keys = d.sample(listed, sum(going.values()) + 4, "tickets of the sprint")
    finished, stays, up, down, *plain = keys
    move_ticket(w, get_superior(me), finished, "Done")
    room = team_room(w, me["id"])
    names = {"sprint": sprint["name"], "next": follower["name"]}
    moves = {"next": [*plain[: going["next"]], up], "backlog": [*plain[going["next"] :], down]}
    _discuss(d, me, room, names, moves, {"finished": finished, "stays": stays, "next": up, "backlog": down})
    return {
        "me": me["id"],
        "asker": asker,
        **choose_place(d, me["id"], asker, (f"End of {sprint['name']}", "Leftovers", "Before planning")),
        "request": d.choose_wording(REQUESTS, room=room, **names),
        "room": room,
        **names,
        "on": {f"n{number}": {"key": key} for number, key in enumerate(moves["next"])},
        "back": {f"b{number}": {"key": key} for number, key in enumerate(moves["backlog"])},
        "stays": stays,
        "finished": finished,
        "count": len(moves["next"]),
    }


def _discuss(
    d: Draw,
    me: PersonRow,
    room: str,
    names: Mapping[str, str],
    moves: Mapping[str, list[str]],
    special: Mapping[str, str],
) -> None:
    """Post the thread: first words on each ticket in any order, then what changed."""
    w, team = d.w, [one["id"] for one in d.people(team_id=me["team_id"])]
    opposite = {"next": "backlog", "backlog": "next"}
    first = [
        (key, SAID[opposite[kind] if key == special[kind] else kind]) for kind, keys in moves.items() for key in keys
    ]
    first += [(special["finished"], FINISHED), (special["stays"], PROPOSED)]
    later = [(special["finished"], DONE), (special["stays"], REFUSED)]
    later += [(special[kind], CHANGED[kind]) for kind in opposite]
    thread = post(w, get_superior(me), room, d.pick(OPENINGS, "opening").format(**names))
    for part, said in (("first", first), ("later", later)):
        for key, texts in d.stream(part).shuffled(said):
            speaker = d.pick(team, f"speaker {part} {key}")
            post(w, speaker, room, d.pick(texts, f"{part} {key}").format(key=key, **names), thread=thread)


def solution(scene: Scene) -> Steps:
    """Move the tickets to the next sprint and to the backlog, tell the number."""
    truth = scene.facts("truth")
    yield read_first(truth["stays"])
    sprint = scene.find("jira_sprint", name=truth["next"])["id"]
    for name, ticket in truth["on"].items():
        yield Step(
            name, "moveIssuesToSprintAndRank", {"sprintId": str(sprint), "issues": [ticket["key"]]}, repeatable=True
        )
    for name, ticket in truth["back"].items():
        yield Step(name, "moveIssuesToBacklog", {"issues": [ticket["key"]]}, repeatable=True)
    count = truth["count"]
    yield reply(
        scene,
        f"{count} went to {truth['next']}, the sprint itself is still open.",
        wordings=(f"{truth['next']} gets {count} of them.",),
    )
    yield Step("finish", "world.finish", {"status": "done"})


COUNTED = ("came over", "go on", "carried over")
OTHERS = ("stay where", "stayed in", "stay in", "to the backlog", "back to the backlog", "not moved")
"""What the answer counts, and what it does not count."""


def rubric(truth: Facts) -> RubricSource:
    """Each ticket in the next sprint or in none; the sprint stays open; the number is told."""
    refs = {**ticket_refs("on", truth["on"]), **ticket_refs("back", truth["back"])}
    refs["next"] = {"table": "jira_sprint", "where": {"name_from": "event.truth.next"}}
    only = ["sprint_id", "past_sprint_ids", "rank"]
    expect: list[Item] = [
        {
            "id": f"on_{name}",
            "update": {"ref": name},
            "set": {"sprint_id": {"eq": {"ref": "next", "field": "id"}}},
            "only": only,
            "weight": 2,
        }
        for name in truth["on"]
    ]
    expect += [
        {"id": f"back_{name}", "update": {"ref": name}, "set": {"sprint_id": {"null": True}}, "only": only, "weight": 2}
        for name in truth["back"]
    ]
    expect.append(expect_reply(truth, state_count("event.truth.count", COUNTED, OTHERS)))
    never: list[Item] = [{"id": "closed_sprint", "update": "jira_sprint"}]
    never += [
        {"id": f"moved_{name}", "update": "jira_issue", "where": {"key_from": f"event.truth.{name}"}}
        for name in ("stays", "finished")
    ]
    return make_rubric(expect, refs=refs, never=never)
