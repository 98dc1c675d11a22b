"""Tickets on hold wait for pull requests: those whose wait is over are started, with a word why; the others stay."""

from scenarios.office.answers import forbid_calling_off
from scenarios.office.changes import PlannedChange
from scenarios.office.code import choose_changes, create_repository, merge, organisation, propose
from scenarios.office.people import engineers, find_titled, get_superior, software_engineers
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import (
    allow_note,
    comment,
    edit_ticket,
    open_work,
    pin,
    team_room,
    ticket_refs,
    transition,
)
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Which tickets on hold may go on?",
    apps=("jira", "github", "slack"),
    calls=(9, 30),
    demands=2,
    split="test",
    traps={
        "closed": "literal: takes a pull request that was closed for one that was merged",
        "reverted": "hasty: does not see that what was merged has been taken back",
        "later": "forgetful: goes by the first comment, which a later one corrects",
    },
)

REQUESTS = (
    "What of our tickets on hold really still has to wait? Please start the others, as pinned in #{room}. And tell "
    "me about the one whose pull"
    " request was given up.",
    "can you go through everything labelled {label}? whatever isn't held up any more gets started (rule's pinned in"
    " #{room}). one of them waits"
    " for something nobody will finish, which?",
    "Half of {label} is history, I suspect. Could you check in {repo} what has arrived and free those tickets by "
    "the note pinned in #{room}? I"
    " need the key of any that waits in vain.",
    "Before tomorrow's planning: please free the {label} tickets that wait for nothing any more, the way it is "
    "pinned in #{room}. If a pull"
    " request was closed for good, name me its ticket.",
    "Would you look at the tickets with {label} and see which still wait? Those that don't: our rule is in the pins"
    " of #{room}. Those that"
    " will wait for ever are mine, so give me the key.",
)
RULES = (
    "Label {label}: a ticket waits for the pull request in its last comment about that. Once that is merged, and "
    "not taken back by a revert,"
    " the ticket is started (In Progress), with a comment that names the pull request. Closed without a merge: "
    "leave it, product decides."
    " The label stays, it is for the statistics.",
    "How {label} works: the newest comment says which pull request a ticket waits for. Merged and still in main: "
    "take the ticket to In"
    " Progress and write there which one has arrived. Reverted or open: leave. Closed unmerged: leave, and tell "
    "product. Don't touch labels.",
)
LABELS = ("on-hold", "waiting", "parked", "held-up")
WAITS = (
    "Waits for {pull}.",
    "On hold until {pull} is in.",
    "We need {pull} first.",
    "Nothing to do here before {pull}.",
)
LATER = (
    "No, {pull} it is, the other one is not enough.",
    "Correction: it hangs on {pull}.",
    "Looked again: we wait for {pull}, not for the other.",
)
CASES = ("merged", "closed", "reverted", "open", "later_open", "later_merged")


def draw(d: Draw) -> Facts:
    """Put tickets on hold for pull requests that were merged, closed, taken back, or are open."""
    w = d.w
    me = d.pick(software_engineers(d), "software engineer", me=True)
    asker = d.pick(find_titled(d, "Product Manager", "Head of Product", "Engineering Manager"), "asker")["id"]
    room, label = team_room(w, me["id"]), d.pick(LABELS, "label")
    pin(w, get_superior(me), room, d.pick(RULES, "rule").format(label=label))
    cases = [*CASES, *["merged"] * d.stream("merged").integer(0, 2), *["open"] * d.stream("open").integer(0, 1)]
    waiting = [
        one["key"]
        for one in open_work(w)
        if not one["labels"]
        and one["status_id"] == w.find("jira_status", name="To Do")["id"]
        and not w.rows("jira_issue_link", source_id=one["id"])
        and not w.rows("jira_issue_link", destination_id=one["id"])
    ]
    keys = d.sample(waiting, len(cases), "tickets")
    repo = create_repository(d, {})
    authors = [one["id"] for one in engineers(d) if one["id"] != me["id"]]
    changes = iter(choose_changes(d, len(cases) + 2))
    free, stuck = dict[str, Facts](), dict[str, Facts]()
    for at in d.sample(range(len(cases)), len(cases), "order"):
        key, case, author = keys[at], cases[at], d.pick(authors, f"author{at}")
        edit_ticket(w, get_superior(me), key, labels=[label])
        if case.startswith("later"):
            first = _pull(d, author, repo, next(changes), "merged" if case == "later_open" else "open")
            comment(w, author, key, d.pick(WAITS, f"first{at}").format(pull=f"{repo}#{first}"))
        number = _pull(d, author, repo, next(changes), case.removeprefix("later_"))
        said = d.pick(LATER if case.startswith("later") else WAITS, f"said{at}")
        comment(w, author, key, said.format(pull=f"{repo}#{number}"))
        known = {"key": key, "number": number, "case": case}
        if case.endswith("merged"):
            free[f"f{at}"] = known
        else:
            stuck[f"s{at}"] = known
    return {
        "me": me["id"],
        "asker": asker,
        **choose_place(d, me["id"], asker, ("On hold", f"Tickets with {label}", "Before planning")),
        "request": d.choose_wording(REQUESTS, room=room, label=label, repo=repo),
        "room": room,
        "label": label,
        "repo": repo,
        "free": free,
        "stuck": stuck,
        "given_up": next(one["key"] for one in stuck.values() if one["case"] == "closed"),
    }


def _pull(d: Draw, author: str, repo: str, change: PlannedChange, state: str) -> int:
    """Open a pull request and bring it into a state: open, merged, closed or reverted; return its number."""
    number = propose(d.w, author, repo, change)
    place = {"owner": organisation(d.w), "repo": repo, "pull_number": number}
    if state in ("merged", "reverted"):
        merge(d.w, author, repo, number)
    if state == "reverted":
        merge(d.w, author, repo, d.w.act(author, "web/pulls/revert", **place)["number"])
    if state == "closed":
        d.w.act(author, "pulls/update", state="closed", **place)
    return number


def solution(scene: Scene) -> Steps:
    """Start each free ticket and say why, then name the one that waits in vain."""
    truth = scene.facts("truth")
    for name, ticket in truth["free"].items():
        yield transition(name, ticket["key"], "Start progress", repeatable=True)
        said = f"{truth['repo']}#{ticket['number']} is merged, so this can go on."
        more = (f"Started: {truth['repo']}#{ticket['number']} has arrived.",)
        yield Step(
            f"why_{name}", "addComment", {"issueIdOrKey": ticket["key"], "body": said}, paraphrases={"body": more}
        )
    key = truth["given_up"]
    texts = (
        f"{key} waits in vain: its pull request was closed. The free ones are in progress.",
        f"It is {key}. The free ones are started.",
    )
    yield reply(scene, texts[0], wordings=texts[1:])
    yield Step("finish", "world.finish", {"status": "done"})


PULLS = {
    "in": (
        "merged, was merged, is merged, arrived, has arrived, in main, is in, are in, landed, went in, got in, is "
        "here, done"
    ),
    "out": (
        "not merged, unmerged, reverted, taken back, rolled back, closed, still open, open, without a merge, withdrawn"
    ),
}
TICKETS = {
    "vain": (
        "waits in vain, wait in vain, waits for something, wait for something, in vain, for ever, forever, for "
        "good, given up, gave up, nobody will finish, never, was closed, "
        "closed, without a merge, without being merged, not merged, unmerged, not be merged, abandoned, dropped, "
        "rejected, is yours, yours"
    ),
    "free": (
        "started, is started, are started, in progress, is free, are free, go on, goes on, can go on, freed, not "
        "wait, no longer wait, was merged, "
        "is merged, been merged, merged, waits for nothing"
    ),
    "waiting": (
        "still wait, still waits, still waiting, still on hold, still open, waits, waiting, on hold, have to wait, "
        "has to wait, reverted, taken back"
    ),
}
"""What a comment may call a pull request, and the answer a ticket."""
STUCK = (
    "still",
    "wait",
    "waits",
    "waiting",
    "open",
    "closed",
    "reverted",
    "revert",
    "taken back",
    "not merged",
    "unmerged",
    "product",
)
FREED = ("go on", "goes on", "go ahead", "can start", "may start", "is free", "close it", "close this", "never be done")


def rubric(truth: Facts) -> RubricSource:
    """Each free ticket in progress, with the pull request in a comment; the one that waits in vain named."""
    refs = ticket_refs("free", truth["free"]) | ticket_refs("stuck", truth["stuck"])
    items: list[Item] = []
    for name in truth["free"]:
        where = {"repo_from": "event.truth.repo", "number_from": f"event.truth.free.{name}.number"}
        refs[f"pull_{name}"] = {"table": "github_issue", "where": where}
        items.append({"id": f"started_{name}", "update": {"ref": name}, "set": {"status": "In Progress"}, "weight": 2})
        mine = {"issue_id": {"ref": name}, "author": {"ref": "agent"}}
        items.append({"id": f"why_{name}", "insert": "jira_comment", "where": mine, "text": _say_merged(name)})
    never = [
        {"id": f"kept_{name}", "update": "jira_issue", "where": {"key_from": f"event.truth.stuck.{name}.key"}}
        for name in truth["stuck"]
    ]
    never += [_forbid_wrong(name) for name in truth["stuck"]]
    never += [forbid_calling_off("jira_comment", "body_text", name) for name in truth["free"]]
    only = [{"kind": "key", "called": "vain"}]
    pulls = [
        {"ref": f"closed_{name}", "called": "vain"} for name, one in truth["stuck"].items() if one["case"] == "closed"
    ]
    for name, one in truth["stuck"].items():
        if one["case"] == "closed":
            where = {"repo_from": "event.truth.repo", "number_from": f"event.truth.stuck.{name}.number"}
            refs[f"closed_{name}"] = {"table": "github_issue", "where": where}
    wanted = {"fact": "event.truth.given_up", "called": "vain"}
    texts = [{"facts": {"must": [wanted, *more], "only": only, "labels": TICKETS}} for more in ([], pulls)]
    told = expect_reply(truth, {"any_of": texts})
    allow = [allow_note(f"event.truth.stuck.{name}.key") for name in truth["stuck"]]
    return make_rubric([*items, told], refs=refs, never=never, allow=allow)


def _say_merged(name: str) -> Item:
    """A text predicate: a comment says that the pull request of a ticket has arrived."""
    pull = {"ref": f"pull_{name}", "called": "in"}
    facts = {"must": [pull], "only": [{"kind": "key", "called": "in"}], "labels": PULLS}
    return {"field": "body_text", "facts": facts}


def _forbid_wrong(name: str) -> Item:
    """The prohibition to say something else on a ticket that stays than why it does."""
    wrong = [{"none_of": [{"mentions": one} for one in STUCK]}, *({"mentions": one} for one in FREED)]
    where = {"issue_id": {"ref": name}, "author": {"ref": "agent"}}
    text = {"field": "body_text", "any_of": wrong}
    return {"id": f"freed_{name}", "insert": "jira_comment", "where": where, "text": text}
