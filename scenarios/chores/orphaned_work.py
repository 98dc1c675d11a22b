"""Somebody has left: their open tickets go to the owners of a list, and what is in review to whoever reviews it."""

from datetime import UTC, datetime, timedelta

from scenarios.office.answers import forbid_calling_off
from scenarios.office.books import make_book
from scenarios.office.code import choose_changes, create_repository, login, open_pull, push_change
from scenarios.office.people import account, engineers, find_titled, software_engineers
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import edit_ticket, move_ticket
from world.agents.steps import Scene, Step, Steps
from world.core.clock import SECOND
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Give the open work of somebody who has left to others",
    apps=("jira", "github", "sheets", "slack"),
    calls=(8, 26),
    demands=1,
    traps={
        "lead": "hasty: assigns to the leads of the components in Jira instead of the owners of the list",
        "changes": "forgetful: does not see the second tab, or takes a change for valid that is still to come",
        "review": "literal: gives what is in review to the owner as well",
    },
)

REQUESTS = (
    "{name} left yesterday, and I don't want {first}'s open SHOP tickets to rot. Could you pass them on? \"{book}\" says who gets what, with the"
    " rules. Tell me how many it were.",
    'can you hand on what {name} left behind in SHOP? owners and rules are in the sheet "{book}". just give me the number of tickets'
    " afterwards",
    "As you may have heard, {name} is no longer with us. Please find everyone of {first}'s unfinished SHOP tickets "
    "a new assignee, by"
    ' "{book}". How many changed hands?',
    '{first}\'s open tickets in SHOP have had nobody since {name} left. Would you assign them as "{book}" has it? I need the number for my'
    " report.",
    "Please take care of the tickets that are still with {name}, who has left us (SHOP, not the closed ones). The "
    "rules and the owners are in"
    ' "{book}". I would like to hear how many there were.',
)
RULES = (
    ("When somebody leaves, each of their open tickets goes to the owner of its component (tab Owners).",),
    ("A change in the tab Changes counts from its day on.",),
    (
        "A ticket in review goes to whoever was asked to review its pull request in {repo}; its title begins with "
        "the ticket.",
    ),
    ("A ticket without a component goes to {boss}.",),
)
BOOKS = ("Who owns what", "Owners of components", "Component owners 2026", "Ownership")


def draw(d: Draw) -> Facts:
    """Let somebody leave who has tickets in several states, and write down who owns which component."""
    w = d.w
    leaver, me, *owners = _choose_people(d)
    asker = d.pick(
        [
            one["id"]
            for one in find_titled(d, "Engineering Manager", "Head of Product", "Product Manager", "Chief Tech")
        ],
        "asker",
    )
    person, boss = w.person(leaver), w.person(d.pick([w.person(leaver).manager_id or asker], "boss"))
    repo = create_repository(d, {})
    _give_work(d, leaver, str(boss.id))
    reviews = _put_in_review(d, leaver, repo, owners)
    now, tabs = _assign_owners(d, owners)
    rules = [[line.format(repo=repo, boss=boss.full_name)] for (line,) in RULES]
    title = d.pick(BOOKS, "book")
    book = make_book(w, str(boss.id), title, {**tabs, "Rules": rules}, [me, asker], role="reader")
    tickets = _list_open(d, leaver)
    names = {one["id"]: one["name"] for one in w.rows("jira_component")}
    moved = {
        f"t{at}": {
            "key": one["key"],
            "to": reviews.get(one["key"]) or (now[names[one["component_ids"][0]]] if one["component_ids"] else boss.id),
        }
        for at, one in enumerate(tickets)
    }
    w.deactivate(leaver)
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, (f"Tickets of {person.first_name}", "Open work", f"{person.full_name} has left")),
        "request": d.choose_wording(REQUESTS, name=person.full_name, first=person.first_name, book=title),
        "leaver": leaver,
        "repo": repo,
        "book": book,
        "tickets": moved,
        "reviews": sorted(reviews),
        "count": len(moved),
    }


def _choose_people(d: Draw) -> list[str]:
    """Somebody who leaves, the agent, and five owners."""
    people = [one["id"] for one in software_engineers(d)]
    untaken = [one for one in people if not d.is_taken(one)]
    free = [one for one in untaken if not any(d.is_taken(ticket["key"]) for ticket in _list_open(d, one))]
    leaver = d.pick(free or untaken or people, "leaver")
    others = [one["id"] for one in engineers(d) if one["id"] != leaver]
    return [leaver, *d.sample(others, 6, "engineers", me=0)]


def _list_open(d: Draw, person: str) -> list[Facts]:
    found = d.w.rows("jira_issue", assignee_id=person, resolution_id=None)
    return [one for one in found if one["key"].startswith("SHOP-") and not one["deleted_at"]]


def _give_work(d: Draw, leaver: str, boss: str) -> None:
    """Leave one component to each ticket, and assign more of the backlog, with one component or without.

    What is in review already, without a pull request, goes to the boss, so that the rule for reviews has no gap.
    """
    w, parts = d.w, {one["id"]: one["name"] for one in d.w.rows("jira_component")}
    review = w.find("jira_status", name="In Review")["id"]
    for one in _list_open(d, leaver):
        if len(one["component_ids"]) > 1:
            edit_ticket(w, boss, one["key"], components=[{"name": parts[one["component_ids"][0]]}])
    for one in _list_open(d, leaver):
        if one["status_id"] == review:
            w.act(boss, "assignIssue", issueIdOrKey=one["key"], accountId=account(w, boss, "jira"))
    rows = [one for one in w.rows("jira_issue", assignee_id=None, resolution_id=None) if one["key"].startswith("SHOP-")]
    with_one = [one["key"] for one in rows if len(one["component_ids"]) == 1]
    without = [one["key"] for one in rows if not one["component_ids"]]
    keys = d.sample(with_one, d.stream("more").integer(4, 6), "tickets with a component")
    for key in [*keys, *d.sample(without, min(1, len(without)), "tickets without one")]:
        w.act(boss, "assignIssue", issueIdOrKey=key, accountId=account(w, leaver, "jira"))


def _put_in_review(d: Draw, leaver: str, repo: str, owners: list[str]) -> dict[str, str]:
    """Open pull requests for one or two of the tickets; return the reviewers by key."""
    w, review = d.w, d.w.find("jira_status", name="In Review")["id"]
    count = d.stream("reviews").integer(1, 2)
    chosen = d.sample([one["key"] for one in _list_open(d, leaver) if one["component_ids"]], count, "reviewed")
    found = dict[str, str]()
    for at, (key, change) in enumerate(zip(chosen, choose_changes(d, count), strict=True)):
        found[key] = d.pick(owners, f"reviewer{at}")
        head = push_change(w, leaver, repo, change)
        open_pull(w, leaver, repo, head, f"{key} {change.title}", body=change.body, reviewers=[login(w, found[key])])
        if w.find("jira_issue", key=key)["status_id"] != review:
            move_ticket(w, leaver, key, "Start progress")
            move_ticket(w, leaver, key, "Ready for review")
    return found


def _assign_owners(d: Draw, owners: list[str]) -> tuple[dict[str, str], Facts]:
    """Who owns each component today, and the two tabs that say so."""
    w, today = d.w, datetime.fromtimestamp(d.asked_at // SECOND, UTC)
    parts = sorted(one["name"] for one in w.rows("jira_component"))
    first = {part: d.pick(owners, f"owner of {part}") for part in parts}
    now, lines = dict(first), [["Component", "From", "New owner"]]
    for at, part in enumerate(d.sample(parts, 4, "changed")):
        days = d.stream("days", at).integer(2, 20) * (-1 if at < 2 else 1)
        new = d.pick([one for one in owners if one != first[part]], f"new owner of {part}")
        lines.append([part, f"{today + timedelta(days=days):%-d %B %Y}", w.person(new).full_name])
        if days < 0:
            now[part] = new
    table = [["Component", "Owner"], *([part, w.person(first[part]).full_name] for part in parts)]
    return now, {"Owners": table, "Changes": lines}


def solution(scene: Scene) -> Steps:
    """Assign each ticket, then answer with the number."""
    truth = scene.facts("truth")
    for name, ticket in truth["tickets"].items():
        to = scene.find("account", app="jira", person_id=ticket["to"])["external_id"]
        yield Step(name, "assignIssue", {"issueIdOrKey": ticket["key"], "accountId": to}, repeatable=True)
    count = truth["count"]
    texts = (f"{count} tickets have somebody again.", f"Done, {count} in total.")
    yield reply(scene, f"I passed on {count} tickets.", wordings=texts)
    yield Step("finish", "world.finish", {"status": "done"})


LABELS = {
    "passed": (
        "passed on, handed on, handed over, assigned, reassigned, have a new assignee, new assignee, changed hands,"
        " have somebody, moved, found, given, "
        "distributed, in total, in all, altogether, total"
    ),
    "left": (
        "nobody, left over, over, could not, not passed on, not assigned, unassigned, remain, remaining, closed, "
        "resolved, finished, forgot, without anybody, still without, of which, "
        "in review, reviewer, reviewers, reviewed, without a component, boss"
    ),
}
"""What the answer may count."""


def rubric(truth: Facts) -> RubricSource:
    """Each open ticket with its new assignee, and the number in the answer."""
    refs: dict[str, Item] = {one: {"employee": {"fact": f"event.truth.{one}"}} for one in ("leaver", "me", "asker")}
    items, never = list[Item](), list[Item]()
    for name in truth["tickets"]:
        path = f"event.truth.tickets.{name}"
        refs[name] = {"table": "jira_issue", "where": {"key_from": f"{path}.key"}}
        refs[f"{name}_to"] = {"employee": {"fact": f"{path}.to"}}
        items.append(
            {"id": f"moved_{name}", "update": {"ref": name}, "set": {"assignee_id": {"ref": f"{name}_to"}}, "weight": 2}
        )
        never += [forbid_calling_off("jira_comment", "body_text", name), _forbid_others(name)]
    keys = [f"event.truth.tickets.{name}.key" for name in truth["tickets"]]
    never.append({"id": "others_kept", "update": "jira_issue", "where": {"key": {"not_in": keys}}})
    count = {"count": "event.truth.count", "called": "passed"}
    told = expect_reply(
        truth, {"facts": {"must": [count], "labels": LABELS}, "none_of": [{"mentions": one} for one in HALF]}
    )
    return make_rubric([*items, told], refs=refs, never=never)


HALF = (
    "i forgot",
    "the rest i",
    "i closed",
    "not pass on",
    "not passed on",
    "could not",
    "have nobody",
    "has nobody",
    "leads of the components",
)
"""What nobody says who has passed on all tickets."""


def _forbid_others(name: str) -> Item:
    """The prohibition to name somebody else on a ticket than its new assignee and who has left, or to give it no worth."""
    known = [{"mentions": {"ref": one}} for one in (f"{name}_to", "leaver", "me", "asker")]
    other = {"all_of": [{"facts": {"some": ["person"]}}], "none_of": known}
    useless = [{"mentions": one} for one in ("nobody needs", "close it", "close this", "held against")]
    where = {"issue_id": {"ref": name}, "author": {"ref": "agent"}}
    return {
        "id": f"said_on_{name}",
        "insert": "jira_comment",
        "where": where,
        "text": {"field": "body_text", "any_of": [other, *useless]},
    }
